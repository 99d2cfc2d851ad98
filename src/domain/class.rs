//! A `ServiceClass`: one offering in the catalog, as operations write it (design §3).

mod bounds;
mod chart;
mod connection;
mod hash;
mod lifecycle;
mod parameter;
mod plan;
mod read;
mod reader;
mod rules;

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
pub use hash::{class_hash, differing_parts};
pub use lifecycle::{
    Binding, Condition, DataPolicy, Deletion, PodSelector, Readiness, RunIn, VolumeSelector,
};
pub use parameter::{
    Alphabet, BooleanLimits, Change, Generate, Kind, ListLimits, NumberLimits, Parameter,
    StringLimits, TextLimits, When,
};
pub use plan::{Plan, PlanParameter};
pub use read::{Unreadable, read};
pub use reader::readers;

/// The API group of classes.
pub const GROUP: &str = "svc-cli.dev";
/// The served and stored version.
pub const VERSION: &str = "v1alpha1";

/// What the CRD says of another name.
pub const NAME_RULE: &str =
    "a class's name is a DNS label of at most 63 characters: it becomes a label's value";

/// Whether a class may have this name: a DNS label of at most 63 characters (RFC 1123).
pub fn is_class_name(name: &str) -> bool {
    let ends = |end: Option<char>| end.is_some_and(|end| end != '-');
    let known = |one: char| one.is_ascii_lowercase() || one.is_ascii_digit() || one == '-';
    name.len() <= 63
        && name.chars().all(known)
        && ends(name.chars().next())
        && ends(name.chars().last())
}

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
#[schemars(extend("x-kubernetes-validations" = rules::spec()))]
pub struct ServiceClassSpec {
    /// The name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 64), regex(pattern = bounds::ONE_LINE))]
    pub display_name: Option<String>,
    /// One line for the catalog.
    #[schemars(length(min = 1, max = 120), regex(pattern = bounds::ONE_LINE))]
    pub summary: String,
    /// What `svc catalog NAME` shows below the summary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 8192))]
    pub description: Option<String>,
    /// Words to find it by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(
        length(max = 16),
        inner(length(min = 1, max = 32), regex(pattern = bounds::DNS_LABEL)),
        extend("x-kubernetes-list-type" = "set")
    )]
    pub tags: Vec<String>,
    /// Where its documentation is.
    #[schemars(length(max = 512), regex(pattern = bounds::HTTPS_URL))]
    #[serde(rename = "documentationURL", default, skip_serializing_if = "Option::is_none")]
    pub documentation_url: Option<String>,
    /// Where its picture is, for catalogs that show one.
    #[schemars(length(max = 512), regex(pattern = bounds::HTTPS_URL))]
    #[serde(rename = "iconURL", default, skip_serializing_if = "Option::is_none")]
    pub icon_url: Option<String>,
    /// Whether each `svc create` makes an instance (Dedicated), or one that exists is bound
    /// (Shared). It cannot change.
    #[serde(default)]
    #[schemars(extend("x-kubernetes-validations" = rules::sharing()))]
    pub sharing: Sharing,
    /// Whether new instances may be made; those that exist live on.
    #[serde(default)]
    pub availability: Availability,
    /// Says that it still works but should not be chosen any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<Deprecated>,
    /// How an instance may be called.
    #[serde(default)]
    pub instance_name: InstanceNameRule,
    /// Kinds that must exist and that the developer may create: checked before anything is made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 16))]
    pub requires: Vec<Requirement>,
    /// The chart that makes an instance; Dedicated only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chart: Option<Chart>,
    /// The release that exists; Shared only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<SharedInstance>,
    /// Chart values fixed by operations, passed as they are.
    #[serde(default, skip_serializing_if = "Object::is_empty")]
    pub values: Object,
    /// Chart values fixed by operations, made from templates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 32))]
    pub computed: Vec<Computed>,
    /// What the developer may set, in the order in which it is asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(
        length(max = 32),
        extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["name"])
    )]
    pub parameters: Vec<Parameter>,
    /// The plan of who chooses none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 63), regex(pattern = bounds::DNS_LABEL))]
    pub default_plan: Option<String>,
    /// Presets: values, and narrower limits for parameters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(
        length(max = 16),
        extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["name"])
    )]
    pub plans: Vec<Plan>,
    /// How to connect to an instance.
    pub connection: Connection,
    /// When an instance is ready.
    #[serde(default)]
    pub readiness: Readiness,
    /// What `svc delete` does.
    #[serde(default)]
    pub deletion: Deletion,
    /// A second chart that makes credentials for one consumer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub binding: Option<Binding>,
}

impl ServiceClassSpec {
    /// A class that says nothing but how to connect.
    pub(super) fn bare(connection: Connection) -> Self {
        Self {
            display_name: None,
            summary: String::new(),
            description: None,
            tags: Vec::new(),
            documentation_url: None,
            icon_url: None,
            sharing: Sharing::default(),
            availability: Availability::default(),
            deprecated: None,
            instance_name: InstanceNameRule::default(),
            requires: Vec::new(),
            chart: None,
            shared: None,
            values: Object::new(),
            computed: Vec::new(),
            parameters: Vec::new(),
            default_plan: None,
            plans: Vec::new(),
            connection,
            readiness: Readiness::default(),
            deletion: Deletion::default(),
            binding: None,
        }
    }
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
    /// Why, in one line.
    #[schemars(length(min = 1, max = 200), regex(pattern = bounds::ONE_LINE))]
    pub message: String,
    /// The class to choose instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 63), regex(pattern = bounds::DNS_LABEL))]
    pub replacement: Option<String>,
}

impl Deprecated {
    /// `use mysql-9: security fixes have ended`
    pub fn advice(&self) -> String {
        match &self.replacement {
            Some(replacement) => format!("use {replacement}: {}", self.message),
            None => self.message.clone(),
        }
    }
}

/// How long an instance's name may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InstanceNameRule {
    /// In characters: charts add suffixes, and helm stops at 53. With a binding, at most 31.
    #[serde(default = "default_name_length")]
    #[schemars(range(min = 1, max = 40))]
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
    /// The API group; empty for the core.
    #[schemars(length(max = 253))]
    pub group: String,
    /// The plural, lower case: `clusters`.
    #[schemars(length(min = 1, max = 63), regex(pattern = bounds::RESOURCE))]
    pub resource: String,
}

/// The release that a shared class publishes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedInstance {
    /// Its namespace.
    #[schemars(length(min = 1, max = 63), regex(pattern = bounds::DNS_LABEL))]
    pub namespace: String,
    /// Its name.
    #[schemars(length(min = 1, max = 53), regex(pattern = bounds::DNS_SUBDOMAIN))]
    pub release: String,
}

/// A chart value made from a template; one whole `{{ … }}` keeps its type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Computed {
    /// Where it lands in the chart's values, written like the paths of a parameter.
    #[schemars(
        length(min = 1, max = 4),
        inner(length(min = 1, max = bounds::PATH_LENGTH), regex(pattern = bounds::PATH))
    )]
    pub paths: Vec<String>,
    /// A template; one whole `{{ … }}` keeps its type.
    #[schemars(length(max = bounds::TEMPLATE))]
    pub value: String,
}
