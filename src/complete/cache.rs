//! Candidates of the last seconds, so that the second press of the key asks no server.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};

use crate::cluster::Book;

/// How long an answer counts.
const FRESH: Duration = Duration::from_secs(10);
/// Below the directory of the cache.
const FOLDER: &str = "completion";

/// One answer on disk: names and what is said of them, never the value of a detail. Only its user
/// can read it.
#[derive(Debug)]
pub struct Cache {
    path: PathBuf,
}

impl Cache {
    /// The place of an answer; `key` is all that it depends on.
    pub fn at(root: &Path, key: &[&str]) -> Self {
        let digest = Sha256::digest(key.join("\0"));
        let name: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        Self { path: root.join(FOLDER).join(name) }
    }

    /// The answer, if it is fresh.
    pub fn read<T: DeserializeOwned>(&self) -> Option<T> {
        is_fresh(&self.path).then(|| Book::at(&self.path).read())?
    }

    /// Keeps an answer; without a place for it, it is asked again the next time.
    pub fn write(&self, answer: &impl Serialize) -> Option<()> {
        let others = fs::read_dir(self.path.parent()?).into_iter().flatten();
        let others = others.filter_map(|entry| Some(entry.ok()?.path()));
        for stale in others.filter(|path| !is_fresh(path)) {
            let _ = fs::remove_file(stale);
        }
        Book::at(&self.path).write(answer)
    }
}

/// A file of the future is as good as an old one: the clock was set.
fn is_fresh(path: &Path) -> bool {
    let written = fs::metadata(path).and_then(|file| file.modified());
    let age = written.ok().and_then(|written| SystemTime::now().duration_since(written).ok());
    age.is_some_and(|age| age < FRESH)
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    fn grow_old(cache: &Cache) {
        let file = File::options().write(true).open(&cache.path).unwrap();
        file.set_modified(SystemTime::now() - FRESH).unwrap();
    }

    #[test]
    fn an_answer_counts_for_a_while_and_for_its_own_key() {
        let root = tempfile::tempdir().unwrap();
        let cache = Cache::at(root.path(), &["server", "team-a", "instances"]);
        assert_eq!(cache.read::<Vec<String>>(), None);
        cache.write(&["mydb"]).unwrap();
        assert_eq!(cache.read(), Some(vec!["mydb".to_owned()]));
        let other = Cache::at(root.path(), &["server", "team-b", "instances"]);
        assert_eq!(other.read::<Vec<String>>(), None);
        grow_old(&cache);
        assert_eq!(cache.read::<Vec<String>>(), None);
        other.write(&["other"]).unwrap();
        assert!(!cache.path.exists(), "what is stale goes when something is written");
    }

    #[test]
    fn garbage_and_no_place_are_no_answer() {
        let root = tempfile::tempdir().unwrap();
        let cache = Cache::at(root.path(), &["x"]);
        cache.write(&1).unwrap();
        assert_eq!(cache.read::<Vec<String>>(), None);
        let file = root.path().join("file");
        fs::write(&file, "").unwrap();
        assert_eq!(Cache::at(&file, &["x"]).write(&1), None);
    }
}
