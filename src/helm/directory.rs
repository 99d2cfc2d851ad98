//! The private cache directory: charts, locks, what is known of helm binaries, work in progress.

use std::fs::{self, DirBuilder, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use crate::error::{Error, Result, cause_words};

/// Work directories older than this were left by a svc that was killed.
const LEFT_OVER: Duration = Duration::from_hours(48);

/// `$SVC_CACHE_DIR`, or `svc` in the user's cache: readable by this user alone.
#[derive(Clone, Debug)]
pub struct CacheDirectory {
    root: PathBuf,
}

impl CacheDirectory {
    /// Where the cache belongs, from `SVC_CACHE_DIR`, `XDG_CACHE_HOME` and `HOME`.
    /// <https://specifications.freedesktop.org/basedir-spec/latest/>: a relative
    /// `XDG_CACHE_HOME` is ignored.
    ///
    /// # Errors
    /// When none of them is set.
    pub fn choose(svc: Option<&Path>, xdg: Option<&Path>, home: Option<&Path>) -> Result<PathBuf> {
        svc.map(Path::to_owned)
            .or_else(|| xdg.filter(|path| path.is_absolute()).map(|path| path.join("svc")))
            .or_else(|| home.map(|path| path.join(".cache/svc")))
            .ok_or_else(|| {
                Error::failed("no cache directory: neither SVC_CACHE_DIR nor HOME is set")
            })
    }

    /// Makes the directory if it is missing. One that is there stays as it is: it may be meant for
    /// more; what svc keeps in it is its user's alone.
    ///
    /// # Errors
    /// When it cannot be made, is not a directory, belongs to someone else, or others may change
    /// what is in it.
    pub fn open(root: PathBuf) -> Result<Self> {
        make_own(&root).map_err(|cause| unusable(&root, &cause))?;
        let root = fs::canonicalize(&root).map_err(|cause| unusable(&root, &cause))?;
        Ok(Self { root })
    }

    /// The directory itself.
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// A directory of the cache, made if it is missing.
    pub(super) fn subdirectory(&self, name: &str) -> Result<PathBuf> {
        let path = self.root.join(name);
        make_private(&path).map_err(|cause| unusable(&path, &cause))?;
        Ok(path)
    }

    /// A fresh private directory that is gone when the value is dropped.
    pub(super) fn work_directory(&self) -> Result<TempDir> {
        let parent = self.subdirectory("work")?;
        remove_left_overs(&parent);
        tempfile::Builder::new()
            .prefix("svc-")
            .permissions(Permissions::from_mode(0o700))
            .tempdir_in(&parent)
            .map_err(|cause| unusable(&parent, &cause))
    }

    /// Writes a file of the cache so that nobody ever sees half of it.
    pub(super) fn write(&self, path: &Path, content: &[u8]) -> Result<()> {
        let parent = path.parent().unwrap_or(&self.root);
        write_atomically(parent, path, content).map_err(|cause| unusable(path, &cause))
    }
}

fn write_atomically(parent: &Path, path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = tempfile::Builder::new().prefix(".new-").tempfile_in(parent)?;
    io::Write::write_all(&mut file, content)?;
    file.persist(path)?;
    Ok(())
}

/// Others may write.
const WRITABLE: u32 = 0o022;
/// Those who may write may not replace what others made.
const STICKY: u32 = 0o1000;

/// Makes the directory where it is missing; nobody else may change what is in it.
fn make_own(path: &Path) -> io::Result<()> {
    let mode = make(path)?.mode();
    match mode & WRITABLE != 0 && mode & STICKY == 0 {
        true => Err(denied("others may change what is in it")),
        false => Ok(()),
    }
}

/// Makes the directory where it is missing, and takes the others' access away.
fn make_private(path: &Path) -> io::Result<()> {
    match make(path)?.mode() & 0o077 {
        0 => Ok(()),
        _ => fs::set_permissions(path, Permissions::from_mode(0o700)),
    }
}

/// Makes the directory with access for its owner alone where it is missing; it is the user's own.
fn make(path: &Path) -> io::Result<Metadata> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    let metadata = fs::metadata(path)?;
    match metadata.uid() == rustix::process::geteuid().as_raw() {
        true => Ok(metadata),
        false => Err(denied("it belongs to someone else")),
    }
}

