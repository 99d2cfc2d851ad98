//! Everything that is wrong with a file of answers, with its place.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_yaml::{Error as YamlError, Location, Spanned};

use super::KEYS;
use crate::domain::suggest::nearest;
use crate::domain::yaml;

/// What is wrong with a file, and where: `None` where no place is known.
#[derive(Debug, PartialEq, Eq)]
pub struct Mistake {
    /// `line 2, column 5`
    pub place: Option<String>,
    pub reason: String,
}

impl Mistake {
    pub(super) fn empty() -> Self {
        Self { place: None, reason: "it is empty".to_owned() }
    }

    fn at(location: &Location, reason: impl Into<String>) -> Self {
        let place = format!("line {}, column {}", location.line(), location.column());
        Self { place: Some(place), reason: reason.into() }
    }

    /// The same of a file that its name calls JSON, which is read as YAML.
    pub fn in_json(self) -> Self {
        Self { reason: self.reason.replacen("this is not YAML", "this is not JSON", 1), ..self }
    }
}

/// All mistakes of a text that is no file of answers; `first` is where reading ended.
pub(super) fn all(text: &str, first: &YamlError) -> Vec<Mistake> {
    let several = serde_yaml::from_str::<Entries>(text).map(|entries| entries.mistakes());
    match several {
        Ok(mistakes) if mistakes.len() > 1 => mistakes,
        _ => vec![alone(first.without_snippet())],
    }
}

fn alone(error: &YamlError) -> Mistake {
    let reason = match error {
        YamlError::SerdeUnknownField { field, .. } => no_key(field),
        other => yaml::mistake(other),
    };
    match error.location() {
        Some(location) => Mistake::at(&location, reason),
        None => Mistake { place: None, reason },
    }
}

fn no_key(key: &str) -> String {
    match nearest(key, KEYS) {
        Some(near) => format!("there is no key {key}; did you mean {near}?"),
        None => format!("there is no key {key}; it has {}", KEYS.join(", ")),
    }
}

/// The keys at the top with their values, whatever they are.
struct Entries(Vec<(Spanned<String>, Spanned<Value>)>);

impl Entries {
    fn mistakes(&self) -> Vec<Mistake> {
        self.0.iter().filter_map(|(key, value)| mistake(key, value)).collect()
    }
}

fn mistake(key: &Spanned<String>, value: &Spanned<Value>) -> Option<Mistake> {
    let is_many = value.value.is_object() || value.value.is_array();
    match key.value.as_str() {
        "class" | "plan" if is_many => Some(Mistake::at(&value.referenced, yaml::A_TEXT)),
        "parameters" if !(value.value.is_object() || value.value.is_null()) => {
            Some(Mistake::at(&value.referenced, yaml::A_MAPPING))
        }
        "class" | "plan" | "parameters" => None,
        other => Some(Mistake::at(&key.referenced, no_key(other))),
    }
}

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor)
    }
}

struct EntriesVisitor;

impl<'de> Visitor<'de> for EntriesVisitor {
    type Value = Entries;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a mapping")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Entries(entries))
    }
}
