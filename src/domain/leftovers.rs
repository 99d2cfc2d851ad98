//! The volumes of an instance: which belong to it, which go with it, which stay (interface §11).

mod reused;

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde_json::Value;

use super::manifest::ManifestObject;
use super::selector;

pub use reused::{Reused, reused};

/// A volume claim of the namespace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    pub name: String,
    /// `10Gi`: what it has, else what it asks for.
    pub size: Option<String>,
    pub labels: BTreeMap<String, String>,
    pub owners: Vec<Owner>,
    /// What becomes of its disk; `None` where that cannot be read.
    pub reclaim: Option<Reclaim>,
    pub created: Option<Timestamp>,
}

/// An owner reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    pub kind: String,
    pub name: String,
}

/// The reclaim policy of the disk behind a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reclaim {
    Delete,
    Retain,
}

/// What happens to a volume when its instance is deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It outlives the release; svc deletes it where the data is to go too.
    Stays,
    /// It is part of the release: helm deletes it.
    GoesWithChart,
    /// Kubernetes deletes it after its owner.
    GoesWithOwner(Owner),
}

/// A volume of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Volume {
    pub name: String,
    pub size: Option<String>,
    pub fate: Fate,
    pub reclaim: Option<Reclaim>,
    pub created: Option<Timestamp>,
}

/// Whether a volume goes or stays, and the line that says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VolumeRow {
    pub goes: bool,
    pub text: String,
}

/// What tells an instance's volumes from those of others.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    pub release: &'a str,
    /// Of the stored revision; empty once it is gone.
    pub manifest: &'a [ManifestObject],
    /// `deletion.volumes.selector` of the class, rendered.
    pub selector: Option<&'a str>,
    /// Claims that the instance's pods name.
    pub claimed: &'a BTreeSet<String>,
}

/// The volumes of an instance: claimed by its pods, made by its StatefulSets, of its manifest, or
/// labelled as its own.
pub fn volumes(claims: &[Claim], search: &Search<'_>) -> Vec<Volume> {
    let own = claims.iter().filter(|claim| belongs(claim, search));
    own.map(|claim| Volume {
        name: claim.name.clone(),
        size: claim.size.clone(),
        fate: fate(claim, search.manifest),
        reclaim: claim.reclaim,
        created: claim.created,
    })
    .collect()
}

/// Whether a claim is one of those.
pub fn belongs(claim: &Claim, search: &Search<'_>) -> bool {
    search.claimed.contains(&claim.name)
        || selector::matches(&selector::standard(search.release), &claim.labels)
        || search.selector.is_some_and(|selector| selector::matches(selector, &claim.labels))
        || in_manifest(claim, search.manifest).is_some()
        || claim_templates(search.manifest).any(|(set, template)| {
            let name = template.pointer("/metadata/name").and_then(Value::as_str);
            name.is_some_and(|name| is_made_from(&claim.name, name, set))
        })
}

fn in_manifest<'a>(claim: &Claim, manifest: &'a [ManifestObject]) -> Option<&'a ManifestObject> {
    manifest
        .iter()
        .find(|object| object.kind == "PersistentVolumeClaim" && object.name == claim.name)
}

/// The claim templates, each behind the name of its StatefulSet.
fn claim_templates(manifest: &[ManifestObject]) -> impl Iterator<Item = (&str, &Value)> {
    manifest.iter().filter(|object| object.kind == "StatefulSet").flat_map(|set| {
        let templates = set.body.pointer("/spec/volumeClaimTemplates").and_then(Value::as_array);
        templates.into_iter().flatten().map(|template| (set.name.as_str(), template))
    })
}

/// `TEMPLATE-STATEFULSET-0`, as the StatefulSet controller names claims.
fn is_made_from(claim: &str, template: &str, set: &str) -> bool {
    let number = claim
        .strip_prefix(template)
        .and_then(|rest| rest.strip_prefix('-')?.strip_prefix(set)?.strip_prefix('-'));
    number.is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

fn fate(claim: &Claim, manifest: &[ManifestObject]) -> Fate {
    match in_manifest(claim, manifest) {
        Some(object) if !object.is_kept() => return Fate::GoesWithChart,
        _ => {}
    }
    match claim.owners.first() {
        Some(owner) => Fate::GoesWithOwner(owner.clone()),
        None => Fate::Stays,
    }
}

impl Volume {
    /// `volume data-mydb-postgresql-0, 10Gi`
    pub fn shown(&self) -> String {
        match &self.size {
            Some(size) => format!("volume {}, {size}", self.name),
            None => format!("volume {}", self.name),
        }
    }

    /// Why `--keep-data` cannot keep it: `the chart owns it, --keep-data is not possible`.
    pub fn cannot_stay(&self) -> Option<String> {
        let owner = match &self.fate {
            Fate::Stays => return None,
            Fate::GoesWithChart => "the chart".to_owned(),
            Fate::GoesWithOwner(owner) => format!("{} {}", owner.kind, owner.name),
        };
        Some(format!("{owner} owns it, --keep-data is not possible"))
    }

    /// The line of the delete summary, with `delete_data` as the person or the class wants it.
    pub fn row(&self, delete_data: bool) -> VolumeRow {
        match self.cannot_stay() {
            Some(why) => {
                let text = format!("{}, AND THE DATA IN IT: {why}", self.shown());
                VolumeRow { goes: true, text }
            }
            None if delete_data => {
                VolumeRow { goes: true, text: format!("{}, AND THE DATA IN IT", self.shown()) }
            }
            None => VolumeRow { goes: false, text: format!("{}, with the data", self.shown()) },
        }
    }

    /// What may be left of a volume that goes.
    pub fn disk_note(&self) -> Option<String> {
        match self.reclaim {
            Some(Reclaim::Delete) => None,
            Some(Reclaim::Retain) => {
                Some(format!("the disk of volume {} stays: its policy is Retain", self.name))
            }
            None => Some("the volume's disk may stay: its policy is not readable".to_owned()),
        }
    }
}

/// The class and the record know nothing of volumes: an operator may have made some.
pub fn may_be_unknown(volumes: &[Volume], search: &Search<'_>) -> bool {
    let builtin = |object: &ManifestObject| {
        let group = object.api_version.split_once('/').map_or("", |(group, _)| group);
        !group.contains('.') || group.ends_with(".k8s.io")
    };
    volumes.is_empty() && search.selector.is_none() && !search.manifest.iter().all(builtin)
}

#[cfg(test)]
mod tests;
