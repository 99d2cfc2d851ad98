//! What every class says today, as its hash. It is remembered by the class's generation, so that
//! a list need not read every class in full again.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::cluster::{ClassStamp, Cluster};
use crate::domain::class::{class_hash, read};

/// One class as it was when it was read in full.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Known {
    uid: String,
    generation: i64,
    /// `None`: it could not be understood.
    hash: Option<String>,
}

type Book = BTreeMap<String, Known>;

/// The hash of every class that can be read, by name; `None` where the catalog cannot. `book` is
/// the file that remembers them for this cluster; without one every class is read.
pub async fn hashes(cluster: &Cluster, book: Option<&Path>) -> Option<BTreeMap<String, String>> {
    let known: Book = book.and_then(remembered).unwrap_or_default();
    let stamps = cluster.class_stamps().await.ok()?;
    if stamps.iter().all(|stamp| is_current(&known, stamp)) {
        return Some(of_stamps(&known, &stamps));
    }
    let today = in_full(cluster, &stamps).await?;
    if let Some(book) = book {
        // Without a place for it, the classes are read again the next time.
        let _ = remember(book, &today);
    }
    Some(of_stamps(&today, &stamps))
}

fn is_current(known: &Book, stamp: &ClassStamp) -> bool {
    let same = |class: &Known| class.uid == stamp.uid && class.generation == stamp.generation;
    known.get(&stamp.name).is_some_and(same)
}

fn of_stamps(known: &Book, stamps: &[ClassStamp]) -> BTreeMap<String, String> {
    let hash =
        |stamp: &ClassStamp| Some((stamp.name.clone(), known.get(&stamp.name)?.hash.clone()?));
    stamps.iter().filter_map(hash).collect()
}

async fn in_full(cluster: &Cluster, stamps: &[ClassStamp]) -> Option<Book> {
    let objects = cluster.classes("").await.ok()?;
    let classes = objects.iter().filter_map(|object| read(object).ok());
    let hashes: BTreeMap<String, String> =
        classes.map(|class| (class.name.clone(), class_hash(&class.spec))).collect();
    let known = stamps.iter().map(|stamp| {
        let hash = hashes.get(&stamp.name).cloned();
        let known = Known { uid: stamp.uid.clone(), generation: stamp.generation, hash };
        (stamp.name.clone(), known)
    });
    Some(known.collect())
}

fn remembered(book: &Path) -> Option<Book> {
    serde_json::from_slice(&fs::read(book).ok()?).ok()
}

fn remember(book: &Path, known: &Book) -> Option<()> {
    let folder = book.parent()?;
    DirBuilder::new().recursive(true).mode(0o700).create(folder).ok()?;
    let owner = Permissions::from_mode(0o600);
    let mut file = tempfile::Builder::new().permissions(owner).tempfile_in(folder).ok()?;
    file.write_all(&serde_json::to_vec(known).ok()?).ok()?;
    file.persist(book).ok().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamp(name: &str, generation: i64) -> ClassStamp {
        ClassStamp { name: name.to_owned(), uid: "u".to_owned(), generation }
    }

    fn known(generation: i64, hash: Option<&str>) -> Known {
        Known { uid: "u".to_owned(), generation, hash: hash.map(str::to_owned) }
    }

    #[test]
    fn a_class_counts_as_known_until_it_changes_or_is_made_anew() {
        let book = Book::from([("postgres".to_owned(), known(2, Some("h")))]);
        assert!(is_current(&book, &stamp("postgres", 2)));
        assert!(!is_current(&book, &stamp("postgres", 3)));
        assert!(!is_current(&book, &stamp("redis", 2)));
        let anew = ClassStamp { uid: "other".to_owned(), ..stamp("postgres", 2) };
        assert!(!is_current(&book, &anew));
    }

    #[test]
    fn classes_that_are_gone_or_not_understood_have_no_hash() {
        let book = Book::from([
            ("broken".to_owned(), known(1, None)),
            ("gone".to_owned(), known(1, Some("g"))),
            ("postgres".to_owned(), known(1, Some("h"))),
        ]);
        let hashes = of_stamps(&book, &[stamp("broken", 1), stamp("postgres", 1)]);
        assert_eq!(hashes, BTreeMap::from([("postgres".to_owned(), "h".to_owned())]));
    }

    #[test]
    fn the_book_is_its_users_alone() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("classes/book");
        assert_eq!(remembered(&path), None);
        let book = Book::from([("postgres".to_owned(), known(1, Some("h")))]);
        remember(&path, &book).unwrap();
        assert_eq!(remembered(&path), Some(book));
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
