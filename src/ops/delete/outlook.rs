//! What is known of an instance before anything of it is deleted.

use std::collections::BTreeSet;

use futures::future::{join_all, join3};

use super::super::instance::{self, Stored};
use super::super::rights::place::places;
use super::shown::Identity;
use super::{Turn, rights, turn};
use crate::cluster::{Claim, Cluster, Found, Place, Scope};
use crate::domain::class::DataPolicy;
use crate::domain::instance::label;
use crate::domain::leftovers::{self, Fate, Reclaim, Search, Volume};
use crate::domain::manifest::{self, ManifestObject};
use crate::domain::name::InstanceName;
use crate::domain::selector;
use crate::domain::template::TemplateError;
use crate::error::{Error, Result};

/// What is known before anything is deleted.
#[derive(Debug)]
pub struct Outlook {
    pub name: String,
    pub class: String,
    pub plan: Option<String>,
    /// `release mydb, 2 pods, Service and Secret mydb-postgresql`; `None`: only volumes are left.
    pub goes: Option<String>,
    pub volumes: Vec<Volume>,
    /// Objects of other namespaces or of the whole cluster.
    pub outside: Vec<String>,
    pub protected: bool,
    pub policy: DataPolicy,
    /// The volumes of the namespace may not be listed: the right that is missing.
    pub volumes_unreadable: bool,
    /// An operator may have made volumes that svc does not know.
    pub may_be_unknown: bool,
    /// What the record says and svc goes on without, in words.
    pub unusable: Vec<String>,
    /// `None`: only volumes are left.
    pub(super) shown: Option<Identity>,
    pub(super) pod_selector: String,
    /// Where the objects of its record are.
    pub(super) places: Vec<Place>,
    pub(super) objects: Vec<ManifestObject>,
    /// Of the volumes, where its class has one.
    pub(super) selector: Option<String>,
    pub(super) claims: Vec<Claim>,
}

/// Looks at an instance that is to be deleted, once nobody else works on it; `None`: there is
/// nothing of it.
///
/// # Errors
/// A release that svc did not make, one that others work on for too long, rights that are
/// missing, and what keeps an answer away.
pub async fn outlook(cluster: &Cluster, name: &str, turn: Turn<'_>) -> Result<Option<Outlook>> {
    let namespace = &cluster.namespace;
    if InstanceName::suggest(name, u8::MAX).is_none_or(|near| near.as_str() != name) {
        return Ok(None);
    }
    let revisions = turn::idle(cluster, name, turn).await?;
    if revisions.is_empty() {
        return only_volumes(cluster, name).await;
    }
    if !revisions[0].labels.contains_key(label::CLASS) {
        return Err(foreign(name, namespace));
    }
    let stored = instance::read_to_delete(cluster, revisions).await?;
    of_instance(cluster, &stored).await.map(Some)
}

fn foreign(name: &str, namespace: &str) -> Error {
    Error::failed(format!(
        "{name} is a Helm release in namespace {namespace} that svc did not make"
    ))
    .advise("svc deletes only what it made.")
}

async fn of_instance(cluster: &Cluster, stored: &Stored) -> Result<Outlook> {
    let release = &stored.release;
    let namespace = &release.namespace;
    let objects = manifest::parse(&release.manifest).map_err(|error| {
        Error::failed(format!("the record of {} cannot be read: {}", release.name, error.reason))
    })?;
    let context = stored.context();
    // What is broken here keeps nothing from being deleted: it is told, and gone without.
    let selector = selector::volumes(&stored.record.deletion, &context);
    let unusable = unusable(stored, selector.as_ref().err());
    let selector = selector.ok().flatten();
    let pod_selector = stored.pod_selector();
    let scope = Scope::namespace(namespace);
    let (pods, claims, places) = join3(
        cluster.pods(scope, &pod_selector),
        cluster.claims(namespace, ""),
        allowed_places(cluster, stored, &objects),
    )
    .await;
    let places = places?;
    let pods = pods.map(|pods| pods.items.len()).unwrap_or_default();
    let claims = claims?;
    let volumes_unreadable = matches!(claims, Found::Forbidden(_));
    let claims = readable(claims);
    let search = search(&release.name, &objects, selector.as_deref());
    let volumes = volumes_of(cluster, &claims, &search).await;
    Ok(Outlook {
        name: release.name.clone(),
        class: stored.record.class.clone(),
        plan: stored.record.plan.clone(),
        goes: Some(manifest::summary(&release.name, pods, &objects)),
        may_be_unknown: leftovers::may_be_unknown(&volumes, &search),
        volumes,
        outside: manifest::outside(&objects, namespace),
        protected: stored.record.deletion.protected,
        policy: stored.record.deletion.data,
        volumes_unreadable,
        unusable,
        shown: Some(Identity::of(stored.newest())),
        pod_selector,
        places,
        objects,
        selector,
        claims,
    })
}

