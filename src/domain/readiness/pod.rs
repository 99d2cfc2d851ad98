//! One pod in words.

use k8s_openapi::api::core::v1::{ContainerStatus, PersistentVolumeClaim, Pod};

use super::events::Events;
use super::{Line, Rank};
use crate::domain::happening::Happening;

/// A pod, asked the questions that matter here.
#[derive(Clone, Copy, Debug)]
pub struct PodView<'a>(&'a Pod);

impl<'a> PodView<'a> {
    pub fn new(pod: &'a Pod) -> Self {
        Self(pod)
    }

    pub fn name(&self) -> &'a str {
        self.0.metadata.name.as_deref().unwrap_or("?")
    }

    pub fn uid(&self) -> Option<&'a str> {
        self.0.metadata.uid.as_deref()
    }

    /// The StatefulSet that made it and would replace it.
    pub fn stateful_set(&self) -> Option<&'a str> {
        let owners = self.0.metadata.owner_references.iter().flatten();
        owners.into_iter().find(|owner| owner.kind == "StatefulSet").map(|owner| &*owner.name)
    }

    /// The revision of its workload that it was made of.
    pub fn revision(&self) -> Option<&'a str> {
        let labels = self.0.metadata.labels.as_ref()?;
        labels.get("controller-revision-hash").map(String::as_str)
    }

    fn phase(&self) -> &'a str {
        self.0.status.as_ref().and_then(|status| status.phase.as_deref()).unwrap_or("Pending")
    }

    fn is_deleting(&self) -> bool {
        self.0.metadata.deletion_timestamp.is_some()
    }

    /// Whether the condition `Ready` holds.
    pub fn is_ready(&self) -> bool {
        self.condition("Ready").is_some_and(|(status, _)| status == "True")
    }

    /// A pod that keeps its instance from being ready. One that has ended is judged by its
    /// workload, one that goes leaves the place to another.
    pub fn blocks(&self) -> bool {
        !self.is_deleting() && !matches!(self.phase(), "Succeeded" | "Failed") && !self.is_ready()
    }

    /// Status and message of a condition.
    fn condition(&self, name: &str) -> Option<(&'a str, &'a str)> {
        let conditions = self.0.status.as_ref()?.conditions.as_ref()?;
        let condition = conditions.iter().find(|condition| condition.type_ == name)?;
        Some((&condition.status, condition.message.as_deref().unwrap_or("")))
    }

    /// Its containers' states, those that prepare first.
    pub fn containers(&self) -> impl Iterator<Item = &'a ContainerStatus> {
        let status = self.0.status.as_ref();
        let init = status.and_then(|status| status.init_container_statuses.as_ref());
        let main = status.and_then(|status| status.container_statuses.as_ref());
        init.into_iter().flatten().chain(main.into_iter().flatten())
    }

    /// The container that waits for this reason, and the reason's message.
    pub fn waiting_for(&self, reasons: &[&str]) -> Option<(&'a ContainerStatus, &'a str, &'a str)> {
        self.containers().find_map(|container| {
            let waiting = container.state.as_ref()?.waiting.as_ref()?;
            let reason = waiting.reason.as_deref()?;
            reasons.contains(&reason).then_some((
                container,
                reason,
                waiting.message.as_deref().unwrap_or(""),
            ))
        })
    }

    /// The most restarts of one of its containers.
    pub fn restarts(&self) -> u32 {
        let most = self.containers().map(|container| container.restart_count).max();
        most.and_then(|count| u32::try_from(count).ok()).unwrap_or(0)
    }

    /// The names of the claims it mounts.
    pub fn claims(&self) -> impl Iterator<Item = &'a str> {
        let volumes = self.0.spec.as_ref().and_then(|spec| spec.volumes.as_ref());
        volumes
            .into_iter()
            .flatten()
            .filter_map(|volume| Some(volume.persistent_volume_claim.as_ref()?.claim_name.as_str()))
    }

    /// The image of one of its containers as the class names it.
    pub fn image(&self, container: &str) -> Option<&'a str> {
        let spec = self.0.spec.as_ref()?;
        let init = spec.init_containers.iter().flatten();
        let mut all = spec.containers.iter().chain(init);
        all.find(|one| one.name == container)?.image.as_deref()
    }

    /// Its line in the progress block.
    pub fn line(&self, events: &Events<'_>, claims: &[PersistentVolumeClaim]) -> Line {
        let (text, rank) = self.words(events, claims);
        Line::new(format!("Pod {}", self.name()), text, rank)
    }

    fn words(&self, events: &Events<'_>, claims: &[PersistentVolumeClaim]) -> (String, Rank) {
        if self.is_deleting() {
            return ("stopping".to_owned(), Rank::Coming);
        }
        match self.phase() {
            "Succeeded" => return ("done".to_owned(), Rank::Ready),
            "Failed" => return (self.failure(), Rank::Failing),
            _ if self.is_ready() => return ("ready".to_owned(), Rank::Ready),
            _ => {}
        }
        if let Some(trouble) = self.trouble() {
            return (trouble, Rank::Failing);
        }
        if let Some(("False", message)) = self.condition("PodScheduled") {
            return (unscheduled(message), Rank::Waiting);
        }
        if let Some(image) = self.pulled_image(events) {
            return (format!("pulling image {}", short_image(&image)), Rank::Coming);
        }
        if let Some(says) = self.mount_refused(events) {
            return (format!("cannot mount a volume: {says}"), Rank::Waiting);
        }
        self.making(claims)
    }

    fn failure(&self) -> String {
        let reason = self.0.status.as_ref().and_then(|status| status.reason.as_deref());
        match reason {
            Some("Evicted") => "evicted from its node".to_owned(),
            Some(reason) => format!("failed: {reason}"),
            None => "failed".to_owned(),
        }
    }

    fn trouble(&self) -> Option<String> {
        if let Some((container, ..)) =
            self.waiting_for(&["ErrImagePull", "ImagePullBackOff", "InvalidImageName"])
        {
            let image = self.image(&container.name).unwrap_or(&container.image);
            return Some(format!("cannot pull image {}", short_image(image)));
        }
        if self.waiting_for(&["CrashLoopBackOff"]).is_some() {
            return Some(crashed(self.restarts()));
        }
        let (_, _, message) = self.waiting_for(&[
            "CreateContainerConfigError",
            "CreateContainerError",
            "RunContainerError",
        ])?;
        Some(format!("cannot start: {}", message.lines().next().unwrap_or("")))
    }

    /// The image that is being pulled, by the events.
    fn pulled_image(&self, events: &Events<'_>) -> Option<String> {
        let events = events.of("Pod", self.name(), self.uid());
        let pulling = |event: &&&_| is(event, "Pulling") || is(event, "Pulled");
        let last = events.iter().rev().find(pulling)?;
        if !is(last, "Pulling") {
            return None;
        }
        last.message.split('"').nth(1).map(str::to_owned)
    }

    /// Why its newest event says that a volume cannot be mounted.
    fn mount_refused(&self, events: &Events<'_>) -> Option<String> {
        let events = events.of("Pod", self.name(), self.uid());
        let last = events.last().filter(|event| is(event, "FailedMount"))?;
        let says = last.says();
        let says = says.split_once(" : ").map_or(says, |(_, says)| says);
        Some(says.to_owned())
    }

    fn making(&self, claims: &[PersistentVolumeClaim]) -> (String, Rank) {
        let unbound = self.claims().any(|name| {
            let claim = claims.iter().find(|claim| claim.metadata.name.as_deref() == Some(name));
            claim.is_some_and(|claim| !super::volume::is_bound(claim))
        });
        if unbound {
            return ("waiting for its volume".to_owned(), Rank::Waiting);
        }
        if self.waiting_for(&["ContainerCreating", "PodInitializing"]).is_some() {
            return ("creating its containers".to_owned(), Rank::Coming);
        }
        match (self.phase(), self.restarts()) {
            ("Running", 0) => ("running, not ready".to_owned(), Rank::AlmostReady),
            ("Running", 1) => ("running, not ready, 1 restart".to_owned(), Rank::AlmostReady),
            ("Running", times) => {
                (format!("running, not ready, {times} restarts"), Rank::AlmostReady)
            }
            _ => ("starting".to_owned(), Rank::Coming),
        }
    }
}

