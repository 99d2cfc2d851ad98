//! The classes of the cluster, checked.

use std::collections::BTreeMap;

use futures::future::try_join;

use crate::cluster::Cluster;
use crate::domain::class::{self, Class};
use crate::domain::lint::{Finding, Severity, of_object};
use crate::error::Result;
use crate::ops::catalog::{self, Filter};

/// One class of the cluster and what is wrong with it.
pub struct Linted {
    pub name: String,
    pub class: Option<Class>,
    pub findings: Vec<Finding>,
}

/// The named classes, all where none is named, by name.
///
/// # Errors
/// There is none of that name, and what keeps an answer away.
pub async fn classes(cluster: &Cluster, names: &[&String]) -> Result<Vec<Linted>> {
    let filter = Filter::default();
    let (objects, entries) = try_join(cluster.classes(""), catalog::list(cluster, &filter)).await?;
    let broken: BTreeMap<String, String> =
        entries.into_iter().filter_map(|entry| Some((entry.name, entry.broken?))).collect();
    let mut linted: Vec<Linted> = objects.iter().map(|object| of(object, &broken)).collect();
    if let Some(unknown) = names.iter().find(|name| linted.iter().all(|one| one.name != ***name)) {
        return Err(catalog::unknown(cluster, unknown).await);
    }
    linted.retain(|one| names.is_empty() || names.contains(&&one.name));
    linted.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(linted)
}

/// What the catalog finds broken beyond the class itself, such as an archive that is gone, is a
/// finding too.
fn of(object: &serde_json::Value, broken: &BTreeMap<String, String>) -> Linted {
    let name = object["metadata"]["name"].as_str().unwrap_or_default().to_owned();
    let mut findings = of_object(object);
    if findings.iter().all(|finding| finding.severity != Severity::Broken) {
        findings.extend(broken.get(&name).map(|reason| Finding::of_reason(reason)));
    }
    Linted { name, class: class::read(object).ok(), findings }
}
