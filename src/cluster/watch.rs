//! One instance watched: its pods, workloads, volumes, Secrets and what is said about them.

mod follow;
mod snapshot;

use std::collections::BTreeMap;
use std::time::Duration;

use futures::StreamExt as _;
use futures::stream::SelectAll;
use kube::Api;
use kube::core::{ApiResource, DynamicObject};
use tokio::time::{Instant, timeout_at};

use super::secret::Pick;
use super::{Cluster, Target};
use crate::domain::happening::Happening;
use crate::error::Result;
use follow::{News, Part, Signal, Signals};
use snapshot::Stores;
pub use snapshot::{Seen, SeenKeys, Snapshot};

/// The shortest time between two snapshots.
const GAP: Duration = Duration::from_millis(250);
/// How long the first snapshot waits for parts that are slow.
const GRACE: Duration = Duration::from_secs(3);
/// Events that are remembered; the oldest go first.
const MOST_EVENTS: usize = 300;

/// What to watch in one namespace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    pub namespace: String,
    /// Label selector of the pods.
    pub pods: String,
    /// From the manifest.
    pub workloads: Vec<Workload>,
    /// Claims besides those of the pods.
    pub claims: Vec<String>,
    pub secrets: Vec<Pick>,
    pub config_maps: Vec<Pick>,
    /// Custom resources whose conditions count.
    pub objects: Vec<ObjectRef>,
    /// Events are kept of objects whose names contain one of these: the instance's name and its
    /// fullname.
    pub names: Vec<String>,
}

/// A workload of the manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workload {
    pub kind: WorkloadKind,
    pub name: String,
}

/// Kinds that make pods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WorkloadKind {
    StatefulSet,
    Deployment,
    DaemonSet,
    Job,
}

/// An object of the watched namespace.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ObjectRef {
    /// `postgresql.cnpg.io/v1`
    pub api_version: String,
    pub kind: String,
    pub name: String,
}

/// A watch that goes on until it is dropped; lost connections are made again.
pub struct Watched {
    wanted: Wanted,
    target: Target,
    signals: SelectAll<Signals>,
    parts: Vec<Part>,
    stores: Stores,
    events: BTreeMap<String, Happening>,
    changed: bool,
    begun: Instant,
    last: Option<Instant>,
}

impl Cluster {
    /// Begins to watch. Kinds that the user may not list are named in the snapshots.
    ///
    /// # Errors
    /// No login; what keeps the kinds of `objects` from being known.
    pub async fn watch(&self, wanted: Wanted) -> Result<Watched> {
        let client = self.client().await?.clone();
        let mut watched = Watched {
            target: self.target.clone(),
            signals: SelectAll::new(),
            parts: Vec::new(),
            stores: Stores::default(),
            events: BTreeMap::new(),
            changed: true,
            begun: Instant::now(),
            last: None,
            wanted,
        };
        watched.begin(&client);
        for object in watched.wanted.objects.clone() {
            let api = self.dynamic(&client, &object, &watched.wanted.namespace).await?;
            watched.follow_object(object, api);
        }
        Ok(watched)
    }

    /// `None`: the kind is not served.
    async fn dynamic(
        &self,
        client: &kube::Client,
        object: &ObjectRef,
        namespace: &str,
    ) -> Result<Option<(Api<DynamicObject>, ApiResource)>> {
        let found = self.kind_of(&object.api_version, &object.kind).await?;
        Ok(found.map(|(kind, namespaced)| {
            let resource = ApiResource {
                group: kind.group.into_owned(),
                version: kind.version.into_owned(),
                api_version: object.api_version.clone(),
                kind: object.kind.clone(),
                plural: kind.plural.into_owned(),
            };
            let client = client.clone();
            let api = if namespaced {
                Api::namespaced_with(client, namespace, &resource)
            } else {
                Api::all_with(client, &resource)
            };
            (api, resource)
        }))
    }
}

impl Watched {
    /// The next snapshot: the first as soon as all is read, then one after each change, at most
    /// one each 250 ms. May be dropped and called again.
    ///
    /// # Errors
    /// Credentials that are not accepted any more; other trouble is named in the snapshot and
    /// tried again.
    pub async fn changed(&mut self) -> Result<Snapshot> {
        loop {
            let due = self.due();
            if due.is_some_and(|due| due <= Instant::now()) {
                return Ok(self.take());
            }
            let Some(due) = due else {
                match self.signals.next().await {
                    Some(signal) => self.note(signal)?,
                    None => std::future::pending().await,
                }
                continue;
            };
            match timeout_at(due, self.signals.next()).await {
                Ok(Some(signal)) => self.note(signal)?,
                Ok(None) | Err(_) => tokio::time::sleep_until(due).await,
            }
        }
    }

    /// When the next snapshot may be handed out; `None`: nothing has changed.
    fn due(&self) -> Option<Instant> {
        let complete = self.parts.iter().all(|part| !part.is_waiting());
        let due = match self.last {
            _ if !self.changed => return None,
            Some(last) => last + GAP,
            None if complete => self.begun,
            None => self.begun + GRACE,
        };
        Some(due)
    }

    fn take(&mut self) -> Snapshot {
        self.changed = false;
        self.last = Some(Instant::now());
        Snapshot::of(&self.stores, &self.wanted, &self.parts, &self.events)
    }

    fn note(&mut self, signal: Signal) -> Result<()> {
        match signal.news {
            News::Event(name, event) => {
                self.events.insert(name, *event);
                self.forget_old_events();
                self.changed = true;
            }
            News::Failed(error) => {
                self.changed |= self.parts[signal.part].failed(error, &self.target)?;
            }
            News::Complete | News::Changed => {
                self.parts[signal.part].answered();
                self.changed = true;
            }
        }
        Ok(())
    }

    fn forget_old_events(&mut self) {
        if self.events.len() > MOST_EVENTS {
            let oldest = self.events.iter().min_by_key(|(_, event)| event.last);
            if let Some(name) = oldest.map(|(name, _)| name.clone()) {
                self.events.remove(&name);
            }
        }
    }
}
