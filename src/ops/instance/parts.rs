//! What an instance must have beside its pods and its connection: the workloads of its manifest
//! and the conditions of its class.

use futures::future::{join_all, try_join};

use super::{Stored, broken_record};
use crate::cluster::{Cluster, Found, Workload, WorkloadKind};
use crate::domain::class::Condition;
use crate::domain::manifest::ManifestObject;
use crate::domain::readiness::{self, ConditionLook};
use crate::domain::template::{self, TemplateError};
use crate::error::Result;

/// The workloads among the objects of a manifest that must stay, as they are asked for.
pub fn workloads(objects: &[ManifestObject]) -> Vec<(Workload, &ManifestObject)> {
    let lasting = objects.iter().filter(|object| !object.is_cleaned_up());
    lasting.filter_map(|object| Some((workload(object)?, object))).collect()
}

fn workload(object: &ManifestObject) -> Option<Workload> {
    let kind = match object.kind.as_str() {
        "StatefulSet" => WorkloadKind::StatefulSet,
        "Deployment" => WorkloadKind::Deployment,
        "DaemonSet" => WorkloadKind::DaemonSet,
        "Job" => WorkloadKind::Job,
        _ => return None,
    };
    Some(Workload { kind, name: object.name.clone() })
}

/// The conditions of the class with the names of their objects.
///
/// # Errors
/// The condition whose name gives nothing, and why.
pub fn conditions(stored: &Stored) -> Result<Vec<(Condition, String)>, TemplateError> {
    let public = stored.context().public();
    let named = stored.record.readiness.conditions.iter().map(|condition| {
        let name = template::render(&condition.name, &public)
            .map_err(|error| error.of(&format!("condition {}", condition.kind)))?;
        Ok((condition.clone(), name))
    });
    named.collect()
}

/// Reads the workloads and the conditions, side by side; what may not be read is left out.
///
/// # Errors
/// A condition whose name gives nothing, and what keeps an answer away.
pub async fn parts(
    cluster: &Cluster,
    stored: &Stored,
    objects: &[ManifestObject],
) -> Result<(Vec<readiness::Workload>, Vec<ConditionLook>)> {
    let namespace = stored.release.namespace.as_str();
    let named = conditions(stored)
        .map_err(|error| broken_record(&stored.record.class, &error.to_string()))?;
    let workloads = workloads(objects);
    let workloads =
        workloads.iter().map(|(wanted, object)| seen(cluster, namespace, wanted, object));
    let conditions = named.into_iter().map(|named| look(cluster, namespace, named));
    let all = try_join(async { kept(join_all(workloads).await) }, async {
        kept(join_all(conditions).await)
    });
    all.await
}

fn kept<T>(read: Vec<Result<Option<T>>>) -> Result<Vec<T>> {
    read.into_iter().filter_map(Result::transpose).collect()
}

async fn seen(
    cluster: &Cluster,
    namespace: &str,
    wanted: &Workload,
    object: &ManifestObject,
) -> Result<Option<readiness::Workload>> {
    Ok(match cluster.workload(namespace, wanted).await? {
        Found::Here(workload) => Some(workload.as_wanted_by(object)),
        Found::Missing => Some(readiness::Workload::Missing {
            kind: object.kind.clone(),
            name: object.name.clone(),
        }),
        Found::Forbidden(_) => None,
    })
}

async fn look(
    cluster: &Cluster,
    namespace: &str,
    (condition, name): (Condition, String),
) -> Result<Option<ConditionLook>> {
    let found = cluster.object(&condition.api_version, &condition.kind, namespace, &name).await?;
    let object = match found {
        Found::Here(object) => Some(object),
        Found::Missing => None,
        Found::Forbidden(_) => return Ok(None),
    };
    Ok(Some(ConditionLook { condition, name, object }))
}
