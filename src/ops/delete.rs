//! Giving an instance back: what goes, what stays, helm, and what is left (interface §11).

pub mod gone;
mod outlook;
mod rights;
mod shown;
mod turn;

use tokio::time::Instant;

use super::create::outcome::kind_of;
use super::deploy::target;
use crate::cluster::{Claim, Cluster};
use crate::domain::instance::Status;
use crate::domain::leftovers::{Fate, Volume};
use crate::error::{Error, Result};
use crate::helm::{Helm, Lock, Redaction, Signals, Stop, UninstallRequest};

pub use outlook::{Outlook, outlook};
pub use turn::Turn;

/// How a deletion ended.
#[derive(Debug)]
pub struct Done {
    /// Somebody else had deleted the instance by then.
    pub was_gone: bool,
    /// Volumes that came while it was being deleted, and stay.
    pub appeared: Vec<Volume>,
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
