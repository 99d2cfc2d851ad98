//! An instance: one Helm release with svc's labels (design §4), seen from metadata alone.

use std::collections::BTreeMap;
use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Labels that svc puts on a release.
pub mod label {
    pub const CLASS: &str = "svc-cli.dev/class";
    pub const PLAN: &str = "svc-cli.dev/plan";
    /// `name_version`
    pub const CHART: &str = "svc-cli.dev/chart";
    pub const CLASS_HASH: &str = "svc-cli.dev/class-hash";
    /// Epoch seconds of the first revision.
    pub const CREATED: &str = "svc-cli.dev/created";
    /// `EPOCH-MACHINE`: when svc will have ended its helm, and eight digits of the machine.
    pub const UNTIL: &str = "svc-cli.dev/until";
    /// A pod selector other than the default.
    pub const PODS: &str = "svc-cli.dev/pods";
    pub const BINDING_OF: &str = "svc-cli.dev/binding-of";
    pub const BINDING_OF_NAMESPACE: &str = "svc-cli.dev/binding-of-namespace";
}

/// One stored revision of a release: its Secret's metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    pub namespace: String,
    pub name: String,
    /// The number `N` of `sh.helm.release.v1.NAME.vN`.
    pub number: u32,
    pub status: Status,
    pub labels: BTreeMap<String, String>,
    /// When the Secret of this revision was made.
    pub created: Timestamp,
}

impl Revision {
    /// Whether it is the one that was made with this label `until`, which tells one svc's work from
    /// another's.
    pub fn bears(&self, until: Option<&str>) -> bool {
        self.labels.get(label::UNTIL).map(String::as_str) == until
    }

    /// Whether its class says something else today; `hashes` are those of the classes, by name.
    /// `None` where either is not known.
    pub fn is_outdated(&self, hashes: &BTreeMap<String, String>) -> Option<bool> {
        let today = hashes.get(self.labels.get(label::CLASS)?)?;
        Some(self.labels.get(label::CLASS_HASH)? != today)
    }
}

/// What helm says of a revision, from the label `status`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    Deployed,
    Failed,
    PendingInstall,
    PendingUpgrade,
    PendingRollback,
    Uninstalling,
    Uninstalled,
    Superseded,
    #[serde(other)]
    Unknown,
}

/// The word of an instance in the column STATE (interface §8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Installing,
    Starting,
    Ready,
    Degraded,
    Updating,
    Deleting,
    Failed,
    Interrupted,
    Deployed,
}

/// The revision that runs: the deployed one, else the newest that was. helm marks the old revision
/// superseded before the new one deployed: cut off in between, none is deployed.
pub fn running(revisions: &[Revision]) -> Option<&Revision> {
    let with = |status| revisions.iter().filter(move |one| one.status == status);
    let deployed = with(Status::Deployed).max_by_key(|one| one.number);
    deployed.or_else(|| with(Status::Superseded).max_by_key(|one| one.number))
}

/// Whether anything ran before the newest revision. A list leaves superseded revisions out: a gap
/// before the newest one is where they were.
pub fn ran_before(revisions: &[Revision]) -> bool {
    let stored = u32::try_from(revisions.len()).unwrap_or(u32::MAX);
    running(revisions).is_some() || revisions.first().is_some_and(|newest| stored < newest.number)
}

/// A pod as the server's own table shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodRow {
    pub namespace: String,
    pub name: String,
    pub labels: BTreeMap<String, String>,
    /// Ready and all containers: `1/2`.
    pub ready: (u32, u32),
    /// The column STATUS: `Running`, `ContainerCreating`, `ImagePullBackOff`…
    pub status: String,
    pub restarts: u32,
    /// It has a deletion timestamp.
    pub deleting: bool,
    pub created: Timestamp,
}

impl Status {
    /// Reads the label `status` of a release Secret.
    pub fn from_label(text: &str) -> Self {
        serde_json::from_value(serde_json::Value::String(text.to_owned())).unwrap_or(Self::Unknown)
    }

    /// Whether helm holds the release in the middle of something.
    pub fn is_pending(self) -> bool {
        matches!(self, Self::PendingInstall | Self::PendingUpgrade | Self::PendingRollback)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Deployed => "deployed",
            Self::Failed => "failed",
            Self::PendingInstall => "pending-install",
            Self::PendingUpgrade => "pending-upgrade",
            Self::PendingRollback => "pending-rollback",
            Self::Uninstalling => "uninstalling",
            Self::Uninstalled => "uninstalled",
            Self::Superseded => "superseded",
            Self::Unknown => "unknown",
        })
    }
}

impl State {
    /// Every state, in the order in which help and completion name them.
    pub const ALL: [Self; 9] = [
        Self::Installing,
        Self::Starting,
        Self::Ready,
        Self::Degraded,
        Self::Updating,
        Self::Deleting,
        Self::Failed,
        Self::Interrupted,
        Self::Deployed,
    ];

    /// The word a person reads.
    pub fn word(self) -> &'static str {
        match self {
            Self::Installing => "installing",
            Self::Starting => "starting",
            Self::Ready => "ready",
            Self::Degraded => "degraded",
            Self::Updating => "updating",
            Self::Deleting => "deleting",
            Self::Failed => "failed",
            Self::Interrupted => "interrupted",
            Self::Deployed => "deployed",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.word())
    }
}
