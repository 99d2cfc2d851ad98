//! One volume in words.

use k8s_openapi::api::core::v1::PersistentVolumeClaim;

use super::events::Events;
use super::{Line, Rank};

pub(super) fn is_bound(claim: &PersistentVolumeClaim) -> bool {
    let phase = claim.status.as_ref().and_then(|status| status.phase.as_deref());
    phase == Some("Bound")
}

/// What a volume has, else what it asks for: `10Gi`.
pub fn size(claim: &PersistentVolumeClaim) -> Option<&str> {
    let has = claim.status.as_ref().and_then(|status| status.capacity.as_ref()?.get("storage"));
    let asks = || {
        let resources = claim.spec.as_ref()?.resources.as_ref()?;
        resources.requests.as_ref()?.get("storage")
    };
    has.or_else(asks).map(|quantity| quantity.0.as_str())
}

pub(super) fn line(claim: &PersistentVolumeClaim, events: &Events<'_>) -> Line {
    let name = claim.metadata.name.as_deref().unwrap_or("?");
    let (text, rank) = words(claim, name, events);
    let text = match size(claim) {
        Some(size) if rank == Rank::Ready => format!("{text}, {size}"),
        _ => text,
    };
    Line::new(format!("Volume {name}"), text, rank)
}

fn words(claim: &PersistentVolumeClaim, name: &str, events: &Events<'_>) -> (String, Rank) {
    match claim.status.as_ref().and_then(|status| status.phase.as_deref()) {
        Some("Bound") => return ("bound".to_owned(), Rank::Ready),
        Some("Lost") => return ("its disk is lost".to_owned(), Rank::Failing),
        _ => {}
    }
    let events = events.of("PersistentVolumeClaim", name, claim.metadata.uid.as_deref());
    match events.last().map(|event| (event.reason.as_str(), *event)) {
        Some(("ProvisioningFailed" | "FailedBinding", event)) => {
            (format!("no disk: {}", event.says()), Rank::Failing)
        }
        Some(("WaitForFirstConsumer" | "WaitForPodScheduled", _)) => {
            ("waiting for its pod".to_owned(), Rank::Waiting)
        }
        Some(("ExternalProvisioning", event)) => match event.says().split('\'').nth(1) {
            Some(who) => (format!("waiting for a disk from {who}"), Rank::Waiting),
            None => ("waiting for its disk".to_owned(), Rank::Waiting),
        },
        _ => ("waiting for its disk".to_owned(), Rank::Waiting),
    }
}
