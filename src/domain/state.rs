//! The state of an instance from what listing knows: revisions and pods (design §4, interface §8).

mod pod;

use jiff::{SignedDuration, Timestamp};

use super::age;
use super::instance::{PodRow, Revision, State, Status, label};
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

/// The state of one instance and the cell NOTE.
///
/// `revisions` are all stored ones, newest first; `pods` are those of its namespace, `None` where
/// they are not known. Without a revision there is nothing left: `deleting`.
pub fn state(
    revisions: &[Revision],
    pods: Option<&[PodRow]>,
    observer: &Observer<'_>,
) -> (State, Option<String>) {
    let Some(newest) = revisions.first() else { return (State::Deleting, None) };
    let pods = pods.and_then(|pods| own_pods(newest, pods));
    let name = shown_name(&newest.name);
    match newest.status {
        Status::PendingInstall if is_worked_on(newest, observer) => (State::Installing, None),
        Status::PendingUpgrade | Status::PendingRollback if is_worked_on(newest, observer) => {
            (State::Updating, None)
        }
        Status::PendingInstall => (State::Interrupted, Some(retry("create", &name))),
        Status::PendingUpgrade | Status::PendingRollback => {
            (State::Interrupted, Some(retry("update", &name)))
        }
        Status::Uninstalling => deleting(newest, pods.as_deref(), observer),
        Status::Uninstalled => (State::Interrupted, Some(remove(&name))),
        Status::Failed => failed(revisions, pods.as_deref(), &name),
        Status::Deployed | Status::Superseded | Status::Unknown => {
            running(newest, pods.as_deref(), observer)
        }
    }
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

fn failed(revisions: &[Revision], pods: Option<&[&PodRow]>, name: &str) -> (State, Option<String>) {
    let older = revisions.iter().skip(1).any(|revision| revision.status == Status::Deployed);
    if !older {
        return (State::Failed, Some(retry("create", name)));
    }
    let note = format!("update failed: {}", retry("update", name));
    let state = match pods {
        None => State::Deployed,
        Some(pods) if worst(pods).is_none() && !pods.is_empty() => State::Ready,
        Some(_) => State::Failed,
    };
    (state, Some(note))
}

fn running(
    newest: &Revision,
    pods: Option<&[&PodRow]>,
    observer: &Observer<'_>,
) -> (State, Option<String>) {
    let Some(pods) = pods else { return (State::Deployed, None) };
    let young = observer.now < end_of_work(newest);
    match worst(pods) {
        // Pods come a moment after helm is done; an old instance without pods keeps them elsewhere.
        None if pods.is_empty()
            && newest.created >= observer.now - SignedDuration::from_mins(1) =>
        {
            (State::Starting, None)
        }
        None if pods.is_empty() => (State::Deployed, None),
        None => (State::Ready, None),
        Some(pod) => {
            let given_up = !young || pod.restarts >= CRASHES;
            let state = if given_up { State::Degraded } else { State::Starting };
            (state, Some(format!("Pod {}: {}", pod.name, pod_words(pod))))
        }
    }
}

#[cfg(test)]
mod tests;
