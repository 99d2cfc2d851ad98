//! What every class says today, as its hash. It is remembered by the class's stamp, so that a list
//! need not read every class in full again.

use std::collections::BTreeMap;

use crate::cluster::{Book, Cluster, Stamped, StoredClass, unchanged};
use crate::domain::class::{class_hash, read};

/// The name of the book of hashes.
const BOOK: &str = "class-hashes";

/// The hash of a class as it was when it was read in full; `None`: it could not be understood.
type Known = Stamped<Option<String>>;

/// The hash of every class that can be read, by name; `None` where the catalog cannot.
pub async fn hashes(cluster: &Cluster) -> Option<BTreeMap<String, String>> {
    let book = cluster.book(BOOK);
    if let Some(known) = book.read::<Vec<Known>>()
        && let Some(stamps) = cluster.class_stamps("").await.ok()?
        && let Some(today) = unchanged(known, &stamps)
    {
        return Some(of(today));
    }
    Some(remember(&book, cluster.stored_classes("").await.ok()?))
}

/// The same by one request: nothing is said of classes that changed since they were read.
pub async fn hashes_at_once(cluster: &Cluster) -> Option<BTreeMap<String, String>> {
    let book = cluster.book(BOOK);
    let Some(mut known) = book.read::<Vec<Known>>() else {
        return Some(remember(&book, cluster.classes_in_full("").await.ok()?));
    };
    let stamps = cluster.class_stamps("").await.ok()??;
    known.retain(|class| stamps.contains(&class.stamp));
    Some(of(known))
}

fn remember(book: &Book, classes: Vec<StoredClass>) -> BTreeMap<String, String> {
    let today: Vec<Known> = classes.into_iter().map(known).collect();
    book.write(&today);
    of(today)
}

fn of(known: Vec<Known>) -> BTreeMap<String, String> {
    known.into_iter().filter_map(|class| Some((class.stamp.name, class.said?))).collect()
}

fn known(class: StoredClass) -> Known {
    let said = read(&class.said).ok().map(|class| class_hash(&class.spec));
    Known { stamp: class.stamp, said }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::ClassStamp;

    fn stamp(name: &str, version: &str) -> ClassStamp {
        ClassStamp::example(name, version)
    }

    fn known(name: &str, version: &str, hash: Option<&str>) -> Known {
        Known { stamp: stamp(name, version), said: hash.map(str::to_owned) }
    }

    fn hashes(book: &[Known], stamps: &[ClassStamp]) -> Option<BTreeMap<String, String>> {
        unchanged(book.to_vec(), stamps).map(of)
    }

    #[test]
    fn a_class_counts_as_known_until_it_changes_or_is_made_anew() {
        let book = [known("postgres", "2", Some("h"))];
        let today = BTreeMap::from([("postgres".to_owned(), "h".to_owned())]);
        assert_eq!(hashes(&book, &[stamp("postgres", "2")]), Some(today));
        assert_eq!(hashes(&book, &[stamp("postgres", "3")]), None);
        assert_eq!(hashes(&book, &[stamp("redis", "2")]), None);
        let anew = ClassStamp { uid: "other".to_owned(), ..stamp("postgres", "2") };
        assert_eq!(hashes(&book, &[anew]), None);
    }

    #[test]
    fn classes_that_are_gone_or_not_understood_have_no_hash() {
        let book = [
            known("broken", "1", None),
            known("gone", "1", Some("g")),
            known("pg", "1", Some("h")),
        ];
        let today = hashes(&book, &[stamp("broken", "1"), stamp("pg", "1")]);
        assert_eq!(today, Some(BTreeMap::from([("pg".to_owned(), "h".to_owned())])));
    }
}
