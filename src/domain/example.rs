//! The class `postgres` of the interface, for the tests of the domain.

use serde_json::json;

use super::class::{Class, Plan, ServiceClassSpec};
use super::parameter::EffectiveParameter;

/// Three plans and seven parameters, as `svc catalog postgres` shows them.
pub(crate) fn postgres() -> ServiceClassSpec {
    serde_json::from_value(json!({
        "summary": "Disposable PostgreSQL for development",
        "parameters": [
            {"name": "database", "paths": ["auth.database"], "title": "First database",
             "required": true, "string": {"pattern": "[a-z][a-z0-9_]*", "maxLength": 63}},
            {"name": "storage", "paths": ["primary.persistence.size"], "title": "Disk size",
             "change": "Never",
             "quantity": {"default": "8Gi", "minimum": "1Gi", "maximum": "100Gi"}},
            {"name": "mode", "paths": ["architecture"], "title": "Topology",
             "string": {"default": "standalone", "enum": ["standalone", "replication"]}},
            {"name": "replicas", "paths": ["readReplicas.replicaCount"], "title": "Read replicas",
             "when": {"parameter": "mode", "in": ["replication"]},
             "integer": {"default": 2, "minimum": 2, "maximum": 5}},
            {"name": "metrics", "paths": ["metrics.enabled"], "title": "Export metrics",
             "boolean": {"default": false}},
            {"name": "admin-password", "paths": ["auth.password"],
             "title": "Administrator password", "sensitive": true,
             "generate": {"length": 24}, "string": {"minLength": 12, "maxLength": 64}},
            {"name": "max-connections", "paths": ["primary.maxConnections"],
             "title": "Connections", "advanced": true,
             "integer": {"default": 100, "minimum": 20, "maximum": 1000}}
        ],
        "defaultPlan": "small",
        "plans": [
            {"name": "small", "summary": "1 GiB memory, no backups", "parameters": [
                {"name": "storage", "quantity": {"default": "1Gi", "maximum": "10Gi"}}]},
            {"name": "medium", "summary": "4 GiB memory, nightly backups"},
            {"name": "large", "summary": "16 GiB memory, nightly backups", "parameters": [
                {"name": "mode", "fixed": true, "string": {"default": "replication"}}]}
        ],
        "connection": {"type": "postgresql", "details": [{"name": "port", "value": "5432"}]}
    }))
    .expect("the example is a class")
}

/// The class with its name.
pub(crate) fn class() -> Class {
    Class { name: "postgres".into(), labels: Default::default(), spec: postgres() }
}

/// A plan of the class.
pub(crate) fn plan(name: &str) -> Plan {
    let plans = class().spec.plans;
    plans.into_iter().find(|plan| plan.name == name).expect("a plan of the example")
}

/// The parameters under a plan.
pub(crate) fn parameters(plan_name: &str) -> Vec<EffectiveParameter> {
    EffectiveParameter::all(&postgres(), Some(&plan(plan_name))).expect("the example is sound")
}
