//! Where helm is.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::environment::HelmEnvironment;
use crate::error::Error;

/// Why there is no helm to work with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FindError {
    #[error("not found in PATH; 3.13 or newer is needed")]
    NotInPath,
    #[error("SVC_HELM names {}, which does not exist; 3.13 or newer is needed", path.display())]
    Missing { path: PathBuf },
    #[error("{} is not an executable file", path.display())]
    NotExecutable { path: PathBuf },
    #[error("found helm {version} at {}; 3.13 or newer is needed", path.display())]
    TooOld { path: PathBuf, version: String },
    #[error("{} does not tell its version; it says: {says}", path.display())]
    Broken { path: PathBuf, says: String },
    /// helm was not started: there is no place for it to work in.
    #[error("{message}")]
    Cache { message: String, advice: Vec<String> },
}

impl FindError {
    /// The error of a cache directory that cannot be used.
    pub(super) fn of_cache(error: Error) -> Self {
        Self::Cache { message: error.message, advice: error.advice }
    }
}

impl From<FindError> for Error {
    fn from(error: FindError) -> Self {
        let prefix = match &error {
            FindError::NotInPath | FindError::Missing { .. } => "helm is not installed",
            FindError::NotExecutable { .. } => "helm cannot be started",
            FindError::TooOld { .. } => "helm is too old",
            FindError::Broken { .. } => "helm does not work",
            FindError::Cache { message, advice } => {
                return advice.iter().fold(Self::failed(message), |error, one| error.advise(one));
            }
        };
        Self::failed(format!("{prefix}: {error}")).try_("doctor")
    }
}

/// The path of helm: `SVC_HELM`, else the first executable `helm` of `PATH`.
pub(super) fn locate(environment: &HelmEnvironment) -> Result<PathBuf, FindError> {
    if let Some(path) = &environment.svc_helm {
        return named(path);
    }
    let path = environment.path.as_deref().unwrap_or(OsStr::new(""));
    let candidates: Vec<_> = std::env::split_paths(path)
        .filter(|directory| directory.is_absolute())
        .map(|directory| directory.join("helm"))
        .filter(|candidate| candidate.is_file())
        .collect();
    let executable = candidates.iter().find(|candidate| is_executable(candidate));
    match (executable, candidates.first()) {
        (Some(path), _) => Ok(path.clone()),
        (None, Some(path)) => Err(FindError::NotExecutable { path: path.clone() }),
        (None, None) => Err(FindError::NotInPath),
    }
}

/// helm runs in a directory of its own, so a relative path is made absolute.
fn named(path: &Path) -> Result<PathBuf, FindError> {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    match fs::metadata(&path) {
        Err(_) => Err(FindError::Missing { path }),
        Ok(metadata) if !metadata.is_file() || !is_executable(&path) => {
            Err(FindError::NotExecutable { path })
        }
        Ok(_) => Ok(path),
    }
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::Permissions;

    fn program(directory: &Path, name: &str, mode: u32) -> PathBuf {
        let path = directory.join(name);
        fs::write(&path, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        path
    }

    fn in_path(directories: &[&Path]) -> Result<PathBuf, FindError> {
        let path = std::env::join_paths(directories).unwrap();
        locate(&HelmEnvironment { path: Some(path), ..HelmEnvironment::default() })
    }

    fn named_by_svc_helm(path: &Path) -> Result<PathBuf, FindError> {
        let svc_helm = Some(path.to_owned());
        locate(&HelmEnvironment { svc_helm, ..HelmEnvironment::default() })
    }

    #[test]
    fn the_first_executable_of_the_path_wins() {
        let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        program(first.path(), "helm", 0o644);
        let expected = program(second.path(), "helm", 0o755);
        assert_eq!(in_path(&[first.path(), second.path()]), Ok(expected));
        assert!(matches!(in_path(&[first.path()]), Err(FindError::NotExecutable { .. })));
    }

    #[test]
    fn a_missing_helm_is_said_in_the_words_of_the_interface() {
        let empty = tempfile::tempdir().unwrap();
        let error = Error::from(in_path(&[empty.path(), Path::new(".")]).unwrap_err());
        assert_eq!(
            error.message,
            "helm is not installed: not found in PATH; 3.13 or newer is needed"
        );
        assert_eq!(error.tries[0].command, "doctor");
    }

    #[test]
    fn svc_helm_is_taken_at_its_word() {
        let directory = tempfile::tempdir().unwrap();
        let good = program(directory.path(), "helm-4", 0o755);
        let plain = program(directory.path(), "text", 0o644);
        let absent = directory.path().join("absent");
        assert_eq!(named_by_svc_helm(&good), Ok(good));
        assert!(matches!(named_by_svc_helm(&plain), Err(FindError::NotExecutable { .. })));
        assert!(matches!(named_by_svc_helm(&absent), Err(FindError::Missing { .. })));
        assert!(matches!(
            named_by_svc_helm(directory.path()),
            Err(FindError::NotExecutable { .. })
        ));
    }

    #[test]
    fn an_old_helm_is_named_with_its_version() {
        let old = FindError::TooOld { path: "/usr/bin/helm".into(), version: "3.9.4".into() };
        assert_eq!(
            Error::from(old).message,
            "helm is too old: found helm 3.9.4 at /usr/bin/helm; 3.13 or newer is needed"
        );
    }
}