fn is(event: &Happening, reason: &str) -> bool {
    event.reason == reason
}

fn crashed(times: u32) -> String {
    match times {
        0 => "crashed".to_owned(),
        1 => "crashed once".to_owned(),
        times => format!("crashed {times} times"),
    }
}

/// The last part of an image's name with its tag: `postgresql:16.2`.
pub fn short_image(image: &str) -> &str {
    let name = image.rsplit('/').next().unwrap_or(image);
    // A digest says nothing to a person, and is long.
    name.split('@').next().unwrap_or(name)
}

/// `0/3 nodes are available: 1 node(s) had untolerated taint {a: b}, 2 Insufficient memory.
/// preemption: …` as `waiting for a node: Insufficient memory`.
fn unscheduled(message: &str) -> String {
    let reasons = message.split_once("available: ").map_or("", |(_, after)| after);
    let reasons = reasons.split(". ").next().unwrap_or("").trim_end_matches('.');
    if reasons.contains("unbound immediate PersistentVolumeClaims") {
        return "waiting for its volume".to_owned();
    }
    let mut told: Vec<&str> = Vec::new();
    for reason in reasons.split(", ") {
        let reason = reason.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
        let reason = reason.strip_prefix("node(s) ").unwrap_or(reason);
        if !reason.is_empty() && !told.contains(&reason) {
            told.push(reason);
        }
    }
    if told.is_empty() {
        "waiting for a node".to_owned()
    } else {
        format!("waiting for a node: {}", told.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_shortened() {
        assert_eq!(short_image("registry.example:5000/bitnami/postgresql:16.2"), "postgresql:16.2");
        assert_eq!(short_image("redis"), "redis");
        assert_eq!(short_image("a/b:1@sha256:00"), "b:1");
    }

    #[test]
    fn the_scheduler_is_cut_short() {
        let message = "0/3 nodes are available: 1 node(s) had untolerated taint {a: b}, \
                       2 Insufficient memory. preemption: 0/3 nodes are available: 3 No victims.";
        assert_eq!(
            unscheduled(message),
            "waiting for a node: had untolerated taint {a: b}, Insufficient memory"
        );
        assert_eq!(unscheduled("no idea"), "waiting for a node");
        let unbound = "0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.";
        assert_eq!(unscheduled(unbound), "waiting for its volume");
    }
}
