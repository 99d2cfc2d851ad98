//! The image of a pod does not exist, or the registry does not give it.

use jiff::Timestamp;

use super::{Cause, Subject, cannot_start, class_fact, or_give_up, upgrade, when_repaired_or};
use crate::domain::age;
use crate::domain::readiness::{Events, PodView, Snapshot};
use crate::error::ErrorKind;

/// What a registry's words mean. A registry that cannot be reached may be back in a minute, and
/// one that says `429` too: they are no cause.
fn meaning(message: &str) -> Option<&'static str> {
    let message = message.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| message.contains(word));
    let may_heal = ["no such host", "timeout", "refused: ", "connection refused", "429", "toomany"];
    if has(&may_heal) {
        return None;
    }
    if has(&["manifest unknown", "not found", "notfound", "name unknown", "does not exist"])
        && !has(&["may require", "unauthorized", "denied"])
    {
        return Some("does not exist");
    }
    has(&[
        "unauthorized",
        "denied",
        "forbidden",
        "authorization failed",
        "no basic auth",
        "may require",
    ])
    .then_some("is refused by its registry")
}

/// The part of a registry's words that says why.
fn telling(message: &str) -> &str {
    for words in ["manifest unknown", "name unknown", "authorization failed"] {
        if let Some(at) = message.find(words) {
            return &message[at..at + words.len()];
        }
    }
    message.rsplit(": ").next().unwrap_or(message).trim()
}

pub(super) fn not_there(snapshot: &Snapshot, subject: &Subject, now: Timestamp) -> Option<Cause> {
    snapshot.pods.iter().find_map(|pod| {
        let pod = PodView::new(pod);
        let (container, reason, message) =
            pod.waiting_for(&["ErrImagePull", "ImagePullBackOff"])?;
        let image = pod.image(&container.name).unwrap_or(&container.image);
        let said = registry_words(&pod, snapshot, message);
        let meaning = meaning(&said)?;
        let tries = tries(&pod, snapshot, now);
        let why = format!("the image of Pod {} {meaning}", pod.name());
        let error = cannot_start(ErrorKind::Failed, subject, &why)
            .fact("image", image)
            .fact("says", format!("{} ({reason}{tries})", telling(&said)));
        let advice = format!(
            "The class names this image; its operations team can repair it. {} stays.",
            subject.instance
        );
        let error = class_fact(error, subject).advise(advice);
        let error = when_repaired_or(error, subject, "when its class names another");
        Some(Cause::new(format!("image {image}"), error).of_pod(pod.name()))
    })
}

/// What the registry says of an image that a pod cannot get.
pub(super) fn said(pod: &PodView<'_>, snapshot: &Snapshot) -> Option<String> {
    let (_, _, message) = pod.waiting_for(&["ErrImagePull", "ImagePullBackOff"])?;
    let said = registry_words(pod, snapshot, message);
    let mut parts = said.rsplit(": ").take(3).collect::<Vec<_>>();
    parts.reverse();
    Some(parts.join(": ").trim().to_owned())
}

/// The back-off's message of older kubelets says nothing of the registry; the event does.
fn registry_words(pod: &PodView<'_>, snapshot: &Snapshot, message: &str) -> String {
    if meaning(message).is_some() {
        return message.to_owned();
    }
    let events = Events::new(&snapshot.events).of("Pod", pod.name(), pod.uid());
    let failed = events
        .iter()
        .rev()
        .find(|event| event.reason == "Failed" && event.message.starts_with("Failed to pull"));
    let said = failed.map(|event| event.message.clone());
    said.unwrap_or_else(|| message.to_owned())
}

/// `, 3 tries in 48s`
fn tries(pod: &PodView<'_>, snapshot: &Snapshot, now: Timestamp) -> String {
    let events = Events::new(&snapshot.events).of("Pod", pod.name(), pod.uid());
    let pulls: Vec<_> = events.into_iter().filter(|event| event.reason == "Pulling").collect();
    let count: u32 = pulls.iter().map(|event| event.count).sum();
    let Some(first) = pulls.iter().map(|event| event.first).min() else {
        return String::new();
    };
    let word = if count == 1 { "try" } else { "tries" };
    format!(", {count} {word} in {}", age::duration(now.duration_since(first)))
}

pub(super) fn unreadable_name(
    snapshot: &Snapshot,
    subject: &Subject,
    _now: Timestamp,
) -> Option<Cause> {
    snapshot.pods.iter().find_map(|pod| {
        let pod = PodView::new(pod);
        let (container, _, message) = pod.waiting_for(&["InvalidImageName"])?;
        let image = pod.image(&container.name).unwrap_or(&container.image);
        let why = format!("the image of Pod {} has no valid name", pod.name());
        let error = cannot_start(ErrorKind::Failed, subject, &why)
            .fact("image", image)
            .fact("says", telling(message));
        let error = class_fact(error, subject)
            .advise("The class names this image; its operations team can repair it.");
        let error = upgrade(error, subject, "when its class names another");
        let error = or_give_up(error, subject);
        Some(Cause::new(format!("image {image}"), error).of_pod(pod.name()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_registries_are_understood() {
        for (message, expected) in [
            (
                "rpc error: code = NotFound desc = failed to pull: docker.io/a/b:1: not found",
                Some("does not exist"),
            ),
            ("reading manifest 1 in quay.io/a/b: manifest unknown", Some("does not exist")),
            (
                "pull access denied, repository does not exist or may require authorization",
                Some("is refused by its registry"),
            ),
            (
                "unexpected status from HEAD request to https://r/v2: 403 Forbidden",
                Some("is refused by its registry"),
            ),
            ("dial tcp: lookup r.example: no such host", None),
            ("429 Too Many Requests", None),
            ("Back-off pulling image \"a\"", None),
        ] {
            assert_eq!(meaning(message), expected, "{message}");
        }
        assert_eq!(telling("x: y: not found"), "not found");
        assert_eq!(telling("reading manifest 1: manifest unknown: more"), "manifest unknown");
    }
}
