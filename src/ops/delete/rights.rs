//! What deleting an instance needs: helm removes one kind after the other, and would stop half way
//! at the first that it may not.

use std::collections::{BTreeMap, BTreeSet};

use futures::future::try_join_all;

use super::super::instance::Stored;
use crate::cluster::{Cluster, Right};
use crate::domain::manifest::ManifestObject;
use crate::error::{Error, Result};

/// Passes when the user may delete every object of the record, and the record itself.
///
/// # Errors
/// The rights that are missing, and what keeps an answer away.
pub(super) async fn check(
    cluster: &Cluster,
    stored: &Stored,
    objects: &[ManifestObject],
) -> Result<()> {
    let name = &stored.release.name;
    let namespace = stored.release.namespace.as_str();
    let mut needed = of_objects(cluster, objects, namespace).await?;
    needed.extend(stored.revisions.iter().map(|revision| {
        let secret = format!("sh.helm.release.v1.{name}.v{}", revision.number);
        Right { name: Some(secret), ..Right::new("delete", "", "secrets", namespace) }
    }));
    pass(cluster, name, &needed).await
}

/// The same for the volumes of an instance.
///
/// # Errors
/// As for [`check`].
pub(super) async fn check_volumes(cluster: &Cluster, name: &str, volumes: &[&str]) -> Result<()> {
    let right = Right::new("delete", "", "persistentvolumeclaims", &cluster.namespace);
    let of = |volume: &&str| Right { name: Some((*volume).to_owned()), ..right.clone() };
    pass(cluster, name, &volumes.iter().map(of).collect::<Vec<_>>()).await
}

async fn pass(cluster: &Cluster, name: &str, needed: &[Right]) -> Result<()> {
    if needed.is_empty() {
        return Ok(());
    }
    let missing = cluster.missing(&cluster.namespace, needed).await?;
    let words: BTreeSet<String> = missing.iter().map(in_words).collect();
    if words.is_empty() {
        return Ok(());
    }
    let target = &cluster.target;
    let error = Error::not_allowed(format!(
        "not allowed to delete {name} in namespace {}; nothing changed",
        cluster.namespace
    ));
    Err(words
        .into_iter()
        .fold(error, |error, right| error.fact("missing", right))
        .fact("user", format!("{}, context {}", target.user, target.context))
        .try_for("doctor --rbac", "the rules to ask your cluster's admin for"))
}

/// `delete services in team-a`
fn in_words(right: &Right) -> String {
    match &right.namespace {
        Some(namespace) => format!("{right} in {namespace}"),
        None => format!("{right}, cluster-wide"),
    }
}

/// One right for each object that helm would delete. A kind that is not served any more is left
/// out: helm stops at it before it touches anything.
async fn of_objects(
    cluster: &Cluster,
    objects: &[ManifestObject],
    namespace: &str,
) -> Result<Vec<Right>> {
    let doomed: Vec<_> = objects.iter().filter(|object| !object.is_kept()).collect();
    let versions: BTreeSet<&str> =
        doomed.iter().map(|object| object.api_version.as_str()).collect();
    let served = versions
        .into_iter()
        .map(|version| async move { Ok::<_, Error>((version, cluster.kinds_of(version).await?)) });
    let served: BTreeMap<_, _> = try_join_all(served).await?.into_iter().collect();
    let right = |object: &&ManifestObject| {
        let kinds = served.get(object.api_version.as_str())?;
        let (kind, namespaced) = kinds.get(&object.kind)?;
        let place = object.namespace.as_deref().unwrap_or(namespace);
        let right = Right::new("delete", &kind.group, &kind.plural, place);
        let namespace = right.namespace.clone().filter(|_| *namespaced);
        Some(Right { name: Some(object.name.clone()), namespace, ..right })
    };
    Ok(doomed.iter().filter_map(right).collect())
}
