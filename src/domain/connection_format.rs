//! Details as text for shells, files and machines (interface §9, §15): strings, not printing.

mod quoting;

use std::collections::BTreeMap;
use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Value, json};

use super::class::Connection;
use super::connection::{Details, Encoded, EvaluatedDetail, Known};

pub use quoting::{dotenv_quoted, shell_quoted};

/// Why a format cannot hold a value, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatError {
    pub reason: String,
}

/// The part `connection` of machine output.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConnectionReport {
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub provider: Option<String>,
    pub secret: Option<SecretName>,
    /// In the order of the class; `null` for what is not there or not shown.
    pub details: IndexMap<String, Option<String>>,
    pub sensitive: Vec<String>,
    /// `base64` for details that are not UTF-8.
    pub encoding: IndexMap<String, &'static str>,
}

/// The Secret that the details come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SecretName {
    pub namespace: String,
    pub name: String,
}

/// The name of a variable: prefix and detail in capitals, other characters `_`.
pub fn variable_name(prefix: &str, detail: &str) -> String {
    let name: String = prefix
        .chars()
        .chain(detail.chars())
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' })
        .collect();
    // No shell takes a name that begins with a digit.
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("_{name}") } else { name }
}

/// The prefix unless another is given: `mydb_`, `mydb_api_` for the binding `mydb/api`.
pub fn standard_prefix(instance: &str) -> String {
    format!("{instance}_")
}

/// `export MYDB_HOST='…'` for each detail that has a value.
///
/// # Errors
/// A value that no variable can hold; two details with one name.
pub fn env(details: &Details, prefix: &str) -> Result<Vec<String>, FormatError> {
    assignments(details, prefix, |name, value| format!("export {name}={}", shell_quoted(value)))
}

/// `MYDB_HOST=…` for each detail that has a value, for files that programs read.
///
/// # Errors
/// As [`env`].
pub fn dotenv(details: &Details, prefix: &str) -> Result<Vec<String>, FormatError> {
    // In double quotes a shell that sources the file would run it, and no reader knows `\``.
    let runs = |value: &str| value.contains('`') && value.contains(['\'', '\n', '\r']);
    let text =
        |detail: &EvaluatedDetail| detail.known().and_then(Known::reveal_text).is_some_and(runs);
    if let Some(detail) = details.0.iter().find(|detail| text(detail)) {
        let name = &detail.name;
        return Err(FormatError::new(format!("{name} has a backtick that a shell would run")));
    }
    assignments(details, prefix, |name, value| format!("{name}={}", dotenv_quoted(value)))
}

/// One value to a line.
///
/// # Errors
/// A value with a line break, and one that is not text.
pub fn lines(details: &[&EvaluatedDetail]) -> Result<Vec<String>, FormatError> {
    details
        .iter()
        .filter_map(|detail| Some((detail, detail.known()?)))
        .map(|(detail, known)| {
            let value = known.reveal_text().ok_or_else(|| not_text(&detail.name))?;
            if value.contains(['\n', '\r']) {
                return Err(FormatError::new(format!("{} has a line break", detail.name)));
            }
            Ok(value.to_owned())
        })
        .collect()
}

/// The names and values as the environment of a program that is started.
///
/// # Errors
/// As [`env`].
pub fn variables<'a>(
    details: &'a Details,
    prefix: &str,
) -> Result<IndexMap<String, &'a str>, FormatError> {
    let mut taken: BTreeMap<String, &str> = BTreeMap::new();
    let mut variables = IndexMap::new();
    for detail in &details.0 {
        let Some(known) = detail.known() else { continue };
        let name = variable_name(prefix, &detail.name);
        if let Some(other) = taken.insert(name.clone(), &detail.name) {
            let reason = format!("{other} and {} would both be {name}", detail.name);
            return Err(FormatError::new(reason));
        }
        let value = known.reveal_text().ok_or_else(|| not_text(&detail.name))?;
        if value.contains('\0') {
            return Err(not_text(&detail.name));
        }
        variables.insert(name, value);
    }
    Ok(variables)
}

fn assignments(
    details: &Details,
    prefix: &str,
    line: impl Fn(&str, &str) -> String,
) -> Result<Vec<String>, FormatError> {
    let variables = variables(details, prefix)?;
    Ok(variables.into_iter().map(|(name, value)| line(&name, value)).collect())
}

/// The part `connection` of machine output; masked, every sensitive value is `null`.
pub fn report(
    connection: &Connection,
    details: &Details,
    secret: Option<SecretName>,
    masked: bool,
) -> ConnectionReport {
    let mut values = IndexMap::new();
    let mut encoding = IndexMap::new();
    for detail in &details.0 {
        let value =
            detail.known().filter(|_| !(masked && detail.sensitive)).map(|known| {
                match known.encode() {
                    Encoded::Text(_) if masked => known.masked().to_owned(),
                    Encoded::Text(text) => text,
                    Encoded::Base64(text) => {
                        encoding.insert(detail.name.clone(), "base64");
                        text
                    }
                }
            });
        values.insert(detail.name.clone(), value);
    }
    let sensitive = details.0.iter().filter(|detail| detail.sensitive);
    ConnectionReport {
        kind: connection.kind.clone(),
        provider: connection.provider.clone(),
        secret,
        details: values,
        sensitive: sensitive.map(|detail| detail.name.clone()).collect(),
        encoding,
    }
}

/// A Secret to apply where an application runs, as servicebinding.io wants it: its type, one key
/// for each detail that has a value, and `type` and `provider` where no detail has these names.
/// Without a namespace, as whoever applies it chooses that. Masked, the values stand in
/// `stringData`, where a person can read that they are masks.
///
/// <https://servicebinding.io/spec/core/1.1.0/#well-known-secret-entries>
pub fn secret(connection: &Connection, details: &Details, name: &str, masked: bool) -> Value {
    let value = |bytes: &[u8], mask: &str| match masked {
        true => json!(mask),
        false => json!(BASE64_STANDARD.encode(bytes)),
    };
    let mut data = serde_json::Map::new();
    for (key, text) in [("type", &connection.kind), ("provider", &connection.provider)] {
        if let Some(text) = text {
            data.insert(key.to_owned(), value(text.as_bytes(), text));
        }
    }
    for detail in &details.0 {
        if let Some(known) = detail.known() {
            data.insert(detail.name.clone(), value(known.reveal(), known.masked()));
        }
    }
    let kind = match &connection.kind {
        Some(kind) => format!("servicebinding.io/{kind}"),
        None => "Opaque".to_owned(),
    };
    let field = if masked { "stringData" } else { "data" };
    json!({
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": name},
        "type": kind,
        field: data,
    })
}

/// A detail as a person reads it: its value, the same masked, or why there is none.
pub fn shown(detail: &EvaluatedDetail, masked: bool) -> String {
    match (detail.known(), detail.placeholder()) {
        (Some(known), _) if masked => known.masked().to_owned(),
        (Some(known), _) => match known.shown() {
            empty if empty.is_empty() => "(empty)".to_owned(),
            text => text,
        },
        (None, placeholder) => placeholder.unwrap_or_default(),
    }
}

fn not_text(name: &str) -> FormatError {
    FormatError::new(format!("{name} holds bytes that are not text"))
}

impl FormatError {
    fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.reason)
    }
}

impl std::error::Error for FormatError {}

#[cfg(test)]
mod tests;
