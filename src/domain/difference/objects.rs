//! Two manifests of a release: what an upgrade does to its objects.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Map, Value as Json};

use super::super::manifest::{ManifestObject, is_built_in};

/// What becomes of one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectChange {
    /// `StatefulSet mydb-postgresql`
    pub object: String,
    pub change: Restart,
}

/// How far a change of an object reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restart {
    /// One pod is made anew.
    OnePod,
    /// Its pods are made anew.
    Pods,
    /// It changes, its pods stay.
    Stays,
    New,
    Gone,
}

impl fmt::Display for ObjectChange {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (object, change) = (&self.object, &self.change);
        match change {
            Restart::New => write!(formatter, "{change} {object}"),
            _ => write!(formatter, "{object} {change}"),
        }
    }
}

/// What stands beside the object's name: `changes: its pod restarts`.
impl fmt::Display for Restart {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::OnePod => "changes: its pod restarts",
            Self::Pods => "changes: its pods restart",
            Self::Stays => "changes",
            Self::New => "new",
            Self::Gone => "goes",
        })
    }
}

/// Workloads that change, objects that come and go. Labels and the like of other objects are not
/// told: every new version of a chart changes them.
pub fn objects(before: &[ManifestObject], after: &[ManifestObject]) -> Vec<ObjectChange> {
    let known = by_identity(before);
    let wanted = by_identity(after);
    let told =
        |object: &ManifestObject, change| ObjectChange { object: object.to_string(), change };
    let come = after.iter().filter_map(|object| match known.get(&identity(object)) {
        None => Some(told(object, Restart::New)),
        Some(old) => changed(old, object).map(|change| told(object, change)),
    });
    let go = before.iter().filter(|object| !wanted.contains_key(&identity(object)));
    come.chain(go.map(|object| told(object, Restart::Gone))).collect()
}

fn changed(old: &ManifestObject, new: &ManifestObject) -> Option<Restart> {
    let spec = |object: &ManifestObject| object.body.get("spec").cloned().unwrap_or_default();
    let (old, spec) = (spec(old), spec(new));
    match new.kind.as_str() {
        "StatefulSet" | "Deployment" | "DaemonSet" | "ReplicaSet" => {
            if old.get("template") != spec.get("template") {
                let single = new.kind != "DaemonSet"
                    && spec.get("replicas").and_then(Json::as_u64).unwrap_or(1) == 1;
                Some(if single { Restart::OnePod } else { Restart::Pods })
            } else {
                (old != spec).then_some(Restart::Stays)
            }
        }
        "Job" | "CronJob" | "Pod" => (old != spec).then_some(Restart::Stays),
        _ if !is_built_in(new) => (old != spec).then_some(Restart::Stays),
        _ => None,
    }
}

/// What the API server can be asked about one object before anything changes.
#[derive(Clone, PartialEq)]
pub enum Check<'a> {
    /// It exists: would the server take this merge patch (RFC 7386)?
    Change { object: &'a ManifestObject, patch: Json },
    /// It is new: would the server take it?
    Make { object: &'a ManifestObject },
}

/// Every object that differs from what is stored, or is new.
pub fn checks<'a>(before: &[ManifestObject], after: &'a [ManifestObject]) -> Vec<Check<'a>> {
    let known = by_identity(before);
    let check = |object: &'a ManifestObject| match known.get(&identity(object)) {
        None => Some(Check::Make { object }),
        Some(old) => {
            merge_patch(&old.body, &object.body).map(|patch| Check::Change { object, patch })
        }
    };
    after.iter().filter_map(check).collect()
}

/// The group may change its version without a new object.
type Identity<'a> = (&'a str, &'a str, Option<&'a str>, &'a str);

fn identity(object: &ManifestObject) -> Identity<'_> {
    (object.group(), &object.kind, object.namespace.as_deref(), &object.name)
}

fn by_identity(objects: &[ManifestObject]) -> BTreeMap<Identity<'_>, &ManifestObject> {
    objects.iter().map(|object| (identity(object), object)).collect()
}

