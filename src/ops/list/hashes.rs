//! What every class says today, as its hash. It is remembered by the class's stamp, so that a list
//! need not read every class in full again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::cluster::{Book, ClassStamp, Cluster, StoredClass};
use crate::domain::class::{class_hash, read};

/// The name of the book of hashes.
const BOOK: &str = "class-hashes";

/// One class as it was when it was read in full.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Known {
    stamp: ClassStamp,
    /// `None`: it could not be understood.
    hash: Option<String>,
}

/// The hash of every class that can be read, by name; `None` where the catalog cannot.
pub async fn hashes(cluster: &Cluster) -> Option<BTreeMap<String, String>> {
    let book = cluster.book(BOOK);
    if let Some(known) = book.read::<Vec<Known>>()
        && let Some(stamps) = cluster.class_stamps("").await.ok()?
        && let Some(hashes) = unchanged(&known, &stamps)
    {
        return Some(hashes);
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
    known.into_iter().filter_map(|class| Some((class.stamp.name, class.hash?))).collect()
}

fn known(class: StoredClass) -> Known {
    let hash = read(&class.object).ok().map(|class| class_hash(&class.spec));
    Known { stamp: class.stamp, hash }
}

/// The hashes of the classes that these stamps name; `None` where one is not known as it is now.
fn unchanged(known: &[Known], stamps: &[ClassStamp]) -> Option<BTreeMap<String, String>> {
    let known: BTreeMap<&str, &Known> =
        known.iter().map(|class| (class.stamp.name.as_str(), class)).collect();
    let mut hashes = BTreeMap::new();
    for stamp in stamps {
        let class = known.get(stamp.name.as_str()).filter(|class| class.stamp == *stamp)?;
        hashes.extend(class.hash.clone().map(|hash| (stamp.name.clone(), hash)));
    }
    Some(hashes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamp(name: &str, version: &str) -> ClassStamp {
        ClassStamp {
            name: name.to_owned(),
            uid: "u".to_owned(),
            resource_version: version.to_owned(),
        }
    }

    fn known(name: &str, version: &str, hash: Option<&str>) -> Known {
        Known { stamp: stamp(name, version), hash: hash.map(str::to_owned) }
    }

    #[test]
    fn a_class_counts_as_known_until_it_changes_or_is_made_anew() {
        let book = [known("postgres", "2", Some("h"))];
        let hashes = BTreeMap::from([("postgres".to_owned(), "h".to_owned())]);
        assert_eq!(unchanged(&book, &[stamp("postgres", "2")]), Some(hashes));
        assert_eq!(unchanged(&book, &[stamp("postgres", "3")]), None);
        assert_eq!(unchanged(&book, &[stamp("redis", "2")]), None);
        let anew = ClassStamp { uid: "other".to_owned(), ..stamp("postgres", "2") };
        assert_eq!(unchanged(&book, &[anew]), None);
    }

    #[test]
    fn classes_that_are_gone_or_not_understood_have_no_hash() {
        let book = [
            known("broken", "1", None),
            known("gone", "1", Some("g")),
            known("pg", "1", Some("h")),
        ];
        let hashes = unchanged(&book, &[stamp("broken", "1"), stamp("pg", "1")]);
        assert_eq!(hashes, Some(BTreeMap::from([("pg".to_owned(), "h".to_owned())])));
    }
}
