//! What to watch of an instance, and what was seen of it in the domain's own terms.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use crate::cluster::{
    Cluster, ObjectRef, Pick, Seen, Snapshot as Picture, Wanted, Workload as WatchedWorkload,
    WorkloadKind,
};
use crate::domain::class::Condition;
use crate::domain::connection::{
    Content, Found, Lookup, ObjectKind, SourceNeed, SourceState, Sources, sources_needed,
};
use crate::domain::instance::Status;
use crate::domain::leaving::finalizers_of;
use crate::domain::manifest::{self, ManifestObject, origin};
use crate::domain::readiness::{ConditionLook, Snapshot, Workload};
use crate::domain::state;
use crate::ops::instance::{self, Stored};

/// What is wanted of one instance.
pub struct Wish {
    pub wanted: Wanted,
    pub needs: Vec<SourceNeed>,
    /// What the release wants of each workload.
    workloads: Vec<(WatchedWorkload, ManifestObject)>,
    conditions: Vec<(Condition, String)>,
    /// The sources whose objects the release itself brings.
    brought: BTreeSet<String>,
    /// The end of what was to come after helm: from then on, what is not there is gone.
    settled: Timestamp,
    /// Sensitive answers, to be kept out of logs.
    pub sensitive: Vec<String>,
}

impl Wish {
    /// From the record and the manifest of the revision that runs.
    ///
    /// # Errors
    /// Why the class or the manifest gives nothing to watch.
    pub fn of(stored: &Stored) -> Result<Self, String> {
        let release = &stored.release;
        let context = stored.context();
        let needs = sources_needed(&stored.record.connection, &context)
            .map_err(|error| format!("source {}", error.reason))?;
        let objects = manifest::parse(&release.manifest).map_err(|error| {
            format!("document {} of its manifest: {}", error.document, error.reason)
        })?;
        let conditions = instance::conditions(stored).map_err(|error| error.to_string())?;
        let workloads: Vec<(WatchedWorkload, ManifestObject)> = instance::workloads(&objects)
            .into_iter()
            .map(|(wanted, object)| (wanted, object.clone()))
            .collect();
        let wanted = Wanted {
            namespace: release.namespace.clone(),
            pods: stored.pod_selector(),
            workloads: workloads.iter().map(|(wanted, _)| wanted.clone()).collect(),
            claims: Vec::new(),
            secrets: picks(&needs, &ObjectKind::Secret),
            config_maps: picks(&needs, &ObjectKind::ConfigMap),
            objects: watched_objects(&needs, &conditions),
            names: vec![release.name.clone(), stored.fullname()],
        };
        let deployed = stored.newest().status == Status::Deployed;
        let brought = needs.iter().filter(|need| deployed && origin::brings(&objects, need));
        Ok(Self {
            brought: brought.map(|need| need.source.clone()).collect(),
            settled: state::end_of_work(stored.newest()),
            sensitive: stored.sensitive_texts(),
            wanted,
            workloads,
            needs,
            conditions,
        })
    }

    /// Whether what is not there now was there before.
    fn ever_here(&self, need: &SourceNeed) -> bool {
        self.brought.contains(&need.source) || Timestamp::now() >= self.settled
    }

    /// The sources with their contents; nothing of what cannot be read.
    pub async fn stored_sources(&self, cluster: &Cluster) -> Sources {
        let mut sources = Sources::new();
        for need in &self.needs {
            let state = instance::source(cluster, &self.wanted.namespace, need, false).await;
            sources.insert(need.source.clone(), state.unwrap_or(SourceState::NotAsked));
        }
        sources
    }
}

fn picks(needs: &[SourceNeed], kind: &ObjectKind) -> Vec<Pick> {
    needs.iter().filter(|need| need.kind == *kind).map(|need| pick(&need.lookup)).collect()
}

fn pick(lookup: &Lookup) -> Pick {
    match lookup {
        Lookup::Name(name) => Pick::Name(name.clone()),
        Lookup::Selector(selector) => Pick::Selector(selector.clone()),
    }
}

fn watched_objects(needs: &[SourceNeed], conditions: &[(Condition, String)]) -> Vec<ObjectRef> {
    let sources = needs.iter().filter_map(object_of);
    let conditions = conditions.iter().map(|(condition, name)| ObjectRef {
        api_version: condition.api_version.clone(),
        kind: condition.kind.clone(),
        name: name.clone(),
    });
    let mut objects: Vec<ObjectRef> = Vec::new();
    for object in sources.chain(conditions) {
        if !objects.contains(&object) {
            objects.push(object);
        }
    }
    objects
}

fn object_of(need: &SourceNeed) -> Option<ObjectRef> {
    let (Lookup::Name(name) | Lookup::Selector(name)) = &need.lookup;
    let (api_version, kind) = match &need.kind {
        ObjectKind::Service => ("v1".to_owned(), "Service".to_owned()),
        ObjectKind::Other { api_version, kind } => (api_version.clone(), kind.clone()),
        ObjectKind::Secret | ObjectKind::ConfigMap => return None,
    };
    Some(ObjectRef { api_version, kind, name: name.clone() })
}

