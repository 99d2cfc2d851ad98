//! What a server said before, in a file of the user's own: whoever reads it asks the server first
//! whether it still holds.

use std::fs::{self, DirBuilder, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Cluster;

/// One file of what was said; nothing is kept where there is no place for it.
#[derive(Debug)]
pub struct Book {
    path: Option<PathBuf>,
}

impl Book {
    /// The book in this file.
    pub fn at(path: &Path) -> Self {
        Self { path: Some(path.to_owned()) }
    }

    /// What was kept last; `None` where nothing was, or nothing that this svc understands.
    pub fn read<T: DeserializeOwned>(&self) -> Option<T> {
        let path = self.path.as_ref()?;
        let metadata = fs::metadata(path).ok()?;
        // Nobody else wrote it, and reading it ends.
        if !metadata.is_file() || metadata.uid() != rustix::process::geteuid().as_raw() {
            return None;
        }
        serde_json::from_slice(&fs::read(path).ok()?).ok()
    }

    /// Keeps this from now on. `None`: it could not be kept, and will be asked for again.
    pub fn write<T: Serialize>(&self, said: &T) -> Option<()> {
        let path = self.path.as_ref()?;
        let folder = path.parent()?;
        DirBuilder::new().recursive(true).mode(0o700).create(folder).ok()?;
        let owner = Permissions::from_mode(0o600);
        let mut file = tempfile::Builder::new().permissions(owner).tempfile_in(folder).ok()?;
        file.write_all(&serde_json::to_vec(said).ok()?).ok()?;
        file.persist(path).ok().map(drop)
    }
}

impl Cluster {
    /// The book of that name about this server.
    pub fn book(&self, name: &str) -> Book {
        let server = self.target.server.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        Book { path: self.memory.as_ref().map(|memory| memory.join(server).join(name)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_book_is_its_users_alone() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("server/book");
        let book = Book::at(&path);
        assert_eq!(book.read::<Vec<String>>(), None);
        book.write(&["postgres"]).unwrap();
        assert_eq!(book.read(), Some(vec!["postgres".to_owned()]));
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let folder = fs::metadata(path.parent().unwrap()).unwrap();
        assert_eq!(folder.permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn without_a_place_nothing_is_kept() {
        let nowhere = Book { path: None };
        assert_eq!(nowhere.write(&1), None);
        assert_eq!(nowhere.read::<u8>(), None);
        let file = tempfile::NamedTempFile::new().unwrap();
        assert_eq!(Book::at(&file.path().join("book")).write(&1), None);
    }

    #[test]
    fn what_is_not_understood_counts_as_nothing() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let book = Book::at(file.path());
        book.write(&"text").unwrap();
        assert_eq!(book.read::<Vec<String>>(), None);
    }
}
