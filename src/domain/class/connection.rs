//! How to connect: where the chart leaves things, and the ordered details made from them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{bounds, rules};

/// The connection of an instance.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = rules::connection()))]
pub struct Connection {
    /// The type of servicebinding.io: `postgresql`.
    #[schemars(length(min = 1, max = 63), regex(pattern = bounds::DNS_LABEL))]
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Who made it, as servicebinding.io has it: `bitnami`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 63), regex(pattern = bounds::ONE_LINE))]
    pub provider: Option<String>,
    /// Where the chart (or an operator, later) leaves things.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(
        length(max = 8),
        extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["name"])
    )]
    pub sources: Vec<Source>,
    /// What a developer gets, in this order.
    #[schemars(
        length(min = 1, max = 32),
        extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["name"])
    )]
    pub details: Vec<Detail>,
    /// What `svc connect` tunnels to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(
        length(max = 4),
        extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["name"])
    )]
    pub forward: Vec<Forward>,
    /// The program that `svc connect` starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<Client>,
}

/// An object that holds parts of the connection; exactly one kind is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = rules::source()))]
pub struct Source {
    /// What `from.source` of a detail says.
    #[schemars(length(min = 1, max = 40), regex(pattern = bounds::NAME))]
    pub name: String,
    /// A Secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<SecretSource>,
    /// A ConfigMap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config_map: Option<ConfigMapSource>,
    /// A Service: its cluster address, its load balancer's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<ServiceSource>,
    /// Any object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<ObjectSource>,
}

/// The one kind of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind<'a> {
    Secret(&'a SecretSource),
    ConfigMap(&'a ConfigMapSource),
    Service(&'a ServiceSource),
    Object(&'a ObjectSource),
}

/// A Secret by name or by selector (exactly one match), and the keys that must be there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = rules::named_or_selected()))]
pub struct SecretSource {
    /// A template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = bounds::TEMPLATE))]
    pub name: Option<String>,
    /// Labels that exactly one Secret has; the values are templates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend(
        "minProperties" = 1,
        "maxProperties" = 8,
        "additionalProperties" = bounds::label_templates()
    ))]
    pub selector: Option<BTreeMap<String, String>>,
    /// Keys that must be there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(
        length(max = 32),
        inner(length(min = 1, max = 253), regex(pattern = bounds::DATA_KEY))
    )]
    pub keys: Vec<String>,
}

/// A ConfigMap by name or by selector (exactly one match).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = rules::named_or_selected()))]
pub struct ConfigMapSource {
    /// A template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = bounds::TEMPLATE))]
    pub name: Option<String>,
    /// Labels that exactly one ConfigMap has; the values are templates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend(
        "minProperties" = 1,
        "maxProperties" = 8,
        "additionalProperties" = bounds::label_templates()
    ))]
    pub selector: Option<BTreeMap<String, String>>,
    /// Keys that must be there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(
        length(max = 32),
        inner(length(min = 1, max = 253), regex(pattern = bounds::DATA_KEY))
    )]
    pub keys: Vec<String>,
}

/// A Service: cluster address, load balancer address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ServiceSource {
    /// A template.
    #[schemars(length(min = 1, max = bounds::TEMPLATE))]
    pub name: String,
}

/// Any object, read by path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ObjectSource {
    /// Group and version: `postgresql.cnpg.io/v1`.
    #[schemars(length(min = 1, max = 128), regex(pattern = bounds::ONE_LINE))]
    pub api_version: String,
    /// Its kind: `Cluster`.
    #[schemars(length(min = 1, max = 63), regex(pattern = bounds::ONE_LINE))]
    pub kind: String,
    /// A template.
    #[schemars(length(min = 1, max = bounds::TEMPLATE))]
    pub name: String,
}

/// One detail; exactly one of `value` and `from` is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = rules::detail()))]
pub struct Detail {
    /// What it is called, in templates too; not one of their own names.
    #[schemars(length(min = 1, max = 63), regex(pattern = bounds::DETAIL_NAME))]
    pub name: String,
    /// A template over all details above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = bounds::TEMPLATE))]
    pub value: Option<String>,
    /// A place in a source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<From>,
    /// Unsaid: sensitive when it comes from a Secret or uses a sensitive detail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sensitive: Option<bool>,
    /// Whether it may be missing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
}

/// A place in a source: `key` of a Secret or ConfigMap, `path` of a Service or object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = rules::from()))]
pub struct From {
    /// The name of a source.
    #[schemars(length(min = 1, max = 40), regex(pattern = bounds::NAME))]
    pub source: String,
    /// A key of a Secret or ConfigMap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 253), regex(pattern = bounds::DATA_KEY))]
    pub key: Option<String>,
    /// A path in a Service or object: dotted, `[0]` into a list, `\.` for a dot in a key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 253), regex(pattern = bounds::PATH))]
    pub path: Option<String>,
}

/// A port that `svc connect` tunnels to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Forward {
    /// What `svc connect` calls it.
    #[schemars(length(min = 1, max = 40), regex(pattern = bounds::NAME))]
    pub name: String,
    /// The Service; a template.
    #[schemars(length(min = 1, max = bounds::TEMPLATE))]
    pub service: String,
    /// The Service's port.
    #[schemars(range(min = 1, max = 65535))]
    pub port: u16,
}

/// The program that `svc connect` starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Client {
    /// A bare name, found on the developer's path.
    #[schemars(length(min = 1, max = 64), regex(pattern = bounds::COMMAND))]
    pub command: String,
    /// Its arguments: templates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 16), inner(length(max = bounds::TEMPLATE)))]
    pub args: Vec<String>,
    /// Its environment, besides the developer's own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(
        length(max = 16),
        extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["name"])
    )]
    pub env: Vec<EnvVar>,
}

/// A variable of the client's environment; the value is a template.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EnvVar {
    /// The variable.
    #[schemars(length(min = 1, max = 64), regex(pattern = bounds::VARIABLE))]
    pub name: String,
    /// A template.
    #[schemars(length(max = bounds::TEMPLATE))]
    pub value: String,
}

impl Source {
    /// The kind that is given, unless there is none or more than one.
    pub fn kind(&self) -> Option<SourceKind<'_>> {
        match (&self.secret, &self.config_map, &self.service, &self.object) {
            (Some(secret), None, None, None) => Some(SourceKind::Secret(secret)),
            (None, Some(map), None, None) => Some(SourceKind::ConfigMap(map)),
            (None, None, Some(service), None) => Some(SourceKind::Service(service)),
            (None, None, None, Some(object)) => Some(SourceKind::Object(object)),
            _ => None,
        }
    }
}
