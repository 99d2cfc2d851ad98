//! Who works on an instance right now, on this machine (design §4).

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::directory::CacheDirectory;
use super::machine::hexadecimal;
use crate::error::{Error, Result};

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
    /// Takes the lock of one release without waiting. `server` is the URL of the API server.
    ///
    /// # Errors
    /// When the lock file cannot be made, or the file system knows no locks.
    pub fn take(
        cache: &CacheDirectory,
        server: &str,
        namespace: &str,
        release: &str,
    ) -> Result<LockState> {
        let key = Sha256::digest(format!("{server}\0{namespace}\0{release}"));
        let name = format!("{}.lock", hexadecimal(&key[..16]));
        let path = cache.subdirectory("locks")?.join(name);
        let file = open(&path).map_err(|cause| unusable(&path, cause))?;
        match file.try_lock() {
            Ok(()) => Ok(LockState::Taken(Self { file })),
            Err(TryLockError::WouldBlock) => Ok(LockState::HeldByOther),
            Err(TryLockError::Error(cause)) => Err(unusable(&path, cause)),
        }
    }
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
    Error::failed(format!("cannot lock {}: {cause}", path.display()))
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
