//! Helm's words, turned into an error that a person can act on.

mod classify;
mod schema;
mod text;

pub use schema::SchemaProblem;

use super::redaction::Redaction;
use super::run::{End, Outcome};
use super::signal::Stop;
use crate::error::{Error, ErrorKind};

/// Why a helm failed: the first cause, without prefixes and secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    pub kind: CauseKind,
    /// A sentence for people, without a full stop.
    pub text: String,
}

/// What the words are about. The state of the release in the cluster has the last word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CauseKind {
    NameTaken,
    /// Another helm holds the release.
    InProgress,
    NoSuchRelease,
    NoDeployedRevision,
    /// An object exists already and belongs to someone else.
    Owned,
    /// RBAC.
    Forbidden,
    /// Quota or admission.
    Refused,
    NamespaceMissing,
    /// A kind that no operator has brought.
    KindMissing,
    TooLarge,
    Hook,
    HookTimeout,
    Unreachable,
    /// Someone else changed a field that helm applies.
    FieldConflict,
    /// The chart's schema refuses the values.
    Schema(Vec<SchemaProblem>),
    /// The chart itself gave up.
    Chart,
    /// A signal, or svc's own deadline.
    Stopped,
    /// Somebody else's signal.
    Killed,
    Other,
}

impl Outcome {
    /// Why it failed, for an outcome that is no success.
    pub fn cause(&self, redaction: &Redaction) -> Cause {
        if let (None, End::Signal(number)) = (self.stopped, self.end) {
            let text = format!("{} ended helm", signal_name(number));
            return Cause { kind: CauseKind::Killed, text };
        }
        let cause = classify::classify(&text::error_block(&redaction.apply(&self.stderr)));
        if self.stopped.is_none() && !cause.text.is_empty() {
            return cause;
        }
        let text = match (self.stopped, self.end) {
            (Some(Stop::Interrupted(_)), _) => "it was interrupted".to_owned(),
            (Some(Stop::Killed(_)), _) => "it was killed".to_owned(),
            (Some(Stop::TooLate), _) => "it did not end in time".to_owned(),
            (None, End::Exit(code)) => format!("it ended with status {code} and said nothing"),
            (None, End::Signal(number)) => format!("{} ended helm", signal_name(number)),
        };
        let kind = if self.stopped.is_some() { CauseKind::Stopped } else { CauseKind::Other };
        Cause { kind, text }
    }

    /// Helm's own words, for `-v`.
    pub fn words(&self, redaction: &Redaction) -> String {
        redaction.apply(&self.stderr)
    }
}

/// `SIGKILL`; the numbers are the same everywhere.
/// <https://pubs.opengroup.org/onlinepubs/9799919799/utilities/kill.html>
fn signal_name(number: i32) -> String {
    let name = match number {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        6 => "SIGABRT",
        9 => "SIGKILL",
        14 => "SIGALRM",
        15 => "SIGTERM",
        _ => return format!("signal {number}"),
    };
    name.to_owned()
}

impl Cause {
    /// Whether helm found no release that it could change: somebody may have deleted it.
    pub fn is_of_a_release_gone(&self) -> bool {
        matches!(self.kind, CauseKind::NoDeployedRevision | CauseKind::NoSuchRelease)
    }

    /// The error of a failed step; `step` is a verb and its object: `install mydb`.
    pub fn into_error(self, step: &str) -> Error {
        let error = Error::new(self.error_kind(), format!("helm could not {step}: {}", self.text));
        match self.kind {
            CauseKind::Schema(problems) => problems
                .into_iter()
                .fold(error, |error, problem| {
                    let path = if problem.path.is_empty() { "values" } else { &problem.path };
                    error.fact(path, problem.message)
                })
                .advise("The class let these values through; its operations team can repair it."),
            CauseKind::Forbidden => {
                error.try_for("doctor --rbac", "the rules to ask your cluster's admin for")
            }
            CauseKind::TooLarge => error.advise(
                "Smaller values fit; where there are none, its operations team can make the chart \
                 smaller.",
            ),
            CauseKind::KindMissing | CauseKind::Chart => {
                error.advise("The class names this chart; its operations team can repair it.")
            }
            CauseKind::Unreachable => error.try_("doctor"),
            CauseKind::NamespaceMissing => error.try_for("list -A", "what there is elsewhere"),
            CauseKind::Killed => error
                .advise("svc did not send it: somebody did, or the system when memory ran out."),
            _ => error,
        }
    }

    fn error_kind(&self) -> ErrorKind {
        match self.kind {
            CauseKind::Forbidden | CauseKind::Refused => ErrorKind::NotAllowed,
            CauseKind::HookTimeout => ErrorKind::NotReady,
            CauseKind::NoSuchRelease => ErrorKind::NotFound,
            _ => ErrorKind::Failed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::helm::Signal;

    fn failed(stderr: &str) -> Error {
        let outcome = Outcome::of_test(End::Exit(1), None, stderr);
        outcome.cause(&Redaction::default()).into_error("install mydb")
    }

    #[test]
    fn the_sentence_of_the_interface() {
        let error = failed(
            "Error: INSTALLATION FAILED: Unable to continue with install: Service \
             \"mydb-postgresql\" in namespace \"team-a\" exists and cannot be imported into the \
             current release: invalid ownership metadata; annotation validation error: key \
             \"meta.helm.sh/release-name\" must equal \"mydb\": current value is \"other\"\n",
        );
        assert_eq!(
            error.message,
            "helm could not install mydb: service \"mydb-postgresql\" belongs to release other \
             of team-a"
        );
        assert_eq!(error.kind, ErrorKind::Failed);
    }

    #[test]
    fn refused_values_become_facts() {
        let error = failed(
            "Error: INSTALLATION FAILED: values don't meet the specifications of the schema(s) in \
             the following chart(s):\nredis:\n- at '': missing property 'pw'\n- at '/a/b': bad\n",
        );
        assert_eq!(error.message, "helm could not install mydb: the chart refuses the values");
        let facts: Vec<_> = error.facts.iter().map(|fact| fact.name.as_str()).collect();
        assert_eq!(facts, ["values", "a.b"]);
    }

    #[test]
    fn secrets_are_masked_before_anything_else_looks() {
        let outcome = Outcome::of_test(End::Exit(1), None, "Error: pods \"hunter22\" is bad\n");
        let redaction = Redaction::new([&"hunter22".into()]);
        assert_eq!(outcome.cause(&redaction).text, "pods \"***\" is bad");
        assert_eq!(outcome.words(&redaction), "Error: pods \"***\" is bad\n");
    }

    #[test]
    fn a_helm_that_was_stopped_says_so() {
        let none = Redaction::default();
        let stop = Some(Stop::Interrupted(Signal::Interrupt));
        let interrupted =
            Outcome::of_test(End::Exit(1), stop, "Error: context canceled\n").cause(&none);
        assert_eq!(interrupted.kind, CauseKind::Stopped);
        let silent = Outcome::of_test(End::Exit(3), None, "").cause(&none);
        assert_eq!(silent.text, "it ended with status 3 and said nothing");
        let killed = Outcome::of_test(End::Signal(9), None, "").cause(&none);
        assert_eq!((killed.kind, killed.text.as_str()), (CauseKind::Killed, "SIGKILL ended helm"));
        let words = "level=WARN msg=\"something else\"\n";
        let crashed = Outcome::of_test(End::Signal(11), None, words).cause(&none);
        assert_eq!(crashed.text, "signal 11 ended helm", "whatever it said before");
    }
}
