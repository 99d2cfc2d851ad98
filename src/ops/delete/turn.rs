//! Waiting until nobody else works on an instance (interface §11).

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::super::instance;
use crate::cluster::{Cluster, Outage};
use crate::domain::instance::{Revision, label};
use crate::domain::state::{self, Observer};
use crate::error::{Error, ErrorKind, Result};
use crate::helm::{Helm, Lock, LockState, Signal, Signals};

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(500);

/// How somebody who deletes waits for others.
#[derive(Clone, Copy)]
pub struct Turn<'a> {
    /// Looks at the clock and at the lock of the instance.
    pub observe: &'a dyn Fn() -> Observer<'a>,
    pub deadline: Instant,
    /// Told once, when there is something to wait for.
    pub tell: &'a dyn Fn(&str),
}

/// The stored revisions of an instance, once nobody works on it.
///
/// # Errors
/// They still do at the deadline, and what keeps an answer away.
pub(super) async fn idle(cluster: &Cluster, name: &str, turn: Turn<'_>) -> Result<Vec<Revision>> {
    let mut outage = Outage::default();
    let mut told = false;
    loop {
        let revisions = instance::stored_revisions(cluster, name).await;
        if let Some(revisions) = outage.bear(revisions)? {
            let Some(busy) = busy(name, revisions.first(), &(turn.observe)()) else {
                return Ok(revisions);
            };
            if !told {
                (turn.tell)(&format!("{busy}; waiting for that"));
                told = true;
            }
        }
        if Instant::now() + PAUSE >= turn.deadline {
            outage.end()?;
            return Err(still_busy(name));
        }
        sleep(PAUSE).await;
    }
}

/// Who works on it, in words.
fn busy(name: &str, newest: Option<&Revision>, observer: &Observer<'_>) -> Option<String> {
    let own = newest.filter(|newest| newest.labels.contains_key(label::CLASS));
    let pending = own.filter(|newest| newest.status.is_pending());
    match pending {
        Some(newest) if state::is_worked_on(newest, observer) => {
            let until = state::end_of_work(newest).strftime("%H:%M:%S").to_string();
            Some(format!("{name} is being worked on by someone else, until {until} at most"))
        }
        _ if observer.locked == Some(true) => {
            Some(format!("{name} is being worked on by another svc"))
        }
        _ => None,
    }
}

fn still_busy(name: &str) -> Error {
    Error::not_ready(format!("{name} is still being worked on by someone else"))
        .try_(format!("wait {name}"))
}

/// The lock of an instance.
///
/// # Errors
/// It is held at the deadline; Ctrl-C.
pub(super) async fn lock(
    cluster: &Cluster,
    helm: &Helm,
    name: &str,
    deadline: Instant,
    signals: &mut Signals,
) -> Result<Lock> {
    loop {
        match Lock::take(helm.cache(), &cluster.target.server, &cluster.namespace, name)? {
            LockState::Taken(lock) => return Ok(lock),
            LockState::HeldByOther if Instant::now() >= deadline => return Err(still_busy(name)),
            LockState::HeldByOther => {}
        }
        tokio::select! {
            () = sleep(PAUSE) => {}
            Some(signal) = signals.recv() => return Err(interrupted(name, signal)),
        }
    }
}

fn interrupted(name: &str, signal: Signal) -> Error {
    let kind = match signal {
        Signal::Interrupt => ErrorKind::Interrupted,
        Signal::Terminate => ErrorKind::Terminated,
    };
    Error::new(kind, format!("interrupted: {name} was not touched"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use jiff::Timestamp;

    use super::*;
    use crate::domain::instance::Status;

    fn revision(status: Status, until: i64) -> Revision {
        let labels = [(label::UNTIL, format!("{until}-00000002")), (label::CLASS, "pg".to_owned())];
        let labels = labels.map(|(name, value)| (name.to_owned(), value));
        Revision {
            namespace: "team-a".to_owned(),
            name: "mydb".to_owned(),
            number: 1,
            status,
            labels: BTreeMap::from(labels),
            created: Timestamp::UNIX_EPOCH,
        }
    }

    #[test]
    fn work_is_a_pending_revision_in_its_time_or_a_held_lock() {
        let now = Timestamp::from_second(1000).unwrap();
        let says = |newest: Option<&Revision>, locked| {
            busy("mydb", newest, &Observer { now, machine: "00000001", locked })
        };
        let pending = revision(Status::PendingUpgrade, 1060);
        let words = "mydb is being worked on by someone else, until 00:17:40 at most";
        assert_eq!(says(Some(&pending), Some(false)).unwrap(), words);
        assert_eq!(says(Some(&revision(Status::PendingUpgrade, 900)), Some(false)), None);
        assert_eq!(says(Some(&revision(Status::Deployed, 1060)), Some(false)), None);
        assert!(says(Some(&revision(Status::Deployed, 900)), Some(true)).is_some());
        assert!(says(None, Some(true)).is_some(), "helm has not stored anything yet");
        assert_eq!(says(None, None), None);
        let mut foreign = pending.clone();
        foreign.labels.remove(label::CLASS);
        assert_eq!(says(Some(&foreign), None), None, "svc does not delete it anyway");
    }
}