/// What was seen, for the domain to judge.
pub fn snapshot(picture: &Picture, wish: &Wish) -> Snapshot {
    Snapshot {
        workloads: wish
            .workloads
            .iter()
            .filter(|(wanted, _)| may_see(picture, wanted.kind))
            .map(|(wanted, object)| seen_workload(picture, wanted).as_wanted_by(object))
            .collect(),
        pods: picture.pods.iter().map(|pod| (**pod).clone()).collect(),
        claims: picture.claims.iter().map(|claim| (**claim).clone()).collect(),
        events: picture.events.clone(),
        needs: wish.needs.clone(),
        sources: sources(picture, wish),
        brought: wish.brought.clone(),
        conditions: wish
            .conditions
            .iter()
            .map(|(condition, name)| ConditionLook {
                condition: condition.clone(),
                name: name.clone(),
                object: object(picture, &condition.api_version, &condition.kind, name),
            })
            .collect(),
    }
}

/// What may not be watched cannot be waited for.
fn may_see(picture: &Picture, kind: WorkloadKind) -> bool {
    let resource = format!("list {}s", format!("{kind:?}").to_lowercase());
    !picture.not_allowed.iter().any(|right| right.starts_with(&resource))
}

fn seen_workload(picture: &Picture, wanted: &WatchedWorkload) -> Workload {
    let name = Some(wanted.name.as_str());
    let found = match wanted.kind {
        WorkloadKind::StatefulSet => {
            find(&picture.stateful_sets, |set| set.metadata.name.as_deref() == name)
                .map(Workload::StatefulSet)
        }
        WorkloadKind::Deployment => {
            find(&picture.deployments, |one| one.metadata.name.as_deref() == name)
                .map(Workload::Deployment)
        }
        WorkloadKind::DaemonSet => {
            find(&picture.daemon_sets, |set| set.metadata.name.as_deref() == name)
                .map(Workload::DaemonSet)
        }
        WorkloadKind::Job => {
            find(&picture.jobs, |job| job.metadata.name.as_deref() == name).map(Workload::Job)
        }
    };
    found.unwrap_or_else(|| Workload::Missing {
        kind: format!("{:?}", wanted.kind),
        name: wanted.name.clone(),
    })
}

fn find<T: Clone>(all: &[std::sync::Arc<T>], is: impl Fn(&T) -> bool) -> Option<Box<T>> {
    all.iter().find(|one| is(one)).map(|one| Box::new((**one).clone()))
}

fn sources(picture: &Picture, wish: &Wish) -> Sources {
    let states = wish.needs.iter().map(|need| (need.source.clone(), state(picture, wish, need)));
    states.collect()
}

fn state(picture: &Picture, wish: &Wish, need: &SourceNeed) -> SourceState {
    let seen = match &need.kind {
        ObjectKind::Secret => &picture.secrets,
        ObjectKind::ConfigMap => &picture.config_maps,
        ObjectKind::Service | ObjectKind::Other { .. } => return object_state(picture, wish, need),
    };
    let wanted = pick(&need.lookup);
    let seen: Option<&Seen> = seen.iter().find(|seen| seen.pick == wanted);
    let matches = seen.map(|seen| seen.matches.as_slice()).unwrap_or_default();
    let right = format!("list {}", instance::resource(&need.kind));
    match matches {
        [] if picture.not_allowed.contains(&right) => {
            SourceState::Forbidden { object: need.to_string(), verb: right }
        }
        [] => missing(wish, need),
        [one] => {
            let keys: BTreeMap<String, Vec<u8>> =
                one.keys.iter().map(|key| (key.clone(), Vec::new())).collect();
            let object = format!("{} {}", need.kind, one.name);
            let (content, leaving) = (Content::Keys(keys), one.leaving.clone());
            SourceState::Here(Found { object, content, leaving })
        }
        several => {
            let (Lookup::Name(selector) | Lookup::Selector(selector)) = &need.lookup;
            let names = several.iter().map(|one| one.name.clone()).collect();
            SourceState::Ambiguous { selector: selector.clone(), names }
        }
    }
}

fn missing(wish: &Wish, need: &SourceNeed) -> SourceState {
    SourceState::Missing { object: need.to_string(), ever_here: wish.ever_here(need) }
}

fn object_state(picture: &Picture, wish: &Wish, need: &SourceNeed) -> SourceState {
    let found = object_of(need)
        .and_then(|wanted| object(picture, &wanted.api_version, &wanted.kind, &wanted.name));
    match found {
        Some(value) => {
            let leaving = finalizers_of(&value);
            let (object, content) = (need.to_string(), Content::Object(value));
            SourceState::Here(Found { object, content, leaving })
        }
        None => missing(wish, need),
    }
}

fn object(
    picture: &Picture,
    api_version: &str,
    kind: &str,
    name: &str,
) -> Option<serde_json::Value> {
    let found = picture.objects.iter().find(|(object, _)| {
        object.api_version == api_version && object.kind == kind && object.name == name
    });
    found.and_then(|(_, value)| value.clone())
}
