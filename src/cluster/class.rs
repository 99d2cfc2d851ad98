//! Classes as they are stored: raw, so that one bad class cannot hide the others.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::answer::{Failure, parse};
use super::ask::{Asked, TABLE};
use super::kind::CLASSES;
use super::page::{Items, ListMeta, Page};
use super::table::Table;
use super::{Cluster, Found, Scope, error};
use crate::domain::class::is_class_name;
use crate::domain::crd;
use crate::error::Result;

/// A class by what changes with it: enough to know whether what was read of it still holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ClassStamp {
    pub name: String,
    pub uid: String,
    /// Another one after each change.
    pub resource_version: String,
}

#[cfg(test)]
impl ClassStamp {
    /// One of the class with the uid `u`.
    pub fn example(name: &str, version: &str) -> Self {
        let [name, uid, resource_version] = [name, "u", version].map(str::to_owned);
        Self { name, uid, resource_version }
    }
}

/// What was read of a class, and what tells whether it still holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamped<T> {
    pub stamp: ClassStamp,
    pub said: T,
}

/// A class as the server holds it, without who wrote which field.
pub type StoredClass = Stamped<Value>;

impl Page for StoredClass {
    fn read(bytes: &[u8], all: &mut Vec<Self>) -> Result<ListMeta, Failure> {
        let page: Items<Read> = parse(bytes)?;
        all.extend(page.items.into_iter().map(Self::from));
        Ok(page.metadata)
    }
}

/// An object of a list as far as it is a class. Who wrote which field is half of what the server
/// sends and nothing to svc: it is passed over while reading.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Read {
    api_version: Option<Value>,
    kind: Option<Value>,
    metadata: Option<ReadMeta>,
    spec: Option<Value>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReadMeta {
    name: Option<Value>,
    labels: Option<Value>,
    #[serde(default)]
    uid: String,
    #[serde(default)]
    resource_version: String,
}

impl From<Read> for StoredClass {
    fn from(read: Read) -> Self {
        let ReadMeta { name, labels, uid, resource_version } = read.metadata.unwrap_or_default();
        let known = name.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
        let said = object([
            ("apiVersion", read.api_version),
            ("kind", read.kind),
            ("metadata", Some(object([("name", name), ("labels", labels)]))),
            ("spec", read.spec),
        ]);
        Self { stamp: ClassStamp { name: known, uid, resource_version }, said }
    }
}

/// An object of the fields that are there.
fn object<const N: usize>(fields: [(&str, Option<Value>); N]) -> Value {
    let there = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(there.collect())
}

impl Page for ClassStamp {
    fn read(bytes: &[u8], all: &mut Vec<Self>) -> Result<ListMeta, Failure> {
        let mut table = Table::read(bytes)?;
        let columns = ["Name", crd::COLUMN_UID, crd::COLUMN_RESOURCE_VERSION];
        let (rows, [name, uid, version]) = table.rows(columns)?;
        all.extend(rows.iter().map(|row| Self {
            name: row.text(name).into_owned(),
            uid: row.text(uid).into_owned(),
            resource_version: row.text(version).into_owned(),
        }));
        Ok(table.metadata)
    }
}

/// The name of the book of classes.
const BOOK: &str = "classes";

impl Cluster {
    /// Every class that the label selector (empty: all) chooses, as its stamp alone; `None` where
    /// the server cannot say it so: its definition of classes is of an older svc.
    ///
    /// # Errors
    /// Not allowed; no catalog in this cluster.
    pub async fn class_stamps(&self, selector: &str) -> Result<Option<Vec<ClassStamp>>> {
        let asked = list(selector).accept(TABLE).query("includeObject", "None");
        match self.try_pages(&asked).await {
            Ok(stamps) => Ok(Some(stamps)),
            Err(Failure::Garbage(_)) => Ok(None),
            Err(failure) => Err(error::explain(failure, &asked, &self.target)),
        }
    }

    /// The classes that the label selector (empty: all) chooses. What was read of all of them
    /// before is taken from the book where none has changed since.
    ///
    /// # Errors
    /// Not allowed; no catalog in this cluster.
    pub async fn stored_classes(&self, selector: &str) -> Result<Vec<StoredClass>> {
        if let Some(known) = self.book(BOOK).read()
            && let Some(stamps) = self.class_stamps(selector).await?
            && let Some(classes) = unchanged(whole(known), &stamps)
        {
            return Ok(classes);
        }
        self.classes_in_full(selector).await
    }

