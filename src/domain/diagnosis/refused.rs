//! The cluster's rules refuse the pods of a workload: admission policies, webhooks, pod security,
//! limit ranges.

use jiff::Timestamp;

use super::{Cause, Subject, cannot_start, class_fact, when_repaired_or};
use crate::domain::happening::Happening;
use crate::domain::readiness::{Events, Snapshot};
use crate::error::ErrorKind;

/// What makes pods.
const CONTROLLERS: [&str; 5] = ["StatefulSet", "ReplicaSet", "DaemonSet", "Job", "Deployment"];

/// The newest refusal of a pod for each kind of workload that lacks one.
pub(super) fn refusals(
    snapshot: &Snapshot,
) -> impl Iterator<Item = (&'static str, &Happening)> + use<'_> {
    CONTROLLERS.into_iter().filter_map(|kind| {
        let events = Events::new(&snapshot.events);
        Some((kind, events.newest_of_instance(kind, "FailedCreate", snapshot)?))
    })
}

pub(super) fn refused(snapshot: &Snapshot, subject: &Subject, _now: Timestamp) -> Option<Cause> {
    refusals(snapshot).find_map(|(kind, event)| {
        let (what, said) = meaning(event.says())?;
        let name = &event.name;
        let why = format!("{what} of namespace {} refuses its pod", subject.namespace);
        let error = cannot_start(ErrorKind::NotAllowed, subject, &why)
            .fact("says", said)
            .fact("object", format!("{kind} {name} cannot make its pod"));
        let error = class_fact(error, subject)
            .advise("The class and the rules of the cluster do not fit; operations can repair it.");
        let error = when_repaired_or(error, subject, "when its class is repaired");
        Some(Cause::new(format!("refused {said}"), error))
    })
}

/// Why a pod was not made, where it may still be: a webhook that is away, a ServiceAccount that
/// comes later.
pub(super) fn said(snapshot: &Snapshot) -> Option<String> {
    let (_, event) = refusals(snapshot).next()?;
    let says = event.says();
    let says = says.split_once("error: ").or(says.split_once("Error creating: "));
    Some(says.map_or(event.says(), |(_, says)| says).to_owned())
}

/// What refuses, and its own words.
fn meaning(message: &str) -> Option<(&'static str, &str)> {
    let from = |words: &str| message.find(words).map(|at| &message[at..]);
    if let Some(said) = from("violates PodSecurity") {
        return Some(("the pod security", said));
    }
    if let Some(said) = from("admission webhook ").filter(|said| said.contains("denied")) {
        return Some(("an admission webhook", said));
    }
    if let Some(said) = from("ValidatingAdmissionPolicy ") {
        return Some(("an admission policy", said));
    }
    let limits = ["maximum ", "minimum "].into_iter().find_map(from);
    let limits = limits.filter(|said| said.contains(" usage per ") || said.contains(" limit to "));
    limits.map(|said| ("a limit range", said))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_told_apart() {
        let pods = "pods \"a\" is forbidden: violates PodSecurity \"restricted:latest\": x";
        assert_eq!(
            meaning(pods),
            Some(("the pod security", "violates PodSecurity \"restricted:latest\": x"))
        );
        assert!(meaning("admission webhook \"w\" denied the request: no").is_some());
        let limit = "is forbidden: maximum memory usage per Container is 32Mi, but limit is 64Mi";
        assert_eq!(meaning(limit).map(|(what, _)| what), Some("a limit range"));
        for other in [
            "exceeded quota: team-a",
            "failed calling webhook \"w\": connection refused",
            "error looking up service account a/b: serviceaccount \"b\" not found",
        ] {
            assert_eq!(meaning(other), None, "{other}");
        }
    }
}