/// The patch from one value to another; nothing where they are equal.
fn merge_patch(before: &Json, after: &Json) -> Option<Json> {
    let (Json::Object(old), Json::Object(new)) = (before, after) else {
        return (before != after).then(|| after.clone());
    };
    let gone =
        old.keys().filter(|key| !new.contains_key(*key)).map(|key| (key.clone(), Json::Null));
    let changed = new.iter().filter_map(|(key, value)| {
        let patch = match old.get(key) {
            Some(known) => merge_patch(known, value)?,
            None => value.clone(),
        };
        Some((key.clone(), patch))
    });
    let patch: Map<String, Json> = gone.chain(changed).collect();
    (!patch.is_empty()).then_some(Json::Object(patch))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::super::manifest::parse;
    use super::*;

    fn set(image: &str, size: &str, replicas: u32) -> String {
        format!(
            "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {{name: mydb}}\nspec:\n  \
             replicas: {replicas}\n  template: {{spec: {{containers: [{{image: {image}}}]}}}}\n  \
             volumeClaimTemplates: [{{size: {size}}}]\n---\n"
        )
    }

    fn map(name: &str, text: &str) -> String {
        format!(
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\ndata: {{a: {text}}}\n---\n"
        )
    }

    fn told(before: &str, after: &str) -> Vec<String> {
        let (before, after) = (parse(before).unwrap(), parse(after).unwrap());
        objects(&before, &after).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn only_a_new_template_restarts_pods() {
        let one = set("a", "1Gi", 1);
        assert_eq!(told(&one, &one), [""; 0]);
        assert_eq!(told(&one, &set("b", "1Gi", 1)), ["StatefulSet mydb changes: its pod restarts"]);
        assert_eq!(told(&one, &set("b", "1Gi", 3)), ["StatefulSet mydb changes: its pods restart"]);
        assert_eq!(told(&one, &set("a", "1Gi", 2)), ["StatefulSet mydb changes"]);
    }

    #[test]
    fn what_comes_and_goes_is_told() {
        let before = map("one", "x") + &map("two", "x");
        let after = map("one", "z") + &map("three", "x");
        assert_eq!(told(&before, &after), ["new ConfigMap three", "ConfigMap two goes"]);
        let beside = objects(&parse(&before).unwrap(), &parse(&after).unwrap());
        let beside = beside.iter().map(|one| format!("{}: {}", one.object, one.change));
        assert_eq!(beside.collect::<Vec<_>>(), ["ConfigMap three: new", "ConfigMap two: goes"]);
    }

    #[test]
    fn the_server_is_asked_about_what_changes_alone() {
        let before = parse(&(set("a", "1Gi", 1) + &map("one", "x") + &map("same", "x"))).unwrap();
        let after = set("a", "2Gi", 1) + &map("one", "z") + &map("same", "x") + &map("new", "x");
        let after = parse(&after).unwrap();
        let asked: Vec<(String, Option<Json>)> = checks(&before, &after)
            .into_iter()
            .map(|check| match check {
                Check::Change { object, patch } => (object.to_string(), Some(patch)),
                Check::Make { object } => (object.to_string(), None),
            })
            .collect();
        assert_eq!(
            asked,
            [
                (
                    "StatefulSet mydb".to_owned(),
                    Some(json!({"spec": {"volumeClaimTemplates": [{"size": "2Gi"}]}}))
                ),
                ("ConfigMap one".to_owned(), Some(json!({"data": {"a": "z"}}))),
                ("ConfigMap new".to_owned(), None),
            ]
        );
    }

    #[test]
    fn what_is_gone_is_patched_away() {
        let patch = merge_patch(&json!({"a": 1, "b": {"c": 1, "d": 2}}), &json!({"b": {"d": 2}}));
        assert_eq!(patch, Some(json!({"a": null, "b": {"c": null}})));
    }
}
