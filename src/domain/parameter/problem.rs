//! What is wrong with one value, in the words of the prompt and of the command line.

use super::super::value::{Value, shown};

/// Why a value is not accepted, and what would be.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// What was given, shortened; nothing where it must not be shown.
    given: Option<String>,
    /// What is said of it.
    complaint: String,
    /// The prompt repeats what was given; elsewhere it stands right above.
    repeats: bool,
    nearest: Option<Box<Value>>,
}

impl Problem {
    /// `50Gi is more than …`: a complaint that makes no sense without what was given.
    pub(super) fn about(given: &str, complaint: impl Into<String>) -> Self {
        Self {
            given: Some(shown(given)),
            complaint: complaint.into(),
            repeats: true,
            nearest: None,
        }
    }

    /// `must start with …`: a complaint that stands for itself.
    pub(super) fn rule(given: &str, complaint: impl Into<String>) -> Self {
        Self { repeats: false, ..Self::about(given, complaint) }
    }

    /// A complaint about how a value is written, which does not repeat it.
    pub(super) fn form(complaint: impl Into<String>) -> Self {
        Self { given: None, repeats: false, ..Self::about("", complaint) }
    }

    /// Remembers what would be right, unless something nearer is known already.
    pub(super) fn or_nearest(mut self, value: Option<Value>) -> Self {
        self.nearest = self.nearest.or(value.map(Box::new));
        self
    }

    /// The nearest allowed value, the default, or the first choice.
    pub fn nearest(&self) -> Option<&Value> {
        self.nearest.as_deref()
    }

    /// Takes out everything that was typed.
    pub(super) fn secret(self) -> Self {
        Self { given: None, nearest: None, ..self }
    }

    /// The text behind `✗`: `50Gi is more than 10Gi, the most in plan small`.
    pub fn at_prompt(&self) -> String {
        match &self.given {
            Some(given) if self.repeats && given.is_empty() => format!("\"\" {}", self.complaint),
            Some(given) if self.repeats => format!("{given} {}", self.complaint),
            _ => self.complaint.clone(),
        }
    }

    /// The text beside the name: `"50Gi" is more than 10Gi, the most in plan small`.
    pub fn on_command_line(&self) -> String {
        match &self.given {
            Some(given) => format!("\"{given}\" {}", self.complaint),
            None => self.complaint.clone(),
        }
    }
}
