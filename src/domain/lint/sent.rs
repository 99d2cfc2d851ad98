//! Where svc may send something: what `values` in a template can hold.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::domain::class::Object;
use crate::domain::path;
use crate::domain::template::Path;

/// The ends of these trees, and these paths; lists are ends.
pub(super) fn sent<'a>(
    trees: impl Iterator<Item = &'a Object>,
    paths: impl Iterator<Item = &'a String>,
) -> BTreeSet<Path> {
    let mut sent = BTreeSet::new();
    for tree in trees {
        tree.iter().for_each(|(key, value)| ends(vec![key.clone()], value, &mut sent));
    }
    let paths = paths.filter_map(|path| path.parse::<path::Path>().ok());
    sent.extend(paths.map(|path| path.names()));
    sent
}

fn ends(path: Path, value: &Value, sent: &mut BTreeSet<Path>) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (key, value) in map {
                let mut path = path.clone();
                path.push(key.clone());
                ends(path, value, sent);
            }
        }
        _ => drop(sent.insert(path)),
    }
}