    /// The same by one request, whatever is known; all classes are kept in the book.
    ///
    /// # Errors
    /// Not allowed; no catalog in this cluster.
    pub async fn classes_in_full(&self, selector: &str) -> Result<Vec<StoredClass>> {
        let classes = self.pages(&list(selector)).await?;
        if selector.is_empty() {
            self.book(BOOK).write(&classes);
        }
        Ok(classes)
    }

    /// The same, each as JSON alone.
    ///
    /// # Errors
    /// Not allowed; no catalog in this cluster.
    pub async fn classes(&self, selector: &str) -> Result<Vec<Value>> {
        let classes = self.stored_classes(selector).await?;
        Ok(classes.into_iter().map(|class| class.said).collect())
    }

    /// One class as JSON.
    ///
    /// # Errors
    /// No catalog in this cluster, and what keeps an answer away.
    pub async fn class(&self, name: &str) -> Result<Found<Value>> {
        if !is_class_name(name) {
            return Ok(Found::Missing);
        }
        let asked = Asked::get(&CLASSES, Scope::All, name, format!("read class {name}"));
        Ok(self.find::<Read>(&asked).await?.map(|read| StoredClass::from(read).said))
    }
}

fn list(selector: &str) -> Asked {
    Asked::list(&CLASSES, Scope::All, "list the catalog").labels(selector)
}

/// What is known of the classes that these stamps name; `None` where one is not known as it is now.
pub fn unchanged<T>(known: Vec<Stamped<T>>, stamps: &[ClassStamp]) -> Option<Vec<Stamped<T>>> {
    let mut known: HashMap<ClassStamp, Stamped<T>> =
        known.into_iter().map(|class| (class.stamp.clone(), class)).collect();
    stamps.iter().map(|stamp| known.remove(stamp)).collect()
}

/// The classes of the book that are those which their stamps name.
fn whole(mut known: Vec<StoredClass>) -> Vec<StoredClass> {
    known.retain(|class| {
        class.said["metadata"]["name"] == class.stamp.name && class.said.get("spec").is_some()
    });
    known
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn stamp(name: &str, version: &str) -> ClassStamp {
        ClassStamp::example(name, version)
    }

    fn known(name: &str, version: &str) -> StoredClass {
        let said = json!({"metadata": {"name": name}, "spec": {}});
        StoredClass { stamp: stamp(name, version), said }
    }

    #[test]
    fn what_is_known_holds_until_a_class_changes_or_is_made_anew() {
        let all = || vec![known("gone", "3"), known("postgres", "7"), known("redis", "8")];
        let today = [stamp("postgres", "7"), stamp("redis", "8")];
        assert_eq!(unchanged(all(), &today), Some(all().split_off(1)));
        assert_eq!(unchanged(all(), &[]), Some(Vec::new()));
        assert_eq!(unchanged(all(), &[stamp("postgres", "9")]), None);
        assert_eq!(unchanged(all(), &[stamp("new", "7")]), None);
        let anew = ClassStamp { uid: "other".to_owned(), ..stamp("postgres", "7") };
        assert_eq!(unchanged(all(), &[anew]), None);
        let damaged = StoredClass { said: json!({"kind": []}), ..known("redis", "8") };
        assert_eq!(unchanged(whole(vec![damaged]), &today[1..]), None);
        assert_eq!(whole(all()), all());
    }

    #[test]
    fn stamps_are_cells_of_the_servers_table() {
        let text = json!({"kind": "Table",
            "columnDefinitions": [{"name": "Name"}, {"name": "Summary"},
                {"name": crd::COLUMN_UID}, {"name": crd::COLUMN_RESOURCE_VERSION}],
            "rows": [{"cells": ["postgres", "x", "u", "7"], "object": null}],
        });
        let mut all = Vec::new();
        ClassStamp::read(text.to_string().as_bytes(), &mut all).unwrap();
        assert_eq!(all, [stamp("postgres", "7")]);
        let older = r#"{"kind": "Table", "columnDefinitions": [{"name": "Name"}],
            "rows": [{"cells": ["postgres"], "object": null}]}"#;
        let read = ClassStamp::read(older.as_bytes(), &mut all);
        assert!(matches!(read, Err(Failure::Garbage(_))));
    }

    #[test]
    fn who_wrote_what_is_passed_over() {
        let text = json!({"items": [{"metadata": {"name": "x", "uid": "u", "resourceVersion": "7",
            "labels": {"a": "b"}, "managedFields": [{"manager": "kubectl"}]}, "spec": {"a": 1}}]});
        let mut all = Vec::new();
        StoredClass::read(text.to_string().as_bytes(), &mut all).unwrap();
        let said = json!({"metadata": {"name": "x", "labels": {"a": "b"}}, "spec": {"a": 1}});
        assert_eq!(all, [StoredClass { stamp: stamp("x", "7"), said }]);
    }
}
