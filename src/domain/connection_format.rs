//! Details as text for shells, files and machines (interface §9, §15): strings, not printing.

use std::collections::BTreeMap;
use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Value, json};

use super::class::Connection;
use super::connection::{Details, Encoded, EvaluatedDetail};

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

/// Runs in single quotes, with `\'` and `\\` outside them: what bash, dash, zsh and fish read alike.
pub fn shell_quoted(value: &str) -> String {
    if value.is_empty() {
        return "''".to_owned();
    }
    let mut quoted = String::with_capacity(value.len() + 2);
    let mut open = false;
    for character in value.chars() {
        let outside = matches!(character, '\'' | '\\');
        if open == outside {
            quoted.push('\'');
            open = !open;
        }
        if outside {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    if open {
        quoted.push('\'');
    }
    quoted
}

/// Bare, else in single quotes, else in double quotes with `\\ \" \$ \n` (and `\r`, which readers
/// of such files would otherwise take for a line break).
pub fn dotenv_quoted(value: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || "_./:@%+,-".contains(c);
    if value.chars().all(bare) {
        return value.to_owned();
    }
    if !value.contains(['\'', '\n', '\r']) {
        return format!("'{value}'");
    }
    let escaped: String = value.chars().fold(String::new(), |mut text, character| {
        match character {
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\\' | '"' | '$' => text.extend(['\\', character]),
            other => text.push(other),
        }
        text
    });
    format!("\"{escaped}\"")
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

/// A Secret to apply elsewhere, as servicebinding.io wants it: its type, one key for each detail,
/// and `type` and `provider` where no detail has these names.
pub fn secret(connection: &Connection, details: &Details, name: &str, namespace: &str) -> Value {
    let mut data = serde_json::Map::new();
    for (key, text) in [("type", &connection.kind), ("provider", &connection.provider)] {
        if let Some(text) = text {
            data.insert(key.to_owned(), json!(BASE64_STANDARD.encode(text)));
        }
    }
    for detail in &details.0 {
        if let Some(known) = detail.known() {
            data.insert(detail.name.clone(), json!(BASE64_STANDARD.encode(known.reveal())));
        }
    }
    let kind = match &connection.kind {
        Some(kind) => format!("servicebinding.io/{kind}"),
        None => "Opaque".to_owned(),
    };
    json!({
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": name, "namespace": namespace},
        "type": kind,
        "data": data,
    })
}

/// A detail as a person reads it: its value, the same masked, or why there is none.
pub fn shown(detail: &EvaluatedDetail, masked: bool) -> String {
    match (detail.known(), detail.placeholder()) {
        (Some(known), _) if masked => known.masked().to_owned(),
        (Some(known), _) => match known.encode() {
            Encoded::Text(text) => text,
            Encoded::Base64(_) => format!("({} bytes that are not text)", known.reveal().len()),
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
mod tests {
    use super::*;
    use crate::domain::connection::{DetailState, Known, Lack};

    fn detail(name: &str, value: &[u8], sensitive: bool) -> EvaluatedDetail {
        let masked = if sensitive { "********".to_owned() } else { text(value) };
        let state = DetailState::Known(Known::new(value.to_vec(), masked));
        EvaluatedDetail { name: name.to_owned(), sensitive, state }
    }

    fn text(value: &[u8]) -> String {
        String::from_utf8_lossy(value).into_owned()
    }

    fn missing(name: &str) -> EvaluatedDetail {
        let lack = Lack { object: "Secret a".into(), says: String::new(), verb: None };
        EvaluatedDetail {
            name: name.to_owned(),
            sensitive: true,
            state: DetailState::NotThereYet(lack),
        }
    }

    #[test]
    fn env_lines_are_those_of_the_page() {
        let details = Details(vec![
            detail("host", b"mydb-postgresql.team-a.svc", false),
            detail("ca.crt", b"it's", true),
            missing("later"),
        ]);
        assert_eq!(
            env(&details, &standard_prefix("mydb")).unwrap(),
            ["export MYDB_HOST='mydb-postgresql.team-a.svc'", r"export MYDB_CA_CRT='it'\''s'"]
        );
        assert_eq!(
            dotenv(&details, "").unwrap(),
            ["HOST=mydb-postgresql.team-a.svc", "CA_CRT=\"it's\""]
        );
        assert_eq!(variable_name(&standard_prefix("mydb/api"), "uri"), "MYDB_API_URI");
        assert_eq!(variable_name("9", "uri"), "_9URI");
    }

    #[test]
    fn shells_get_quoted_runs() {
        for (value, quoted) in [
            ("", "''"),
            ("a", "'a'"),
            ("it's", r"'it'\''s'"),
            (r"a\b", r"'a'\\'b'"),
            ("'", r"\'"),
            (r"\'x", r"\\\''x'"),
            ("a\nb $x", "'a\nb $x'"),
        ] {
            assert_eq!(shell_quoted(value), quoted);
        }
    }

    #[test]
    fn dotenv_takes_the_first_form_that_holds_it() {
        for (value, quoted) in [
            ("", ""),
            ("postgresql://a:b@c:1/d", "postgresql://a:b@c:1/d"),
            ("a b", "'a b'"),
            (r#"a\b"$"#, r#"'a\b"$'"#),
            ("it's \"$5\"\\", r#""it's \"\$5\"\\""#),
            ("a\nb\r", r#""a\nb\r""#),
        ] {
            assert_eq!(dotenv_quoted(value), quoted);
        }
    }

    #[test]
    fn what_a_variable_cannot_hold_is_refused() {
        let reason = |details: Vec<_>| env(&Details(details), "").unwrap_err().reason;
        assert_eq!(reason(vec![detail("a", b"x\0", true)]), "a holds bytes that are not text");
        assert_eq!(reason(vec![detail("a", &[0xff], true)]), "a holds bytes that are not text");
        assert_eq!(
            reason(vec![detail("a-b", b"", true), detail("a.b", b"", true)]),
            "a-b and a.b would both be A_B"
        );
    }

    #[test]
    fn lines_refuse_a_line_break() {
        let (one, two) = (detail("a", b"1", false), detail("b", b"2\n3", true));
        assert_eq!(lines(&[&one, &one]).unwrap(), ["1", "1"]);
        assert_eq!(lines(&[&one, &two]).unwrap_err().reason, "b has a line break");
    }

    #[test]
    fn the_report_masks_and_encodes() {
        let connection: Connection =
            serde_json::from_value(json!({"type": "postgresql", "details": []})).unwrap();
        let details = Details(vec![
            detail("host", b"h", false),
            detail("key", &[0xff], false),
            detail("password", b"secret", true),
            missing("uri"),
        ]);
        let secret = Some(SecretName { namespace: "team-a".into(), name: "mydb".into() });
        let open = serde_json::to_value(report(&connection, &details, secret, false)).unwrap();
        assert_eq!(
            open,
            json!({
                "type": "postgresql", "provider": null,
                "secret": {"namespace": "team-a", "name": "mydb"},
                "details": {"host": "h", "key": "/w==", "password": "secret", "uri": null},
                "sensitive": ["password", "uri"], "encoding": {"key": "base64"}
            })
        );
        let masked = report(&connection, &details, None, true);
        assert_eq!(masked.details["password"], None);
        assert_eq!(masked.details["host"].as_deref(), Some("h"));
    }

    #[test]
    fn a_secret_has_a_key_for_each_detail() {
        let connection: Connection =
            serde_json::from_value(json!({"type": "postgresql", "details": []})).unwrap();
        let details = Details(vec![detail("password", b"secret", true), missing("uri")]);
        let secret = secret(&connection, &details, "mydb", "team-b");
        assert_eq!(secret["type"], "servicebinding.io/postgresql");
        assert_eq!(secret["data"], json!({"type": "cG9zdGdyZXNxbA==", "password": "c2VjcmV0"}));
    }
}
