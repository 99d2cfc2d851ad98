//! Why an instance cannot start, by causes that waiting does not heal (interface §7).
//!
//! Each cause is one file with one function; [`CAUSES`] lists them, the deepest first. A cause that
//! is not sure says nothing: then waiting runs to its deadline.

mod crash;
mod image;
mod job;
mod old_revision;
mod overdue;
mod quota;
mod refused;
mod source;
mod storage;

use jiff::{SignedDuration, Timestamp};

use super::readiness::Snapshot;
use crate::error::{Error, ErrorKind, Fact};

pub use overdue::{overdue, still_waiting};

/// How long a cause must be there, unchanged, before the waiting ends (interface §1.4).
const PATIENCE: SignedDuration = SignedDuration::from_secs(30);
/// Lines of a pod's log that are shown.
const LOG_LINES: usize = 5;

/// Whom the diagnosis is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subject {
    pub instance: String,
    pub namespace: String,
    /// `--context` of commands to paste, where the kubeconfig has one.
    pub context: Option<String>,
    pub class: String,
    /// Name and version.
    pub chart: Option<(String, String)>,
}

/// A cause that waiting does not heal.
#[derive(Debug)]
pub struct Cause {
    /// The same for as long as the cause is the same.
    pub key: String,
    /// How long it must last before it is believed.
    pub patience: SignedDuration,
    /// The pod that has it, where it is one's.
    pub pod: Option<String>,
    pub diagnosis: Diagnosis,
}

/// A cause in words, and the log that would say more.
#[derive(Debug)]
pub struct Diagnosis {
    error: Error,
    /// Where the log's lines belong among the facts.
    log_at: usize,
    /// The log that would say more, if someone reads it.
    pub log: Option<LogSource>,
}

/// Whose log it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogSource {
    Container {
        pod: String,
        container: String,
        /// Of the run that ended, not of the one that goes on.
        previous: bool,
    },
    /// The newest pod of a Job.
    Job(String),
}

/// What reading a log gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Log {
    /// Its last lines.
    Lines(Vec<String>),
    NotAllowed,
    NotRead,
}

type Find = fn(&Snapshot, &Subject, Timestamp) -> Option<Cause>;

/// Every cause, the deepest first: a pod that was never made has no image to pull.
const CAUSES: [Find; 8] = [
    quota::used_up,
    refused::refused,
    storage::no_class,
    image::not_there,
    image::unreadable_name,
    crash::again_and_again,
    job::failed,
    source::gone,
];

/// The first cause that is there.
pub fn find(snapshot: &Snapshot, subject: &Subject, now: Timestamp) -> Option<Cause> {
    let cause = CAUSES.iter().find_map(|cause| cause(snapshot, subject, now))?;
    Some(old_revision::instead(cause, snapshot, subject))
}

impl Cause {
    fn new(key: impl Into<String>, error: Error) -> Self {
        let log_at = error.facts.len();
        Self {
            key: key.into(),
            patience: PATIENCE,
            pod: None,
            diagnosis: Diagnosis { error, log_at, log: None },
        }
    }

    fn of_pod(self, name: &str) -> Self {
        Self { pod: Some(name.to_owned()), ..self }
    }
}

impl Diagnosis {
    /// The kind, and with it the exit status.
    pub fn kind(&self) -> ErrorKind {
        self.error.kind
    }

    /// The sentence.
    pub fn message(&self) -> &str {
        &self.error.message
    }

    /// The error as a person reads it, with what the log said; `secrets` are hidden in it.
    pub fn into_error(self, log: &Log, secrets: &[&str]) -> Error {
        let mut error = self.error;
        if self.log.is_some() {
            insert_log(&mut error.facts, self.log_at, log, secrets);
        }
        error
    }
}

/// Puts the last lines of a log among the facts.
fn insert_log(facts: &mut Vec<Fact>, at: usize, log: &Log, secrets: &[&str]) {
    let at = at.min(facts.len());
    facts.splice(at..at, log_facts(log, secrets));
}

/// The last lines of a log, one fact a line; `secrets` are hidden in them.
pub fn log_facts(log: &Log, secrets: &[&str]) -> Vec<Fact> {
    let lines: Vec<String> = match log {
        Log::Lines(lines) => {
            let told: Vec<_> = lines.iter().filter(|line| !line.trim().is_empty()).collect();
            let from = told.len().saturating_sub(LOG_LINES);
            told[from..].iter().map(|line| redact(line.trim_end(), secrets)).collect()
        }
        Log::NotAllowed => vec!["not allowed: get pods/log".to_owned()],
        Log::NotRead => Vec::new(),
    };
    lines.into_iter().map(|value| Fact { name: "log".to_owned(), value }).collect()
}

/// Hides what is known to be sensitive.
pub fn redact(text: &str, secrets: &[&str]) -> String {
    let mut secrets: Vec<&str> =
        secrets.iter().copied().filter(|secret| !secret.is_empty()).collect();
    // A password inside a longer secret must not leave the rest of it behind.
    secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret, "***"))
}

/// `mydb cannot start: …`
fn cannot_start(kind: ErrorKind, subject: &Subject, why: &str) -> Error {
    Error::new(kind, format!("{} cannot start: {why}", subject.instance))
}

/// The fact that tells the class and its chart.
fn class_fact(error: Error, subject: &Subject) -> Error {
    let class = match &subject.chart {
        Some((name, version)) => format!("{}, chart {name} {version}", subject.class),
        None => subject.class.clone(),
    };
    error.fact("class", class)
}

/// The two ways on from a cause that operations repair where it is.
fn when_repaired(error: Error, subject: &Subject) -> Error {
    or_give_up(wait_for_repair(error, subject), subject)
}

/// The same where the class may have to change: an instance keeps what its class said.
fn when_repaired_or(error: Error, subject: &Subject, class: &str) -> Error {
    or_give_up(upgrade(wait_for_repair(error, subject), subject, class), subject)
}

fn wait_for_repair(error: Error, subject: &Subject) -> Error {
    error.try_for(format!("wait {}", subject.instance), "when it is repaired")
}

fn upgrade(error: Error, subject: &Subject, class: &str) -> Error {
    error.try_for(format!("upgrade {}", subject.instance), class)
}

fn or_give_up(error: Error, subject: &Subject) -> Error {
    error.try_for(format!("delete {}", subject.instance), "give it up")
}

#[cfg(test)]
mod tests;
