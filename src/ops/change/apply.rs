//! The new revision: the one that must follow is read again just before helm starts.

use super::outcome::{Work, changed_meanwhile, judge};
use super::{Base, Standing, Verb};
use crate::cluster::Cluster;
use crate::domain::instance::{Revision, Status};
use crate::error::Result;
use crate::helm::{
    Helm, Lock, LockState, Redaction, RollbackRequest, Signal, Signals, UpgradeRequest,
};
use crate::ops::create::existing;
use crate::ops::create::outcome::words;
use crate::ops::deploy::{Engine, Order, Prepared, secrets, target};
use crate::ops::log;
use crate::ops::watch::still_there;

/// The lock of an instance on this machine, held from before the first change to the last.
///
/// # Errors
/// Another svc or its helm works on it.
pub fn lock(cluster: &Cluster, helm: &Helm, name: &str) -> Result<Lock> {
    let namespace = &cluster.namespace;
    match Lock::take(helm.cache(), &cluster.target.server, namespace, name)? {
        LockState::Taken(lock) => Ok(lock),
        LockState::HeldByOther => Err(existing::locked(name, namespace)),
    }
}

/// Takes the way out of a change that was cut off: back to the revision that ran. Gives the
/// number that the next revision follows.
///
/// # Errors
/// helm failed, or someone else came first.
pub async fn step_back(
    engine: Engine<'_>,
    base: &Base,
    order: &Order<'_>,
    lock: &Lock,
    signals: &mut Signals,
) -> Result<u32> {
    let Engine { cluster, helm, say } = engine;
    let Standing::CutOff { back_to } = base.standing else { return Ok(base.newest()) };
    unchanged(cluster, order, base.newest()).await?;
    let request = RollbackRequest {
        target: target(cluster),
        release: order.name.to_owned(),
        revision: back_to,
        timeout: order.timeout.saturating_sub(order.started.elapsed()),
    };
    let outcome = helm.rollback(&request, lock, signals).await?;
    say(&outcome.command_line);
    let secrets = secrets(order.answers);
    let redaction = Redaction::new(&secrets);
    let revisions = cluster.revisions_of(&cluster.namespace, order.name).await?;
    still_there(order.name, order.created, &revisions)?;
    let newest = revisions.first();
    if let Some(newest) = newest.filter(|newest| newest.status == Status::Deployed) {
        return Ok(newest.number);
    }
    let step = format!("roll {} back to revision {back_to}", order.name);
    let error = outcome.cause(&redaction).into_error(&step).because(words(&outcome, &redaction));
    Err(error.try_for(format!("update {} --retry", order.name), "try again"))
}

/// What was made, and a signal that came too late to stop helm.
#[derive(Debug)]
pub struct Made {
    /// All stored revisions, the newest first.
    pub revisions: Vec<Revision>,
    pub signal: Option<Signal>,
}

/// Makes the revision behind `follows` and gives what is stored.
///
/// # Errors
/// Someone else came between, helm failed or was interrupted, or stored something else.
pub async fn apply(
    engine: Engine<'_>,
    order: &Order<'_>,
    prepared: &Prepared,
    (verb, follows): (Verb, u32),
    lock: &Lock,
    signals: &mut Signals,
) -> Result<Made> {
    let Engine { cluster, helm, say } = engine;
    unchanged(cluster, order, follows).await?;
    let deployment = prepared.deployment(order);
    let until = deployment.until();
    let request = UpgradeRequest { target: prepared.target.clone(), deployment };
    let outcome = helm.upgrade(&request, lock, signals).await?;
    say(&outcome.command_line);
    let secrets = secrets(order.answers);
    let redaction = Redaction::new(&secrets);
    say(&outcome.words(&redaction));
    let revisions = cluster.revisions_of(&cluster.namespace, order.name).await?;
    let (name, created, until) = (order.name, order.created, until.as_deref());
    let work = Work { name, verb, follows, created, until, outcome: &outcome };
    let newest = revisions.first().cloned();
    let judged = judge(&work, &redaction, revisions);
    let revisions =
        log::with_hook(judged, cluster, &outcome, newest.as_ref(), order.answers).await?;
    Ok(Made { revisions, signal: outcome.interrupted() })
}

/// Whether this is still the newest revision.
async fn unchanged(cluster: &Cluster, order: &Order<'_>, number: u32) -> Result<()> {
    let revisions = cluster.revisions_of(&cluster.namespace, order.name).await?;
    still_there(order.name, order.created, &revisions)?;
    let newest = &revisions[0];
    if newest.number == number {
        return Ok(());
    }
    Err(changed_meanwhile(order.name, newest, number))
}
