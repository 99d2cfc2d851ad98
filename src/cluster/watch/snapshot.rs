//! What a watch knows at one moment.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use k8s_openapi::api::apps::v1::{DaemonSet, Deployment, StatefulSet};
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::{ConfigMap, PersistentVolumeClaim, Pod, Secret};
use kube::core::DynamicObject;
use kube::runtime::reflector::Store;
use kube::{Resource, ResourceExt as _};
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

/// The stores that the watchers keep.
#[derive(Default)]
pub(super) struct Stores {
    pub pods: Option<Store<Pod>>,
    pub stateful_sets: Option<Store<StatefulSet>>,
    pub deployments: Option<Store<Deployment>>,
    pub daemon_sets: Option<Store<DaemonSet>>,
    pub jobs: Option<Store<Job>>,
    pub claims: Option<Store<PersistentVolumeClaim>>,
    pub secrets: Vec<Store<Secret>>,
    pub config_maps: Vec<Store<ConfigMap>>,
    pub objects: Vec<(ObjectRef, Option<Store<DynamicObject>>)>,
}

impl Snapshot {
    pub(super) fn of(
        stores: &Stores,
        wanted: &Wanted,
        parts: &[Part],
        events: &BTreeMap<String, Happening>,
    ) -> Self {
        use WorkloadKind as Kind;
        let pods = sorted(stores.pods.as_ref(), |_| true);
        let claims = claim_names(&pods, &wanted.claims);
        let mut events: Vec<_> = events.values().cloned().collect();
        events.sort_by_key(|event| event.last);
        Self {
            stateful_sets: workloads(stores.stateful_sets.as_ref(), wanted, Kind::StatefulSet),
            deployments: workloads(stores.deployments.as_ref(), wanted, Kind::Deployment),
            daemon_sets: workloads(stores.daemon_sets.as_ref(), wanted, Kind::DaemonSet),
            jobs: workloads(stores.jobs.as_ref(), wanted, Kind::Job),
            claims: sorted(stores.claims.as_ref(), |claim| claims.contains(&claim.name_any())),
            secrets: seen(&wanted.secrets, &stores.secrets, secret_keys),
            config_maps: seen(&wanted.config_maps, &stores.config_maps, config_map_keys),
            objects: stores
                .objects
                .iter()
                .map(|(object, store)| (object.clone(), one(store)))
                .collect(),
            events,
            not_allowed: parts.iter().filter_map(Part::forbidden).map(str::to_owned).collect(),
            trouble: parts.iter().find_map(Part::trouble).map(str::to_owned),
            pods,
        }
    }
}

/// By name, so that two snapshots of the same state are the same.
fn sorted<K>(store: Option<&Store<K>>, keep: impl Fn(&K) -> bool) -> Vec<Arc<K>>
where
    K: Resource<DynamicType = ()> + Clone + 'static,
{
    let mut all = store.map(|store| store.state_filter(keep)).unwrap_or_default();
    all.sort_by_cached_key(|object| object.name_any());
    all
}

fn workloads<K>(store: Option<&Store<K>>, wanted: &Wanted, kind: WorkloadKind) -> Vec<Arc<K>>
where
    K: Resource<DynamicType = ()> + Clone + 'static,
{
    sorted(store, |object| {
        let name = object.meta().name.as_deref();
        wanted.workloads.iter().any(|one| one.kind == kind && Some(one.name.as_str()) == name)
    })
}

fn claim_names(pods: &[Arc<Pod>], wanted: &[String]) -> BTreeSet<String> {
    let volumes = pods.iter().filter_map(|pod| pod.spec.as_ref()?.volumes.as_ref()).flatten();
    let used = volumes.filter_map(|volume| volume.persistent_volume_claim.as_ref());
    used.map(|claim| claim.claim_name.clone()).chain(wanted.iter().cloned()).collect()
}

fn seen<K>(picks: &[Pick], stores: &[Store<K>], keys: fn(&K) -> BTreeSet<String>) -> Vec<Seen>
where
    K: Resource<DynamicType = ()> + Clone + 'static,
{
    let of = |(pick, store): (&Pick, &Store<K>)| Seen {
        pick: pick.clone(),
        matches: sorted(Some(store), |_| true)
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

fn secret_keys(secret: &Secret) -> BTreeSet<String> {
    secret.data.iter().flatten().map(|(key, _)| key.clone()).collect()
}

fn config_map_keys(map: &ConfigMap) -> BTreeSet<String> {
    let text = map.data.iter().flatten().map(|(key, _)| key);
    let binary = map.binary_data.iter().flatten().map(|(key, _)| key);
    text.chain(binary).cloned().collect()
}

fn one(store: &Option<Store<DynamicObject>>) -> Option<Value> {
    let object = store.as_ref()?.state().into_iter().next()?;
    serde_json::to_value(&*object).ok()
}
