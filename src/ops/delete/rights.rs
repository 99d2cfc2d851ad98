//! What deleting an instance needs: helm removes one kind after the other, and would stop half way
//! at the first that it may not.

use std::collections::BTreeSet;

use super::super::instance::Stored;
use crate::cluster::{Cluster, Place, Right, Scope};
use crate::error::{Error, Result};

/// Passes when the user may delete every object of the record, and the record itself.
///
/// # Errors
/// The rights that are missing, and what keeps an answer away.
pub(super) async fn check(cluster: &Cluster, stored: &Stored, places: &[Place]) -> Result<()> {
    let name = &stored.release.name;
    let namespace = stored.release.namespace.as_str();
    let mut needed: Vec<Right> = places.iter().map(of_place).collect();
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

/// To delete the object of a place.
fn of_place(place: &Place) -> Right {
    let (kind, name) = (&place.kind, Some(place.name.clone()));
    let namespace = match &place.scope {
        Scope::Namespace(namespace) => Some(namespace.clone()),
        Scope::All => None,
    };
    Right { name, namespace, ..Right::new("delete", &kind.group, &kind.plural, "") }
}
