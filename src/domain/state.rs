//! The state of an instance (design §4, interface §8): one rule for `list`, which knows revisions
//! and pods, and for `show`, which knows what else the instance lacks.

mod pod;

use jiff::{SignedDuration, Timestamp};

use super::age;
use super::instance::{PodRow, Revision, State, Status, label, ran_before};
use super::readiness::Lack;
use super::selector;

pub use pod::{pod_words, worst};

/// How long an unlabelled revision counts as worked on.
const PATIENCE: SignedDuration = SignedDuration::from_mins(10);
/// Crashes after which waiting is no use.
pub const CRASHES: u32 = 5;

/// Who looks, and when.
#[derive(Clone, Copy, Debug)]
pub struct Observer<'a> {
    pub now: Timestamp,
    /// The eight digits that tell this machine, as in the label `svc-cli.dev/until`.
    pub machine: &'a str,
    /// Whether the instance's lock file is held on this machine; `None` where nobody looked.
    pub locked: Option<bool>,
}

/// The state of one instance and the cell NOTE, from what listing knows.
///
/// `revisions` are all stored ones, newest first; `pods` are those of its namespace, `None` where
/// they are not known. Without a revision there is nothing left: `deleting`. Where there is no pod
/// it is not known whether one is to come: `deployed`.
pub fn state(
    revisions: &[Revision],
    pods: Option<&[PodRow]>,
    observer: &Observer<'_>,
) -> (State, Option<String>) {
    let Some(newest) = revisions.first() else { return (State::Deleting, None) };
    let pods = pods.and_then(|pods| own_pods(newest, pods));
    match word_of_helm(revisions, pods.as_deref(), observer) {
        Ok(told) => told,
        Err(failed_update) => {
            let pods = pods.filter(|pods| !pods.is_empty());
            running(newest, pods.as_deref(), None, failed_update, observer)
        }
    }
}

/// The same where the record of the instance was read: `pods` are its own alone, and `lack` is
/// what else keeps it from being ready, by the rule that `wait` ends on.
pub fn state_of_known(
    revisions: &[Revision],
    pods: Option<&[PodRow]>,
    lack: Option<&Lack>,
    observer: &Observer<'_>,
) -> (State, Option<String>) {
    let Some(newest) = revisions.first() else { return (State::Deleting, None) };
    let pods: Option<Vec<&PodRow>> = pods.map(|pods| pods.iter().collect());
    match word_of_helm(revisions, pods.as_deref(), observer) {
        Ok(told) => told,
        Err(failed_update) => running(newest, pods.as_deref(), lack, failed_update, observer),
    }
}

/// Whether helm is done and what comes after it had its time: what is not there now is gone.
pub fn had_its_time(revisions: &[Revision], observer: &Observer<'_>) -> bool {
    revisions.first().is_some_and(|newest| {
        word_of_helm(revisions, None, observer).is_err() && observer.now >= end_of_work(newest)
    })
}

/// What helm's own word decides; else the note of a newest revision that failed, or is gone, over
/// one that still runs.
fn word_of_helm(
    revisions: &[Revision],
    pods: Option<&[&PodRow]>,
    observer: &Observer<'_>,
) -> Result<(State, Option<String>), Option<String>> {
    let newest = &revisions[0];
    let name = shown_name(&newest.name);
    Ok(match newest.status {
        Status::PendingInstall if is_worked_on(newest, observer) => (State::Installing, None),
        Status::PendingUpgrade | Status::PendingRollback if is_worked_on(newest, observer) => {
            (State::Updating, None)
        }
        Status::PendingInstall => (State::Interrupted, Some(retry("create", &name))),
        Status::PendingUpgrade | Status::PendingRollback => {
            (State::Interrupted, Some(retry("update", &name)))
        }
        Status::Uninstalling => deleting(newest, pods, observer),
        Status::Uninstalled => (State::Interrupted, Some(remove(&name))),
        Status::Failed if ran_before(revisions) => {
            return Err(Some(format!("update failed: {}", retry("update", &name))));
        }
        Status::Failed => (State::Failed, Some(retry("create", &name))),
        Status::Superseded => {
            return Err(Some(format!("its newest revision is gone: {}", retry("update", &name))));
        }
        Status::Deployed | Status::Unknown => return Err(None),
    })
}

