//! What came of a change: what helm stored, and why it is not what was wanted.

use std::fmt;

use crate::domain::instance::{Revision, Status, label, running};
use crate::error::{Error, ErrorKind, Result};
use crate::helm::{CauseKind, Outcome, Redaction, Stop};
use crate::ops::create::outcome::{kind_of, words};
use crate::ops::watch::still_there;

/// Which change it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// The first revision failed and is made good by another.
    Create,
    Update,
    Upgrade,
}

impl fmt::Display for Verb {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Create => "install",
            Self::Update => "update",
            Self::Upgrade => "upgrade",
        })
    }
}

/// One helm that was to make the revision behind another.
pub(super) struct Work<'a> {
    pub(super) name: &'a str,
    pub(super) verb: Verb,
    pub(super) follows: u32,
    /// When the instance was made, which tells it from another one of its name.
    pub(super) created: Option<&'a str>,
    /// The label that tells this svc's revision from others.
    pub(super) until: Option<&'a str>,
    pub(super) outcome: &'a Outcome,
}

/// Exit 0 is not success, and no other is failure: what is stored says it, and it must be the very
/// next revision.
pub(super) fn judge(
    work: &Work<'_>,
    redaction: &Redaction,
    revisions: Vec<Revision>,
) -> Result<Vec<Revision>> {
    let Work { name, follows, outcome, .. } = work;
    still_there(name, work.created, &revisions)?;
    let newest = &revisions[0];
    let own = newest.bears(work.until);
    let between = (follows + 1 < newest.number && own) || (*follows < newest.number && !own);
    if between {
        return Err(changed_meanwhile(name, newest, *follows));
    }
    let made = newest.number == follows + 1;
    if made && newest.status == Status::Deployed {
        return Ok(revisions);
    }
    let error = match outcome.stop() {
        Some(stop) => stopped(work, stop, made.then_some(newest)),
        None => failed(work, redaction, newest),
    };
    Err(with_way_out(error, work, &revisions, made))
}

fn failed(work: &Work<'_>, redaction: &Redaction, newest: &Revision) -> Error {
    let (name, verb, outcome) = (work.name, work.verb, work.outcome);
    if outcome.is_success() {
        return Error::failed(format!(
            "helm said that the {verb} of {name} is done, but stored {}",
            newest.status
        ));
    }
    let cause = outcome.cause(redaction);
    if cause.kind == CauseKind::InProgress {
        return Error::failed(format!("{name} is being changed by someone else"));
    }
    let killed = cause.kind == CauseKind::Killed;
    let error = cause.into_error(&format!("{verb} {name}")).because(words(outcome, redaction));
    match killed && newest.number == work.follows {
        true => error.try_for(format!("show {name}"), "how it is"),
        false => error,
    }
}

fn stopped(work: &Work<'_>, stop: Stop, made: Option<&Revision>) -> Error {
    let (name, verb) = (work.name, work.verb);
    match (stop, made) {
        (Stop::Interrupted(signal), Some(newest)) => Error::new(
            kind_of(signal),
            format!(
                "interrupted: the {verb} of {name} was cut off, revision {} is marked {}",
                newest.number, newest.status
            ),
        ),
        (Stop::Interrupted(signal), None) => {
            Error::new(kind_of(signal), format!("interrupted: the {verb} of {name} had not begun"))
        }
        (Stop::Killed(signal), _) => Error::new(
            kind_of(signal),
            format!("interrupted: the {verb} of {name} may be half made"),
        ),
        (Stop::TooLate, _) => Error::new(
            ErrorKind::NotReady,
            format!("the {verb} of {name} did not end in time and was stopped"),
        ),
    }
}

/// What still runs, and how it goes on.
fn with_way_out(error: Error, work: &Work<'_>, revisions: &[Revision], made: bool) -> Error {
    let name = work.name;
    let deployed = running(revisions);
    let error = match deployed {
        Some(deployed) => error.advise(format!("{name} still runs revision {}", deployed.number)),
        None => error,
    };
    match (made, work.verb) {
        (false, _) => error,
        (true, Verb::Create) => error
            .try_for(format!("create {name} --retry"), "finish it, same answers")
            .try_for(format!("delete {name}"), "remove what is there"),
        (true, _) => error.try_for(format!("update {name} --retry"), "finish it, same answers"),
    }
}

/// Somebody else's revision stands where the next one was to come.
pub(super) fn changed_meanwhile(name: &str, newest: &Revision, follows: u32) -> Error {
    let between = match newest.number {
        number if number == follows + 1 => format!("revision {number}, {}", newest.status),
        number => format!("revisions {} to {number}, {}", follows + 1, newest.status),
    };
    let chart = newest.labels.get(label::CHART).map(|chart| format!(", chart {chart}"));
    let plan = newest.labels.get(label::PLAN).map(|plan| format!(", plan {plan}"));
    Error::failed(format!("{name} was changed by someone else meanwhile"))
        .fact(
            "between",
            format!("{between}{}{}", plan.unwrap_or_default(), chart.unwrap_or_default()),
        )
        .try_for(format!("show {name}"), "what it is now")
}

#[cfg(test)]
mod tests;
