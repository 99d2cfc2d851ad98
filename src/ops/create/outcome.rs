//! What came of an install: what helm stored, and why it is not what was wanted.

use crate::cluster::Cluster;
use crate::domain::instance::{Revision, Status, label};
use crate::error::{Error, ErrorKind, Result};
use crate::helm::{CauseKind, Outcome, Redaction, Signal, Stop};
use crate::ops::deploy::{Order, secrets};

/// Exit 0 is not success, and no other is failure: what is stored says it, where it bears this
/// svc's label `until`.
pub(super) fn judge(
    cluster: &Cluster,
    order: &Order<'_>,
    until: Option<&str>,
    outcome: &Outcome,
    revisions: Vec<Revision>,
) -> Result<Vec<Revision>> {
    let newest = revisions.first();
    let is_done = |newest: &Revision| newest.bears(until) && newest.status == Status::Deployed;
    if newest.is_some_and(is_done) {
        return Ok(revisions);
    }
    if let Some(stop) = outcome.stop() {
        return Err(stopped(order, stop, newest));
    }
    let secrets = secrets(order.answers);
    let redaction = Redaction::new(&secrets);
    if outcome.is_success() {
        let stored =
            newest.map_or_else(|| "nothing".to_owned(), |newest| newest.status.to_string());
        let error = Error::failed(format!(
            "helm said that {} is installed, but stored {stored}",
            order.name
        ));
        return Err(match newest {
            Some(_) => ways_out(error, order.name),
            None => error
                .advise("There is no release to go on with, and none to delete.")
                .try_for("doctor", "whether helm and the cluster work"),
        });
    }
    let cause = outcome.cause(&redaction);
    if cause.kind == CauseKind::NameTaken {
        return Err(lost(order, newest, &cluster.namespace));
    }
    let killed = cause.kind == CauseKind::Killed;
    let error =
        cause.into_error(&format!("install {}", order.name)).because(words(outcome, &redaction));
    Err(match newest {
        Some(_) => ways_out(error, order.name),
        None if killed => {
            let class = &order.class.name;
            error.advise("Nothing was made.").try_(format!("list --class {class}"))
        }
        None => error,
    })
}

/// What is half made is finished or removed.
fn ways_out(error: Error, name: &str) -> Error {
    error
        .try_for(format!("create {name} --retry"), "finish it, same answers")
        .try_for(format!("delete {name}"), "remove what is there")
}

pub fn words(outcome: &Outcome, redaction: &Redaction) -> anyhow::Error {
    anyhow::anyhow!(outcome.words(redaction))
}

/// Two at once: the other one won.
fn lost(order: &Order<'_>, newest: Option<&Revision>, namespace: &str) -> Error {
    let name = order.name;
    let error = Error::failed(format!(
        "{name} was made by someone else meanwhile in namespace {namespace}"
    ));
    let class = newest.and_then(|newest| newest.labels.get(label::CLASS));
    match class {
        Some(class) => error.fact("class", class.clone()).try_(format!("show {name}")),
        None => error,
    }
}

fn stopped(order: &Order<'_>, stop: Stop, newest: Option<&Revision>) -> Error {
    let (name, class) = (order.name, &order.class.name);
    let (kind, sentence) = match stop {
        Stop::Interrupted(signal) => (kind_of(signal), marked(name, newest)),
        Stop::Killed(signal) => {
            (kind_of(signal), format!("interrupted: the install of {name} may be half made"))
        }
        Stop::TooLate => (
            ErrorKind::NotReady,
            format!("the install of {name} did not end in time and was stopped"),
        ),
    };
    let error = Error::new(kind, sentence);
    match (newest, stop) {
        (Some(_), _) => ways_out(error, name),
        (None, Stop::Interrupted(_)) => error.advise("Nothing was made."),
        (None, _) => error.try_(format!("list --class {class}")),
    }
}

fn marked(name: &str, newest: Option<&Revision>) -> String {
    match newest {
        Some(newest) => format!(
            "interrupted: the install of {name} was cut off, revision {} is marked {}",
            newest.number, newest.status
        ),
        None => format!("interrupted: the install of {name} had not begun"),
    }
}

/// The exit status of a command that a signal ended.
pub fn kind_of(signal: Signal) -> ErrorKind {
    match signal {
        Signal::Interrupt => ErrorKind::Interrupted,
        Signal::Terminate => ErrorKind::Terminated,
    }
}