/// The cell AGE: since the label `created`, else `>` and the age of the oldest stored revision.
pub fn instance_age(revisions: &[Revision], now: Timestamp) -> Option<String> {
    if let Some(created) = created(revisions) {
        return Some(age::age(created, now));
    }
    let oldest = revisions.iter().map(|revision| revision.created).min()?;
    Some(format!(">{}", age::age(oldest, now)))
}

/// When the instance was made, from the label of its newest revision.
pub fn created(revisions: &[Revision]) -> Option<Timestamp> {
    let seconds = revisions.first()?.labels.get(label::CREATED)?.parse().ok()?;
    Timestamp::from_second(seconds).ok()
}

/// Whether svc or helm may still be at work on a pending revision.
///
/// The label says until when; on the machine that wrote it, the lock file says it better.
/// Without the label it is ten minutes from the making of the revision's Secret.
pub fn is_worked_on(revision: &Revision, observer: &Observer<'_>) -> bool {
    if observer.locked == Some(true) {
        return true;
    }
    let until = revision.labels.get(label::UNTIL).and_then(|text| read_until(text));
    match until {
        Some((_, machine)) if machine == observer.machine && observer.locked.is_some() => false,
        _ => observer.now < end_of_work(revision),
    }
}

/// Until when a revision is worked on at most.
pub fn end_of_work(revision: &Revision) -> Timestamp {
    let until = revision.labels.get(label::UNTIL).and_then(|text| read_until(text));
    until.map_or_else(
        || revision.created.saturating_add(PATIENCE).unwrap_or(Timestamp::MAX),
        |(end, _)| end,
    )
}

/// The label `EPOCH-MACHINE`.
fn read_until(text: &str) -> Option<(Timestamp, &str)> {
    let (seconds, machine) = text.split_once('-')?;
    Some((Timestamp::from_second(seconds.parse().ok()?).ok()?, machine))
}

/// The pods of an instance; `None` where its selector cannot be read.
fn own_pods<'a>(revision: &Revision, pods: &'a [PodRow]) -> Option<Vec<&'a PodRow>> {
    let selector = match revision.labels.get(label::PODS) {
        Some(text) => selector::from_label(text)?,
        None => selector::standard(&revision.name),
    };
    let own = pods.iter().filter(|pod| {
        pod.namespace == revision.namespace && selector::matches(&selector, &pod.labels)
    });
    Some(own.collect())
}

/// `mydb--api` is shown as `mydb/api`.
fn shown_name(release: &str) -> String {
    release.replacen("--", "/", 1)
}

/// The command that ends a half-made state; a binding is made anew after its end.
fn retry(verb: &str, name: &str) -> String {
    if name.contains('/') { remove(name) } else { format!("svc {verb} {name} --retry") }
}

fn remove(name: &str) -> String {
    let verb = if name.contains('/') { "unbind" } else { "delete" };
    format!("svc {verb} {name}")
}

/// helm writes `uninstalling` without a time: an old revision whose pods are not going any more
/// was cut off.
fn deleting(
    newest: &Revision,
    pods: Option<&[&PodRow]>,
    observer: &Observer<'_>,
) -> (State, Option<String>) {
    let cut_off = !is_worked_on(newest, observer)
        && pods.is_some_and(|pods| pods.iter().all(|pod| !pod.deleting));
    if cut_off {
        (State::Interrupted, Some(remove(&shown_name(&newest.name))))
    } else {
        (State::Deleting, None)
    }
}

/// The state of what helm is done with; `pods` are `None` where they are not known.
fn running(
    newest: &Revision,
    pods: Option<&[&PodRow]>,
    lack: Option<&Lack>,
    failed_update: Option<String>,
    observer: &Observer<'_>,
) -> (State, Option<String>) {
    let bad = pods.and_then(worst);
    if newest.status == Status::Failed && (bad.is_some() || lack.is_some()) {
        return (State::Failed, failed_update);
    }
    let young = observer.now < end_of_work(newest);
    let state = |given_up| if given_up { State::Degraded } else { State::Starting };
    match (bad, lack) {
        (Some(pod), _) => {
            let note = format!("Pod {}: {}", pod.name, pod_words(pod));
            (state(!young || pod.restarts >= CRASHES), Some(note))
        }
        (None, Some(lack)) => (state(!young || lack.for_good), Some(lack.words.clone())),
        (None, None) if pods.is_none() => (State::Deployed, failed_update),
        (None, None) => (State::Ready, failed_update),
    }
}

#[cfg(test)]
mod tests;
