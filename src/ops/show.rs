//! The connection of an instance, as far as it is there.

use futures::future::{try_join, try_join3};

use super::instance::{self, Stored};
use crate::cluster::{Cluster, Found, Scope};
use crate::domain::connection::{
    Details, ObjectKind, SourceNeed, SourceState, Sources, evaluate, sources_needed,
};
use crate::domain::connection_format::SecretName;
use crate::domain::instance::{State, Status};
use crate::domain::manifest::{self, origin};
use crate::domain::readiness;
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
    let own = selector::standard(&stored.release.name);
    let claims = cluster.claims(&namespace, &own);
    let (seen, claims) = try_join(closely(cluster, &stored, observer), claims).await?;
    let mut shown = Shown::of(stored, (seen.state, seen.note), seen.sources, mask);
    if let Found::Here(claims) = claims {
        let volumes = claims.into_iter();
        shown.volumes =
            volumes.map(|claim| Volume { name: claim.name, size: claim.size }).collect();
    }
    Ok(shown)
}

/// An instance as the rule of `wait` sees it.
#[derive(Debug)]
pub struct Seen {
    pub state: State,
    pub note: Option<String>,
    pub sources: Sources,
}

/// Looks at everything that an instance must have to be ready.
///
/// # Errors
/// What keeps an answer away; what may not be read is left out.
pub async fn closely(cluster: &Cluster, stored: &Stored, observer: &Observer<'_>) -> Result<Seen> {
    let namespace = stored.release.namespace.as_str();
    let objects = manifest::parse(&stored.release.manifest).unwrap_or_default();
    let had_its_time = state::had_its_time(&stored.revisions, observer);
    let deployed = stored.newest().status == Status::Deployed;
    let ever_here =
        |need: &SourceNeed| had_its_time || (deployed && origin::brings(&objects, need));
    let selector = stored.pod_selector();
    let pods = async { Ok(cluster.pods(Scope::namespace(namespace), &selector).await.ok()) };
    let (pods, (workloads, conditions), sources) = try_join3(
        pods,
        instance::parts(cluster, stored, &objects),
        stored.sources(cluster, ever_here),
    )
    .await?;
    let pods = pods.as_ref().map(|pods| pods.items.as_slice());
    let needs = sources_needed(&stored.record.connection, &stored.context()).unwrap_or_default();
    let lack = readiness::lack(&workloads, &needs, &sources, &conditions);
    let (state, note) = state::state_of_known(&stored.revisions, pods, lack.as_ref(), observer);
    Ok(Seen { state, note, sources })
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

fn secret_name(stored: &Stored, sources: &Sources) -> Option<SecretName> {
    let needs = sources_needed(&stored.record.connection, &stored.context()).ok()?;
    let need = needs.iter().find(|need| need.kind == ObjectKind::Secret)?;
    let name = match sources.get(&need.source)? {
        SourceState::Here(found) => found.object.rsplit(' ').next()?.to_owned(),
        _ => return None,
    };
    Some(SecretName { namespace: stored.release.namespace.clone(), name })
}
