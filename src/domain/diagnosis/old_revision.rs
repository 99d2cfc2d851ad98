//! A pod that its StatefulSet does not replace: it is of an older revision and never ready.
//!
//! Kubernetes calls the way out a forced rollback: a StatefulSet waits for each of its pods to be
//! ready before it replaces any
//! (<https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#forced-rollback>).

use super::{Cause, PATIENCE, Subject, cannot_start};
use crate::domain::command_line::kubectl_place;
use crate::domain::readiness::{PodView, Snapshot};
use crate::error::{Error, ErrorKind};

/// The cause, or this one instead: what an older revision said is not what the class says now.
pub(super) fn instead(mut cause: Cause, snapshot: &Snapshot, subject: &Subject) -> Cause {
    let pods = snapshot.pods.iter().map(PodView::new);
    let pod = pods.into_iter().find(|pod| cause.pod.as_deref() == Some(pod.name()));
    let Some((pod, set)) = pod.and_then(|pod| Some((pod, outdated_by(&pod, snapshot)?))) else {
        return cause;
    };
    let why = format!("Pod {} is of an older revision and not replaced", pod.name());
    let mut error = cannot_start(ErrorKind::Failed, subject, &why);
    error.facts = std::mem::take(&mut cause.diagnosis.error.facts);
    error.facts.retain(|fact| fact.name != "class");
    let error = way_out(error, &pod, set, subject);
    cause.diagnosis.error = error.try_for(format!("wait {}", subject.instance), "after that");
    cause.key = format!("old revision {}", pod.name());
    // The StatefulSet may be about to replace it.
    cause.patience = PATIENCE;
    cause
}

/// The StatefulSet that wants another revision of this pod.
pub(super) fn outdated_by<'s>(pod: &PodView<'_>, snapshot: &'s Snapshot) -> Option<&'s str> {
    let (set, revision) = (pod.stateful_set()?, pod.revision()?);
    let sets = snapshot.workloads.iter().filter(|known| known.name() == set);
    let wanted = sets.into_iter().find_map(|set| Some((set.name(), set.wanted_revision(pod)?)));
    wanted.filter(|(_, wanted)| *wanted != revision).map(|(set, _)| set)
}

/// What is told of such a pod, and the command that replaces it.
pub(super) fn way_out(error: Error, pod: &PodView<'_>, set: &str, subject: &Subject) -> Error {
    let place = kubectl_place(&subject.namespace, subject.context.as_deref());
    error
        .fact("revision", format!("older than StatefulSet {set} wants now"))
        .advise(
            "A StatefulSet replaces a pod only once it is ready; one that never is has to be \
             deleted by hand.",
        )
        .try_for(format!("kubectl delete pod {} {place}", pod.name()), "a new one is made")
}
