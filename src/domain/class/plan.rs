//! A plan: a named preset of a class, with values and narrower limits.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Object;
use super::parameter::{BooleanLimits, ListLimits, NumberLimits, StringLimits, TextLimits};

/// A named preset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Merged over the class's `values`; lists are replaced.
    #[serde(default, skip_serializing_if = "Object::is_empty")]
    pub values: Object,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<PlanParameter>,
}

/// What a plan says of one parameter: another default, narrower limits, or a fixed value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanParameter {
    pub name: String,
    /// The default is the value: it is neither asked nor accepted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fixed: bool,
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
