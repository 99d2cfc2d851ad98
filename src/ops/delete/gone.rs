//! Waiting until what was deleted is really gone, and what holds it where it is not.

use futures::future::try_join;
use tokio::time::Instant;

use super::super::instance;
use super::super::rights::place::places;
use super::Outlook;
use crate::cluster::{Claim, Cluster, Place};
use crate::domain::leaving::Leaving;
use crate::domain::{manifest, selector};
use crate::error::{Error, ErrorKind, Result};

/// Waits until the pods, the objects of the release and the claims that were deleted are gone.
///
/// # Errors
/// Something is still there at the deadline, which is named with its finalizers.
pub(super) async fn wait(
    cluster: &Cluster,
    outlook: &Outlook,
    claims: Vec<&Claim>,
    deadline: Instant,
) -> Result<()> {
    let objects = objects(cluster, &outlook.name, &outlook.places, deadline);
    let (pods, ()) = try_join(pods(cluster, outlook, deadline), objects).await?;
    if !pods {
        let (namespace, selector) = (&cluster.namespace, &outlook.pod_selector);
        let pods = cluster.leaving_pods(namespace, selector).await.unwrap_or_default();
        return Err(late(&outlook.name, "its pods are still there", &pods));
    }
    for claim in claims {
        if !cluster.claim_gone(claim, deadline).await? {
            let what = format!("volume {} is still there", claim.name);
            let place = Place::of_claim(&claim.namespace, &claim.name);
            let held = cluster.objects_gone(&[place], deadline).await.unwrap_or_default();
            return Err(late(&outlook.name, &what, &held));
        }
    }
    Ok(())
}

/// The release is gone: pods that may not be listed change nothing about that.
async fn pods(cluster: &Cluster, outlook: &Outlook, deadline: Instant) -> Result<bool> {
    let gone = cluster.pods_gone(&cluster.namespace, &outlook.pod_selector, deadline).await;
    gone.or_else(|error| match error.kind {
        ErrorKind::NotAllowed => Ok(true),
        _ => Err(error),
    })
}

/// Waits for the objects of a release alone.
///
/// # Errors
/// As for [`wait`].
pub async fn objects(
    cluster: &Cluster,
    name: &str,
    places: &[Place],
    deadline: Instant,
) -> Result<()> {
    let left = cluster.objects_gone(places, deadline).await?;
    if left.is_empty() { Ok(()) } else { Err(late(name, "its objects are still there", &left)) }
}

/// Where the objects of a release are that somebody deletes; none where its record cannot be read.
pub async fn recorded(cluster: &Cluster, name: &str) -> Vec<Place> {
    let objects = async {
        let stored = instance::find_recorded(cluster, name).await.ok()?;
        let objects = manifest::parse(&stored.release.manifest).ok()?;
        places(cluster, &objects, &stored.release.namespace).await.ok()
    };
    objects.await.unwrap_or_default()
}

/// Waits for the objects of a release that is gone: those known, and what its labels find. Gives
/// those that are still there.
///
/// # Errors
/// What keeps an answer away.
pub async fn all(
    cluster: &Cluster,
    name: &str,
    known: &[Place],
    deadline: Instant,
) -> Result<Vec<Leaving>> {
    let left = cluster.objects_gone(known, deadline).await?;
    if !left.is_empty() {
        return Ok(left);
    }
    cluster.labelled_gone(&cluster.namespace, &selector::standard(name), deadline).await
}

/// Not gone at the deadline, for this reason.
pub fn late(name: &str, what: &str, left: &[Leaving]) -> Error {
    let error = Error::not_ready(format!("{name} is not gone in time: {what}"));
    with_objects(error, left).try_(format!("wait {name} --for deleted"))
}

/// Names what is still there, and who can let it go.
pub fn with_objects(error: Error, left: &[Leaving]) -> Error {
    let told = left.iter().take(TOLD);
    with_advice(told.fold(error, |error, one| error.fact("object", one.to_string())), left)
}

/// Says what finalizers are, where there are some.
pub fn with_advice(error: Error, left: &[Leaving]) -> Error {
    if left.iter().all(|one| one.finalizers.is_empty()) {
        return error;
    }
    error.advise("An object stays until whoever set its finalizer has taken it away.")
}

/// More objects are not named.
pub const TOLD: usize = 8;
