//! What the schema of the CRD says of each field: its type, its size, its notation.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Value, json};

use super::{Finding, Place, metadata};
use crate::domain::class::{GROUP, NAME_RULE, VERSION, is_class_name};
use crate::domain::crd::{self, KIND};
use crate::domain::suggest::nearest;

/// The schema as it is checked in: types, sizes and rules alike.
static SCHEMA: LazyLock<Value> = LazyLock::new(crd::checked_in_schema);

const OF_EVERY_OBJECT: [&str; 3] = ["apiVersion", "kind", "metadata"];

pub(super) fn schema() -> &'static Value {
    &SCHEMA
}

/// What the schema refuses of an object.
#[derive(Default)]
pub(super) struct Refused {
    pub(super) findings: Vec<Finding>,
    /// A field is missing, unknown or of another type: the rules over a class cannot be asked.
    pub(super) is_no_class: bool,
}

impl Refused {
    pub(super) fn refuse(&mut self, path: &str, problem: impl Into<String>) {
        self.findings.push(Finding::broken(Place::field(path), problem));
    }

    fn refuse_form(&mut self, path: &str, problem: impl Into<String>) {
        self.is_no_class = true;
        self.refuse(path, problem);
    }
}

/// Every field of an object that the API server would refuse by the schema.
pub(super) fn refused(object: &Value) -> Refused {
    let mut refused = Refused::default();
    let version = format!("{GROUP}/{VERSION}");
    match object["apiVersion"].as_str() {
        Some(given) if given == version => {}
        Some(given) => refused.refuse("apiVersion", format!("{given} is not {version}")),
        None => refused.refuse("apiVersion", format!("missing: {version}")),
    }
    match object["kind"].as_str() {
        Some(KIND) => {}
        Some(given) => refused.refuse_form("kind", format!("{given} is not {KIND}")),
        None => refused.refuse_form("kind", format!("missing: {KIND}")),
    }
    match &object["metadata"] {
        Value::Object(fields) => metadata::refused(fields, &mut refused),
        Value::Null => {}
        other => node("metadata", other, &json!({"type": "object"}), &mut refused),
    }
    match object["metadata"]["name"].as_str() {
        Some(name) if is_class_name(name) => {}
        Some(_) => refused.refuse("metadata.name", NAME_RULE),
        None => refused.refuse_form("metadata.name", "missing"),
    }
    fields("", object, &SCHEMA, &mut refused);
    refused
}

pub(super) fn node(path: &str, value: &Value, schema: &Value, refused: &mut Refused) {
    let wanted = schema["type"].as_str().unwrap_or_default();
    if !wanted.is_empty() && !has_type(value, wanted) {
        let quotes = match (wanted, value) {
            ("string", Value::Number(_) | Value::Bool(_)) => "; put it in quotes",
            _ => "",
        };
        let found = type_of(value);
        return refused
            .refuse_form(path, format!("has the wrong type: {found}, not {wanted}{quotes}"));
    }
    match value {
        Value::String(text) => string(path, text, schema, refused),
        Value::Number(number) => amount(path, number.as_f64().unwrap_or_default(), schema, refused),
        Value::Array(list) => entries(path, list, schema, refused),
        Value::Object(_) => fields(path, value, schema, refused),
        Value::Null | Value::Bool(_) => {}
    }
}

fn fields(path: &str, object: &Value, schema: &Value, refused: &mut Refused) {
    let Some(map) = object.as_object() else { return };
    let below =
        |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !map.contains_key(name) {
            refused.refuse_form(&below(name), "missing");
        }
    }
    count(path, map.len(), schema, ["minProperties", "maxProperties"], refused);
    for (name, value) in map {
        // What every object has is the API server's own.
        if path.is_empty() && OF_EVERY_OBJECT.contains(&name.as_str()) {
            continue;
        }
        if let Some(known) = schema["properties"].get(name) {
            node(&below(name), value, known, refused);
        } else if let Some(any) = schema.get("additionalProperties").filter(|any| any.is_object()) {
            node(&below(name), value, any, refused);
        } else if schema["x-kubernetes-preserve-unknown-fields"] != true {
            let known = schema["properties"].as_object().into_iter().flat_map(|known| known.keys());
            let near = nearest(name, known.map(String::as_str));
            let hint = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
            refused.refuse_form(&below(name), format!("no such field{hint}"));
        }
    }
}

fn entries(path: &str, list: &[Value], schema: &Value, refused: &mut Refused) {
    count(path, list.len(), schema, ["minItems", "maxItems"], refused);
    let mut seen = BTreeSet::new();
    for (index, entry) in list.iter().enumerate() {
        let path = format!("{path}[{index}]");
        if let Some(key) = key_of(entry, schema)
            && !seen.insert(key.clone())
        {
            refused.refuse(&path, format!("{key} is there twice"));
        }
        node(&path, entry, &schema["items"], refused);
    }
}

/// What may be in a list once: the keys of a map, the entries of a set.
fn key_of(entry: &Value, schema: &Value) -> Option<String> {
    match schema["x-kubernetes-list-type"].as_str()? {
        "map" => {
            let keys = schema["x-kubernetes-list-map-keys"].as_array()?.iter();
            let keys = keys.filter_map(|key| Some(entry.get(key.as_str()?)?.to_string()));
            Some(keys.collect::<Vec<_>>().join(" "))
        }
        "set" => Some(entry.to_string()),
        _ => None,
    }
}

fn string(path: &str, text: &str, schema: &Value, refused: &mut Refused) {
    let length = text.chars().count();
    if exceeds(length, &schema["maxLength"]) {
        refused.refuse(path, format!("longer than {} characters", schema["maxLength"]));
    }
    if falls_short(length, &schema["minLength"]) {
        refused.refuse(path, format!("shorter than {} characters", schema["minLength"]));
    }
    if let Some(choices) = schema["enum"].as_array()
        && !choices.iter().any(|choice| choice == text)
    {
        let choices: Vec<&str> = choices.iter().filter_map(Value::as_str).collect();
        refused.refuse(path, format!("\"{text}\" is not one of {}", choices.join(", ")));
    }
    if let Some(pattern) = schema["pattern"].as_str()
        && !matches(pattern, text)
    {
        refused.refuse(path, format!("\"{text}\" does not match {pattern}"));
    }
}

fn matches(pattern: &str, text: &str) -> bool {
    Regex::new(pattern).expect("the patterns of the CRD compile").is_match(text)
}

fn amount(path: &str, number: f64, schema: &Value, refused: &mut Refused) {
    if schema["maximum"].as_f64().is_some_and(|most| number > most) {
        refused.refuse(path, format!("{number} is more than {}", schema["maximum"]));
    }
    if schema["minimum"].as_f64().is_some_and(|least| number < least) {
        refused.refuse(path, format!("{number} is less than {}", schema["minimum"]));
    }
}

fn count(
    path: &str,
    found: usize,
    schema: &Value,
    [least, most]: [&str; 2],
    refused: &mut Refused,
) {
    if exceeds(found, &schema[most]) {
        refused.refuse(path, format!("{found} entries, {} at most", schema[most]));
    }
    if falls_short(found, &schema[least]) {
        refused.refuse(path, format!("{found} entries, {} at least", schema[least]));
    }
}

fn exceeds(found: usize, most: &Value) -> bool {
    most.as_u64().is_some_and(|most| found as u64 > most)
}

fn falls_short(found: usize, least: &Value) -> bool {
    least.as_u64().is_some_and(|least| (found as u64) < least)
}

fn has_type(value: &Value, wanted: &str) -> bool {
    match wanted {
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        wanted => type_of(value) == wanted,
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
