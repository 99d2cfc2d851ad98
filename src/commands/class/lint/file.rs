//! Classes in files.

use std::path::Path;

use super::Checked;
use crate::commands::text_file::{self, Unread};
use crate::domain::class;
use crate::domain::crd::KIND;
use crate::domain::lint::{Document, documents, of_object};
use crate::error::{Error, Result};

/// Whether a file is meant: the name of a class has neither dots nor slashes.
pub(super) fn is_file(place: &str) -> bool {
    place == "-" || place.contains(['.', '/', '\\']) || Path::new(place).is_file()
}

/// The classes of these files; objects of other kinds are passed over.
pub(super) fn check(files: &[&String]) -> Result<Vec<Checked>> {
    let mut checked = Vec::new();
    for file in files {
        let text = text(file)?;
        let documents = documents(&text).map_err(|error| {
            let line = if error.line > 0 { format!("{}:", error.line) } else { String::new() };
            Error::usage(format!("{file}:{line} not YAML: {}", error.reason))
        })?;
        let classes = documents.iter().filter(|document| document.object["kind"] == KIND);
        let before = checked.len();
        checked.extend(classes.map(|document| of_document(file, document)));
        if checked.len() == before {
            return Err(Error::usage(format!("{file} has no {KIND}")));
        }
    }
    Ok(checked)
}

fn of_document(file: &str, document: &Document) -> Checked {
    let findings = of_object(&document.object).into_iter();
    let mut findings: Vec<_> =
        findings.map(|finding| (Some(document.line(&finding.place.field)), finding)).collect();
    findings.sort_by_key(|(line, _)| *line);
    Checked {
        class: document.object["metadata"]["name"].as_str().unwrap_or("-").to_owned(),
        file: Some(file.to_owned()),
        findings,
        read: class::read(&document.object).ok(),
    }
}

fn text(file: &str) -> Result<String> {
    text_file::read(Path::new(file)).map_err(|unread| match unread {
        Unread::Failed(error) => Error::usage(format!("{file} cannot be read: {error}")),
        Unread::Unfit(reason) => Error::usage(reason),
    })
}
