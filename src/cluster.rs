//! The cluster: the only user of kube. Plain questions, answered in domain types; each failure is
//! an [`Error`] as a person reads it.

mod access;
mod answer;
mod ask;
mod book;
mod claim;
mod class;
mod client;
mod connect;
mod dry_run;
mod error;
mod event;
mod forward;
mod kind;
mod kubeconfig;
mod leaving;
mod log;
mod namespace;
mod object;
mod outage;
mod page;
mod pod;
mod proxy;
mod release;
mod retry;
mod scoped;
mod secret;
mod table;
mod target;
mod watch;
mod workload;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::OnceCell;
use tokio::time::Instant;

use crate::error::{Error, Result};

pub use access::{Right, Rights};
pub use book::Book;
pub use claim::{Claim, Owner};
pub use class::{ClassStamp, Stamped, StoredClass, unchanged};
pub use connect::{Chosen, ConnectOptions, HelmAccess, PodAddress};
pub use dry_run::{DryRun, Tried};
pub use forward::{Forwarded, Open};
pub use kind::Kind;
pub use kubeconfig::{Contexts, contexts};
pub use leaving::Place;
pub use log::RequestLog;
pub use namespace::NamespaceState;
pub use outage::Outage;
pub use proxy::Proxies;
pub use scoped::{Scope, Scoped, Skipped};
pub use secret::{Keyed, Pick};
pub use target::Target;
pub use watch::{ObjectRef, Seen, SeenKeys, Snapshot, Wanted, Watched, Workload, WorkloadKind};

/// A cluster as one user sees it: context, namespace and a client that connects when it is first
/// used.
pub struct Cluster {
    /// What errors name: context, server, user.
    pub target: Target,
    /// The namespace of the instances.
    pub namespace: String,
    /// What helm must be handed to reach the same cluster as the same user.
    pub helm: HelmAccess,
    /// `context staging from the kubeconfig, namespace team-a from SVC_NAMESPACE`, for `-v`.
    pub chosen_by: String,
    /// The longest silence of the server before a question counts as not answered.
    patience: Duration,
    /// When the command wants to be done: see [`Cluster::answer_by`].
    deadline: Mutex<Option<Instant>>,
    log: RequestLog,
    /// Where it is kept what servers said.
    memory: Option<PathBuf>,
    source: Source,
    client: OnceCell<kube::Client>,
}

/// What the client is made of, when it is made.
enum Source {
    Blueprint(Arc<client::Blueprint>),
    Given,
}

/// The longest silence of the server while svc waits for an answer: a command asks one to three
/// times in a row, the first silence ends it.
pub const PATIENCE: Duration = Duration::from_secs(15);

/// The longest that one answer may take, where a command has no deadline of its own.
const LONGEST_ANSWER: Duration = Duration::from_secs(60);

/// What a question gets of time when the command's own is over.
const LAST_MOMENT: Duration = Duration::from_secs(2);

/// An object that was asked for by name.
#[derive(Debug)]
pub enum Found<T> {
    Here(T),
    /// The cluster answered that it does not exist.
    Missing,
    /// It may exist; the user may not see it. The error says which right is missing.
    Forbidden(Box<Error>),
}

impl<T> Found<T> {
    /// What was found, or nothing where it is missing.
    ///
    /// # Errors
    /// The missing right, where it is forbidden.
    pub fn here(self) -> Result<Option<T>> {
        match self {
            Self::Here(found) => Ok(Some(found)),
            Self::Missing => Ok(None),
            Self::Forbidden(error) => Err(*error),
        }
    }

    /// The same answer about a part of what was found.
    pub fn map<U>(self, part: impl FnOnce(T) -> U) -> Found<U> {
        match self {
            Self::Here(found) => Found::Here(part(found)),
            Self::Missing => Found::Missing,
            Self::Forbidden(error) => Found::Forbidden(error),
        }
    }
}

impl Cluster {
    /// A cluster behind a client that exists: for tests at the wire.
    pub fn with_client(client: kube::Client, target: Target, namespace: &str) -> Self {
        Self {
            target,
            namespace: namespace.to_owned(),
            helm: HelmAccess::default(),
            chosen_by: String::new(),
            patience: PATIENCE,
            deadline: Mutex::default(),
            log: RequestLog::silent(),
            memory: None,
            source: Source::Given,
            client: OnceCell::new_with(Some(client)),
        }
    }

    /// From now on no question is waited for longer than until this moment (`--timeout`) and two
    /// seconds more; `None`: as long as the server may be silent.
    pub fn answer_by(&self, deadline: Option<Instant>) {
        *self.deadline.lock().unwrap_or_else(PoisonError::into_inner) = deadline;
    }

    /// How long the next answer may take.
    fn patience(&self) -> Duration {
        self.time_left().map_or(self.patience, |left| left.min(self.patience))
    }

    /// How long the whole of one answer may take to come.
    fn longest_answer(&self) -> Duration {
        self.time_left().unwrap_or(LONGEST_ANSWER)
    }

    /// What is left to a question, the last moment at least; `None`: there is no deadline.
    fn time_left(&self) -> Option<Duration> {
        let deadline = *self.deadline.lock().unwrap_or_else(PoisonError::into_inner);
        let left = deadline?.saturating_duration_since(Instant::now());
        Some(left.max(LAST_MOMENT))
    }

    /// The client, made at the first call; a login helper of the kubeconfig runs then.
    ///
    /// # Errors
    /// A failed or missing login helper, unreadable certificates, an unknown kind of proxy.
    pub async fn client(&self) -> Result<&kube::Client> {
        self.client.get_or_try_init(|| self.build()).await
    }

    async fn build(&self) -> Result<kube::Client> {
        let Source::Blueprint(blueprint) = &self.source else {
            return Err(Error::failed("no way to reach the cluster was given"));
        };
        // stdin is handed to no helper then (interface §1.1); kubectl refuses in the same way.
        if self.login_is_stuck() {
            return Err(error::login::asks(&self.target));
        }
        let built = client::build(Arc::clone(blueprint), self.log.clone()).await;
        built.map_err(|error| error::unsent(error, &self.target))
    }
}
