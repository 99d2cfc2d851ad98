//! What helm will need of the user's rights, asked before it starts: it makes or removes one object
//! after the other, and would stop half way at the first that is refused.

pub mod place;

use std::collections::BTreeSet;

use futures::future::try_join3;

use crate::cluster::{Cluster, Place, Right, Scope};
use crate::domain::manifest::{self, ManifestObject};
use crate::error::{Error, Result};
use crate::helm::{Helm, Signals, TemplateRequest};
use crate::ops::deploy::{Engine, Order, Prepared};
use place::places;

/// Rights that are named in an error; it is to fit on a screen.
const NAMED: usize = 8;

/// What becomes of objects in a change.
#[derive(Clone, Copy, Debug)]
pub struct Objects<'a> {
    /// Those of the revision that runs.
    pub before: &'a [ManifestObject],
    pub after: &'a [ManifestObject],
    /// How many are stored.
    pub revisions: usize,
}

/// Revisions that helm keeps of a release; `HELM_MAX_HISTORY` does not reach it.
const HISTORY: usize = 10;

/// Passes when the user may make everything that the chart brings. Who may do everything in the
/// cluster is not asked further.
///
/// # Errors
/// The rights that are missing, and what keeps an answer away.
pub async fn check_install(
    engine: Engine<'_>,
    order: &Order<'_>,
    prepared: &Prepared,
    signals: &mut Signals,
) -> Result<()> {
    let Engine { cluster, helm, say } = engine;
    if may_everything(cluster).await? {
        return Ok(());
    }
    // Without the cluster: it takes a moment only, and the kinds are what counts.
    let request = TemplateRequest {
        target: prepared.target.clone(),
        deployment: prepared.deployment(order),
        is_upgrade: false,
        ask_cluster: false,
    };
    let outcome = helm.template(&request, signals).await?;
    say(&outcome.command_line);
    if let Some(signal) = outcome.interrupted() {
        return Err(super::change::interrupted(signal));
    }
    // What cannot be rendered is told by the install itself, which then makes nothing.
    let Ok(after) = manifest::parse(&outcome.stdout) else { return Ok(()) };
    let objects = Objects { before: &[], after: &after, revisions: 0 };
    check_objects(cluster, helm, &format!("create {}", order.name), objects).await
}

async fn may_everything(cluster: &Cluster) -> Result<bool> {
    cluster.may(&Right { namespace: None, ..Right::new("*", "*", "*", "") }).await
}

/// Passes when the user may change, make and remove what a new revision wants; `doing` is a verb
/// and its object.
///
/// # Errors
/// The rights that are missing, and what keeps an answer away.
pub async fn check_change(
    cluster: &Cluster,
    helm: &Helm,
    doing: &str,
    objects: Objects<'_>,
) -> Result<()> {
    if may_everything(cluster).await? {
        return Ok(());
    }
    check_objects(cluster, helm, doing, objects).await
}

async fn check_objects(
    cluster: &Cluster,
    helm: &Helm,
    doing: &str,
    objects: Objects<'_>,
) -> Result<()> {
    let Objects { before, after, revisions } = objects;
    let namespace = cluster.namespace.as_str();
    let (kept, new): (Vec<_>, Vec<_>) =
        after.iter().cloned().partition(|one| one.is_one_of(before));
    let goes = |one: &&ManifestObject| !one.is_one_of(after) && !one.is_kept();
    let gone: Vec<_> = before.iter().filter(goes).cloned().collect();
    let (new, kept, gone) = try_join3(
        places(cluster, &new, namespace),
        places(cluster, &kept, namespace),
        places(cluster, &gone, namespace),
    )
    .await?;
    let mut needed: Vec<Right> =
        of_record(revisions).map(|verb| Right::new(verb, "", "secrets", namespace)).collect();
    // helm 4 applies on the server's side, helm 3 sends what differs (tried on 3.17 and 4.3).
    let applies: &[&str] = if helm.version().major >= 4 { &["get", "patch"] } else { &["get"] };
    needed.extend(new.iter().map(|place| Right { name: None, ..right("create", place) }));
    let there = new.iter().chain(&kept);
    needed.extend(there.flat_map(|place| applies.iter().map(|verb| right(verb, place))));
    needed.extend(gone.iter().map(|place| right("delete", place)));
    pass(cluster, doing, needed).await
}

/// What is done with the Secrets that helm keeps its revisions in.
fn of_record(revisions: usize) -> impl Iterator<Item = &'static str> {
    let oldest_goes = (revisions >= HISTORY).then_some("delete");
    ["create", "update"].into_iter().chain(oldest_goes)
}

/// The right to do something with the object of a place.
pub fn right(verb: &str, place: &Place) -> Right {
    let (kind, name) = (&place.kind, Some(place.name.clone()));
    let namespace = match &place.scope {
        Scope::Namespace(namespace) => Some(namespace.clone()),
        Scope::All => None,
    };
    Right { name, namespace, ..Right::new(verb, &kind.group, &kind.plural, "") }
}

/// Passes when the user has all of them; `doing` is a verb and its object.
///
/// # Errors
/// Those that are missing, and what keeps an answer away.
pub async fn pass(cluster: &Cluster, doing: &str, mut needed: Vec<Right>) -> Result<()> {
    needed.sort();
    needed.dedup();
    if needed.is_empty() {
        return Ok(());
    }
    let missing = cluster.missing(&cluster.namespace, &needed).await?;
    let words: BTreeSet<String> = missing.iter().map(in_words).collect();
    if words.is_empty() {
        return Ok(());
    }
    let target = &cluster.target;
    let sentence =
        format!("not allowed to {doing} in namespace {}; nothing changed", cluster.namespace);
    let more = words.len().saturating_sub(NAMED);
    let more = (more > 0).then(|| format!("{more} more"));
    let named = words.into_iter().take(NAMED).chain(more);
    Err(named
        .fold(Error::not_allowed(sentence), |error, right| error.fact("missing", right))
        .fact("user", format!("{}, context {}", target.user, target.context))
        .try_for("doctor --rbac", "the rules to ask your cluster's admin for"))
}

/// `delete services in team-a`
fn in_words(right: &Right) -> String {
    match &right.namespace {
        Some(namespace) => format!("{right} in {namespace}"),
        None => format!("{right}, cluster-wide"),
    }
}
