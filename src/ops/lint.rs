//! The classes of the cluster, checked.

use serde_json::Value;

use crate::cluster::Cluster;
use crate::domain::class::Class;
use crate::domain::lint::{Finding, Severity, of_object};
use crate::error::Result;
use crate::ops::catalog::{self, Entry};

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
    let objects = cluster.classes("").await?;
    let entries = catalog::with_archives(cluster, &objects).await;
    if let Some(unknown) = names.iter().find(|name| entries.iter().all(|one| one.name != ***name)) {
        return Err(catalog::unknown(cluster, unknown).await);
    }
    let checked = objects.iter().zip(entries).map(|(object, entry)| of(object, entry));
    let mut linted: Vec<Linted> =
        checked.filter(|one| names.is_empty() || names.contains(&&one.name)).collect();
    linted.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(linted)
}

/// What the catalog finds broken beyond the class itself, such as an archive that is gone, is a
/// finding too.
fn of(object: &Value, entry: Entry) -> Linted {
    let mut findings = of_object(object);
    if findings.iter().all(|finding| finding.severity != Severity::Broken) {
        findings.extend(entry.broken.as_deref().map(Finding::of_reason));
    }
    Linted { name: entry.name, class: entry.class, findings }
}
