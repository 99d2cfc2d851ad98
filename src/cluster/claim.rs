//! Volumes as developers have them: claims, what becomes of their data, and their deletion.

use std::collections::BTreeMap;

use jiff::Timestamp;
use k8s_openapi::api::core::v1::PersistentVolumeClaim;
use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

use super::answer::{Failure, parse};
use super::ask::{Asked, Verb};
use super::kind::{CLAIMS, VOLUMES};
use super::leaving::until_gone;
use super::page::{Items, ListMeta, Page};
use super::{Cluster, Found, Outage, Scope, error};
use crate::error::Result;

/// A claim: what svc calls a volume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    pub namespace: String,
    pub name: String,
    pub uid: String,
    pub labels: BTreeMap<String, String>,
    pub created: Timestamp,
    /// As Kubernetes writes it: what there is, else what was asked for.
    pub size: Option<String>,
    /// `Pending`, `Bound`, `Lost`
    pub phase: String,
    pub storage_class: Option<String>,
    /// The PersistentVolume it is bound to.
    pub volume: Option<String>,
    /// Objects whose deletion takes the claim with them.
    pub owners: Vec<Owner>,
    pub deleting: bool,
}

/// An owner reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    pub kind: String,
    pub name: String,
}

impl From<PersistentVolumeClaim> for Claim {
    fn from(claim: PersistentVolumeClaim) -> Self {
        let (meta, spec) = (claim.metadata, claim.spec.unwrap_or_default());
        let status = claim.status.unwrap_or_default();
        let asked = spec.resources.and_then(|resources| resources.requests);
        let storage = |amounts: BTreeMap<String, _>| amounts.get("storage").cloned();
        let size = status.capacity.and_then(storage).or_else(|| asked.and_then(storage));
        let owners = meta.owner_references.unwrap_or_default().into_iter();
        Self {
            namespace: meta.namespace.unwrap_or_default(),
            name: meta.name.unwrap_or_default(),
            uid: meta.uid.unwrap_or_default(),
            labels: meta.labels.unwrap_or_default(),
            created: meta.creation_timestamp.map_or(Timestamp::UNIX_EPOCH, |time| time.0),
            size: size.map(|quantity: k8s_openapi::apimachinery::pkg::api::resource::Quantity| {
                quantity.0
            }),
            phase: status.phase.unwrap_or_default(),
            storage_class: spec.storage_class_name,
            volume: spec.volume_name.filter(|name| !name.is_empty()),
            owners: owners.map(|owner| Owner { kind: owner.kind, name: owner.name }).collect(),
            deleting: meta.deletion_timestamp.is_some(),
        }
    }
}

/// What is read of a PersistentVolume; all of it is forty times the code.
#[derive(Deserialize)]
struct Disk {
    spec: DiskSpec,
}

#[derive(Deserialize)]
struct DiskSpec {
    #[serde(rename = "persistentVolumeReclaimPolicy")]
    policy: Option<String>,
}

impl Page for Claim {
    fn read(bytes: &[u8], all: &mut Vec<Self>) -> Result<ListMeta, Failure> {
        let page: Items<PersistentVolumeClaim> = parse(bytes)?;
        all.extend(page.items.into_iter().map(Self::from));
        Ok(page.metadata)
    }
}

impl Cluster {
    /// The claims of a namespace that the label selector (empty: all) chooses.
    ///
    /// # Errors
    /// What keeps an answer away; forbidden is an answer.
    pub async fn claims(&self, namespace: &str, selector: &str) -> Result<Found<Vec<Claim>>> {
        let asked =
            Asked::list(&CLAIMS, Scope::namespace(namespace), "list volumes").labels(selector);
        self.found(self.try_pages(&asked).await, &asked)
    }

    /// One claim.
    ///
    /// # Errors
    /// What keeps an answer away.
    pub async fn claim(&self, namespace: &str, name: &str) -> Result<Found<Claim>> {
        let purpose = format!("read volume {name}");
        let asked = Asked::get(&CLAIMS, Scope::namespace(namespace), name, purpose);
        Ok(self.find::<PersistentVolumeClaim>(&asked).await?.map(Claim::from))
    }

    /// What becomes of the disk behind a claim: `Delete`, `Retain`, `Recycle`. Seldom readable
    /// with rights of a namespace.
    ///
    /// # Errors
    /// What keeps an answer away.
    pub async fn reclaim_policy(&self, volume: &str) -> Result<Found<String>> {
        let asked = Asked::get(&VOLUMES, Scope::All, volume, format!("read disk {volume}"));
        let found: Found<Disk> = self.find(&asked).await?;
        Ok(found.map(|disk| disk.spec.policy.unwrap_or_else(|| "Retain".to_owned())))
    }

    /// Deletes this claim, and no other that has taken its name since. One that is gone already
    /// is success.
    ///
    /// # Errors
    /// Not allowed; the claim was replaced meanwhile.
    pub async fn delete_claim(&self, claim: &Claim) -> Result<()> {
        let body = json!({
            "apiVersion": "v1", "kind": "DeleteOptions", "preconditions": {"uid": claim.uid},
        });
        let purpose = format!("delete volume {}", claim.name);
        let asked = Asked::get(&CLAIMS, Scope::namespace(&claim.namespace), &claim.name, purpose);
        let asked = asked.verb(Verb::Delete).body(&body);
        match self.bytes(&asked).await {
            Ok(_) => Ok(()),
            Err(failure) if failure.is_missing_object() => Ok(()),
            Err(failure) => Err(error::explain(failure, &asked, &self.target)),
        }
    }

    /// Waits until a claim is gone; `false`: it is still there at the deadline.
    ///
    /// # Errors
    /// What keeps an answer away.
    pub async fn claim_gone(&self, claim: &Claim, deadline: Instant) -> Result<bool> {
        let look = async || {
            let now = self.claim(&claim.namespace, &claim.name).await?.here()?;
            Ok(now.into_iter().filter(|now| now.uid == claim.uid).collect())
        };
        Ok(until_gone(Outage::default(), deadline, look).await?.is_empty())
    }
}
