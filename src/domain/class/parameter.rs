//! A parameter: one value that the developer may set, its kind, its limits, where it lands.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{bounds, rules};

/// One value a developer may set. The CRD sees to it that exactly one kind is given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = rules::parameter()))]
pub struct Parameter {
    /// What it is called in `--set NAME=VALUE`.
    #[schemars(length(min = 1, max = 40), regex(pattern = bounds::NAME))]
    pub name: String,
    /// Where it lands in the chart's values: dotted, `[0]` into a list, `\.` for a dot in a key.
    #[schemars(
        length(min = 1, max = 4),
        inner(length(min = 1, max = bounds::PATH_LENGTH), regex(pattern = bounds::PATH))
    )]
    pub paths: Vec<String>,
    /// The question: `Disk size`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 80), regex(pattern = bounds::ONE_LINE))]
    pub title: Option<String>,
    /// What a developer should know before answering.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 1024))]
    pub description: Option<String>,
    /// The heading it is asked under.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 40), regex(pattern = bounds::ONE_LINE))]
    pub group: Option<String>,
    /// What may happen to it after create. IncreaseOnly is for what the chart or an operator
    /// can enlarge.
    #[serde(default)]
    pub change: Change,
    /// Asked and sent only where this holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<When>,
    /// Whether it must be answered: there is no default.
    #[serde(default, skip_serializing_if = "is_false")]
    pub required: bool,
    /// Whether it is a secret: never shown, never in an argument. A string without default.
    #[serde(default, skip_serializing_if = "is_false")]
    pub sensitive: bool,
    /// Asked only with `--advanced`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub advanced: bool,
    /// How svc makes it when it is not given. A string without default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generate: Option<Generate>,
    /// Text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub string: Option<StringLimits>,
    /// A whole number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub integer: Option<NumberLimits<i64>>,
    /// A number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<NumberLimits<f64>>,
    /// Yes or no.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boolean: Option<BooleanLimits>,
    /// An amount in Kubernetes' notation: `10Gi`, `500m`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-kubernetes-validations" = rules::quantity()))]
    pub quantity: Option<TextLimits>,
    /// A time in Go's notation: `5m`, `1h30m`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-kubernetes-validations" = rules::duration()))]
    pub duration: Option<TextLimits>,
    /// A list of strings.
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
    /// The name of another parameter, asked before this one.
    #[schemars(length(min = 1, max = 40), regex(pattern = bounds::NAME))]
    pub parameter: String,
    /// The answers for which this one is asked, as text.
    #[serde(rename = "in")]
    #[schemars(
        length(min = 1, max = bounds::CHOICES),
        inner(length(max = bounds::CHOICE))
    )]
    pub any_of: Vec<String>,
}

/// How svc makes a value that was not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Generate {
    /// In characters.
    #[schemars(range(min = 8, max = 128))]
    pub length: u8,
    /// Of which characters.
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

/// Limits of a string.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = rules::string()))]
pub struct StringLimits {
    /// The value of who says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 1024))]
    pub default: Option<String>,
    /// The only values there are; empty: any.
    #[serde(rename = "enum", default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = bounds::CHOICES), inner(length(max = bounds::CHOICE)))]
    pub choices: Vec<String>,
    /// A full match, in the syntax of Rust's `regex`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 256))]
    pub pattern: Option<String>,
    /// The fewest characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 1048576))]
    pub min_length: Option<u32>,
    /// The most characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 1048576))]
    pub max_length: Option<u32>,
    /// Whether it may hold line breaks.
    #[serde(default, skip_serializing_if = "is_false")]
    pub multiline: bool,
    /// Whether the text may hold `{{`, which charts execute through `tpl`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub allow_template: bool,
}

/// Limits of integers and numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = rules::number()))]
pub struct NumberLimits<T> {
    /// The value of who says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<T>,
    /// The least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum: Option<T>,
    /// The most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum: Option<T>,
    /// The only values there are; empty: any.
    #[serde(rename = "enum", default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = bounds::CHOICES))]
    pub choices: Vec<T>,
}

/// Limits of a yes or no.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BooleanLimits {
    /// The value of who says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<bool>,
}

/// Limits of quantities and durations, in their own notation (`1Gi`, `5m`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TextLimits {
    /// The value of who says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = bounds::AMOUNT))]
    pub default: Option<String>,
    /// The least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = bounds::AMOUNT))]
    pub minimum: Option<String>,
    /// The most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = bounds::AMOUNT))]
    pub maximum: Option<String>,
    /// The only values there are, compared as text; empty: any.
    #[serde(rename = "enum", default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(
        length(max = bounds::CHOICES),
        inner(length(min = 1, max = bounds::AMOUNT))
    )]
    pub choices: Vec<String>,
}

/// Limits of a list of strings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = rules::list()))]
pub struct ListLimits {
    /// The value of who says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 32), inner(length(max = 256)))]
    pub default: Option<Vec<String>>,
    /// The most entries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 256))]
    pub max_items: Option<u32>,
    /// Of each entry: a full match, in the syntax of Rust's `regex`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 256))]
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
