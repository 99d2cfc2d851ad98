//! A parameter: one value that the developer may set, its kind, its limits, where it lands.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One value a developer may set. The CRD sees to it that exactly one kind is given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Parameter {
    pub name: String,
    /// Where it lands in the chart's values: dotted, `[0]` into a list, `\.` for a dot in a key.
    pub paths: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    #[serde(default)]
    pub change: Change,
    /// Asked and sent only where this holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<When>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub required: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    pub sensitive: bool,
    /// Asked only with `--advanced`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub advanced: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generate: Option<Generate>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub string: Option<StringLimits>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub integer: Option<NumberLimits<i64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<NumberLimits<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boolean: Option<BooleanLimits>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quantity: Option<TextLimits>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<TextLimits>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<ListLimits>,
}

/// What may happen to a value after create.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Change {
    #[default]
    Allowed,
    IncreaseOnly,
    Never,
}

/// The answer of an earlier parameter that this one depends on. Values are compared as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct When {
    pub parameter: String,
    #[serde(rename = "in")]
    pub any_of: Vec<String>,
}

/// How svc makes a value that was not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Generate {
    /// In characters.
    pub length: u8,
    #[serde(default)]
    pub alphabet: Alphabet,
}

/// The characters of a generated value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Alphabet {
    #[default]
    Alphanumeric,
    Hex,
    Printable,
}

/// The kind of a parameter with its limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind<'a> {
    String(&'a StringLimits),
    Integer(&'a NumberLimits<i64>),
    Number(&'a NumberLimits<f64>),
    Boolean(&'a BooleanLimits),
    Quantity(&'a TextLimits),
    Duration(&'a TextLimits),
    List(&'a ListLimits),
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StringLimits {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    #[serde(rename = "enum", default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// A full match, in the syntax of Rust's `regex`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// In characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_length: Option<u32>,
    /// In characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u32>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub multiline: bool,
    /// Whether the text may hold `{{`, which charts execute through `tpl`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub allow_template: bool,
}

/// Limits of integers and numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NumberLimits<T> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<T>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum: Option<T>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum: Option<T>,
    #[serde(rename = "enum", default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<T>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BooleanLimits {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<bool>,
}

/// Limits of quantities and durations, in their own notation (`1Gi`, `5m`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TextLimits {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum: Option<String>,
    #[serde(rename = "enum", default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
}

/// Limits of a list of strings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListLimits {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_items: Option<u32>,
    /// Of each entry; a full match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
}

impl Parameter {
    /// The kind that is given, unless there is none or more than one.
    pub fn kind(&self) -> Option<Kind<'_>> {
        let mut kinds = [
            self.string.as_ref().map(Kind::String),
            self.integer.as_ref().map(Kind::Integer),
            self.number.as_ref().map(Kind::Number),
            self.boolean.as_ref().map(Kind::Boolean),
            self.quantity.as_ref().map(Kind::Quantity),
            self.duration.as_ref().map(Kind::Duration),
            self.list.as_ref().map(Kind::List),
        ]
        .into_iter()
        .flatten();
        let kind = kinds.next();
        kinds.next().is_none().then_some(kind).flatten()
    }
}

fn is_false(flag: &bool) -> bool {
    !flag
}
