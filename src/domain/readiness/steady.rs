//! Containers without a readiness probe: Kubernetes calls them ready as soon as they run, also those
//! that are about to crash.
//!
//! <https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#container-probes>

use jiff::{SignedDuration, Timestamp};
use k8s_openapi::api::core::v1::{Container, ContainerStatus, Pod};

use super::pod::PodView;

/// How long such a container must run before it is believed.
const AT_FIRST: SignedDuration = SignedDuration::from_secs(3);
/// The same for one that crashed, at least and at most; between them twice as long as it ran last.
const AFTER_A_CRASH: SignedDuration = SignedDuration::from_secs(10);
const AT_MOST: SignedDuration = SignedDuration::from_secs(60);

/// What is ready only because it runs.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unproven {
    /// The same for as long as none of the containers was started again.
    pub(super) key: String,
    /// How long it must stay so.
    pub(super) needs: SignedDuration,
}

/// The containers whose running proves nothing yet, `None` where there are none. The clock of the
/// cluster may differ from this one: the longer of both times counts, that of [`Unproven::needs`]
/// is counted here.
pub(super) fn unproven(pods: &[Pod], now: Timestamp) -> Option<Unproven> {
    let mut found: Option<Unproven> = None;
    for pod in pods {
        let spec = pod.spec.as_ref();
        for container in spec.into_iter().flat_map(|spec| &spec.containers) {
            let view = PodView::new(pod);
            let status = view.containers().find(|status| status.name == container.name);
            let Some(needs) = status.and_then(|status| needs(container, status, now)) else {
                continue;
            };
            let starts = status.map_or(0, |status| status.restart_count);
            let one = format!("{}/{}/{starts} ", view.uid().unwrap_or_default(), container.name);
            let known = found.get_or_insert(Unproven { key: String::new(), needs });
            known.key += &one;
            known.needs = known.needs.max(needs);
        }
    }
    found
}

fn needs(
    container: &Container,
    status: &ContainerStatus,
    now: Timestamp,
) -> Option<SignedDuration> {
    if container.readiness_probe.is_some() || !status.ready {
        return None;
    }
    let running = status.state.as_ref()?.running.as_ref()?;
    let needs = match last_run(status) {
        Some(ran) => (ran + ran).clamp(AFTER_A_CRASH, AT_MOST),
        None => AT_FIRST,
    };
    let runs_since = running.started_at.as_ref().map(|time| now.duration_since(time.0));
    runs_since.is_none_or(|runs| runs < needs).then_some(needs)
}

/// How long it ran before it crashed last.
fn last_run(status: &ContainerStatus) -> Option<SignedDuration> {
    let last = status.last_state.as_ref()?.terminated.as_ref()?;
    let (begun, ended) = (last.started_at.as_ref()?.0, last.finished_at.as_ref()?.0);
    Some(ended.duration_since(begun))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_900_000_000 + seconds).unwrap()
    }

    fn pod(container: Value, last: Value) -> Pod {
        serde_json::from_value(json!({
            "metadata": {"name": "a", "uid": "u"}, "spec": {"containers": [container]},
            "status": {"containerStatuses": [{"name": "main", "image": "", "imageID": "", "ready": true,
                "restartCount": 1, "lastState": last,
                "state": {"running": {"startedAt": at(0).to_string()}}}]},
        }))
        .unwrap()
    }

    #[test]
    fn a_probe_is_believed_and_running_alone_for_some_seconds_not() {
        let plain = pod(json!({"name": "main"}), json!({}));
        let found = unproven(std::slice::from_ref(&plain), at(1)).expect("it runs for a second");
        assert_eq!((found.key.as_str(), found.needs), ("u/main/1 ", AT_FIRST));
        assert_eq!(unproven(&[plain], at(3)), None);
        let probed = pod(json!({"name": "main", "readinessProbe": {}}), json!({}));
        assert_eq!(unproven(&[probed], at(0)), None);
    }

    #[test]
    fn after_a_crash_it_takes_longer() {
        let ended = |after: i64| {
            let end = json!({"exitCode": 3, "startedAt": at(-100).to_string(), "finishedAt": at(after - 100).to_string()});
            let pod = pod(json!({"name": "main"}), json!({"terminated": end}));
            unproven(&[pod], at(4)).map(|unproven| unproven.needs.as_secs())
        };
        assert_eq!([ended(0), ended(20), ended(90)], [Some(10), Some(40), Some(60)]);
    }
}
