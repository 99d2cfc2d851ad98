//! From flags, environment and kubeconfig to a [`Cluster`]; nothing is contacted here.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use kube::config::ExecInteractiveMode;
use tokio::sync::OnceCell;

use super::client::Blueprint;
use super::kubeconfig;
use super::proxy;
use super::{Cluster, PATIENCE, Proxies, RequestLog, Source};
use crate::error::Result;

/// Everything outside the kubeconfig that decides which cluster is used; the environment is read
/// by the caller.
#[derive(Clone, Debug, Default)]
pub struct ConnectOptions {
    /// `--kubeconfig`: one file.
    pub kubeconfig: Option<PathBuf>,
    /// `$KUBECONFIG`: files separated as in `$PATH`.
    pub kubeconfig_env: Option<OsString>,
    /// The user's home, for `~/.kube/config`.
    pub home: Option<PathBuf>,
    pub context: Option<Chosen>,
    pub namespace: Option<Chosen>,
    /// Where a pod finds the API server, when svc runs in one.
    pub pod: Option<PodAddress>,
    pub proxies: Proxies,
    /// Whether a login helper may ask on the terminal: stdin is one and nothing else reads it.
    pub may_prompt: bool,
    pub log: RequestLog,
    /// Where it may be kept what servers said.
    pub memory: Option<PathBuf>,
}

/// A name, and where it was given: `--context`, `SVC_NAMESPACE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    pub value: String,
    pub by: String,
}

/// `KUBERNETES_SERVICE_HOST` and `KUBERNETES_SERVICE_PORT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodAddress {
    pub host: String,
    pub port: u16,
}

/// What helm needs to reach the same cluster as the same user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HelmAccess {
    /// The value for helm's `KUBECONFIG`, absolute paths in list form; `None`: unset it.
    pub kubeconfig: Option<OsString>,
    /// For `--kube-context`; `None` with a service account.
    pub context: Option<String>,
}

impl Cluster {
    /// Chooses context and namespace. Connects to nothing and runs no login helper yet.
    ///
    /// # Errors
    /// No kubeconfig, an unreadable one, an unknown context.
    pub fn open(options: ConnectOptions) -> Result<Self> {
        let place = kubeconfig::choose(&options)?;
        let mut target = place.target;
        let own = place.own_proxy.as_deref();
        let proxy = proxy::choose(&place.config, own, &options.proxies, &target)?;
        target.proxy = proxy.as_ref().map(proxy::Proxy::address);
        let blueprint = Blueprint { config: place.config, proxy, may_prompt: options.may_prompt };
        Ok(Self {
            target,
            namespace: place.namespace,
            helm: place.helm,
            chosen_by: place.chosen_by,
            patience: PATIENCE,
            deadline: Mutex::default(),
            log: options.log,
            memory: options.memory,
            source: Source::Blueprint(Arc::new(blueprint)),
            client: OnceCell::new(),
        })
    }

    /// Whether the login helper would have to ask where nobody may be asked.
    pub(super) fn login_is_stuck(&self) -> bool {
        let Source::Blueprint(blueprint) = &self.source else { return false };
        self.login_prompts() && !blueprint.may_prompt
    }

    /// Whether the login helper of the kubeconfig always asks its user.
    pub fn login_prompts(&self) -> bool {
        let Source::Blueprint(blueprint) = &self.source else { return false };
        let helper = blueprint.config.auth_info.exec.as_ref();
        helper.is_some_and(|exec| exec.interactive_mode == Some(ExecInteractiveMode::Always))
    }
}
