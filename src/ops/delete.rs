//! Giving an instance back: what goes, what stays, helm, and what is left (interface §11).

pub mod gone;
mod rights;
mod shown;
mod turn;

use std::collections::BTreeSet;

use futures::future::{join_all, join3};
use tokio::time::Instant;

use super::create::outcome::kind_of;
use super::deploy::target;
use super::instance::{self, Stored};
use super::rights::place::places;
use crate::cluster::{Claim, Cluster, Found, Place, Scope};
use crate::domain::class::DataPolicy;
use crate::domain::instance::{Status, label};
use crate::domain::leftovers::{self, Fate, Reclaim, Search, Volume};
use crate::domain::manifest::{self, ManifestObject};
use crate::domain::name::InstanceName;
use crate::domain::selector;
use crate::domain::template::TemplateError;
use crate::error::{Error, Result};
use crate::helm::{Helm, Lock, Redaction, Signals, Stop, UninstallRequest};

use shown::Identity;
pub use turn::Turn;

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
    shown: Option<Identity>,
    pod_selector: String,
    /// Where the objects of its record are.
    places: Vec<Place>,
    objects: Vec<ManifestObject>,
    /// Of the volumes, where its class has one.
    selector: Option<String>,
    claims: Vec<Claim>,
}

/// How a deletion ended.
#[derive(Debug)]
pub struct Done {
    /// Somebody else had deleted the instance by then.
    pub was_gone: bool,
    /// Volumes that came while it was being deleted, and stay.
    pub appeared: Vec<Volume>,
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

fn search<'a>(
    name: &'a str,
    objects: &'a [ManifestObject],
    selector: Option<&'a str>,
) -> Search<'a> {
    static NONE: BTreeSet<String> = BTreeSet::new();
    Search { release: name, manifest: objects, selector, claimed: &NONE }
}

async fn volumes_of(cluster: &Cluster, claims: &[Claim], search: &Search<'_>) -> Vec<Volume> {
    let reclaims = reclaims(cluster, claims).await;
    let known: Vec<leftovers::Claim> =
        claims.iter().zip(reclaims).map(|(claim, reclaim)| domain_claim(claim, reclaim)).collect();
    leftovers::volumes(&known, search)
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
async fn reclaims(cluster: &Cluster, claims: &[Claim]) -> Vec<Option<Reclaim>> {
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

fn domain_claim(claim: &Claim, reclaim: Option<Reclaim>) -> leftovers::Claim {
    let owners = claim.owners.iter();
    leftovers::Claim {
        name: claim.name.clone(),
        size: claim.size.clone(),
        labels: claim.labels.clone(),
        owners: owners
            .map(|owner| leftovers::Owner { kind: owner.kind.clone(), name: owner.name.clone() })
            .collect(),
        reclaim,
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
    let reclaims = reclaims(cluster, &claims).await;
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

/// Deletes what the outlook says; with `data` the volumes too.
///
/// # Errors
/// Someone else works on it or has changed it since, helm failed, something does not go away in
/// time.
pub async fn delete(
    cluster: &Cluster,
    helm: &Helm,
    outlook: &Outlook,
    data: bool,
    wait: bool,
    deadline: Instant,
    signals: &mut Signals,
) -> Result<Done> {
    let doomed: Vec<&Claim> = outlook
        .claims
        .iter()
        .filter(|claim| {
            let own = |volume: &&Volume| volume.name == claim.name && volume.fate == Fate::Stays;
            data && outlook.volumes.iter().any(|volume| own(&volume))
        })
        .collect();
    let names: Vec<&str> = doomed.iter().map(|claim| claim.name.as_str()).collect();
    rights::check_volumes(cluster, &outlook.name, &names).await?;
    let lock = turn::lock(cluster, helm, &outlook.name, deadline, signals).await?;
    let is_there = shown::check(cluster, outlook).await?;
    if is_there {
        run(cluster, helm, &outlook.name, &lock, deadline, signals).await?;
    }
    for claim in &doomed {
        cluster.delete_claim(claim).await?;
    }
    if wait {
        gone::wait(cluster, outlook, doomed, deadline).await?;
    }
    let was_gone = !is_there && outlook.shown.is_some();
    Ok(Done { was_gone, appeared: shown::appeared(cluster, outlook).await? })
}

/// Removes the release, all its revisions.
///
/// # Errors
/// Someone else works on it, or helm failed.
pub async fn uninstall(
    cluster: &Cluster,
    helm: &Helm,
    name: &str,
    deadline: Instant,
    signals: &mut Signals,
) -> Result<()> {
    let lock = turn::lock(cluster, helm, name, deadline, signals).await?;
    if cluster.revisions_of(&cluster.namespace, name).await?.is_empty() {
        return Ok(());
    }
    run(cluster, helm, name, &lock, deadline, signals).await
}

async fn run(
    cluster: &Cluster,
    helm: &Helm,
    name: &str,
    lock: &Lock,
    deadline: Instant,
    signals: &mut Signals,
) -> Result<()> {
    let request = UninstallRequest {
        target: target(cluster),
        release: name.to_owned(),
        without_hooks: false,
        timeout: deadline.saturating_duration_since(Instant::now()),
    };
    let outcome = helm.uninstall(&request, lock, signals).await?;
    let left = cluster.revisions_of(&cluster.namespace, name).await?;
    let Some(newest) = left.first() else { return Ok(()) };
    if let Some(Stop::Interrupted(signal) | Stop::Killed(signal)) = outcome.stopped {
        let sentence = format!("interrupted: the deletion of {name} was cut off");
        return Err(Error::new(kind_of(signal), sentence)
            .try_for(format!("delete {name}"), "go on with it")
            .try_for(format!("show {name}"), "what is there"));
    }
    let cause = outcome.cause(&Redaction::default());
    let error = cause.into_error(&format!("delete {name}"));
    Err(match newest.status {
        Status::Uninstalling => error.try_for(format!("delete {name}"), "go on with it"),
        _ => error.try_(format!("show {name}")),
    })
}
