//! What deleting an instance needs: every object of the record, and the record itself.

use super::super::instance::Stored;
use super::super::rights::{pass, right};
use crate::cluster::{Cluster, Place, Right};
use crate::error::Result;

/// Passes when the user may delete every object of the record, and the record itself.
///
/// # Errors
/// The rights that are missing, and what keeps an answer away.
pub(super) async fn check(cluster: &Cluster, stored: &Stored, places: &[Place]) -> Result<()> {
    let name = &stored.release.name;
    let namespace = stored.release.namespace.as_str();
    // Without a look at it, helm 4 leaves a Deployment's pods (tried on 4.3).
    let both = |place| ["get", "delete"].map(|verb| right(verb, place));
    let mut needed: Vec<Right> = places.iter().flat_map(both).collect();
    needed.extend(stored.revisions.iter().map(|revision| {
        let secret = format!("sh.helm.release.v1.{name}.v{}", revision.number);
        Right { name: Some(secret), ..Right::new("delete", "", "secrets", namespace) }
    }));
    pass(cluster, &format!("delete {name}"), needed).await
}

/// The same for the volumes of an instance.
///
/// # Errors
/// As for [`check`].
pub(super) async fn check_volumes(cluster: &Cluster, name: &str, volumes: &[&str]) -> Result<()> {
    let right = Right::new("delete", "", "persistentvolumeclaims", &cluster.namespace);
    let of = |volume: &&str| Right { name: Some((*volume).to_owned()), ..right.clone() };
    pass(cluster, &format!("delete {name}"), volumes.iter().map(of).collect()).await
}
