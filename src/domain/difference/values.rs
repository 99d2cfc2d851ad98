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

impl ValueChange {
    /// The same of a value that somebody set outside svc: whether it is a secret is not known, and
    /// it is not shown.
    pub fn text_of_outside(&self) -> String {
        match &self.after {
            Some(after) => format!("{} back to {}", self.path, json_text(after)),
            None => format!("{} goes", self.path),
        }
    }
}

/// Parts changes by who is behind them: of `before`, what is not as `sent` by svc was set by
/// others. The first are those of operations.
pub fn by_author(
    changes: Vec<ValueChange>,
    sent: Option<&Object>,
) -> (Vec<ValueChange>, Vec<ValueChange>) {
    let Some(sent) = sent.map(leaves) else { return (changes, Vec::new()) };
    changes.into_iter().partition(|change| sent.get(&change.path) == change.before.as_ref())
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
    fn what_others_set_is_told_apart_and_never_shown() {
        let sent = json!({"a": 1, "b": 1, "gone": "x"});
        let runs = json!({"a": 1, "b": 2, "own": "hunter2"});
        let wanted = json!({"a": 3, "b": 1, "gone": "x"});
        let changes = values(runs.as_object().unwrap(), wanted.as_object().unwrap());
        let (operations, outside) = by_author(changes.clone(), sent.as_object());
        let texts: Vec<_> = operations.iter().map(ValueChange::text).collect();
        assert_eq!(texts, ["a 1 -> 3"]);
        let texts: Vec<_> = outside.iter().map(ValueChange::text_of_outside).collect();
        assert_eq!(texts, ["b back to 1", "gone back to x", "own goes"]);
        assert_eq!(by_author(changes.clone(), None), (changes, Vec::new()));
    }

    #[test]
    fn differences_are_told_path_by_path() {
        let before = json!({"a": {"memory": "1Gi", "cpu": 1, "b.c": true}, "old": [1]});
        let after = json!({"a": {"memory": "2Gi", "cpu": 1, "b.c": false}, "new": {"x": []}});
        let changes = values(before.as_object().unwrap(), after.as_object().unwrap());
        let texts: Vec<String> = changes.iter().map(ValueChange::text).collect();
        assert_eq!(texts, ["a.b\\.c yes -> no", "a.memory 1Gi -> 2Gi", "new.x = none", "old goes"]);
    }
}
