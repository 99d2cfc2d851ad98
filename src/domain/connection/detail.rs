//! A detail with its value, or with why there is none.

use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use secrecy::{ExposeSecret, SecretSlice};

use super::Lack;

/// The details of an instance in the order of its class.
#[derive(Clone, Debug, Default)]
pub struct Details(pub Vec<EvaluatedDetail>);

/// One detail.
#[derive(Clone, Debug)]
pub struct EvaluatedDetail {
    pub name: String,
    pub sensitive: bool,
    pub state: DetailState,
}

/// Its value, or why there is none.
#[derive(Clone, Debug)]
pub enum DetailState {
    Known(Known),
    /// It will come: the service is starting.
    NotThereYet(Lack),
    /// It was there once.
    Gone(Lack),
    Forbidden(Lack),
    /// A value that goes into it is there and is not UTF-8.
    NotText(Lack),
    /// Optional, and not there.
    Absent,
    /// The class is at fault: its template gives nothing.
    Broken(String),
}

/// A value, and the same with the mask in the place of everything sensitive.
#[derive(Clone)]
pub struct Known {
    value: SecretSlice<u8>,
    masked: String,
}

/// A value as JSON holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Encoded {
    Text(String),
    /// Bytes that are not UTF-8.
    Base64(String),
}

impl Known {
    /// A value, and how it is shown masked.
    pub fn new(value: Vec<u8>, masked: impl Into<String>) -> Self {
        Self { value: value.into(), masked: masked.into() }
    }

    /// The exact bytes. They go to stdout or into a client's environment, nowhere else.
    pub fn reveal(&self) -> &[u8] {
        self.value.expose_secret()
    }

    /// The text, unless the bytes are not UTF-8.
    pub fn reveal_text(&self) -> Option<&str> {
        std::str::from_utf8(self.reveal()).ok()
    }

    /// The value with masks: what may be shown anywhere.
    pub fn masked(&self) -> &str {
        &self.masked
    }

    /// The value as a person reads it.
    pub fn shown(&self) -> String {
        let bytes = self.reveal().len();
        let counted = if bytes == 1 { "1 byte".to_owned() } else { format!("{bytes} bytes") };
        match self.reveal_text() {
            Some(text) => text.to_owned(),
            None => format!("({counted}, not text: use -o json)"),
        }
    }

    /// The value for JSON.
    pub fn encode(&self) -> Encoded {
        match self.reveal_text() {
            Some(text) => Encoded::Text(text.to_owned()),
            None => Encoded::Base64(BASE64_STANDARD.encode(self.reveal())),
        }
    }
}

impl EvaluatedDetail {
    /// The value, if it is known.
    pub fn known(&self) -> Option<&Known> {
        match &self.state {
            DetailState::Known(known) => Some(known),
            _ => None,
        }
    }

    /// What stands in a table in the place of a value: `(not there yet)`.
    pub fn placeholder(&self) -> Option<String> {
        Some(match &self.state {
            DetailState::Known(_) => return None,
            DetailState::NotThereYet(_) => "(not there yet)".to_owned(),
            DetailState::Gone(lack) => {
                let kind = lack.object.split(' ').next().unwrap_or(&lack.object);
                format!("({kind} is gone)")
            }
            DetailState::Forbidden(lack) => format!("(not allowed to read {})", lack.object),
            DetailState::NotText(lack) => format!("({}: use -o json)", lack.says),
            DetailState::Absent => "-".to_owned(),
            DetailState::Broken(reason) => format!("(broken class: {reason})"),
        })
    }
}

impl Details {
    /// A detail by its name.
    pub fn get(&self, name: &str) -> Option<&EvaluatedDetail> {
        self.0.iter().find(|detail| detail.name == name)
    }

    /// The names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|detail| detail.name.as_str())
    }

    /// Those that the class cannot evaluate, each with the reason.
    pub fn broken(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter_map(|detail| match &detail.state {
            DetailState::Broken(reason) => Some((detail.name.as_str(), reason.as_str())),
            _ => None,
        })
    }

    /// The same with masks in place of everything sensitive.
    pub fn masked(&self) -> Self {
        let masked = |detail: &EvaluatedDetail| {
            let state = match &detail.state {
                DetailState::Known(known) => {
                    let text = known.masked().to_owned();
                    DetailState::Known(Known::new(text.clone().into_bytes(), text))
                }
                other => other.clone(),
            };
            EvaluatedDetail { state, ..detail.clone() }
        };
        Self(self.0.iter().map(masked).collect())
    }

    /// Whether every detail that must have a value has one.
    pub fn complete(&self) -> bool {
        self.0
            .iter()
            .all(|detail| matches!(detail.state, DetailState::Known(_) | DetailState::Absent))
    }
}

/// The value stays out of logs and panics.
impl fmt::Debug for Known {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Known").field(&self.masked).finish()
    }
}
