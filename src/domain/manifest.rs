//! The objects of a release, from the manifest that helm stores.

mod derived;
mod masked;
pub mod origin;

use std::collections::BTreeMap;
use std::fmt;

use indexmap::IndexMap;
use serde_json::Value;

pub use masked::{masked, secret_texts};

/// One object of a release.
#[derive(Clone, PartialEq)]
pub struct ManifestObject {
    pub api_version: String,
    pub kind: String,
    pub name: String,
    /// `None` where the manifest leaves it to helm: the release's own.
    pub namespace: Option<String>,
    /// The whole object.
    pub body: Value,
}

/// A document of a manifest that is no object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestError {
    /// From 1.
    pub document: usize,
    pub reason: String,
}

/// Reads the objects of a stored manifest in their order; the items of a `List` one by one.
///
/// # Errors
/// A document that is not YAML, or that lacks apiVersion, kind or name: what a record holds must
/// be known in full before it is deleted.
pub fn parse(manifest: &str) -> Result<Vec<ManifestObject>, ManifestError> {
    let mut objects = Vec::new();
    for (at, document) in documents(manifest).iter().enumerate() {
        let fail = |reason: String| ManifestError { document: at + 1, reason };
        let body: Value = read(document)
            .map_err(|error| fail(error.to_string().lines().next().unwrap_or("").to_owned()))?;
        collect(body, &mut objects).map_err(fail)?;
    }
    Ok(objects)
}

/// What `helm template` prints, parted: the objects as one stream, and each hook.
///
/// <https://helm.sh/docs/topics/charts_hooks/>
pub fn without_hooks(printed: &str) -> (String, Vec<String>) {
    let is_hook = |document: &String| {
        let body = read(document).unwrap_or_default();
        let annotations = body.pointer("/metadata/annotations");
        annotations.is_some_and(|all| all.get("helm.sh/hook").is_some())
    };
    let (hooks, objects): (Vec<_>, Vec<_>) = documents(printed).into_iter().partition(is_hook);
    (objects.iter().map(|document| format!("---\n{document}")).collect(), hooks)
}

/// One document as helm reads it: YAML 1.1, where `0755` is octal and the last of two equal keys
/// counts (sigs.k8s.io/yaml).
fn read(document: &str) -> Result<Value, serde_yaml::Error> {
    let options = serde_yaml::options! {
        legacy_octal_numbers: true,
        duplicate_keys: serde_yaml::options::DuplicateKeyPolicy::LastWins,
    };
    serde_yaml::from_str_with_options(document, options)
}

/// The documents that hold more than comments; helm parts them by lines of `---`.
fn documents(manifest: &str) -> Vec<String> {
    let mut documents = vec![String::new()];
    for line in manifest.lines() {
        if line == "---" || line.starts_with("--- ") {
            documents.push(String::new());
        } else if let Some(document) = documents.last_mut() {
            document.push_str(line);
            document.push('\n');
        }
    }
    let is_empty = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
    documents.retain(|document| !document.lines().all(is_empty));
    documents
}

fn collect(body: Value, objects: &mut Vec<ManifestObject>) -> Result<(), String> {
    if body.is_null() {
        return Ok(());
    }
    let text = |pointer: &str| body.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
    let kind = text("/kind").ok_or("it has no kind")?;
    if kind.ends_with("List")
        && let Some(Value::Array(items)) = body.get("items")
    {
        return items.iter().try_for_each(|item| collect(item.clone(), objects));
    }
    objects.push(ManifestObject {
        api_version: text("/apiVersion").ok_or("it has no apiVersion")?,
        name: text("/metadata/name").ok_or("it has no name")?,
        namespace: text("/metadata/namespace"),
        kind,
        body,
    });
    Ok(())
}

/// Kinds of the whole cluster that charts bring. Of kinds that are not known it is not said.
const OF_THE_CLUSTER: [&str; 14] = [
    "APIService",
    "ClusterRole",
    "ClusterRoleBinding",
    "CustomResourceDefinition",
    "IngressClass",
    "MutatingWebhookConfiguration",
    "Namespace",
    "Node",
    "PersistentVolume",
    "PriorityClass",
    "RuntimeClass",
    "StorageClass",
    "ValidatingAdmissionPolicy",
    "ValidatingWebhookConfiguration",
];

impl ManifestObject {
    /// Whether an object of that kind and name is among these, whatever it holds.
    pub fn is_one_of(&self, others: &[Self]) -> bool {
        let place = |one: &Self| (one.kind.clone(), one.namespace.clone(), one.name.clone());
        others.iter().any(|other| place(other) == place(self) && self.group() == other.group())
    }

    /// The API group; nothing for the core one. It may change its version without a new object.
    pub fn group(&self) -> &str {
        self.api_version.split_once('/').map_or("", |(group, _)| group)
    }

    /// Whether its kind lives outside namespaces.
    pub fn is_of_the_cluster(&self) -> bool {
        OF_THE_CLUSTER.contains(&self.kind.as_str())
    }

