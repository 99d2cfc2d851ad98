//! Classes in files.

use std::path::Path;
use std::{fs, io};

use serde_json::Value;

use super::Checked;
use crate::commands::text_file::{self, Unread};
use crate::domain::class::{self, GROUP};
use crate::domain::crd::KIND;
use crate::domain::lint::{Document, documents, of_object};
use crate::domain::suggest::nearest;
use crate::error::{Error, Result, cause_words};

/// The endings of files that are read in a folder.
const ENDINGS: [&str; 3] = ["yaml", "yml", "json"];

/// Whether a file or a folder is meant: the name of a class has neither dots nor slashes.
pub(super) fn is_file(place: &str) -> bool {
    place == "-" || place.contains(['.', '/', '\\']) || Path::new(place).exists()
}

/// The classes of a file, or of each file of a folder, by name; one that cannot be read does not
/// hide the others. Errors are of files that cannot be read or are no YAML, and of a file or a
/// folder without a class.
pub(super) fn check(place: &str) -> Vec<Result<Vec<Checked>>> {
    if !Path::new(place).is_dir() {
        let found = classes(place).and_then(|classes| match classes.is_empty() {
            true => Err(Error::usage(format!("{place} has no {KIND}"))),
            false => Ok(classes),
        });
        return vec![found];
    }
    let files = match files(Path::new(place)) {
        Ok(files) => files,
        Err(error) => return vec![Err(cannot_be_read(place, &error))],
    };
    let found: Vec<_> = files.iter().map(|file| classes(file)).collect();
    if found.iter().all(|file| file.as_ref().is_ok_and(Vec::is_empty)) {
        let sentence = format!("{place} has no {KIND} in a .yaml, .yml or .json file");
        return vec![Err(Error::usage(sentence))];
    }
    found
}

/// The files of a folder that may hold classes, by name; those of folders in it are left out.
fn files(folder: &Path) -> io::Result<Vec<String>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        if path.is_file() && ending.is_some_and(|ending| ENDINGS.contains(&ending)) {
            files.push(path.display().to_string());
        }
    }
    files.sort();
    Ok(files)
}

/// The classes of a file; objects of other kinds are passed over.
fn classes(file: &str) -> Result<Vec<Checked>> {
    let text = text(file)?;
    let documents = documents(&text).map_err(|error| {
        let line = if error.line > 0 { format!("{}:", error.line) } else { String::new() };
        Error::usage(format!("{file}:{line} {}", error.reason))
    })?;
    let classes = documents.iter().filter(|document| is_meant(&document.object));
    Ok(classes.map(|document| of_document(file, document)).collect())
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

fn cannot_be_read(place: &str, cause: &std::io::Error) -> Error {
    Error::usage(format!("{place} cannot be read: {}", cause_words(cause)))
}

fn text(file: &str) -> Result<String> {
    text_file::read(Path::new(file)).map_err(|unread| match unread {
        Unread::Failed(error) => cannot_be_read(file, &error),
        Unread::Unfit(reason) => Error::usage(reason),
    })
}
