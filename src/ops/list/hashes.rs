//! What every class says today, as its hash. It is remembered by the class's stamp, so that a list
//! need not read every class in full again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::cluster::{Book, Cluster, Stamped, StoredClass, unchanged};
use crate::domain::class::{class_hash, read};
use crate::domain::lint;

/// The name of the book of hashes.
const BOOK: &str = "class-hashes";

/// A class as a list must know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// `None`: it could not be understood.
    pub hash: Option<String>,
    /// Nothing can be made of it, and no instance be moved to it.
    pub broken: bool,
}

/// What was known of a class when it was read in full.
type Read = Stamped<Known>;

/// Every class by name; `None` where the catalog cannot be read.
pub async fn classes(cluster: &Cluster) -> Option<BTreeMap<String, Known>> {
    let book = cluster.book(BOOK);
    if let Some(known) = book.read::<Vec<Read>>()
        && let Some(stamps) = cluster.class_stamps("").await.ok()?
        && let Some(today) = unchanged(known, &stamps)
    {
        return Some(by_name(today));
    }
    Some(remember(&book, cluster.stored_classes("").await.ok()?))
}

/// The hashes alone by one request: nothing is said of classes that changed since they were read.
pub async fn hashes_at_once(cluster: &Cluster) -> Option<BTreeMap<String, String>> {
    let book = cluster.book(BOOK);
    let Some(mut known) = book.read::<Vec<Read>>() else {
        return Some(hashes(&remember(&book, cluster.classes_in_full("").await.ok()?)));
    };
    let stamps = cluster.class_stamps("").await.ok()??;
    known.retain(|class| stamps.contains(&class.stamp));
    Some(hashes(&by_name(known)))
}

/// The hash of every class that is understood.
pub fn hashes(classes: &BTreeMap<String, Known>) -> BTreeMap<String, String> {
    let known = classes.iter();
    known.filter_map(|(name, class)| Some((name.clone(), class.hash.clone()?))).collect()
}

fn remember(book: &Book, classes: Vec<StoredClass>) -> BTreeMap<String, Known> {
    let today: Vec<Read> = classes.into_iter().map(known).collect();
    book.write(&today);
    by_name(today)
}

fn by_name(known: Vec<Read>) -> BTreeMap<String, Known> {
    known.into_iter().map(|class| (class.stamp.name, class.said)).collect()
}

fn known(class: StoredClass) -> Read {
    let said = match read(&class.said) {
        Ok(read) => {
            Known { hash: Some(class_hash(&read.spec)), broken: lint::broken(&read).is_some() }
        }
        Err(_) => Known { hash: None, broken: true },
    };
    Stamped { stamp: class.stamp, said }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::ClassStamp;

    fn stamp(name: &str, version: &str) -> ClassStamp {
        ClassStamp::example(name, version)
    }

    fn known(name: &str, version: &str, hash: Option<&str>) -> Read {
        let said = Known { hash: hash.map(str::to_owned), broken: hash.is_none() };
        Stamped { stamp: stamp(name, version), said }
    }

    fn today(book: &[Read], stamps: &[ClassStamp]) -> Option<BTreeMap<String, String>> {
        unchanged(book.to_vec(), stamps).map(|known| hashes(&by_name(known)))
    }

    #[test]
    fn a_class_counts_as_known_until_it_changes_or_is_made_anew() {
        let book = [known("postgres", "2", Some("h"))];
        let hashes = BTreeMap::from([("postgres".to_owned(), "h".to_owned())]);
        assert_eq!(today(&book, &[stamp("postgres", "2")]), Some(hashes));
        assert_eq!(today(&book, &[stamp("postgres", "3")]), None);
        assert_eq!(today(&book, &[stamp("redis", "2")]), None);
        let anew = ClassStamp { uid: "other".to_owned(), ..stamp("postgres", "2") };
        assert_eq!(today(&book, &[anew]), None);
    }

    #[test]
    fn classes_that_are_gone_or_not_understood_have_no_hash() {
        let book = [
            known("broken", "1", None),
            known("gone", "1", Some("g")),
            known("pg", "1", Some("h")),
        ];
        let today = today(&book, &[stamp("broken", "1"), stamp("pg", "1")]);
        assert_eq!(today, Some(BTreeMap::from([("pg".to_owned(), "h".to_owned())])));
    }
}
