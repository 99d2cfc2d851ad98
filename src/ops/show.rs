//! The connection of an instance, as far as it is there.

use futures::future::try_join;

use super::instance::{self, Stored};
use crate::cluster::{Cluster, Found, Scope};
use crate::domain::connection::{
    Details, ObjectKind, SourceNeed, SourceState, Sources, evaluate, sources_needed,
};
use crate::domain::connection_format::SecretName;
use crate::domain::instance::{State, Status};
use crate::domain::manifest::{self, ManifestObject, origin};
use crate::domain::selector;
use crate::domain::state::{self, Observer};
use crate::error::Result;

/// Everything that `show` says.
#[derive(Debug)]
pub struct Shown {
    pub stored: Stored,
    pub state: State,
    pub note: Option<String>,
    pub outdated: Option<bool>,
    pub details: Details,
    pub sources: Sources,
    /// The first Secret that the details come from.
    pub secret: Option<SecretName>,
    pub volumes: Vec<Volume>,
}

/// A volume of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Volume {
    pub name: String,
    pub size: Option<String>,
}

impl Shown {
    /// An instance whose sources were read; its volumes are not looked at here.
    fn of(
        stored: Stored,
        (state, note): (State, Option<String>),
        sources: Sources,
        mask: &str,
    ) -> Self {
        let context = stored.context();
        let details =
            evaluate(&stored.record.connection, &context, &sources, &Default::default(), mask);
        Self {
            secret: secret_name(&stored, &sources),
            outdated: stored.outdated(),
            stored,
            state,
            note,
            details,
            sources,
            volumes: Vec::new(),
        }
    }
}

/// Reads an instance with its details; `mask` stands for sensitive values in masked forms.
///
/// # Errors
/// No such instance, and what keeps an answer away. Details that are not there are no error.
pub async fn show(
    cluster: &Cluster,
    name: &str,
    mask: &str,
    observer: &Observer<'_>,
) -> Result<Shown> {
    let stored = instance::find(cluster, name).await?;
    look(cluster, stored, mask, observer).await
}

/// The details alone: pods and volumes are looked at only where a source is missing, which is
/// told apart from one that is gone.
///
/// # Errors
/// As [`show`].
pub async fn exact(
    cluster: &Cluster,
    name: &str,
    mask: &str,
    observer: &Observer<'_>,
) -> Result<Shown> {
    let stored = instance::find(cluster, name).await?;
    let sources = stored.sources(cluster, |_| false).await?;
    if sources.values().any(|source| matches!(source, SourceState::Missing { .. })) {
        return look(cluster, stored, mask, observer).await;
    }
    let (state, note) = state::state(&stored.revisions, None, observer);
    Ok(Shown::of(stored, (state, note), sources, mask))
}

/// The same for an instance whose record was read.
///
/// # Errors
/// What keeps an answer away.
pub async fn look(
    cluster: &Cluster,
    stored: Stored,
    mask: &str,
    observer: &Observer<'_>,
) -> Result<Shown> {
    let namespace = stored.release.namespace.clone();
    let pods =
        async { Ok(cluster.pods(Scope::namespace(&namespace), &stored.pod_selector()).await.ok()) };
    let claims =
        async { cluster.claims(&namespace, &selector::standard(&stored.release.name)).await };
    let (pods, claims) = try_join(pods, claims).await?;
    let pods = pods.as_ref().map(|pods| pods.items.as_slice());
    let objects = manifest::parse(&stored.release.manifest).ok();
    let brings =
        |need: &SourceNeed| objects.as_ref().is_some_and(|objects| origin::brings(objects, need));
    let (state, note) = state::state(&stored.revisions, pods, observer);
    let (state, note) = match &objects {
        Some(objects) if has_no_pods(&stored, objects) => without_pods(state, note),
        _ => (state, note),
    };
    let was_ready = was_ready(&stored, state, observer);
    let deployed = stored.newest().status == Status::Deployed;
    let sources = stored.sources(cluster, |need| was_ready || (deployed && brings(need))).await?;
    let mut shown = Shown::of(stored, (state, note), sources, mask);
    if let Found::Here(claims) = claims {
        let volumes = claims.into_iter();
        shown.volumes =
            volumes.map(|claim| Volume { name: claim.name, size: claim.size }).collect();
    }
    (shown.state, shown.note) =
        settled(shown.state, shown.note.take(), &shown.details, &shown.sources);
    Ok(shown)
}

/// The same without a look at the cluster: every detail from a source is still to come.
pub fn unseen(stored: Stored, mask: &str, observer: &Observer<'_>) -> Shown {
    let (_, note) = state::state(&stored.revisions, None, observer);
    let needs = sources_needed(&stored.record.connection, &stored.context());
    let sources: Sources = needs
        .unwrap_or_default()
        .into_iter()
        .map(|need| {
            let object = need.to_string();
            (need.source, SourceState::Missing { object, ever_here: false })
        })
        .collect();
    Shown::of(stored, (State::Starting, note), sources, mask)
}

/// Whether there will never be a pod, neither of its own nor of an operator.
fn has_no_pods(stored: &Stored, objects: &[ManifestObject]) -> bool {
    let readiness = &stored.record.readiness;
    readiness.pods.is_none() && readiness.conditions.is_empty() && !origin::may_have_pods(objects)
}

/// The state where there are no pods to wait for.
fn without_pods(state: State, note: Option<String>) -> (State, Option<String>) {
    match (state, &note) {
        (State::Starting | State::Deployed, None) => (State::Ready, None),
        _ => (state, note),
    }
}

/// Whether it was ready before: its pods are made, and what comes after them had its time.
fn was_ready(stored: &Stored, state: State, observer: &Observer<'_>) -> bool {
    matches!(state, State::Ready | State::Degraded)
        && observer.now >= state::end_of_work(stored.newest())
}

/// An instance whose pods are well is not ready while a detail is missing.
fn settled(
    state: State,
    note: Option<String>,
    details: &Details,
    sources: &Sources,
) -> (State, Option<String>) {
    if state != State::Ready || details.complete() {
        return (state, note);
    }
    let missing = sources.values().find_map(|source| match source {
        SourceState::Missing { object, ever_here } => Some((object, *ever_here)),
        _ => None,
    });
    match missing {
        Some((object, true)) => (State::Degraded, Some(format!("{object} is gone"))),
        Some((object, false)) => (State::Starting, Some(format!("{object} does not exist yet"))),
        None => (state, note),
    }
}

fn secret_name(stored: &Stored, sources: &Sources) -> Option<SecretName> {
    let needs = sources_needed(&stored.record.connection, &stored.context()).ok()?;
    let need = needs.iter().find(|need| need.kind == ObjectKind::Secret)?;
    let name = match sources.get(&need.source)? {
        SourceState::Here(found) => found.object.rsplit(' ').next()?.to_owned(),
        _ => return None,
    };
    Some(SecretName { namespace: stored.release.namespace.clone(), name })
}
