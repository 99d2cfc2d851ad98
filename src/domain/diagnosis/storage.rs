//! No storage class for a volume.

use jiff::Timestamp;
use k8s_openapi::api::core::v1::PersistentVolumeClaim;

use super::{Cause, Subject, cannot_start, when_repaired};
use crate::domain::age;
use crate::domain::readiness::{Events, PodView, Snapshot, size};
use crate::error::{Error, ErrorKind};

pub(super) fn no_class(snapshot: &Snapshot, subject: &Subject, now: Timestamp) -> Option<Cause> {
    snapshot.claims.iter().find_map(|claim| {
        let name = claim.metadata.name.as_deref()?;
        let events = Events::new(&snapshot.events);
        let events = events.of("PersistentVolumeClaim", name, claim.metadata.uid.as_deref());
        let said = events.last()?.says();
        let (why, advice) = meaning(claim, said)?;
        let error = cannot_start(ErrorKind::Failed, subject, &why)
            .fact("volume", volume(claim, name, now))
            .fact("says", said);
        let error = waiting_pod(error, snapshot, name).advise(advice);
        Some(Cause::new(format!("storage {name} {said}"), when_repaired(error, subject)))
    })
}

fn meaning(claim: &PersistentVolumeClaim, said: &str) -> Option<(String, &'static str)> {
    let phase = claim.status.as_ref().and_then(|status| status.phase.as_deref());
    if phase == Some("Bound") {
        return None;
    }
    if said.contains("no storage class is set") {
        let why = "the cluster has no default storage class for its volume".to_owned();
        return Some((why, "An administrator of the cluster can name one, or the class."));
    }
    let named = claim.spec.as_ref()?.storage_class_name.as_deref()?;
    let missing = said.contains("storageclass") && said.contains("not found");
    missing.then(|| {
        let why = format!("no storage class {named} for its volume");
        (why, "The class names this storage class; its operations team can repair it.")
    })
}

/// `data-mydb-postgresql-0, 10Gi, pending for 31s`
fn volume(claim: &PersistentVolumeClaim, name: &str, now: Timestamp) -> String {
    let mut parts = vec![name.to_owned()];
    parts.extend(size(claim).map(str::to_owned));
    if let Some(created) = &claim.metadata.creation_timestamp {
        parts.push(format!("pending for {}", age::duration(now.duration_since(created.0))));
    }
    parts.join(", ")
}

fn waiting_pod(error: Error, snapshot: &Snapshot, claim: &str) -> Error {
    let mut pods = snapshot.pods.iter().map(PodView::new);
    match pods.find(|pod| pod.claims().any(|name| name == claim)) {
        Some(pod) => error.fact("pod", format!("{} waits for the volume", pod.name())),
        None => error,
    }
}
