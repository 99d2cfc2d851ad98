//! What a class does not say of itself: whether its archive is there, and whether one may use it.

use std::collections::{BTreeMap, BTreeSet};

use futures::future::{join, join_all};

use super::{Entry, Status};
use crate::cluster::{Cluster, Found, Right, Rights};
use crate::domain::class::{ChartSource, ConfigMapChart, GROUP};
use crate::domain::crd;

/// Marks classes as broken or not allowed where the cluster says so.
pub(super) async fn all(cluster: &Cluster, rights: Option<&Rights>, entries: &mut [Entry]) {
    let places = places(entries);
    let doubtful = doubtful(rights, entries);
    let (missing, refused) =
        join(missing_archives(cluster, places), refused(cluster, &doubtful)).await;
    mark_archives(entries, &missing);
    for entry in entries {
        if entry.status != Status::Broken && refused.contains(&entry.name) {
            entry.status = Status::NotAllowed;
        }
    }
}

/// The archives alone.
pub(super) async fn archives(cluster: &Cluster, entries: &mut [Entry]) {
    let missing = missing_archives(cluster, places(entries)).await;
    mark_archives(entries, &missing);
}

/// A config map by namespace and name.
pub(super) type Place = (String, String);

/// What is wrong with a place: it is not there, or has these keys alone.
type Archives = BTreeMap<Place, Option<BTreeSet<String>>>;

/// A class whose archive is not where it should be is broken. One that may not be read is not
/// known to be: `create` will tell.
fn mark_archives(entries: &mut [Entry], known: &Archives) {
    for entry in entries {
        let Some(map) = archive(entry) else { continue };
        let (namespace, name, key) = (&map.namespace, &map.name, &map.key);
        let reason = match known.get(&(namespace.clone(), name.clone())) {
            Some(None) => format!("chart: no ConfigMap {name} in namespace {namespace}"),
            Some(Some(keys)) if !keys.contains(key) => {
                format!("chart: ConfigMap {name} in namespace {namespace} has no key {key}")
            }
            _ => continue,
        };
        entry.break_for(reason);
    }
}

/// The ConfigMaps that hold the archives of classes.
pub(super) fn places(entries: &[Entry]) -> BTreeSet<Place> {
    let archives = entries.iter().filter_map(archive);
    archives.map(|map| (map.namespace.clone(), map.name.clone())).collect()
}

async fn missing_archives(cluster: &Cluster, places: BTreeSet<Place>) -> Archives {
    let asked = places.into_iter().map(|place| async move {
        match cluster.config_map_keys(&place.0, &place.1).await {
            Ok(Found::Here(keys)) => Some((place, Some(keys))),
            Ok(Found::Missing) => Some((place, None)),
            Ok(Found::Forbidden(_)) | Err(_) => None,
        }
    });
    join_all(asked).await.into_iter().flatten().collect()
}

fn archive(entry: &Entry) -> Option<&ConfigMapChart> {
    let chart = entry.class.as_ref().filter(|_| entry.broken.is_none())?.spec.chart.as_ref()?;
    match chart.source()? {
        ChartSource::ConfigMap(map) => Some(map),
        _ => None,
    }
}

/// The classes of which the rules say no, where the server could not name all rules.
fn doubtful(rights: Option<&Rights>, entries: &[Entry]) -> Vec<Right> {
    let Some(rights) = rights.filter(|rights| rights.incomplete) else { return Vec::new() };
    let known = entries.iter().filter_map(|entry| entry.class.as_ref());
    known
        .filter(|class| !rights.allows("use", GROUP, crd::PLURAL, Some(&class.name)))
        .map(|class| Right::use_of_class(&class.name))
        .collect()
}

/// Asks about all classes at once first: that is how most people may use them.
async fn refused(cluster: &Cluster, doubtful: &[Right]) -> BTreeSet<String> {
    let Some(first) = doubtful.first() else { return BTreeSet::new() };
    let every = Right { name: None, ..first.clone() };
    if cluster.may(&every).await.unwrap_or(true) {
        return BTreeSet::new();
    }
    let missing = cluster.missing_of(doubtful).await.unwrap_or_default();
    missing.into_iter().filter_map(|right| right.name).collect()
}
