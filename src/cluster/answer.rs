//! What came back: the bytes of an answer, or why there is none.

use std::time::Duration;

use http::StatusCode;
use kube::core::Status;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::Error;

/// Why there is no answer that can be used.
#[derive(Debug)]
pub(super) enum Failure {
    /// There is no client: the login failed, and this is how it is told.
    Login(Box<Error>),
    /// The question did not get through.
    Unsent(kube::Error),
    /// No byte came for so long.
    Silent(Duration),
    /// The server refused: the HTTP status, and Kubernetes' own where it sent one.
    Refused { code: u16, status: Option<Box<Status>>, text: String },
    /// The answer ended early.
    Cut(String),
    /// The answer went on and on.
    Endless,
    /// An answer that Kubernetes does not give.
    Garbage(String),
}

/// Reads JSON, or says what came instead.
pub(super) fn parse<'a, T: serde::Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, Failure> {
    serde_json::from_slice(bytes).map_err(|error| Failure::of_bad_json(&error, bytes))
}

/// The same by way of plain JSON, which is how the watch reads: the large types of the API are then
/// compiled once.
pub(super) fn typed<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Failure> {
    let value: Value = parse(bytes)?;
    serde_json::from_value(value).map_err(|error| Failure::of_bad_json(&error, bytes))
}

pub(super) fn refused(code: StatusCode, body: &[u8]) -> Failure {
    let status = serde_json::from_slice::<Status>(body).ok().filter(|status| {
        !status.message.is_empty() || !status.reason.is_empty() || status.details.is_some()
    });
    let text = if status.is_some() { String::new() } else { first_line(body) };
    Failure::Refused { code: code.as_u16(), status: status.map(Box::new), text }
}

/// A Status of failure in an answer that says it is a success.
pub(super) fn hidden_refusal(body: &[u8]) -> Option<Failure> {
    const LONGEST: usize = 64 << 10;
    #[derive(serde::Deserialize)]
    struct Kind<'a> {
        kind: &'a str,
    }
    if body.len() > LONGEST || serde_json::from_slice::<Kind<'_>>(body).ok()?.kind != "Status" {
        return None;
    }
    let status = serde_json::from_slice::<Status>(body).ok()?;
    let failed = matches!(status.status, Some(kube::core::response::StatusSummary::Failure));
    let code = StatusCode::from_u16(status.code).ok().filter(|code| code.as_u16() >= 400);
    failed.then(|| refused(code.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), body))
}

impl Failure {
    fn of_bad_json(error: &serde_json::Error, bytes: &[u8]) -> Self {
        if error.is_eof() && bytes.first() == Some(&b'{') {
            Self::Cut("the answer ends in the middle".to_owned())
        } else if bytes.first() == Some(&b'{') {
            Self::Garbage(format!("unexpected JSON: {error}"))
        } else {
            Self::Garbage(first_line(bytes))
        }
    }

    pub fn is_forbidden(&self) -> bool {
        matches!(self, Self::Refused { code: 403, .. })
    }

    /// A continue token that is too old (410).
    pub fn is_expired(&self) -> bool {
        matches!(self, Self::Refused { code: 410, .. })
    }

    /// 404 about the object itself. One about its kind has no name in the details.
    pub fn is_missing_object(&self) -> bool {
        let Self::Refused { code: 404, status: Some(status), .. } = self else { return false };
        status.details.as_ref().is_some_and(|details| !details.name.is_empty())
    }
}

/// The first line of text that came instead of JSON, without HTML's tags.
pub(super) fn first_line(bytes: &[u8]) -> String {
    const LONGEST: usize = 200;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]);
    let html = text.trim_start().starts_with('<');
    let plain = if html { without_tags(&text) } else { text.into_owned() };
    let line = plain.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let line: String = line.chars().take(LONGEST).collect();
    match (line.is_empty(), html) {
        (true, true) => "an HTML page".to_owned(),
        (true, false) => "an empty answer".to_owned(),
        (false, _) => line,
    }
}

fn without_tags(text: &str) -> String {
    let mut depth = 0_usize;
    text.chars()
        .filter(|&character| {
            let inside = depth > 0 || character == '<';
            match character {
                '<' => depth += 1,
                '>' => depth = depth.saturating_sub(1),
                _ => {}
            }
            !inside
        })
        .collect()
}
