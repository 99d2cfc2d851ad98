//! Questions to a person (interface §4).

mod none;
mod terminal;

use std::io;

use secrecy::SecretString;

pub use none::NoPrompt;
pub use terminal::Terminal;

use crate::error::{Error, ErrorKind};

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum Unanswered {
    /// Ctrl-C, or the terminal is gone.
    #[error("interrupted; nothing changed")]
    Interrupted,
    /// There is no terminal to ask on, or `--no-input`.
    #[error("there is no terminal to ask on")]
    NoTerminal,
    /// The terminal cannot be read or written.
    #[error("the terminal cannot be used")]
    Terminal(#[source] io::Error),
}

/// What stands before the answer: `Disk size (storage), 1Gi to 10Gi`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Title {
    /// `Disk size`
    pub text: String,
    /// In parentheses in the question: a parameter's name, or a flag.
    pub name: Option<String>,
    /// Whether the `✓` line repeats the name: parameters do, flags do not.
    pub keep_name: bool,
    /// Limits and what cannot change: after a comma in the question.
    pub constraint: Option<String>,
}

/// One row of a menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What the `✓` line says when it is chosen.
    pub name: String,
    /// To the right of the names, or empty.
    pub explanation: String,
}

/// What a typed answer must be: `Err` holds the `✗` text.
pub type Check<'a> = &'a dyn Fn(&str) -> Result<(), String>;

/// The same for a list: all its items, the one that was typed last.
pub type CheckList<'a> = &'a dyn Fn(&[String]) -> Result<(), String>;

/// Someone who answers questions. Only a question that is answered leaves its `✓` line.
pub trait Prompt {
    /// Whether questions can be asked at all.
    fn can_ask(&self) -> bool;

    /// A menu, to be filtered by typing above seven rows; gives the index of the chosen row.
    fn select(
        &mut self,
        title: &Title,
        choices: &[Choice],
        default: usize,
    ) -> Result<usize, Unanswered>;

    /// A line of text; Enter alone takes the default.
    fn text(
        &mut self,
        title: &Title,
        default: Option<&str>,
        check: Check<'_>,
    ) -> Result<String, Unanswered>;

    /// yes or no, by the key alone.
    fn boolean(&mut self, title: &Title, default: Option<bool>) -> Result<bool, Unanswered>;

    /// A value that is not echoed, asked twice. Enter alone gives `None` where `left_out` says
    /// what then happens (`generated`).
    fn secret(
        &mut self,
        title: &Title,
        left_out: Option<&str>,
        check: Check<'_>,
    ) -> Result<Option<SecretString>, Unanswered>;

    /// An item a line; Enter alone ends, and at once takes the default.
    fn list(
        &mut self,
        title: &Title,
        default: &[String],
        check: CheckList<'_>,
    ) -> Result<Vec<String>, Unanswered>;

    /// `Create mydb …? [Y/n]`, by the key alone; the question stays with its answer.
    fn confirm(&mut self, question: &str, default: bool) -> Result<bool, Unanswered>;

    /// `Type mydb to delete it and its data:`; Enter alone is a No.
    fn typed_name(&mut self, question: &str, name: &str) -> Result<bool, Unanswered>;
}

impl Title {
    /// A parameter: `Disk size (storage)`, in the question and in its `✓` line.
    pub fn parameter(title: impl Into<String>, name: impl Into<String>) -> Self {
        let name = Some(name.into());
        Self { text: title.into(), name, keep_name: true, constraint: None }
    }

    /// A flag: `Plan (--plan)`, answered as `Plan: small`.
    pub fn flag(title: impl Into<String>, flag: impl Into<String>) -> Self {
        Self { text: title.into(), name: Some(flag.into()), ..Self::default() }
    }

    /// A title without a name in parentheses.
    pub fn plain(title: impl Into<String>) -> Self {
        Self { text: title.into(), ..Self::default() }
    }

    /// Adds limits, or what Enter does.
    pub fn constrained(mut self, constraint: impl Into<String>) -> Self {
        self.constraint = Some(constraint.into()).filter(|text| !text.is_empty());
        self
    }
}

impl From<Unanswered> for Error {
    fn from(unanswered: Unanswered) -> Self {
        let message = unanswered.to_string();
        match unanswered {
            Unanswered::Interrupted => Self::new(ErrorKind::Interrupted, message),
            Unanswered::NoTerminal => Self::usage(message),
            Unanswered::Terminal(source) => Self::failed(message).because(source),
        }
    }
}
