//! Whether a workload has done what its manifest asks, by the rules of `kubectl rollout status`.

use k8s_openapi::api::apps::v1::{DaemonSet, Deployment, StatefulSet};
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

use super::events::Events;
use super::pod::PodView;
use super::{Lack, Line, Rank};
use crate::domain::leaving;
use crate::domain::manifest::ManifestObject;

/// A workload of the manifest.
#[derive(Clone, Debug)]
pub enum Workload {
    Deployment(Box<Deployment>),
    StatefulSet(Box<StatefulSet>),
    DaemonSet(Box<DaemonSet>),
    Job(Box<Job>),
    /// It is in the manifest but not in the cluster.
    Missing {
        kind: String,
        name: String,
    },
    /// The release wants pods of it, and someone scaled it to none.
    Stopped {
        kind: String,
        name: String,
    },
}

impl Workload {
    /// `StatefulSet`
    pub fn kind(&self) -> &str {
        match self {
            Self::Deployment(_) => "Deployment",
            Self::StatefulSet(_) => "StatefulSet",
            Self::DaemonSet(_) => "DaemonSet",
            Self::Job(_) => "Job",
            Self::Missing { kind, .. } | Self::Stopped { kind, .. } => kind,
        }
    }

    pub fn name(&self) -> &str {
        match self {
            Self::Missing { name, .. } | Self::Stopped { name, .. } => name,
            other => other.meta().and_then(|meta| meta.name.as_deref()).unwrap_or("?"),
        }
    }

    fn meta(&self) -> Option<&ObjectMeta> {
        match self {
            Self::Deployment(object) => Some(&object.metadata),
            Self::StatefulSet(object) => Some(&object.metadata),
            Self::DaemonSet(object) => Some(&object.metadata),
            Self::Job(object) => Some(&object.metadata),
            Self::Missing { .. } | Self::Stopped { .. } => None,
        }
    }

    /// Its finalizers, where it is being deleted.
    fn leaving(&self) -> Option<Vec<String>> {
        leaving::finalizers(self.meta()?)
    }

    /// The same beside what the release wants of it.
    pub fn as_wanted_by(self, object: &ManifestObject) -> Self {
        let replicas = match &self {
            Self::Deployment(live) => live.spec.as_ref().and_then(|spec| spec.replicas),
            Self::StatefulSet(live) => live.spec.as_ref().and_then(|spec| spec.replicas),
            _ => None,
        };
        match (replicas, object.replicas()) {
            (Some(0), Some(wanted)) if wanted > 0 => {
                Self::Stopped { kind: object.kind.clone(), name: object.name.clone() }
            }
            _ => self,
        }
    }

    /// What it lacks, `None` when it is complete.
    pub fn missing(&self) -> Option<String> {
        if let Some(finalizers) = self.leaving() {
            return Some(leaving::words(&finalizers));
        }
        if let Some((generation, observed)) = self.generations()
            && observed < generation
        {
            return Some("not looked at yet".to_owned());
        }
        match self {
            Self::Deployment(object) => deployment(object),
            Self::StatefulSet(object) => stateful_set(object),
            Self::DaemonSet(object) => daemon_set(object),
            Self::Job(object) => job(object),
            Self::Missing { .. } => Some("not there".to_owned()),
            Self::Stopped { .. } => Some("scaled to 0".to_owned()),
        }
    }

    /// The same for a state; what the release brought and is not there went for good.
    pub(super) fn lack(&self) -> Option<Lack> {
        let words = format!("{} {}: {}", self.kind(), self.name(), self.missing()?);
        let for_good = matches!(self, Self::Missing { .. } | Self::Stopped { .. });
        let for_good = for_good || self.leaving().is_some();
        Some(Lack { words, for_good })
    }

    /// Whether pods that it should make do not exist.
    pub(crate) fn lacks_pods(&self) -> bool {
        match self {
            Self::Deployment(object) => {
                let made = object.status.as_ref().and_then(|status| status.updated_replicas);
                made.unwrap_or(0) < object.spec.as_ref().and_then(|s| s.replicas).unwrap_or(1)
            }
            Self::StatefulSet(object) => {
                let made = object.status.as_ref().map_or(0, |status| status.replicas);
                made < object.spec.as_ref().and_then(|spec| spec.replicas).unwrap_or(1)
            }
            Self::DaemonSet(object) => object.status.as_ref().is_some_and(|status| {
                status.current_number_scheduled < status.desired_number_scheduled
            }),
            Self::Job(object) => object.status.as_ref().is_none_or(|status| {
                [status.active, status.succeeded, status.failed].iter().flatten().sum::<i32>() == 0
            }),
            Self::Missing { .. } | Self::Stopped { .. } => false,
        }
    }

