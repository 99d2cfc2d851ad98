//! The volumes of an instance: which belong to it, which go with it, which stay (interface §11).

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde_json::Value;

use super::manifest::ManifestObject;
use super::selector;

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

fn belongs(claim: &Claim, search: &Search<'_>) -> bool {
    search.claimed.contains(&claim.name)
        || selector::matches(&selector::standard(search.release), &claim.labels)
        || search.selector.is_some_and(|selector| selector::matches(selector, &claim.labels))
        || in_manifest(claim, search.manifest).is_some()
        || claim_templates(search.manifest)
            .any(|(template, set)| is_made_from(&claim.name, template, set))
}

fn in_manifest<'a>(claim: &Claim, manifest: &'a [ManifestObject]) -> Option<&'a ManifestObject> {
    manifest
        .iter()
        .find(|object| object.kind == "PersistentVolumeClaim" && object.name == claim.name)
}

/// The names of claim templates and of their StatefulSets.
fn claim_templates(manifest: &[ManifestObject]) -> impl Iterator<Item = (&str, &str)> {
    manifest.iter().filter(|object| object.kind == "StatefulSet").flat_map(|set| {
        let templates = set.body.pointer("/spec/volumeClaimTemplates").and_then(Value::as_array);
        templates.into_iter().flatten().filter_map(|template| {
            Some((template.pointer("/metadata/name")?.as_str()?, set.name.as_str()))
        })
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
        Some(object) if !is_kept(object) => return Fate::GoesWithChart,
        _ => {}
    }
    match claim.owners.first() {
        Some(owner) => Fate::GoesWithOwner(owner.clone()),
        None => Fate::Stays,
    }
}

/// helm leaves objects with this annotation when it uninstalls.
fn is_kept(object: &ManifestObject) -> bool {
    let policy = object.body.pointer("/metadata/annotations/helm.sh~1resource-policy");
    policy.and_then(Value::as_str) == Some("keep")
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
mod tests {
    use serde_json::json;

    use super::*;

    fn claim(name: &str) -> Claim {
        Claim {
            name: name.into(),
            size: Some("10Gi".into()),
            labels: BTreeMap::new(),
            owners: Vec::new(),
            reclaim: Some(Reclaim::Delete),
            created: None,
        }
    }

    fn object(kind: &str, name: &str, body: Value) -> ManifestObject {
        ManifestObject {
            api_version: "v1".into(),
            kind: kind.into(),
            name: name.into(),
            namespace: None,
            body,
        }
    }

    fn found(claims: &[Claim], manifest: &[ManifestObject], selector: Option<&str>) -> Vec<Volume> {
        let claimed = BTreeSet::from(["claimed".to_owned()]);
        volumes(claims, &Search { release: "mydb", manifest, selector, claimed: &claimed })
    }

    #[test]
    fn volumes_are_found_in_every_way() {
        let set = object(
            "StatefulSet",
            "mydb-pg",
            json!({"spec": {"volumeClaimTemplates": [{"metadata": {"name": "data"}}]}}),
        );
        let mut labelled = claim("labelled");
        labelled.labels.insert(selector::INSTANCE.into(), "mydb".into());
        let mut operator = claim("operator");
        operator.labels.insert("cnpg.io/cluster".into(), "mydb".into());
        let names = [
            claim("data-mydb-pg-0"),
            claim("data-mydb-pg-x"),
            claim("data-mydb-pg-"),
            claim("data-mydb-pg-2-0"),
            claim("claimed"),
            claim("other"),
            labelled,
            operator,
        ];
        let found = found(&names, &[set], Some("cnpg.io/cluster=mydb"));
        let names: Vec<_> = found.iter().map(|volume| volume.name.as_str()).collect();
        assert_eq!(names, ["data-mydb-pg-0", "claimed", "labelled", "operator"]);
    }

    #[test]
    fn rows_say_what_goes_and_what_stays() {
        let volume = &found(&[claim("claimed")], &[], None)[0];
        assert_eq!(volume.row(false).text, "volume claimed, 10Gi, with the data");
        assert_eq!(volume.row(true).text, "volume claimed, 10Gi, AND THE DATA IN IT");
        assert!(volume.row(true).goes && !volume.row(false).goes);
        assert_eq!(volume.disk_note(), None);
    }

    #[test]
    fn what_the_chart_or_an_owner_has_cannot_stay() {
        let manifest = [object("PersistentVolumeClaim", "claimed", json!({}))];
        let row = found(&[claim("claimed")], &manifest, None)[0].row(false);
        assert_eq!(
            (row.goes, row.text.as_str()),
            (
                true,
                "volume claimed, 10Gi, AND THE DATA IN IT: the chart owns it, --keep-data is not \
                 possible"
            )
        );
        let mut owned = claim("claimed");
        owned.owners.push(Owner { kind: "Cluster".into(), name: "mydb".into() });
        let why = found(&[owned], &[], None)[0].cannot_stay().unwrap();
        assert_eq!(why, "Cluster mydb owns it, --keep-data is not possible");
    }

    #[test]
    fn helm_keeps_what_is_annotated() {
        let body = json!({"metadata": {"annotations": {"helm.sh/resource-policy": "keep"}}});
        let manifest = [object("PersistentVolumeClaim", "claimed", body)];
        assert_eq!(found(&[claim("claimed")], &manifest, None)[0].fate, Fate::Stays);
    }

    #[test]
    fn what_is_not_known_is_said() {
        let mut unread = claim("claimed");
        unread.reclaim = None;
        let note = found(&[unread], &[], None)[0].disk_note().unwrap();
        assert_eq!(note, "the volume's disk may stay: its policy is not readable");
        let mut cluster = object("Cluster", "mydb", json!({}));
        cluster.api_version = "postgresql.cnpg.io/v1".into();
        let claimed = BTreeSet::new();
        let manifest = [cluster];
        let search =
            Search { release: "mydb", manifest: &manifest, selector: None, claimed: &claimed };
        assert!(may_be_unknown(&[], &search));
        assert!(!may_be_unknown(&[], &Search { manifest: &[], ..search }));
    }
}