fn denied(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, why)
}

/// What cannot be removed is left for the next time: nothing depends on it.
fn remove_left_overs(parent: &Path) {
    let Some(oldest) = SystemTime::now().checked_sub(LEFT_OVER) else { return };
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let modified = entry.metadata().and_then(|metadata| metadata.modified());
        if modified.is_ok_and(|modified| modified < oldest) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn unusable(path: &Path, cause: &io::Error) -> Error {
    Error::failed(format!(
        "cannot use the cache directory {}: {}",
        path.display(),
        cause_words(cause)
    ))
    .advise("SVC_CACHE_DIR names another one.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_belongs_where_the_user_says_or_where_caches_belong() {
        let choose = |svc: Option<&str>, xdg: Option<&str>, home: Option<&str>| {
            CacheDirectory::choose(svc.map(Path::new), xdg.map(Path::new), home.map(Path::new))
        };
        let path = |result: Result<PathBuf>| result.unwrap().display().to_string();
        assert_eq!(path(choose(Some("/s"), Some("/x"), Some("/h"))), "/s");
        assert_eq!(path(choose(None, Some("/x"), Some("/h"))), "/x/svc");
        assert_eq!(path(choose(None, Some("relative"), Some("/h"))), "/h/.cache/svc");
        assert!(choose(None, None, None).is_err());
    }

    #[test]
    fn a_directory_that_others_may_change_is_refused() {
        let parent = tempfile::tempdir().unwrap();
        let open = |mode| {
            fs::set_permissions(parent.path(), Permissions::from_mode(mode)).unwrap();
            let opened = CacheDirectory::open(parent.path().to_owned());
            assert_eq!(fs::metadata(parent.path()).unwrap().mode() & 0o7777, mode);
            opened.map(drop).map_err(|error| error.message)
        };
        assert!(open(0o777).unwrap_err().ends_with(": others may change what is in it"));
        assert!(open(0o770).is_err());
        assert_eq!(open(0o1777), Ok(()), "as the folder for temporary files is");
    }

    #[test]
    fn others_lose_their_access() {
        let parent = tempfile::tempdir().unwrap();
        let root = parent.path().join("a/b");
        fs::create_dir_all(&root).unwrap();
        fs::set_permissions(&root, Permissions::from_mode(0o755)).unwrap();
        let cache = CacheDirectory::open(root.clone()).unwrap();
        assert_eq!(fs::metadata(&root).unwrap().mode() & 0o777, 0o755, "it may be meant for more");
        let charts = cache.subdirectory("charts").unwrap();
        fs::set_permissions(&charts, Permissions::from_mode(0o777)).unwrap();
        assert_eq!(cache.subdirectory("charts").unwrap(), charts);
        assert_eq!(fs::metadata(&charts).unwrap().mode() & 0o777, 0o700);
        let work = cache.work_directory().unwrap();
        assert_eq!(fs::metadata(work.path()).unwrap().mode() & 0o777, 0o700);
    }

    #[test]
    fn a_file_in_the_place_of_the_cache_is_an_error() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let error = CacheDirectory::open(file.path().to_owned()).unwrap_err();
        assert!(error.message.starts_with("cannot use the cache directory /"), "{error}");
    }

    #[test]
    fn what_a_killed_svc_left_is_removed_later() {
        let root = tempfile::tempdir().unwrap();
        let cache = CacheDirectory::open(root.path().join("cache")).unwrap();
        let old = cache.subdirectory("work").unwrap().join("svc-old");
        fs::create_dir(&old).unwrap();
        let long_ago = SystemTime::now() - Duration::from_hours(72);
        fs::File::open(&old).unwrap().set_modified(long_ago).unwrap();
        let fresh = cache.work_directory().unwrap();
        assert!(!old.exists());
        let _other = cache.work_directory().unwrap();
        assert!(fresh.path().exists());
    }
}
