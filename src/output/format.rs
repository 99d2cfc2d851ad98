//! A command returns a report; here it is written in the chosen format (interface §15).

use serde::Serialize;

use super::{Face, Page};
use crate::error::{Error, Result};

/// The flag `-o`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    #[default]
    Table,
    Wide,
    Json,
    Yaml,
    Name,
    Env,
    Dotenv,
    Uri,
    Secret,
    Answers,
}

/// What a command found or did: for machines as it serializes, for a person as `text`.
pub trait Report: Serialize {
    /// What a person reads, with its line breaks.
    fn text(&self, page: &Page) -> String;

    /// More columns.
    fn wide(&self, page: &Page) -> String {
        self.text(page)
    }

    /// The lines of `-o name`.
    fn names(&self) -> Vec<String>;

    /// `env`, `dotenv`, `uri`, `secret`, `answers`: all or nothing, with line breaks.
    fn exact(&self, format: Format) -> Result<String> {
        Err(Error::usage(format!("-o {} is a format of show only", format.word())))
    }
}

impl Format {
    /// Every format, in the order of help and completion.
    pub const ALL: [Self; 10] = [
        Self::Table,
        Self::Wide,
        Self::Json,
        Self::Yaml,
        Self::Name,
        Self::Env,
        Self::Dotenv,
        Self::Uri,
        Self::Secret,
        Self::Answers,
    ];

    /// The word after `-o`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Wide => "wide",
            Self::Json => "json",
            Self::Yaml => "yaml",
            Self::Name => "name",
            Self::Env => "env",
            Self::Dotenv => "dotenv",
            Self::Uri => "uri",
            Self::Secret => "secret",
            Self::Answers => "answers",
        }
    }
}

impl Face {
    /// Writes a report to stdout in the chosen format. A closed pipe is no error.
    pub fn report(&self, report: &impl Report, format: Format) -> Result<()> {
        let text = match format {
            Format::Table => report.text(self.out()),
            Format::Wide => report.wide(self.out()),
            Format::Json => json(report)?,
            Format::Yaml => yaml(report)?,
            Format::Name => report.names().iter().map(|name| format!("{name}\n")).collect(),
            exact => report.exact(exact)?,
        };
        self.deliver(text)
    }

    /// Writes exact bytes to stdout. A closed pipe is no error.
    pub fn deliver(&self, text: impl AsRef<[u8]>) -> Result<()> {
        match self.answer(text) {
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                Err(Error::failed("cannot write to stdout").because(error))
            }
            _ => Ok(()),
        }
    }
}

/// JSON, two spaces a level, with a line break.
pub fn json(value: &impl Serialize) -> Result<String> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Error::failed("the answer cannot be written as JSON").because(error))?;
    Ok(text + "\n")
}

/// YAML, with a line break; strings that YAML would read as something else are quoted.
pub fn yaml(value: &impl Serialize) -> Result<String> {
    let text = serde_yaml::to_string(value)
        .map_err(|error| Error::failed("the answer cannot be written as YAML").because(error))?;
    Ok(if text.ends_with('\n') { text } else { text + "\n" })
}
