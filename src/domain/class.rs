//! A `ServiceClass`: one offering in the catalog, as operations write it (design §3).

mod chart;
mod connection;
mod hash;
mod lifecycle;
mod parameter;
mod plan;
mod read;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use chart::{
    Chart, ChartSource, ConfigMapChart, Credentials, OciChart, RepositoryChart, SecretRef,
};
pub use connection::{
    Client, ConfigMapSource, Connection, Detail, EnvVar, Forward, From, ObjectSource, SecretSource,
    ServiceSource, Source, SourceKind,
};
pub use hash::class_hash;
pub use lifecycle::{
    Binding, Condition, DataPolicy, Deletion, PodSelector, Readiness, RunIn, VolumeSelector,
};
pub use parameter::{
    Alphabet, BooleanLimits, Change, Generate, Kind, ListLimits, NumberLimits, Parameter,
    StringLimits, TextLimits, When,
};
pub use plan::{Plan, PlanParameter};
pub use read::{Unreadable, read};

/// The API group of classes.
pub const GROUP: &str = "svc-cli.dev";
/// The served and stored version.
pub const VERSION: &str = "v1alpha1";

/// A free-form JSON object: chart values.
pub type Object = serde_json::Map<String, serde_json::Value>;

/// A class that was read and understood: its name, labels and spec.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// `metadata.name`
    pub name: String,
    /// `metadata.labels`
    pub labels: BTreeMap<String, String>,
    pub spec: ServiceClassSpec,
}

/// What operations say of one service.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ServiceClassSpec {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// One line for the catalog.
    pub summary: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    #[serde(rename = "documentationURL", default, skip_serializing_if = "Option::is_none")]
    pub documentation_url: Option<String>,
    #[serde(rename = "iconURL", default, skip_serializing_if = "Option::is_none")]
    pub icon_url: Option<String>,
    #[serde(default)]
    pub sharing: Sharing,
    #[serde(default)]
    pub availability: Availability,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<Deprecated>,
    #[serde(default)]
    pub instance_name: InstanceNameRule,
    /// Kinds that must exist and that the developer may create.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requires: Vec<Requirement>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chart: Option<Chart>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<SharedInstance>,
    /// Chart values fixed by operations, passed as they are.
    #[serde(default, skip_serializing_if = "Object::is_empty")]
    pub values: Object,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub computed: Vec<Computed>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Parameter>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_plan: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plans: Vec<Plan>,
    pub connection: Connection,
    #[serde(default)]
    pub readiness: Readiness,
    #[serde(default)]
    pub deletion: Deletion,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub binding: Option<Binding>,
}

/// Whether each `create` makes an instance, or one that exists is bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Sharing {
    #[default]
    Dedicated,
    Shared,
}

/// Whether new instances may be made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Availability {
    #[default]
    Open,
    NoNewInstances,
}

/// A class that still works but should not be chosen any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deprecated {
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replacement: Option<String>,
}

/// How long an instance's name may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InstanceNameRule {
    #[serde(default = "default_name_length")]
    pub max_length: u8,
}

impl Default for InstanceNameRule {
    fn default() -> Self {
        Self { max_length: default_name_length() }
    }
}

fn default_name_length() -> u8 {
    30
}

/// A kind that must be served by the cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Requirement {
    pub group: String,
    /// The plural, lower case: `clusters`.
    pub resource: String,
}

/// The release that a shared class publishes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedInstance {
    pub namespace: String,
    pub release: String,
}

/// A chart value made from a template; one whole `{{ … }}` keeps its type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Computed {
    pub paths: Vec<String>,
    pub value: String,
}
