//! Classes in files.

use std::path::Path;

use serde_json::Value;

use super::Checked;
use crate::commands::text_file::{self, Unread};
use crate::domain::class::{self, GROUP};
use crate::domain::crd::KIND;
use crate::domain::lint::{Document, documents, of_object};
use crate::domain::suggest::nearest;
use crate::error::{Error, Result};

/// Whether a file is meant: the name of a class has neither dots nor slashes.
pub(super) fn is_file(place: &str) -> bool {
    place == "-" || place.contains(['.', '/', '\\']) || Path::new(place).is_file()
}

/// The classes of a file; objects of other kinds are passed over.
///
/// # Errors
/// The file cannot be read, is no YAML, or has no class.
pub(super) fn check(file: &str) -> Result<Vec<Checked>> {
    let text = text(file)?;
    let documents = documents(&text).map_err(|error| {
        let line = if error.line > 0 { format!("{}:", error.line) } else { String::new() };
        Error::usage(format!("{file}:{line} {}", error.reason))
    })?;
    let classes = documents.iter().filter(|document| is_meant(&document.object));
    let checked: Vec<_> = classes.map(|document| of_document(file, document)).collect();
    match checked.is_empty() {
        true => Err(Error::usage(format!("{file} has no {KIND}"))),
        false => Ok(checked),
    }
}

/// Whether an object is a class, or was to be one: by its kind, near enough, or its group.
fn is_meant(object: &Value) -> bool {
    let text = |field: &str| object[field].as_str().unwrap_or_default();
    let group = text("apiVersion").split('/').next().unwrap_or_default();
    nearest(text("kind"), [KIND]).is_some() || group == GROUP
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
