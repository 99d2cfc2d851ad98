//! An instance in machine output (interface §15).

use serde::Serialize;
use serde_json::{Map, Value};

use super::API_VERSION;
use super::class::ChartItem;
use crate::domain::connection_format::ConnectionReport;
use crate::domain::instance::State;

/// `svc list -o json`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InstanceList {
    pub api_version: &'static str,
    pub kind: &'static str,
    pub items: Vec<Listed>,
    pub skipped: Vec<Skipped>,
}

impl InstanceList {
    pub fn of(items: Vec<Listed>, skipped: Vec<Skipped>) -> Self {
        Self { api_version: API_VERSION, kind: "InstanceList", items, skipped }
    }
}

/// One row of the list.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    pub name: String,
    pub namespace: String,
    pub class: Option<String>,
    pub plan: Option<String>,
    pub state: State,
    pub note: Option<String>,
    pub outdated: Option<bool>,
    pub revision: u32,
    pub chart: Option<ChartItem>,
    /// RFC 3339, UTC.
    pub created_at: Option<String>,
    /// RFC 3339, UTC.
    pub updated_at: String,
}

/// A namespace that could not be listed.
#[derive(Clone, Debug, Serialize)]
pub struct Skipped {
    pub namespace: String,
    pub reason: String,
}

/// `svc show -o json`, and what changes print.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Instance {
    pub api_version: &'static str,
    pub kind: &'static str,
    pub name: String,
    pub namespace: String,
    pub context: String,
    pub class: Option<String>,
    pub plan: Option<String>,
    pub state: State,
    pub note: Option<String>,
    pub outdated: Option<bool>,
    pub revision: u32,
    pub chart: Option<ChartItem>,
    pub created_at: Option<String>,
    pub updated_at: String,
    pub masked: bool,
    pub binding_of: Option<String>,
    pub connection: ConnectionReport,
    pub parameters: Map<String, Value>,
    pub volumes: Vec<Volume>,
    pub bindings: Vec<String>,
}

/// A volume and its size.
#[derive(Clone, Debug, Serialize)]
pub struct Volume {
    pub name: String,
    pub size: Option<String>,
}

/// `svc delete -o json`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeletionReport {
    pub api_version: &'static str,
    pub kind: &'static str,
    pub items: Vec<Deleted>,
}

/// `svc delete --dry-run -o json`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeletionPlan {
    pub api_version: &'static str,
    pub kind: &'static str,
    pub items: Vec<ToDelete>,
    /// The same for people.
    #[serde(skip)]
    pub text: String,
}

/// What one deletion would do.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToDelete {
    pub name: String,
    pub namespace: String,
    pub class: String,
    pub plan: Option<String>,
    /// What of the release goes, as a person reads it; `null` where only volumes are left.
    pub goes: Option<String>,
    pub volumes_deleted: Vec<Volume>,
    pub volumes_kept: Vec<Volume>,
}

/// What one deletion did.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Deleted {
    pub name: String,
    pub namespace: String,
    pub deleted: bool,
    pub volumes_deleted: Vec<Volume>,
    pub volumes_kept: Vec<Volume>,
}
