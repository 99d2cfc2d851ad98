//! The events of a namespace, asked by object.

use jiff::Timestamp;
use k8s_openapi::api::core::v1::Event;

use super::Snapshot;

/// Events by the object they are about.
#[derive(Clone, Copy, Debug)]
pub struct Events<'a>(&'a [Event]);

impl<'a> Events<'a> {
    pub fn new(events: &'a [Event]) -> Self {
        Self(events)
    }

    /// The events of an object, oldest first. With a uid, those of an earlier object of the same
    /// name are left out.
    pub fn of(&self, kind: &str, name: &str, uid: Option<&str>) -> Vec<&'a Event> {
        let mut events: Vec<_> = self
            .0
            .iter()
            .filter(|event| {
                let about = &event.involved_object;
                about.kind.as_deref() == Some(kind)
                    && about.name.as_deref() == Some(name)
                    && (uid.is_none() || about.uid.is_none() || about.uid.as_deref() == uid)
            })
            .collect();
        events.sort_by_key(|event| event_time(event));
        events
    }

    /// The newest event with this reason about a workload of this kind that the snapshot's
    /// workloads made while they lack pods: one of them, or named after one (`mydb-7d9f` of the Deployment `mydb`).
    pub(crate) fn newest_of_instance(
        &self,
        kind: &str,
        reason: &str,
        snapshot: &Snapshot,
    ) -> Option<&'a Event> {
        let is_ours = |name: &str| {
            snapshot.workloads.iter().any(|workload| {
                let rest = name.strip_prefix(workload.name());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
                    && workload.lacks_pods()
            })
        };
        let about = |event: &&Event| {
            event.involved_object.kind.as_deref() == Some(kind)
                && event.reason.as_deref() == Some(reason)
                && event.involved_object.name.as_deref().is_some_and(is_ours)
        };
        self.0.iter().filter(about).max_by_key(|event| event_time(event))
    }
}

/// When an event happened last.
pub fn event_time(event: &Event) -> Option<Timestamp> {
    let series = event.series.as_ref().and_then(|series| series.last_observed_time.as_ref());
    series
        .map(|time| time.0)
        .or_else(|| event.last_timestamp.as_ref().map(|time| time.0))
        .or_else(|| event.event_time.as_ref().map(|time| time.0))
        .or_else(|| event.metadata.creation_timestamp.as_ref().map(|time| time.0))
}

/// When an event happened first.
pub(crate) fn first_time(event: &Event) -> Option<Timestamp> {
    event.first_timestamp.as_ref().map(|time| time.0).or_else(|| event_time(event))
}

/// How often it happened.
pub(crate) fn times(event: &Event) -> i32 {
    let series = event.series.as_ref().and_then(|series| series.count);
    series.or(event.count).unwrap_or(1).max(1)
}

/// The first line of an event's message.
pub(crate) fn says(event: &Event) -> &str {
    event.message.as_deref().unwrap_or("").lines().next().unwrap_or("")
}
