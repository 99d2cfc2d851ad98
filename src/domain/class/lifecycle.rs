//! When an instance is ready, what its deletion takes along, how it is bound.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Chart, Computed, Connection, Object};

/// When an instance counts as ready.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Readiness {
    /// `5m`: the deadline for hooks and readiness together.
    #[serde(default = "default_timeout")]
    pub timeout: String,
    /// Unsaid: `app.kubernetes.io/instance` is the release's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pods: Option<PodSelector>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
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

/// Which pods belong to an instance; label values are templates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PodSelector {
    pub selector: BTreeMap<String, String>,
}

/// A condition of a custom resource that must hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    pub api_version: String,
    pub kind: String,
    /// A template.
    pub name: String,
    #[serde(rename = "type")]
    pub condition: String,
    #[serde(default = "default_status")]
    pub status: String,
}

fn default_status() -> String {
    "True".to_owned()
}

/// What `svc delete` does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deletion {
    #[serde(default)]
    pub protected: bool,
    #[serde(default)]
    pub data: DataPolicy,
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
    pub selector: BTreeMap<String, String>,
}

/// A second chart, one release for each binding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Binding {
    #[serde(default)]
    pub run_in: RunIn,
    pub chart: Chart,
    #[serde(default, skip_serializing_if = "Object::is_empty")]
    pub values: Object,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub computed: Vec<Computed>,
    pub connection: Connection,
}

/// In which namespace the release of a binding lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum RunIn {
    #[default]
    InstanceNamespace,
    ConsumerNamespace,
}
