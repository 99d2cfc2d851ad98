//! What went wrong, for whom, and what to type next (interface §1.3, §1.4, §14).

use std::{fmt, io};

/// Why a command ended without its answer; each kind has one exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ErrorKind {
    /// The cluster, helm or the state of things stood in the way.
    Failed,
    /// Wrong flags, missing or invalid parameters.
    Usage,
    /// The cluster answered: there is no such class, plan, instance or detail.
    NotFound,
    /// Credentials, RBAC, quota, admission, protection.
    NotAllowed,
    /// Not ready in time, or not there yet.
    NotReady,
    /// Ctrl-C.
    Interrupted,
    /// SIGTERM.
    Terminated,
}

impl ErrorKind {
    /// The exit status of the process.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Failed => 1,
            Self::Usage => 2,
            Self::NotFound => 3,
            Self::NotAllowed => 4,
            Self::NotReady => 5,
            Self::Interrupted => 130,
            Self::Terminated => 143,
        }
    }
}

/// An error as a person reads it: one sentence, facts, sentences of advice, commands to paste.
#[derive(Debug)]
pub struct Error {
    pub kind: ErrorKind,
    /// A lower-case sentence without a full stop: what failed, on what, why.
    pub message: String,
    /// `name  value` lines below the sentence.
    pub facts: Vec<Fact>,
    /// Whole sentences after the facts.
    pub advice: Vec<String>,
    /// Commands that work when pasted, the safest first.
    pub tries: Vec<Try>,
    /// Sentences after the commands.
    pub closing: Vec<String>,
    /// The cluster gave no answer this time: the same question may get one later.
    pub may_pass: bool,
    source: Option<anyhow::Error>,
}

/// One `name  value` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    pub name: String,
    pub value: String,
}

/// A command to paste, written without the program's name (`show mydb`), and what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Try {
    pub command: String,
    pub explanation: Option<String>,
}

/// The result of everything above the domain.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error of this kind with its sentence.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            facts: Vec::new(),
            advice: Vec::new(),
            tries: Vec::new(),
            closing: Vec::new(),
            may_pass: false,
            source: None,
        }
    }

    pub fn failed(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Failed, message)
    }

    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Usage, message)
    }

    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::NotFound, message)
    }

    pub fn not_allowed(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::NotAllowed, message)
    }

    pub fn not_ready(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::NotReady, message)
    }

    /// Adds a `name  value` line.
    pub fn fact(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.facts.push(Fact { name: name.into(), value: value.into() });
        self
    }

    /// Adds a sentence after the facts.
    pub fn advise(mut self, sentence: impl Into<String>) -> Self {
        self.advice.push(sentence.into());
        self
    }

    /// Adds a command to paste, without the program's name.
    pub fn try_(mut self, command: impl Into<String>) -> Self {
        self.tries.push(Try { command: command.into(), explanation: None });
        self
    }

    /// Adds a command to paste with what it does.
    pub fn try_for(mut self, command: impl Into<String>, explanation: impl Into<String>) -> Self {
        self.tries.push(Try { command: command.into(), explanation: Some(explanation.into()) });
        self
    }

    /// Adds a sentence after the commands.
    pub fn close(mut self, sentence: impl Into<String>) -> Self {
        self.closing.push(sentence.into());
        self
    }

    /// The same without commands.
    pub fn without_tries(mut self) -> Self {
        self.tries.clear();
        self
    }

    /// Marks trouble of the road, which may pass.
    pub fn passing(mut self) -> Self {
        self.may_pass = true;
        self
    }

    /// Keeps the cause, shown with `-v`.
    pub fn because(mut self, source: impl Into<anyhow::Error>) -> Self {
        self.source = Some(source.into());
        self
    }
}

/// Why the system refused, in its own words without its number: `no such file or directory`.
pub fn cause_words(cause: &io::Error) -> String {
    let words = cause.to_string();
    let Some(number) = cause.raw_os_error() else { return words };
    let words = words.trim_end_matches(&format!(" (os error {number})"));
    let first = words.chars().next().map(|first| first.to_lowercase().to_string());
    first.unwrap_or_default() + words.get(1..).unwrap_or_default()
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| &**source as _)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_system_is_no_word() {
        let words = |number| cause_words(&io::Error::from_raw_os_error(number));
        assert_eq!(words(2), "no such file or directory");
        assert_eq!(words(13), "permission denied");
        assert_eq!(cause_words(&io::Error::other("It is odd")), "It is odd");
    }
}
