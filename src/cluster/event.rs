//! What the cluster says about objects: events, and the last lines of a container's log.

use jiff::Timestamp;
use k8s_openapi::api::core::v1::Event;

use super::answer::{Failure, parse};
use super::ask::Asked;
use super::kind::{EVENTS, PODS};
use super::page::{Items, ListMeta, Page};
use super::{Cluster, Found, Scope};
use crate::error::Result;

/// At most so much of a log is fetched, in bytes.
const LOG_BYTES: &str = "16384";

/// An event about one object, the same ones counted together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happening {
    /// `Pod`
    pub kind: String,
    pub name: String,
    /// Of the object that it is about; empty where the event does not say.
    pub uid: String,
    /// `FailedScheduling`
    pub reason: String,
    pub message: String,
    /// Not only of type `Normal`.
    pub warning: bool,
    pub count: u32,
    pub first: Timestamp,
    pub last: Timestamp,
}

impl From<Event> for Happening {
    fn from(event: Event) -> Self {
        let series = event.series.as_ref();
        let count = series.and_then(|series| series.count).or(event.count).unwrap_or(1);
        let made = event.metadata.creation_timestamp.map(|time| time.0);
        let begun = event.event_time.map(|time| time.0);
        let observed = series.and_then(|series| series.last_observed_time.as_ref()).map(|t| t.0);
        let first = event.first_timestamp.map(|time| time.0).or(begun).or(made);
        let last = observed.or(event.last_timestamp.map(|time| time.0)).or(begun).or(made);
        Self {
            kind: event.involved_object.kind.unwrap_or_default(),
            name: event.involved_object.name.unwrap_or_default(),
            uid: event.involved_object.uid.unwrap_or_default(),
            reason: event.reason.unwrap_or_default(),
            message: event.message.unwrap_or_default(),
            warning: event.type_.as_deref() != Some("Normal"),
            count: u32::try_from(count).unwrap_or(1),
            first: first.unwrap_or(Timestamp::UNIX_EPOCH),
            last: last.unwrap_or(Timestamp::UNIX_EPOCH),
        }
    }
}

impl Page for Happening {
    fn read(bytes: &[u8], all: &mut Vec<Self>) -> Result<ListMeta, Failure> {
        let page: Items<Event> = parse(bytes)?;
        all.extend(page.items.into_iter().map(Self::from));
        Ok(page.metadata)
    }
}

impl Cluster {
    /// The events about one object, the latest last.
    ///
    /// # Errors
    /// What keeps an answer away; forbidden is an answer.
    pub async fn events_of(
        &self,
        namespace: &str,
        kind: &str,
        name: &str,
    ) -> Result<Found<Vec<Happening>>> {
        let asked = Asked::list(&EVENTS, Scope::namespace(namespace), "list events")
            .fields(&format!("involvedObject.kind={kind},involvedObject.name={name}"));
        let found = self.found(self.try_pages::<Happening>(&asked).await, &asked)?;
        Ok(found.map(|mut events| {
            events.sort_by_key(|event| event.last);
            events
        }))
    }

    /// The last lines of a container's log; `previous`: of the run before its last restart.
    ///
    /// # Errors
    /// What keeps an answer away; missing (no such run) and forbidden are answers.
    pub async fn log_tail(
        &self,
        namespace: &str,
        pod: &str,
        container: &str,
        previous: bool,
        lines: usize,
    ) -> Result<Found<Vec<String>>> {
        let purpose = format!("read the log of pod {pod}");
        let asked = Asked::get(&PODS, Scope::namespace(namespace), pod, purpose)
            .subresource("log")
            .query("container", container)
            .query("tailLines", &lines.to_string())
            .query("limitBytes", LOG_BYTES)
            .query("previous", if previous { "true" } else { "false" });
        match self.bytes(&asked).await {
            // 400: the container has not started, or has no earlier run.
            Err(Failure::Refused { code: 400, .. }) => Ok(Found::Missing),
            answer => Ok(self.found(answer, &asked)?.map(|bytes| last_lines(&bytes, lines))),
        }
    }
}

fn last_lines(bytes: &[u8], most: usize) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(most)..].iter().map(|&line| line.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_and_new_events_are_read_alike() {
        let old = serde_json::json!({"metadata": {}, "type": "Warning", "reason": "BackOff",
            "involvedObject": {"kind": "Pod", "name": "a"}, "count": 3,
            "firstTimestamp": "2030-01-02T03:04:05Z", "lastTimestamp": "2030-01-02T03:05:05Z"});
        let new = serde_json::json!({"metadata": {}, "type": "Normal", "reason": "Scheduled",
            "involvedObject": {"kind": "Pod", "name": "a"},
            "eventTime": "2030-01-02T03:04:05.000001Z", "firstTimestamp": null,
            "series": {"count": 2, "lastObservedTime": "2030-01-02T03:06:05.000000Z"}});
        let read = |event| Happening::from(serde_json::from_value::<Event>(event).unwrap());
        let (old, new) = (read(old), read(new));
        assert_eq!(
            (old.count, old.warning, old.last.to_string().as_str()),
            (3, true, "2030-01-02T03:05:05Z")
        );
        assert_eq!(
            (new.count, new.warning, new.last.to_string().as_str()),
            (2, false, "2030-01-02T03:06:05Z")
        );
    }

    #[test]
    fn of_a_log_only_the_last_lines_are_kept() {
        assert_eq!(last_lines(b"a\n\nb\r\nc\xff\n", 2), ["b", "c\u{fffd}"]);
        assert!(last_lines(b"", 5).is_empty());
    }
}
