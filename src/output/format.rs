//! A command returns a report; here it is written in the chosen format (interface §15).

use serde::Serialize;

use super::{Face, Page};
use crate::error::{Error, Result, cause_words};

/// The flag `-o`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// For a person.
    #[default]
    Table,
    /// For a person with a wide screen.
    Wide,
    /// Two spaces a level.
    Json,
    /// The same as YAML.
    Yaml,
    /// A name to a line.
    Name,
    /// `export NAME='value'` lines for a shell.
    Env,
    /// `NAME=value` lines for files.
    Dotenv,
    /// The detail `uri` alone.
    Uri,
    /// A Secret to apply.
    Secret,
    /// What `create --answers` reads.
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
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Error::failed(
                format!("cannot write the answer to stdout: {}", cause_words(&error)),
            )),
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

#[cfg(test)]
mod tests {
    use std::io;

    use serde_json::json;

    use super::*;
    use crate::output::Streams;
    use crate::output::face::tests::{Shared, streams};

    #[derive(Serialize)]
    struct Names {
        items: Vec<String>,
    }

    impl Report for Names {
        fn text(&self, _: &Page) -> String {
            "NAME\nmydb\n".to_owned()
        }

        fn names(&self) -> Vec<String> {
            self.items.clone()
        }
    }

    fn written(format: Format) -> Result<String> {
        let (out, err) = (Shared::default(), Shared::default());
        let face = Face::on(streams(), out.clone(), err.clone());
        face.report(&Names { items: vec!["mydb".to_owned()] }, format)?;
        assert_eq!(err.text(), "");
        Ok(out.text())
    }

    #[test]
    fn one_report_in_every_format() {
        assert_eq!(written(Format::Table).unwrap(), "NAME\nmydb\n");
        assert_eq!(written(Format::Wide).unwrap(), "NAME\nmydb\n");
        assert_eq!(written(Format::Json).unwrap(), "{\n  \"items\": [\n    \"mydb\"\n  ]\n}\n");
        assert_eq!(written(Format::Yaml).unwrap(), "items:\n- mydb\n");
        assert_eq!(written(Format::Name).unwrap(), "mydb\n");
        let error = written(Format::Env).unwrap_err();
        assert_eq!(error.to_string(), "-o env is a format of show only");
    }

    #[test]
    fn strings_stay_strings_in_yaml() {
        let words = "no Yes on ~ null 0123 0x1f 1e3 1_000 .5 12:30 2030-01-02 #x *x &x !x ' \" @a %a \
                     y = << 1. +1 0o7 .inf - ? |";
        let others = ["", " a", "a: b", "- a", "a\nb", "\u{85}", "\x1b", "a #b", "tab\tx", "a\n"];
        for text in words.split(' ').chain(others) {
            let document = json!({ "value": text, "list": [text] });
            let written = yaml(&document).unwrap();
            let read: serde_json::Value = serde_yaml::from_str(&written).unwrap();
            assert_eq!(read, document, "{written}");
        }
    }

    #[test]
    fn what_yaml_would_misread_is_quoted() {
        let document = json!({ "a": "no", "b": "0123", "c": "1e3", "d": true, "e": 5 });
        let text = yaml(&document).unwrap().replace('"', "'");
        assert_eq!(text, "a: 'no'\nb: '0123'\nc: '1e3'\nd: true\ne: 5\n");
    }

    struct Closed;

    impl io::Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    struct Full;

    impl io::Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_closed_pipe_ends_quietly_and_a_full_disk_does_not() {
        let on = |streams: Streams| Face::on(streams, Closed, Closed);
        assert!(on(streams()).deliver("x").is_ok());
        assert!(on(streams()).answer("x").is_err());
        let error = Face::on(streams(), Full, Full).deliver("x").unwrap_err();
        assert_eq!(error.message, "cannot write the answer to stdout: no storage space");
    }
}
