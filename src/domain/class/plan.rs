//! A plan: a named preset of a class, with values and narrower limits.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::parameter::{BooleanLimits, ListLimits, NumberLimits, StringLimits, TextLimits};
use super::{Object, bounds, rules};

/// A named preset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// What it is called in `--plan`.
    #[schemars(length(min = 1, max = 63), regex(pattern = bounds::DNS_LABEL))]
    pub name: String,
    /// One line for the catalog.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 120), regex(pattern = bounds::ONE_LINE))]
    pub summary: Option<String>,
    /// Merged over the class's `values`; lists are replaced.
    #[serde(default, skip_serializing_if = "Object::is_empty")]
    pub values: Object,
    /// What it says of parameters of the class.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(
        length(max = 12),
        extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["name"])
    )]
    pub parameters: Vec<PlanParameter>,
}

/// What a plan says of one parameter: another default, narrower limits, or a fixed value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = rules::plan_parameter()))]
pub struct PlanParameter {
    /// The name of a parameter of the class.
    #[schemars(length(min = 1, max = 40), regex(pattern = bounds::NAME))]
    pub name: String,
    /// The default is the value: it is neither asked nor accepted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fixed: bool,
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
