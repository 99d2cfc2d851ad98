//! The events of a namespace, asked by object.

use super::Snapshot;
use crate::domain::happening::Happening;

/// Events by the object they are about.
#[derive(Clone, Copy, Debug)]
pub struct Events<'a>(&'a [Happening]);

impl<'a> Events<'a> {
    pub fn new(events: &'a [Happening]) -> Self {
        Self(events)
    }

    /// The events of an object, oldest first. With a uid, those of an earlier object of the same
    /// name are left out.
    pub fn of(&self, kind: &str, name: &str, uid: Option<&str>) -> Vec<&'a Happening> {
        let mut events: Vec<_> = self
            .0
            .iter()
            .filter(|event| {
                let same = uid.is_none_or(|uid| event.uid.is_empty() || event.uid == uid);
                event.kind == kind && event.name == name && same
            })
            .collect();
        events.sort_by_key(|event| event.last);
        events
    }

    /// The newest event with this reason about a workload of this kind that the snapshot's
    /// workloads made while they lack pods: one of them, or named after one (`mydb-7d9f` of the Deployment `mydb`).
    pub(crate) fn newest_of_instance(
        &self,
        kind: &str,
        reason: &str,
        snapshot: &Snapshot,
    ) -> Option<&'a Happening> {
        let is_ours = |name: &str| {
            snapshot.workloads.iter().any(|workload| {
                let rest = name.strip_prefix(workload.name());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
                    && workload.lacks_pods()
            })
        };
        let about = |event: &&Happening| {
            event.kind == kind && event.reason == reason && is_ours(&event.name)
        };
        self.0.iter().filter(about).max_by_key(|event| event.last)
    }
}