    /// The revision that a StatefulSet, once it has looked at what it is to be, wants of a pod.
    pub(crate) fn wanted_revision(&self, pod: &PodView<'_>) -> Option<&str> {
        let Self::StatefulSet(object) = self else { return None };
        let (generation, observed) = self.generations()?;
        let update = object.spec.as_ref()?.update_strategy.as_ref();
        let kept = update.and_then(|update| update.rolling_update.as_ref()?.partition).unwrap_or(0);
        let ordinal = pod.name().rsplit('-').next()?.parse::<i32>().ok()?;
        let wanted = object.status.as_ref()?.update_revision.as_deref()?;
        (observed >= generation && ordinal >= kept).then_some(wanted)
    }

    fn generations(&self) -> Option<(i64, i64)> {
        let observed = match self {
            Self::Deployment(object) => object.status.as_ref()?.observed_generation,
            Self::StatefulSet(object) => object.status.as_ref()?.observed_generation,
            Self::DaemonSet(object) => object.status.as_ref()?.observed_generation,
            Self::Job(_) | Self::Missing { .. } | Self::Stopped { .. } => return None,
        };
        Some((self.meta()?.generation.unwrap_or(0), observed.unwrap_or(0)))
    }

    /// Its line, `None` when it is complete.
    pub(super) fn line(&self, events: &Events<'_>) -> Option<Line> {
        let missing = self.missing()?;
        let subject = format!("{} {}", self.kind(), self.name());
        let uid = self.meta().and_then(|meta| meta.uid.as_deref());
        let events = events.of(self.kind(), self.name(), uid);
        let refused = events.last().is_some_and(|event| event.reason == "FailedCreate");
        Some(if self.leaving().is_some() {
            Line::new(subject, missing, Rank::Failing)
        } else if refused {
            Line::new(subject, "cannot make its pod", Rank::Failing)
        } else if matches!(self, Self::Job(_)) && missing.starts_with("failed") {
            Line::new(subject, missing, Rank::Failing)
        } else {
            // Its pods say more: they come first.
            Line::new(subject, missing, Rank::AlmostReady)
        })
    }
}

fn deployment(object: &Deployment) -> Option<String> {
    let wanted = object.spec.as_ref().and_then(|spec| spec.replicas).unwrap_or(1);
    let status = object.status.clone().unwrap_or_default();
    let (all, updated) = (status.replicas.unwrap_or(0), status.updated_replicas.unwrap_or(0));
    if updated < wanted {
        return Some(format!("{updated} of {wanted} pods made"));
    }
    if all > updated {
        return Some(format!("{} old pods still run", all - updated));
    }
    few(status.available_replicas.unwrap_or(0), wanted)
}

fn stateful_set(object: &StatefulSet) -> Option<String> {
    let spec = object.spec.as_ref();
    let wanted = spec.and_then(|spec| spec.replicas).unwrap_or(1);
    let status = object.status.clone().unwrap_or_default();
    if status.replicas < wanted {
        return Some(format!("{} of {wanted} pods made", status.replicas));
    }
    if let Some(lack) = few(status.ready_replicas.unwrap_or(0), wanted) {
        return Some(lack);
    }
    let strategy = spec.and_then(|spec| spec.update_strategy.as_ref());
    let by_hand = strategy.and_then(|strategy| strategy.type_.as_deref()) == Some("OnDelete");
    let kept =
        strategy.and_then(|strategy| strategy.rolling_update.as_ref()?.partition).unwrap_or(0);
    let renewed = status.updated_replicas.unwrap_or(0);
    let rolled = status.current_revision == status.update_revision || renewed >= wanted - kept;
    (!by_hand && !rolled).then(|| format!("{renewed} of {} pods renewed", wanted - kept))
}

fn daemon_set(object: &DaemonSet) -> Option<String> {
    let Some(status) = &object.status else { return Some("not looked at yet".to_owned()) };
    let wanted = status.desired_number_scheduled;
    let by_hand =
        object.spec.as_ref().and_then(|spec| spec.update_strategy.as_ref()?.type_.as_deref())
            == Some("OnDelete");
    let renewed = status.updated_number_scheduled.unwrap_or(0);
    if !by_hand && renewed < wanted {
        return Some(format!("{renewed} of {wanted} pods renewed"));
    }
    few(status.number_available.unwrap_or(0), wanted)
}

fn job(object: &Job) -> Option<String> {
    if object.spec.as_ref().and_then(|spec| spec.suspend) == Some(true) {
        return None;
    }
    let conditions = object.status.as_ref().and_then(|status| status.conditions.as_ref());
    let holds = |name: &str| {
        conditions
            .into_iter()
            .flatten()
            .find(|condition| condition.type_ == name && condition.status == "True")
    };
    if holds("Complete").is_some() || holds("SuccessCriteriaMet").is_some() {
        return None;
    }
    match holds("Failed") {
        Some(failed) => {
            let why = failed.message.as_deref().or(failed.reason.as_deref()).unwrap_or("");
            Some(format!("failed: {why}"))
        }
        None => Some("running".to_owned()),
    }
}

fn few(ready: i32, wanted: i32) -> Option<String> {
    (ready < wanted).then(|| format!("{ready} of {wanted} pods ready"))
}
