//! Who works on an instance right now, on this machine (design §4).

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::directory::CacheDirectory;
use super::machine::hexadecimal;
use crate::error::{Error, Result, cause_words};

/// Held as long as this value lives, or a helm that inherited it.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

/// The answer to [`Lock::take`].
#[derive(Debug)]
pub enum LockState {
    Taken(Lock),
    /// Another svc of this user, or a helm that one started, works on the instance.
    HeldByOther,
}

impl Lock {
    /// Takes the lock of one release without waiting for work to end. `server` is the URL of the
    /// API server.
    ///
    /// # Errors
    /// When the lock file cannot be made, or the file system knows no locks.
    pub fn take(
        cache: &CacheDirectory,
        server: &str,
        namespace: &str,
        release: &str,
    ) -> Result<LockState> {
        let path = path(cache, server, namespace, release)?;
        let file = open(&path).map_err(|cause| unusable(&path, cause))?;
        for _ in 0..GLANCES {
            match file.try_lock() {
                Ok(()) => return Ok(LockState::Taken(Self { file })),
                // Perhaps somebody only looks: that is over in no time.
                Err(TryLockError::WouldBlock) => std::thread::sleep(GLANCE),
                Err(TryLockError::Error(cause)) => return Err(unusable(&path, cause)),
            }
        }
        Ok(LockState::HeldByOther)
    }

    /// Whether somebody holds the lock of one release. Those who look do not disturb each other,
    /// and leave nothing behind.
    ///
    /// # Errors
    /// As for [`Lock::take`].
    pub fn is_held(
        cache: &CacheDirectory,
        server: &str,
        namespace: &str,
        release: &str,
    ) -> Result<bool> {
        let path = path(cache, server, namespace, release)?;
        let file = match File::open(&path) {
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(false),
            file => file.map_err(|cause| unusable(&path, cause))?,
        };
        match file.try_lock_shared() {
            Ok(()) => Ok(false),
            Err(TryLockError::WouldBlock) => Ok(true),
            Err(TryLockError::Error(cause)) => Err(unusable(&path, cause)),
        }
    }
}

/// How often, and how long apart, a lock is tried that somebody may only be looking at.
const GLANCES: u32 = 5;
const GLANCE: Duration = Duration::from_millis(5);

fn path(cache: &CacheDirectory, server: &str, namespace: &str, release: &str) -> Result<PathBuf> {
    let key = Sha256::digest(format!("{server}\0{namespace}\0{release}"));
    let name = format!("{}.lock", hexadecimal(&key[..16]));
    Ok(cache.subdirectory("locks")?.join(name))
}

impl AsFd for Lock {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

/// The file is never removed: whoever holds the lock of a removed file holds nothing.
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)
}

fn unusable(path: &Path, cause: io::Error) -> Error {
    Error::failed(format!("cannot lock {}: {}", path.display(), cause_words(&cause)))
        .advise("SVC_CACHE_DIR names another directory.")
        .because(cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache() -> (tempfile::TempDir, CacheDirectory) {
        let root = tempfile::tempdir().unwrap();
        let cache = CacheDirectory::open(root.path().join("cache")).unwrap();
        (root, cache)
    }

    fn take(cache: &CacheDirectory, server: &str, namespace: &str, release: &str) -> Option<Lock> {
        match Lock::take(cache, server, namespace, release).unwrap() {
            LockState::Taken(lock) => Some(lock),
            LockState::HeldByOther => None,
        }
    }

    #[test]
    fn one_holds_it_until_it_is_dropped() {
        let (_root, cache) = cache();
        let lock = take(&cache, "https://a", "ns", "mydb");
        assert!(lock.is_some());
        assert!(take(&cache, "https://a", "ns", "mydb").is_none());
        drop(lock);
        assert!(take(&cache, "https://a", "ns", "mydb").is_some());
    }

    #[test]
    fn looking_at_a_lock_takes_it_from_nobody() {
        let (_root, cache) = cache();
        let held = || Lock::is_held(&cache, "https://a", "ns", "mydb").unwrap();
        assert!(!held());
        assert!(!path(&cache, "https://a", "ns", "mydb").unwrap().exists());
        let lock = take(&cache, "https://a", "ns", "mydb");
        assert!(held());
        drop(lock);
        let glance = open(&path(&cache, "https://a", "ns", "mydb").unwrap()).unwrap();
        glance.try_lock_shared().unwrap();
        assert!(!held(), "another one looks too");
        let looks = std::thread::spawn(move || {
            std::thread::sleep(GLANCE);
            drop(glance);
        });
        assert!(take(&cache, "https://a", "ns", "mydb").is_some());
        looks.join().unwrap();
    }

    #[test]
    fn other_servers_namespaces_and_names_have_their_own() {
        let (_root, cache) = cache();
        let _lock = take(&cache, "https://a", "ns", "mydb").unwrap();
        assert!(take(&cache, "https://b", "ns", "mydb").is_some());
        assert!(take(&cache, "https://a", "ns2", "mydb").is_some());
        assert!(take(&cache, "https://a", "ns", "mydb-2").is_some());
    }

    #[test]
    fn a_copy_of_the_descriptor_holds_it_too() {
        let (_root, cache) = cache();
        let lock = take(&cache, "https://a", "ns", "mydb").unwrap();
        let inherited = lock.as_fd().try_clone_to_owned().unwrap();
        drop(lock);
        assert!(take(&cache, "https://a", "ns", "mydb").is_none());
        drop(inherited);
        assert!(take(&cache, "https://a", "ns", "mydb").is_some());
    }
}
