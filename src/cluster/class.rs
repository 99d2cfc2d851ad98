//! Classes as they are stored: raw, so that one bad class cannot hide the others.

use serde::Deserialize;
use serde_json::Value;

use super::answer::{Failure, parse};
use super::ask::{Asked, METADATA_LIST};
use super::kind::CLASSES;
use super::page::{Items, ListMeta, Page};
use super::{Cluster, Found, Scope};
use crate::error::Result;

impl Page for Value {
    fn read(bytes: &[u8], all: &mut Vec<Self>) -> Result<ListMeta, Failure> {
        let page: Items<Stored> = parse(bytes)?;
        all.extend(page.items.into_iter().map(Stored::into_object));
        Ok(page.metadata)
    }
}

/// An object of a list as far as it is a class. Who wrote which field is half of what the server
/// sends and nothing to svc: it is passed over while reading.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stored {
    api_version: Option<Value>,
    kind: Option<Value>,
    metadata: Option<StoredMeta>,
    spec: Option<Value>,
}

#[derive(Deserialize)]
struct StoredMeta {
    name: Option<Value>,
    labels: Option<Value>,
}

impl Stored {
    fn into_object(self) -> Value {
        let metadata = self
            .metadata
            .map(|StoredMeta { name, labels }| object([("name", name), ("labels", labels)]));
        object([
            ("apiVersion", self.api_version),
            ("kind", self.kind),
            ("metadata", metadata),
            ("spec", self.spec),
        ])
    }
}

/// An object of the fields that are there.
fn object<const N: usize>(fields: [(&str, Option<Value>); N]) -> Value {
    let there = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(there.collect())
}

/// Who wrote which field is most of an object and nothing to svc.
fn without_managed_fields(mut object: Value) -> Value {
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("managedFields");
    }
    object
}

/// A class by what changes with it: enough to know whether what was read of it still holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassStamp {
    pub name: String,
    pub uid: String,
    /// Grows with each change of the spec.
    pub generation: i64,
}

#[derive(Deserialize)]
struct Stamped {
    metadata: StampedMeta,
}

#[derive(Deserialize)]
struct StampedMeta {
    name: String,
    #[serde(default)]
    uid: String,
    #[serde(default)]
    generation: i64,
}

impl Page for ClassStamp {
    fn read(bytes: &[u8], all: &mut Vec<Self>) -> Result<ListMeta, Failure> {
        let page: Items<Stamped> = parse(bytes)?;
        all.extend(page.items.into_iter().map(|Stamped { metadata }| Self {
            name: metadata.name,
            uid: metadata.uid,
            generation: metadata.generation,
        }));
        Ok(page.metadata)
    }
}

impl Cluster {
    /// Every class, metadata only.
    ///
    /// # Errors
    /// Not allowed; no catalog in this cluster.
    pub async fn class_stamps(&self) -> Result<Vec<ClassStamp>> {
        let asked = Asked::list(&CLASSES, Scope::All, "list the catalog").accept(METADATA_LIST);
        self.pages(&asked).await
    }

    /// The classes that the label selector (empty: all) chooses, each as JSON.
    ///
    /// # Errors
    /// Not allowed; no catalog in this cluster.
    pub async fn classes(&self, selector: &str) -> Result<Vec<Value>> {
        let asked = Asked::list(&CLASSES, Scope::All, "list the catalog").labels(selector);
        self.pages(&asked).await
    }

    /// One class as JSON.
    ///
    /// # Errors
    /// No catalog in this cluster, and what keeps an answer away.
    pub async fn class(&self, name: &str) -> Result<Found<Value>> {
        let asked = Asked::get(&CLASSES, Scope::All, name, format!("read class {name}"));
        Ok(self.find(&asked).await?.map(without_managed_fields))
    }
}
