//! What was given for a parameter, and in which way.

use std::fmt;

use secrecy::{ExposeSecret, SecretString};
use serde_json::Value as Json;

use super::super::command_line::quote;
use super::super::parameter::EffectiveParameter;
use super::super::value::Value;

/// How a parameter was given in this command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// `--set`
    Set,
    /// `--set-env`, with the variable.
    SetEnv(String),
    /// `--set-file`, with the path or `-`.
    SetFile(String),
    /// `--unset`
    Unset,
    /// `--answers`
    AnswersFile,
    /// Typed or chosen at its question.
    Typed,
    /// Enter alone at its question.
    Accepted,
}

/// What was given, not yet read: it may be a secret.
#[derive(Clone)]
pub enum Raw {
    /// The text of a flag, a variable, a file or a line.
    Text(SecretString),
    /// The typed value of an answers file.
    Typed(Json),
    /// A number or a word for true or false, as the file has it and as YAML reads it.
    Bare { written: String, read: Json },
    /// The default, or a generated value, or none.
    Default,
}

/// One parameter as it was given.
#[derive(Clone, Debug)]
pub struct Given {
    /// As it was typed: not known to exist.
    pub name: String,
    pub raw: Raw,
    pub how: How,
}

impl Given {
    /// Something given as text.
    pub fn text(name: impl Into<String>, text: impl Into<String>, how: How) -> Self {
        Self { name: name.into(), raw: Raw::Text(text.into().into()), how }
    }

    /// A secret that was typed at its question.
    pub fn secret(name: impl Into<String>, secret: SecretString) -> Self {
        Self { name: name.into(), raw: Raw::Text(secret), how: How::Typed }
    }

    /// A typed value of an answers file.
    pub fn typed(name: impl Into<String>, value: Json) -> Self {
        Self { name: name.into(), raw: Raw::Typed(value), how: How::AnswersFile }
    }

    /// A number or a word for true or false of an answers file.
    pub fn bare(name: impl Into<String>, written: impl Into<String>, read: Json) -> Self {
        let raw = Raw::Bare { written: written.into(), read };
        Self { name: name.into(), raw, how: How::AnswersFile }
    }

    /// Back to the default.
    pub fn unset(name: impl Into<String>) -> Self {
        Self { name: name.into(), raw: Raw::Default, how: How::Unset }
    }

    /// The flag that says it again, where the parameter takes it; a secret without its value.
    pub fn flag(&self, parameter: &EffectiveParameter) -> Option<String> {
        let value = match &self.raw {
            Raw::Text(text) => parameter.parse(text.expose_secret()).ok()?,
            Raw::Typed(value) => parameter.parse_typed(value).ok()?,
            Raw::Bare { written, read } => parameter.parse_bare(written, read).ok()?,
            Raw::Default => return None,
        };
        Some(match parameter.sensitive {
            true => self.how.secret_flag(&self.name),
            false => self.how.flag(&self.name, &value),
        })
    }

    /// Enter alone at a question.
    pub fn accepted(name: impl Into<String>) -> Self {
        Self { name: name.into(), raw: Raw::Default, how: How::Accepted }
    }
}

impl How {
    /// Whether it was one of the flags, of which a parameter takes one.
    pub(super) fn is_flag(&self) -> bool {
        matches!(self, Self::Set | Self::SetEnv(_) | Self::SetFile(_) | Self::Unset)
    }

    /// Flag, answers file, typed answer: the first that is there counts.
    pub(super) fn rank(&self) -> u8 {
        match self {
            Self::Set | Self::SetEnv(_) | Self::SetFile(_) | Self::Unset => 0,
            Self::AnswersFile => 1,
            Self::Typed | Self::Accepted => 2,
        }
    }

    /// The flag that says a value again. A text of several lines stays where it came from.
    pub(super) fn flag(&self, name: &str, value: &Value) -> String {
        let text = value.set_text();
        match self {
            Self::Unset => format!("--unset {name}"),
            Self::SetEnv(_) | Self::SetFile(_) if text.contains('\n') => self.secret_flag(name),
            _ => format!("--set {}", quote(&format!("{name}={text}"))),
        }
    }

    /// The flag that gives a secret again without showing it.
    pub(super) fn secret_flag(&self, name: &str) -> String {
        match self {
            Self::SetFile(path) => format!("--set-file {}", quote(&format!("{name}={path}"))),
            Self::SetEnv(variable) => format!("--set-env {}", quote(&format!("{name}={variable}"))),
            _ => format!("--set-env {name}={}", placeholder(name)),
        }
    }
}

/// What stands for a value that nobody but the reader knows: `ADMIN_PASSWORD`.
pub fn placeholder(name: &str) -> String {
    name.to_uppercase().replace('-', "_")
}

impl fmt::Debug for Raw {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Text(_) => "Text(***)",
            Self::Typed(_) => "Typed(***)",
            Self::Bare { .. } => "Bare(***)",
            Self::Default => "Default",
        })
    }
}
