//! What helm is asked to do, as plain data.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use secrecy::SecretString;

use crate::domain::instance::label;

/// The cluster and namespace that svc itself works with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// `KUBECONFIG` as svc resolved it, in its list form; `None` inside a pod.
    pub kubeconfig: Option<OsString>,
    /// The context; `None` inside a pod.
    pub context: Option<String>,
    pub namespace: String,
}

/// A chart with its values, on the way to a release.
#[derive(Clone, Debug)]
pub struct Deployment {
    pub release: String,
    /// The archive to hand to helm: see [`super::chart::PreparedChart`].
    pub chart: PathBuf,
    /// One JSON object.
    pub values: SecretString,
    /// `path=N` for `--set`, of integers that helm would read as floats from JSON.
    pub integers: Vec<String>,
    /// `helm --labels`; values are cut to what a label may hold.
    pub labels: BTreeMap<String, String>,
    /// What `helm history` shows.
    pub description: String,
    /// How long hooks may take.
    pub timeout: Duration,
}

impl Deployment {
    /// The label `until` that the revision will bear.
    pub fn until(&self) -> Option<String> {
        self.labels.get(label::UNTIL).cloned()
    }
}

/// `helm install`
#[derive(Clone, Debug)]
pub struct InstallRequest {
    pub target: Target,
    pub deployment: Deployment,
}

/// `helm upgrade`, with these values alone (`--reset-values`).
#[derive(Clone, Debug)]
pub struct UpgradeRequest {
    pub target: Target,
    pub deployment: Deployment,
}

/// `helm template --dry-run=server`: what helm would apply; nothing changes.
#[derive(Clone, Debug)]
pub struct TemplateRequest {
    pub target: Target,
    pub deployment: Deployment,
    /// As an upgrade would render it (`.Release.IsUpgrade`).
    pub is_upgrade: bool,
    /// Ask the cluster for its version, kinds and `lookup`s; without it nothing is contacted.
    pub ask_cluster: bool,
}

/// `helm uninstall`
#[derive(Clone, Debug)]
pub struct UninstallRequest {
    pub target: Target,
    pub release: String,
    /// Leave the deletion hooks out.
    pub without_hooks: bool,
    pub timeout: Duration,
}

/// `helm rollback` to a revision that was deployed.
#[derive(Clone, Debug)]
pub struct RollbackRequest {
    pub target: Target,
    pub release: String,
    pub revision: u32,
    pub timeout: Duration,
}
