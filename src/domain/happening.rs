//! What the cluster says about an object, in events.

use jiff::Timestamp;
use k8s_openapi::api::core::v1::Event;

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

impl Happening {
    /// The first line of its message.
    pub fn says(&self) -> &str {
        self.message.lines().next().unwrap_or("")
    }
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
            count: u32::try_from(count).unwrap_or(1).max(1),
            first: first.unwrap_or(Timestamp::UNIX_EPOCH),
            last: last.unwrap_or(Timestamp::UNIX_EPOCH),
        }
    }
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
}
