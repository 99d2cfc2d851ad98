//! Helm's releases: their Secrets' metadata for lists, one record for one revision.
//!
//! Names and labels: helm `pkg/storage/driver/secrets.go`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use jiff::Timestamp;
use k8s_openapi::api::core::v1::Secret;
use secrecy::SecretSlice;
use serde::Deserialize;

use super::answer::{Failure, parse};
use super::ask::{Asked, METADATA_LIST};
use super::kind::SECRETS;
use super::page::{Items, ListMeta, Page};
use super::{Cluster, Found, Scope, Scoped};
use crate::domain::instance::{Revision, Status, label};
use crate::error::Result;

/// The type of the Secrets that hold releases.
const TYPE: &str = "type=helm.sh/release.v1";
const PREFIX: &str = "sh.helm.release.v1.";
/// The key of the record inside the Secret.
const RECORD: &str = "release";

/// Metadata as far as svc reads it; serde passes over the rest, managed fields above all.
#[derive(Deserialize)]
pub(super) struct Partial<'a> {
    #[serde(borrow)]
    pub metadata: Meta<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Meta<'a> {
    #[serde(borrow)]
    pub name: Cow<'a, str>,
    #[serde(borrow, default)]
    pub namespace: Cow<'a, str>,
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
    #[serde(borrow, default)]
    pub creation_timestamp: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub deletion_timestamp: Option<Cow<'a, str>>,
    #[serde(default)]
    pub finalizers: Vec<String>,
}

impl Meta<'_> {
    /// When the object was made; the server always says so.
    pub fn created(&self) -> Timestamp {
        self.creation_timestamp
            .as_deref()
            .and_then(|text| text.parse().ok())
            .unwrap_or(Timestamp::UNIX_EPOCH)
    }
}

impl Page for Revision {
    fn read(bytes: &[u8], all: &mut Vec<Self>) -> Result<ListMeta, Failure> {
        let page: Items<Partial<'_>> = parse(bytes)?;
        all.extend(page.items.into_iter().filter_map(|item| revision(item.metadata)));
        Ok(page.metadata)
    }
}

/// A Secret whose name is not helm's is none of ours.
fn revision(meta: Meta<'_>) -> Option<Revision> {
    let (name, number) = meta.name.strip_prefix(PREFIX)?.rsplit_once(".v")?;
    Some(Revision {
        namespace: meta.namespace.to_string(),
        name: name.to_owned(),
        number: number.parse().ok()?,
        status: meta.labels.get("status").map_or(Status::Unknown, |text| Status::from_label(text)),
        created: meta.created(),
        labels: meta.labels,
    })
}

impl Cluster {
    /// The stored revisions of svc's instances and bindings, metadata only; `selector` is added to
    /// `owner=helm` and the class label (`status!=superseded` leaves out the history).
    ///
    /// # Errors
    /// Not allowed in the scope; of all namespaces only where none is allowed.
    pub async fn revisions(&self, scope: Scope, selector: &str) -> Result<Scoped<Revision>> {
        let mut labels = format!("owner=helm,{}", label::CLASS);
        if !selector.is_empty() {
            labels = labels + "," + selector;
        }
        let asked = Asked::list(&SECRETS, scope, "list instances")
            .accept(METADATA_LIST)
            .labels(&labels)
            .fields(TYPE);
        self.scoped(&asked).await
    }

    /// All stored revisions of one release, whoever made it, the newest first.
    ///
    /// # Errors
    /// The list is not allowed: then nothing is known about the name.
    pub async fn revisions_of(&self, namespace: &str, name: &str) -> Result<Vec<Revision>> {
        let purpose = format!("look for {name}");
        let asked = Asked::list(&SECRETS, Scope::namespace(namespace), purpose)
            .accept(METADATA_LIST)
            .labels(&format!("owner=helm,name={name}"));
        let mut revisions: Vec<Revision> = self.pages(&asked).await?;
        revisions.sort_by_key(|revision| std::cmp::Reverse(revision.number));
        Ok(revisions)
    }

    /// The record of one revision: what helm stored under `release`, still helm's own base64;
    /// nothing where the Secret has no such key.
    ///
    /// # Errors
    /// Other failures than missing and forbidden.
    pub async fn release_record(
        &self,
        namespace: &str,
        name: &str,
        number: u32,
    ) -> Result<Found<SecretSlice<u8>>> {
        let secret = format!("{PREFIX}{name}.v{number}");
        let purpose = format!("read the release of {name}");
        let asked = Asked::get(&SECRETS, Scope::namespace(namespace), &secret, purpose);
        let found: Found<Secret> = self.find(&asked).await?;
        Ok(found.map(|secret| {
            let record = secret.data.and_then(|mut data| data.remove(RECORD));
            record.map(|record| record.0).unwrap_or_default().into()
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Option<Revision> {
        let text = serde_json::json!({"items": [{"metadata": {"name": name, "namespace": "a"}}]});
        let mut all = Vec::new();
        Revision::read(text.to_string().as_bytes(), &mut all).unwrap();
        all.pop()
    }

    #[test]
    fn names_are_helms_or_passed_over() {
        let revision = named("sh.helm.release.v1.my.v2.v13").unwrap();
        assert_eq!((revision.name.as_str(), revision.number), ("my.v2", 13));
        assert_eq!(revision.status, Status::Unknown);
        for other in ["mydb", "sh.helm.release.v1.mydb", "sh.helm.release.v1.mydb.vx"] {
            assert_eq!(named(other), None, "{other}");
        }
    }
}
