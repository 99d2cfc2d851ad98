//! What a watch knows at one moment.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use k8s_openapi::api::apps::v1::{DaemonSet, Deployment, StatefulSet};
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::{PersistentVolumeClaim, Pod};
use kube::core::DynamicObject;
use kube::runtime::reflector;
use kube::{Resource, ResourceExt as _};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::super::secret::Pick;
use super::follow::Part;
use super::{ObjectRef, Wanted, WorkloadKind};
use crate::domain::happening::Happening;
use crate::domain::leaving::finalizers;

/// An instance at one moment. No content of a Secret is in it.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    pub pods: Vec<Arc<Pod>>,
    pub stateful_sets: Vec<Arc<StatefulSet>>,
    pub deployments: Vec<Arc<Deployment>>,
    pub daemon_sets: Vec<Arc<DaemonSet>>,
    pub jobs: Vec<Arc<Job>>,
    /// The pods' claims and the ones wanted.
    pub claims: Vec<Arc<PersistentVolumeClaim>>,
    /// In the order wanted.
    pub secrets: Vec<Seen>,
    /// In the order wanted.
    pub config_maps: Vec<Seen>,
    /// In the order wanted; `None`: not there, or its kind is not served.
    pub objects: Vec<(ObjectRef, Option<Value>)>,
    /// The latest last.
    pub events: Vec<Happening>,
    /// Rights that the user lacks: `list events`.
    pub not_allowed: Vec<String>,
    /// Why the picture may be old: the server's or the connection's words.
    pub trouble: Option<String>,
}

/// What a pick found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub pick: Pick,
    pub matches: Vec<SeenKeys>,
}

/// A Secret or config map by its keys; an empty value is a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenKeys {
    pub name: String,
    pub keys: BTreeSet<String>,
    /// Its finalizers, where it is being deleted.
    pub leaving: Option<Vec<String>>,
}

/// The objects of one kind as they came.
pub(super) type Store = reflector::Store<DynamicObject>;

/// The stores that the watchers keep.
#[derive(Default)]
pub(super) struct Stores {
    pub pods: Option<Store>,
    pub stateful_sets: Option<Store>,
    pub deployments: Option<Store>,
    pub daemon_sets: Option<Store>,
    pub jobs: Option<Store>,
    pub claims: Option<Store>,
    pub secrets: Vec<Store>,
    pub config_maps: Vec<Store>,
    pub objects: Vec<(ObjectRef, Option<Store>)>,
}

impl Snapshot {
    pub(super) fn of(
        stores: &Stores,
        wanted: &Wanted,
        parts: &[Part],
        events: &BTreeMap<String, Happening>,
    ) -> Self {
        use WorkloadKind as Kind;
        let mut reader = Reader { wanted, unreadable: None };
        let pods = reader.typed(stores.pods.as_ref(), |_| true);
        let claims = claim_names(&pods, &wanted.claims);
        let mut events: Vec<_> = events.values().cloned().collect();
        events.sort_by_key(|event| event.last);
        Self {
            stateful_sets: reader.workloads(stores.stateful_sets.as_ref(), Kind::StatefulSet),
            deployments: reader.workloads(stores.deployments.as_ref(), Kind::Deployment),
            daemon_sets: reader.workloads(stores.daemon_sets.as_ref(), Kind::DaemonSet),
            jobs: reader.workloads(stores.jobs.as_ref(), Kind::Job),
            claims: reader
                .typed(stores.claims.as_ref(), |claim| claims.contains(&claim.name_any())),
            secrets: seen(&wanted.secrets, &stores.secrets),
            config_maps: seen(&wanted.config_maps, &stores.config_maps),
            objects: stores
                .objects
                .iter()
                .map(|(object, store)| (object.clone(), one(store)))
                .collect(),
            events,
            not_allowed: parts.iter().filter_map(Part::forbidden).map(str::to_owned).collect(),
            trouble: parts.iter().find_map(Part::trouble).map(str::to_owned).or(reader.unreadable),
            pods,
        }
    }
}

/// From JSON to the types of the API.
struct Reader<'w> {
    wanted: &'w Wanted,
    /// The first object that is not as its kind should be.
    unreadable: Option<String>,
}

impl Reader<'_> {
    fn typed<K: DeserializeOwned>(
        &mut self,
        store: Option<&Store>,
        keep: impl Fn(&DynamicObject) -> bool,
    ) -> Vec<Arc<K>> {
        let objects = store.map(|store| sorted(store, keep)).unwrap_or_default();
        objects.iter().filter_map(|object| self.read(object)).map(Arc::new).collect()
    }

    fn read<K: DeserializeOwned>(&mut self, object: &DynamicObject) -> Option<K> {
        let read = serde_json::to_value(object).and_then(serde_json::from_value);
        read.map_err(|error| {
            let says = format!("{} cannot be read: {error}", object.name_any());
            self.unreadable.get_or_insert(says);
        })
        .ok()
    }

    fn workloads<K: DeserializeOwned>(
        &mut self,
        store: Option<&Store>,
        kind: WorkloadKind,
    ) -> Vec<Arc<K>> {
        let wanted = self.wanted;
        self.typed(store, |object| {
            let name = object.meta().name.as_deref();
            wanted.workloads.iter().any(|one| one.kind == kind && Some(one.name.as_str()) == name)
        })
    }
}

/// By name, so that two snapshots of the same state are the same.
fn sorted(store: &Store, keep: impl Fn(&DynamicObject) -> bool) -> Vec<Arc<DynamicObject>> {
    let mut all = store.state_filter(keep);
    all.sort_by_cached_key(|object| object.name_any());
    all
}

fn claim_names(pods: &[Arc<Pod>], wanted: &[String]) -> BTreeSet<String> {
    let volumes = pods.iter().filter_map(|pod| pod.spec.as_ref()?.volumes.as_ref()).flatten();
    let used = volumes.filter_map(|volume| volume.persistent_volume_claim.as_ref());
    used.map(|claim| claim.claim_name.clone()).chain(wanted.iter().cloned()).collect()
}

fn seen(picks: &[Pick], stores: &[Store]) -> Vec<Seen> {
    let of = |(pick, store): (&Pick, &Store)| Seen {
        pick: pick.clone(),
        matches: sorted(store, |_| true)
            .iter()
            .map(|object| SeenKeys {
                name: object.name_any(),
                keys: keys(object),
                leaving: finalizers(object.meta()),
            })
            .collect(),
    };
    picks.iter().zip(stores).map(of).collect()
}

/// The keys of a Secret, or of a config map.
fn keys(object: &DynamicObject) -> BTreeSet<String> {
    let of = |field: &str| object.data[field].as_object().into_iter().flatten();
    of("data").chain(of("binaryData")).map(|(key, _)| key.clone()).collect()
}

fn one(store: &Option<Store>) -> Option<Value> {
    let object = store.as_ref()?.state().into_iter().next()?;
    serde_json::to_value(&*object).ok()
}