pub(super) fn search<'a>(
    name: &'a str,
    objects: &'a [ManifestObject],
    selector: Option<&'a str>,
) -> Search<'a> {
    static NONE: BTreeSet<String> = BTreeSet::new();
    Search { release: name, manifest: objects, selector, claimed: &NONE }
}

/// Of the disks only those behind its own volumes are asked for.
pub(super) async fn volumes_of(
    cluster: &Cluster,
    claims: &[Claim],
    search: &Search<'_>,
) -> Vec<Volume> {
    let known = claims.iter().map(|claim| (claim, domain_claim(claim)));
    let (claims, mut own): (Vec<_>, Vec<_>) =
        known.filter(|(_, known)| leftovers::belongs(known, search)).unzip();
    let reclaims = reclaims(cluster, &claims).await;
    own.iter_mut().zip(reclaims).for_each(|(claim, reclaim)| claim.reclaim = reclaim);
    leftovers::volumes(&own, search)
}

/// The selectors of the record that cannot be used, with what that means.
fn unusable(stored: &Stored, volumes: Option<&TemplateError>) -> Vec<String> {
    let pods = stored.recorded_pods().err().map(|error| {
        let standard = selector::standard(&stored.release.name);
        format!("its pods are looked for by {standard}: its class names none: {error}")
    });
    let volumes = volumes.map(|error| {
        format!("volumes that only its class can name are left alone: it names none: {error}")
    });
    pods.into_iter().chain(volumes).collect()
}

/// Where the objects of the record are, all of which may be deleted.
async fn allowed_places(
    cluster: &Cluster,
    stored: &Stored,
    objects: &[ManifestObject],
) -> Result<Vec<Place>> {
    let places = places(cluster, objects, &stored.release.namespace).await?;
    rights::check(cluster, stored, &places).await?;
    Ok(places)
}

fn readable(claims: Found<Vec<Claim>>) -> Vec<Claim> {
    match claims {
        Found::Here(claims) => claims,
        Found::Missing | Found::Forbidden(_) => Vec::new(),
    }
}

/// What becomes of the disks; seldom readable with rights of a namespace.
async fn reclaims(cluster: &Cluster, claims: &[&Claim]) -> Vec<Option<Reclaim>> {
    let asked = claims.iter().map(|claim| async move {
        let volume = claim.volume.as_deref()?;
        match cluster.reclaim_policy(volume).await {
            Ok(Found::Here(policy)) if policy == "Delete" => Some(Reclaim::Delete),
            Ok(Found::Here(_)) => Some(Reclaim::Retain),
            _ => None,
        }
    });
    join_all(asked).await
}

fn domain_claim(claim: &Claim) -> leftovers::Claim {
    let owners = claim.owners.iter();
    leftovers::Claim {
        name: claim.name.clone(),
        size: claim.size.clone(),
        labels: claim.labels.clone(),
        owners: owners
            .map(|owner| leftovers::Owner { kind: owner.kind.clone(), name: owner.name.clone() })
            .collect(),
        reclaim: None,
        created: Some(claim.created),
    }
}

/// An instance that is gone and left volumes.
async fn only_volumes(cluster: &Cluster, name: &str) -> Result<Option<Outlook>> {
    let namespace = &cluster.namespace;
    let standard = selector::standard(name);
    let claims = readable(cluster.claims(namespace, &standard).await?);
    if claims.is_empty() {
        return Ok(None);
    }
    let reclaims = reclaims(cluster, &claims.iter().collect::<Vec<_>>()).await;
    let volumes = claims.iter().zip(reclaims).map(|(claim, reclaim)| Volume {
        name: claim.name.clone(),
        size: claim.size.clone(),
        fate: Fate::Stays,
        reclaim,
        created: Some(claim.created),
    });
    Ok(Some(Outlook {
        name: name.to_owned(),
        class: String::new(),
        plan: None,
        goes: None,
        volumes: volumes.collect(),
        outside: Vec::new(),
        protected: false,
        policy: DataPolicy::Keep,
        volumes_unreadable: false,
        may_be_unknown: false,
        unusable: Vec::new(),
        shown: None,
        pod_selector: standard,
        places: Vec::new(),
        objects: Vec::new(),
        selector: None,
        claims,
    }))
}
