//! When an instance is ready, what its deletion takes along, how it is bound.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Chart, Computed, Connection, Object, ServiceClassSpec, bounds};

/// When an instance counts as ready.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Readiness {
    /// `5m`: the deadline for hooks and readiness together.
    #[serde(default = "default_timeout")]
    #[schemars(length(max = 16), regex(pattern = bounds::TIMEOUT))]
    pub timeout: String,
    /// Its pods; unsaid, those whose label `app.kubernetes.io/instance` is the release's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pods: Option<PodSelector>,
    /// Conditions of custom resources that must hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 8))]
    pub conditions: Vec<Condition>,
}

impl Default for Readiness {
    fn default() -> Self {
        Self { timeout: default_timeout(), pods: None, conditions: Vec::new() }
    }
}

fn default_timeout() -> String {
    "5m".to_owned()
}

impl ServiceClassSpec {
    /// Kinds of custom resources that the class looks at, each with its group and version.
    pub fn kinds_named(&self) -> BTreeSet<(&str, &str)> {
        let sources = self.connection.sources.iter().filter_map(|source| source.object.as_ref());
        let sources = sources.map(|object| (object.api_version.as_str(), object.kind.as_str()));
        let conditions = self.readiness.conditions.iter();
        sources.chain(conditions.map(|one| (one.api_version.as_str(), one.kind.as_str()))).collect()
    }
}

/// Which pods belong to an instance; label values are templates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PodSelector {
    /// Labels; the values are templates.
    #[schemars(extend(
        "minProperties" = 1,
        "maxProperties" = 8,
        "additionalProperties" = bounds::label_templates()
    ))]
    pub selector: BTreeMap<String, String>,
}

/// A condition of a custom resource that must hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// Group and version: `postgresql.cnpg.io/v1`.
    #[schemars(length(min = 1, max = 128), regex(pattern = bounds::ONE_LINE))]
    pub api_version: String,
    /// Its kind: `Cluster`.
    #[schemars(length(min = 1, max = 63), regex(pattern = bounds::ONE_LINE))]
    pub kind: String,
    /// A template.
    #[schemars(length(min = 1, max = bounds::TEMPLATE))]
    pub name: String,
    /// The condition: `Ready`.
    #[serde(rename = "type")]
    #[schemars(length(min = 1, max = 316), regex(pattern = bounds::ONE_LINE))]
    pub condition: String,
    /// What it must be: True or False.
    #[serde(default = "default_status")]
    #[schemars(extend("enum" = ["True", "False"]))]
    pub status: String,
}

fn default_status() -> String {
    "True".to_owned()
}

/// What `svc delete` does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deletion {
    /// Whether it asks for `--force` first.
    #[serde(default)]
    pub protected: bool,
    /// Whether volumes outlive their instance.
    #[serde(default)]
    pub data: DataPolicy,
    /// Volumes that an operator made and svc cannot find by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volumes: Option<VolumeSelector>,
}

/// Whether volumes outlive their instance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum DataPolicy {
    #[default]
    Keep,
    Delete,
}

/// Which volumes belong to an instance; label values are templates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VolumeSelector {
    /// Labels; the values are templates.
    #[schemars(extend(
        "minProperties" = 1,
        "maxProperties" = 8,
        "additionalProperties" = bounds::label_templates()
    ))]
    pub selector: BTreeMap<String, String>,
}

/// A second chart, one release for each binding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Binding {
    /// In which namespace its release lives: the instance's or the consumer's.
    #[serde(default)]
    pub run_in: RunIn,
    /// The chart that makes the credentials.
    pub chart: Chart,
    /// Chart values, passed as they are.
    #[serde(default, skip_serializing_if = "Object::is_empty")]
    pub values: Object,
    /// Chart values made from templates over `instance`, `binding` and `consumer`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 32))]
    pub computed: Vec<Computed>,
    /// How the consumer connects.
    pub connection: Connection,
}

/// In which namespace the release of a binding lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum RunIn {
    #[default]
    InstanceNamespace,
    ConsumerNamespace,
}
