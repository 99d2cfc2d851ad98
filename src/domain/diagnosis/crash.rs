//! A pod crashes again and again.

use jiff::{SignedDuration, Timestamp};
use k8s_openapi::api::core::v1::ContainerStatus;

use super::{Cause, LogSource, Subject, cannot_start, class_fact, when_repaired_or};
use crate::domain::readiness::{PodView, Snapshot};
use crate::domain::state::CRASHES;
use crate::error::ErrorKind;

/// The longest pause between two starts of a crashing container, and some more.
const RECENTLY: SignedDuration = SignedDuration::from_mins(6);

pub(super) fn again_and_again(
    snapshot: &Snapshot,
    subject: &Subject,
    now: Timestamp,
) -> Option<Cause> {
    let (pod, container) = snapshot.pods.iter().find_map(|pod| {
        let pod = PodView::new(pod);
        Some((pod, pod.containers().find(|container| has_crashed(&pod, container, now))?))
    })?;
    let times = container.restart_count;
    let why = format!("Pod {} crashed {times} times", pod.name());
    let mut error = cannot_start(ErrorKind::Failed, subject, &why);
    if let Some(end) = last_end(container) {
        error = error.fact("exit", end);
    }
    let at = error.facts.len();
    let error = class_fact(error, subject)
        .advise(format!("{} stays, so that the cause can be looked at.", subject.instance));
    let error = when_repaired_or(error, subject, "when its class is repaired");
    let mut cause = Cause::new(format!("crash {}", pod.name()), error).of_pod(pod.name());
    // Five crashes have taken minutes already.
    cause.patience = SignedDuration::ZERO;
    cause.diagnosis.log_at = at;
    cause.diagnosis.log = Some(LogSource::Container {
        pod: pod.name().to_owned(),
        container: container.name.clone(),
        // Of one that has just ended, the run before is swept away already.
        previous: container.state.as_ref().is_none_or(|state| state.terminated.is_none()),
    });
    Some(cause)
}

/// Crashes of long ago say nothing of a pod that is starting now.
fn has_crashed(pod: &PodView<'_>, container: &ContainerStatus, now: Timestamp) -> bool {
    let crashes = u32::try_from(container.restart_count).unwrap_or(0);
    let is_down = container.state.as_ref().is_some_and(|state| state.running.is_none());
    let last = container.last_state.as_ref().and_then(|state| state.terminated.as_ref());
    let ended = last.and_then(|end| end.finished_at.as_ref()).map(|time| time.0);
    let lately = ended.is_some_and(|ended| now.duration_since(ended) < RECENTLY);
    crashes >= CRASHES && !container.ready && !pod.is_ready() && (is_down || lately)
}

/// `137, OOMKilled: it needs more memory`, `1`
fn last_end(container: &ContainerStatus) -> Option<String> {
    let now = container.state.as_ref().and_then(|state| state.terminated.as_ref());
    let before = container.last_state.as_ref().and_then(|state| state.terminated.as_ref());
    let end = now.or(before)?;
    Some(match end.reason.as_deref() {
        Some("OOMKilled") => format!("{}, OOMKilled: it needs more memory", end.exit_code),
        _ => end.exit_code.to_string(),
    })
}
