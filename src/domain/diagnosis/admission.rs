//! The cluster's rules refuse the pods of a workload: admission policies, webhooks, pod security.

use jiff::Timestamp;

use super::{Cause, Subject, cannot_start, class_fact, when_repaired_or};
use crate::domain::readiness::{Events, Snapshot};
use crate::error::ErrorKind;

const CONTROLLERS: [&str; 5] = ["StatefulSet", "ReplicaSet", "DaemonSet", "Job", "Deployment"];

pub(super) fn refused(snapshot: &Snapshot, subject: &Subject, _now: Timestamp) -> Option<Cause> {
    CONTROLLERS.iter().find_map(|kind| {
        let events = Events::new(&snapshot.events);
        let event = events.newest_of_instance(kind, "FailedCreate", snapshot)?;
        let (what, said) = meaning(event.says())?;
        let name = &event.name;
        let why = format!("{what} of namespace {} refuses its pod", subject.namespace);
        let error = cannot_start(ErrorKind::NotAllowed, subject, &why)
            .fact("says", said)
            .fact("object", format!("{kind} {name} cannot make its pod"));
        let error = class_fact(error, subject)
            .advise("The class and the rules of the cluster do not fit; operations can repair it.");
        let error = when_repaired_or(error, subject, "when its class is repaired");
        Some(Cause::new(format!("admission {said}"), error))
    })
}

/// What refuses, and its own words.
fn meaning(message: &str) -> Option<(&'static str, &str)> {
    if let Some(at) = message.find("violates PodSecurity") {
        return Some(("the pod security", &message[at..]));
    }
    if let Some(at) = message.find("admission webhook ") {
        return Some(("an admission webhook", &message[at..]));
    }
    let at = message.find("ValidatingAdmissionPolicy ")?;
    Some(("an admission policy", &message[at..]))
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
        assert_eq!(meaning("exceeded quota: team-a"), None);
    }
}
