//! Two trees of values, path by path.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::super::class::Object;
use super::super::summary::json_text;

/// A value that is another one, new, or gone.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueChange {
    /// Dotted, as `--set` of helm and the paths of a class write it.
    pub path: String,
    pub before: Option<Json>,
    pub after: Option<Json>,
}

impl ValueChange {
    /// `primary.resources.limits.memory 1Gi -> 2Gi`
    pub fn text(&self) -> String {
        let path = &self.path;
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => {
                format!("{path} {} -> {}", json_text(before), json_text(after))
            }
            (None, Some(after)) => format!("{path} = {}", json_text(after)),
            (_, None) => format!("{path} goes"),
        }
    }
}

/// The paths at which two trees differ, in their order; lists are compared as a whole.
pub fn values(before: &Object, after: &Object) -> Vec<ValueChange> {
    let (before, after) = (leaves(before), leaves(after));
    let mut paths: Vec<&String> = before.keys().chain(after.keys()).collect();
    paths.sort();
    paths.dedup();
    let changes = paths.into_iter().map(|path| ValueChange {
        path: path.clone(),
        before: before.get(path).cloned(),
        after: after.get(path).cloned(),
    });
    changes.filter(|change| change.before != change.after).collect()
}

/// Every value that is no object, by its path.
pub fn leaves(tree: &Object) -> BTreeMap<String, Json> {
    let mut found = BTreeMap::new();
    collect("", tree, &mut found);
    found
}

fn collect(prefix: &str, tree: &Object, found: &mut BTreeMap<String, Json>) {
    for (key, value) in tree {
        let key = key.replace('.', "\\.");
        let path = if prefix.is_empty() { key } else { format!("{prefix}.{key}") };
        match value {
            Json::Object(below) => collect(&path, below, found),
            _ => {
                found.insert(path, value.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn differences_are_told_path_by_path() {
        let before = json!({"a": {"memory": "1Gi", "cpu": 1, "b.c": true}, "old": [1]});
        let after = json!({"a": {"memory": "2Gi", "cpu": 1, "b.c": false}, "new": {"x": []}});
        let changes = values(before.as_object().unwrap(), after.as_object().unwrap());
        let texts: Vec<String> = changes.iter().map(ValueChange::text).collect();
        assert_eq!(texts, ["a.b\\.c yes -> no", "a.memory 1Gi -> 2Gi", "new.x = none", "old goes"]);
    }
}
