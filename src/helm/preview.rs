//! What helm would do: a dry run that asks the server and runs no hook.
//!
//! helm 3 and 4 render with the cluster's version, kinds and `lookup`s, check that the objects are
//! well-formed and nobody else's, and send none of them (measured on 3.17 and 4.3): what the API
//! server itself would refuse is not found here.

use serde::Deserialize as _;

use super::record::{RecordError, Release, Stored};
use super::request::{InstallRequest, UpgradeRequest};
use super::{Deploy, Helm, MANIFEST_LIMIT, Outcome, Signals, command};
use crate::error::{Error, Result};

/// The end of a dry run.
#[derive(Debug)]
pub struct Preview {
    pub outcome: Outcome,
    /// The release as it would be stored; `None` where helm failed. Its manifest holds secrets.
    pub release: Option<Release>,
}

impl Helm {
    /// What an install would make.
    ///
    /// # Errors
    /// When helm cannot be started, or prints something else than a release.
    pub async fn preview_install(
        &self,
        request: &InstallRequest,
        signals: &mut Signals,
    ) -> Result<Preview> {
        let InstallRequest { target, deployment } = request;
        let deploy = Deploy { target, deployment, lock: None, stdout_limit: MANIFEST_LIMIT };
        let args = |values: &str| command::dry_run(command::install(request, values));
        preview(self.deploy(&deploy, args, signals).await?)
    }

    /// What an upgrade would make.
    ///
    /// # Errors
    /// When helm cannot be started, or prints something else than a release.
    pub async fn preview_upgrade(
        &self,
        request: &UpgradeRequest,
        signals: &mut Signals,
    ) -> Result<Preview> {
        let UpgradeRequest { target, deployment } = request;
        let deploy = Deploy { target, deployment, lock: None, stdout_limit: MANIFEST_LIMIT };
        let args = |values: &str| command::dry_run(command::upgrade(request, values));
        preview(self.deploy(&deploy, args, signals).await?)
    }
}

fn preview(outcome: Outcome) -> Result<Preview> {
    if !outcome.is_success() {
        return Ok(Preview { outcome, release: None });
    }
    let release = Release::from_json(&outcome.stdout).map_err(|error| {
        Error::failed(format!("what helm would do cannot be read: {error}")).because(error)
    })?;
    Ok(Preview { outcome, release: Some(release) })
}

impl Release {
    /// Reads what `helm upgrade -o json` prints: the same form that it stores. A wrapper around
    /// helm may print lines of its own before and after.
    fn from_json(printed: &str) -> Result<Self, RecordError> {
        let start = printed.find("\n{").map_or(0, |line_break| line_break + 1);
        let json = if printed.starts_with('{') { printed } else { &printed[start..] };
        let mut deserializer = serde_json::Deserializer::from_str(json);
        Stored::deserialize(&mut deserializer).map_err(RecordError::Json)?.try_into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RELEASE: &str =
        r#"{"name": "mydb", "info": {}, "chart": {"metadata": {"name": "a", "version": "1"}}}"#;

    #[test]
    fn noise_around_the_release_is_passed_over() {
        let noisy = format!("Loading {{profile}} ...\n{RELEASE}\nbye {{}}\n");
        for printed in [RELEASE, &noisy] {
            assert_eq!(Release::from_json(printed).unwrap().name, "mydb");
        }
        assert!(matches!(Release::from_json("Loading ...\n"), Err(RecordError::Json(_))));
    }
}