    /// How many pods the release wants of a Deployment or StatefulSet; Kubernetes' default is one.
    pub fn replicas(&self) -> Option<i64> {
        let scaled = matches!(self.kind.as_str(), "Deployment" | "StatefulSet");
        scaled.then(|| self.body.pointer("/spec/replicas").and_then(Value::as_i64).unwrap_or(1))
    }

    /// Whether helm leaves it where it is when the release goes.
    /// <https://helm.sh/docs/howto/charts_tips_and_tricks/#tell-helm-not-to-uninstall-a-resource>
    pub fn is_kept(&self) -> bool {
        let annotations = self.body.pointer("/metadata/annotations");
        let policy = annotations.and_then(|all| all.get("helm.sh/resource-policy"));
        policy.and_then(Value::as_str).is_some_and(|policy| policy.trim() == "keep")
    }

    /// Whether it goes away by itself once it has done its work.
    pub fn is_cleaned_up(&self) -> bool {
        self.kind == "Job" && self.body.pointer("/spec/ttlSecondsAfterFinished").is_some()
    }
}

impl ManifestObject {
    /// Whether it gives rights that another object of the release may name: the server looks for
    /// that one at once.
    pub fn is_binding_of_rights(&self) -> bool {
        matches!(self.kind.as_str(), "RoleBinding" | "ClusterRoleBinding")
    }
}

/// Kinds that run pods: the pods are counted in their place.
const WORKLOADS: [&str; 6] =
    ["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob"];
/// Kinds that a person knows by name, in the order in which they are told.
const KNOWN: [&str; 4] = ["Service", "Secret", "ConfigMap", "Ingress"];
/// Groups of names that are told one by one.
const TOLD: usize = 4;

/// What goes with a release: `release mydb, 2 pods, Service and Secret mydb-postgresql`.
///
/// Objects that share a name are told together; kinds of the cluster's inner life (ServiceAccount,
/// NetworkPolicy…) are counted; volumes have their own lines.
pub fn summary(release: &str, pods: usize, objects: &[ManifestObject]) -> String {
    let mut parts = vec![format!("release {release}")];
    parts.extend((pods > 0).then(|| counted(pods, "pod")));
    let mut names: IndexMap<&str, BTreeMap<usize, &str>> = IndexMap::new();
    let mut others = 0;
    for object in objects {
        if is_told_elsewhere(object) {
            continue;
        }
        match rank(object) {
            Some(rank) => {
                names.entry(&object.name).or_default().insert(rank, &object.kind);
            }
            None => others += 1,
        }
    }
    others += names.values().skip(TOLD).map(BTreeMap::len).sum::<usize>();
    parts.extend(names.iter().take(TOLD).map(|(name, kinds)| {
        let kinds: Vec<_> = kinds.values().copied().collect();
        format!("{} {name}", joined(&kinds))
    }));
    parts.extend((others > 0).then(|| counted(others, "more object")));
    parts.join(", ")
}

fn is_told_elsewhere(object: &ManifestObject) -> bool {
    let kind = object.kind.as_str();
    WORKLOADS.contains(&kind) || kind == "Pod" || kind == "PersistentVolumeClaim"
}

/// The place of a kind in a group; custom resources come last, the inner life not at all.
fn rank(object: &ManifestObject) -> Option<usize> {
    if let Some(rank) = KNOWN.iter().position(|kind| *kind == object.kind) {
        return Some(rank);
    }
    (!is_built_in(object)).then_some(KNOWN.len())
}

/// Whether a kind is one of Kubernetes' own, by its group.
pub(super) fn is_built_in(object: &ManifestObject) -> bool {
    let group = object.api_version.split_once('/').map_or("", |(group, _)| group);
    !group.contains('.') || group.ends_with(".k8s.io")
}

/// Objects that are not of the release's namespace (design §7), as they are told.
pub fn outside(objects: &[ManifestObject], namespace: &str) -> Vec<String> {
    let elsewhere = objects.iter().filter(|object| {
        let other = object.namespace.as_deref().is_some_and(|other| other != namespace);
        other || object.is_of_the_cluster()
    });
    elsewhere
        .map(|object| match &object.namespace {
            Some(other) => format!("{object} of namespace {other}"),
            None => object.to_string(),
        })
        .collect()
}

/// `2 pods`, `1 pod`.
pub fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// `a`, `a and b`, `a, b and c`.
pub fn joined(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [word] => (*word).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

impl fmt::Display for ManifestObject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.kind, self.name)
    }
}

/// A manifest holds Secrets: their content stays out of logs and panics.
impl fmt::Debug for ManifestObject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {} {}", self.api_version, self.kind, self.name)
    }
}

impl fmt::Display for ManifestError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "document {} of the manifest: {}", self.document, self.reason)
    }
}

impl std::error::Error for ManifestError {}

#[cfg(test)]
mod tests;
