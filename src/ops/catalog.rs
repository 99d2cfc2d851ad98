//! The classes on offer, each with its status; a broken one never hides the others.

mod mark;

use std::collections::BTreeMap;

use futures::future::join;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::cluster::{Cluster, Found, Rights};
use crate::domain::class::{Availability, Class, GROUP, Sharing, read};
use crate::domain::suggest::nearest;
use crate::domain::{crd, lint};
use crate::error::{Error, Result};

/// One class of the catalog, understood or broken.
#[derive(Clone, Debug)]
pub struct Entry {
    pub name: String,
    pub summary: Option<String>,
    pub labels: BTreeMap<String, String>,
    pub status: Status,
    /// `None` where it could not be read at all.
    pub class: Option<Class>,
    /// Why it is broken.
    pub broken: Option<String>,
}

/// The word in the column STATUS: the first that holds, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Broken,
    NotAllowed,
    Closed,
    Deprecated,
    Shared,
    Available,
}

impl Status {
    /// The word a person reads.
    pub fn word(self) -> &'static str {
        match self {
            Self::Broken => "broken",
            Self::NotAllowed => "not allowed",
            Self::Closed => "closed",
            Self::Deprecated => "deprecated",
            Self::Shared => "shared",
            Self::Available => "available",
        }
    }
}

impl Serialize for Status {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

/// Which classes are wanted; empty means all.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// A label selector.
    pub selector: String,
    /// Any of these tags.
    pub tags: Vec<String>,
}

/// The classes on offer, by name.
///
/// # Errors
/// No catalog, not allowed to list it, and what keeps an answer away.
pub async fn list(cluster: &Cluster, filter: &Filter) -> Result<Vec<Entry>> {
    let (objects, rights) =
        join(cluster.classes(&filter.selector), cluster.rights(&cluster.namespace)).await;
    let rights = rights.ok();
    let mut entries: Vec<Entry> = objects?.iter().map(|raw| entry(raw, rights.as_ref())).collect();
    if !filter.tags.is_empty() {
        entries.retain(|entry| entry.has_any_tag(&filter.tags));
    }
    mark::all(cluster, rights.as_ref(), &mut entries).await;
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(entries)
}

/// One class.
///
/// # Errors
/// There is none of that name; the error suggests the nearest.
pub async fn one(cluster: &Cluster, name: &str) -> Result<Entry> {
    let (found, rights) = join(cluster.class(name), cluster.rights(&cluster.namespace)).await;
    match found? {
        Found::Here(raw) => {
            let rights = rights.ok();
            let mut entries = [entry(&raw, rights.as_ref())];
            mark::all(cluster, rights.as_ref(), &mut entries).await;
            let [entry] = entries;
            Ok(entry)
        }
        Found::Missing => Err(unknown(cluster, name).await),
        Found::Forbidden(error) => Err(*error),
    }
}

/// One class that is to be used: whether that is allowed is left to the caller, who asks exactly.
///
/// # Errors
/// As for [`one`].
pub async fn one_to_use(cluster: &Cluster, name: &str) -> Result<Entry> {
    match cluster.class(name).await? {
        Found::Here(raw) => {
            let entries = with_archives(cluster, std::slice::from_ref(&raw)).await;
            Ok(entries.into_iter().next().expect("one object has one entry"))
        }
        Found::Missing => Err(unknown(cluster, name).await),
        Found::Forbidden(error) => Err(*error),
    }
}

/// Each of these classes, with what can be said of its archive.
pub(super) async fn with_archives(cluster: &Cluster, objects: &[Value]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = objects.iter().map(|object| entry(object, None)).collect();
    mark::archives(cluster, &mut entries).await;
    entries
}

/// The same with one more request at most: of several ConfigMaps none is looked at.
pub async fn with_one_archive(cluster: &Cluster, objects: &[Value]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = objects.iter().map(|object| entry(object, None)).collect();
    if mark::places(&entries).len() == 1 {
        mark::archives(cluster, &mut entries).await;
    }
    entries
}

pub(super) async fn unknown(cluster: &Cluster, name: &str) -> Error {
    let error = Error::not_found(format!("no class {name} in context {}", cluster.target.context));
    match near(cluster, name).await {
        Some(near) => error.try_(format!("catalog {near}")),
        None => error.try_("catalog"),
    }
}

/// The class that a wrong name is near to.
pub async fn near(cluster: &Cluster, name: &str) -> Option<String> {
    let objects = cluster.classes("").await.ok()?;
    let names: Vec<String> = objects.iter().filter_map(name_of).collect();
    nearest(name, names.iter().map(String::as_str)).map(str::to_owned)
}

fn name_of(object: &Value) -> Option<String> {
    Some(object.pointer("/metadata/name")?.as_str()?.to_owned())
}

/// A class with its status, from what the API server holds.
pub fn entry(object: &Value, rights: Option<&Rights>) -> Entry {
    match read(object) {
        Ok(class) => {
            let broken = lint::broken(&class);
            let may_use = rights.is_none_or(|rights| may_use(rights, &class.name));
            Entry {
                name: class.name.clone(),
                summary: Some(class.spec.summary.clone()),
                labels: class.labels.clone(),
                status: status(&class, broken.is_some(), may_use),
                broken,
                class: Some(class),
            }
        }
        Err(unreadable) => Entry {
            name: unreadable.name,
            summary: unreadable.summary,
            labels: unreadable.labels,
            status: Status::Broken,
            class: None,
            broken: Some(unreadable.reason),
        },
    }
}

/// A no of rules that the server could not name in full may be wrong: it is asked about.
fn may_use(rights: &Rights, class: &str) -> bool {
    rights.incomplete || rights.allows("use", GROUP, crd::PLURAL, Some(class))
}

fn status(class: &Class, broken: bool, may_use: bool) -> Status {
    let spec = &class.spec;
    match () {
        () if broken => Status::Broken,
        () if !may_use => Status::NotAllowed,
        () if spec.availability == Availability::NoNewInstances => Status::Closed,
        () if spec.deprecated.is_some() => Status::Deprecated,
        () if spec.sharing == Sharing::Shared => Status::Shared,
        () => Status::Available,
    }
}

impl Entry {
    fn has_any_tag(&self, tags: &[String]) -> bool {
        let class = self.class.as_ref();
        class.is_some_and(|class| class.spec.tags.iter().any(|tag| tags.contains(tag)))
    }

    fn break_for(&mut self, reason: String) {
        self.status = Status::Broken;
        self.broken = Some(reason);
    }
}
