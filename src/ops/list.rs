//! Instances with their state: three requests side by side, no release is decoded (design §4).

mod hashes;

use std::collections::BTreeMap;
use std::time::Duration;

use futures::future::join3;
use jiff::Timestamp;

use crate::cluster::{Cluster, Scope, Scoped, Skipped};
use crate::domain::instance::{PodRow, Revision, State, Status, label};
use crate::domain::state::{self, Observer};
use crate::error::Result;

use hashes::Known;
pub use hashes::hashes_at_once;

/// Pods that come later than this are done without.
const PATIENCE_FOR_PODS: Duration = Duration::from_secs(2);

/// Which instances are wanted; empty means all.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// A label selector over the labels of releases.
    pub selector: String,
    pub classes: Vec<String>,
    pub states: Vec<State>,
    pub outdated: bool,
}

/// What the list shows.
#[derive(Debug)]
pub struct Listing {
    /// By namespace and name.
    pub items: Vec<Listed>,
    pub skipped: Vec<Skipped>,
    /// Namespaces there are, where they had to be asked one by one; else 0.
    pub namespaces: usize,
    /// Why the pods are not known, if they are not.
    pub pods_unknown: Option<String>,
}

/// One instance, from metadata alone.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The newest revision.
    pub newest: Revision,
    pub class: Option<String>,
    pub plan: Option<String>,
    pub state: State,
    pub note: Option<String>,
    /// `None` where the class is not known.
    pub outdated: Option<bool>,
    /// Name and version, from the label.
    pub chart: Option<(String, String)>,
    /// `12d`, or `>12d` where only the oldest stored revision is known.
    pub age: Option<String>,
    pub created: Option<Timestamp>,
}

/// Whether the lock of a revision's instance is held on this machine.
pub type Locked<'a> = &'a dyn Fn(&Revision) -> Option<bool>;

/// The instances of a scope. Only of one in the middle of something is the lock looked at.
///
/// # Errors
/// Releases may not be listed, and what keeps an answer away.
pub async fn list(
    cluster: &Cluster,
    scope: Scope,
    filter: &Filter,
    (observer, locked): (&Observer<'_>, Locked<'_>),
) -> Result<Listing> {
    let wanted = match filter.selector.as_str() {
        "" => "status!=superseded".to_owned(),
        selector => format!("status!=superseded,{selector}"),
    };
    let pods = tokio::time::timeout(PATIENCE_FOR_PODS, cluster.pods(scope.clone(), ""));
    let (revisions, pods, classes) =
        join3(cluster.revisions(scope, &wanted), pods, hashes::classes(cluster)).await;
    let Scoped { items: revisions, skipped, namespaces } = revisions?;
    let (pods, pods_unknown) = match pods {
        Ok(Ok(pods)) => (Some(pods), None),
        Ok(Err(error)) => (None, Some(error.message)),
        Err(_) => (None, Some("the pods were not listed within 2s".to_owned())),
    };
    let view = View::new(pods, classes, observer, locked);
    let mut items: Vec<Listed> = instances(revisions).iter().map(|all| view.listed(all)).collect();
    items.retain(|item| filter.wants(item));
    Ok(Listing { items, skipped, namespaces, pods_unknown })
}

/// Revisions by instance, the newest first.
fn instances(revisions: Vec<Revision>) -> Vec<Vec<Revision>> {
    let mut by_name: BTreeMap<(String, String), Vec<Revision>> = BTreeMap::new();
    for revision in revisions {
        let key = (revision.namespace.clone(), revision.name.clone());
        by_name.entry(key).or_default().push(revision);
    }
    let mut all: Vec<Vec<Revision>> = by_name.into_values().collect();
    all.iter_mut().for_each(|one| one.sort_by_key(|r| std::cmp::Reverse(r.number)));
    all.retain(|one| !one[0].labels.contains_key(label::BINDING_OF));
    all
}

/// What is known beside the releases.
struct View<'a> {
    /// By namespace.
    pods: Option<BTreeMap<String, Vec<PodRow>>>,
    classes: Option<BTreeMap<String, Known>>,
    hashes: Option<BTreeMap<String, String>>,
    observer: &'a Observer<'a>,
    locked: Locked<'a>,
}

impl<'a> View<'a> {
    fn new(
        pods: Option<Scoped<PodRow>>,
        classes: Option<BTreeMap<String, Known>>,
        observer: &'a Observer<'a>,
        locked: Locked<'a>,
    ) -> Self {
        let pods = pods.map(|pods| {
            let mut by_namespace: BTreeMap<String, Vec<PodRow>> = BTreeMap::new();
            for pod in pods.items {
                by_namespace.entry(pod.namespace.clone()).or_default().push(pod);
            }
            by_namespace
        });
        let hashes = classes.as_ref().map(hashes::hashes);
        Self { pods, classes, hashes, observer, locked }
    }

    fn observer_of(&self, newest: &Revision) -> Observer<'a> {
        let moving = newest.status.is_pending() || newest.status == Status::Uninstalling;
        let locked = if moving { (self.locked)(newest) } else { None };
        Observer { locked, ..*self.observer }
    }

    fn listed(&self, revisions: &[Revision]) -> Listed {
        let newest = &revisions[0];
        let pods = self.pods.as_ref().map(|pods| pods.get(&newest.namespace));
        let pods = pods.map(|pods| pods.map(Vec::as_slice).unwrap_or_default());
        let (state, note) = state::state(revisions, pods, &self.observer_of(newest));
        let class = newest.labels.get(label::CLASS).cloned();
        let outdated = self.hashes.as_ref().and_then(|today| newest.is_outdated(today));
        let of_class = self.classes.as_ref().zip(class.as_deref());
        let of_class = of_class.and_then(|(classes, class)| {
            note_of_class(&newest.name, class, classes.get(class), outdated)
        });
        Listed {
            plan: newest.labels.get(label::PLAN).cloned(),
            chart: newest.labels.get(label::CHART).and_then(|label| split_chart(label)),
            age: state::instance_age(revisions, self.observer.now),
            created: state::created(revisions),
            note: note.or(of_class),
            newest: newest.clone(),
            class,
            state,
            outdated,
        }
    }
}

/// What its class means for an instance that nothing else is said of.
fn note_of_class(
    name: &str,
    class: &str,
    known: Option<&Known>,
    outdated: Option<bool>,
) -> Option<String> {
    match known {
        None => Some(format!("class {class} is gone")),
        Some(known) if outdated == Some(true) && known.broken => {
            Some(format!("outdated, but class {class} is broken"))
        }
        Some(_) => (outdated == Some(true)).then(|| format!("outdated: svc upgrade {name}")),
    }
}

/// A label holds no `+`, and a version no `_`.
fn split_chart(label: &str) -> Option<(String, String)> {
    let (name, version) = label.split_once('_')?;
    Some((name.to_owned(), version.replace('_', "+")))
}

impl Filter {
    fn wants(&self, item: &Listed) -> bool {
        let class = item.class.as_deref().unwrap_or_default();
        (self.classes.is_empty() || self.classes.iter().any(|wanted| wanted == class))
            && (self.states.is_empty() || self.states.contains(&item.state))
            && (!self.outdated || item.outdated == Some(true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upgrade_is_named_where_it_can_help() {
        let note = |known: Option<bool>, outdated| {
            let known = known.map(|broken| Known { hash: Some("h".to_owned()), broken });
            note_of_class("a", "pg", known.as_ref(), outdated)
        };
        assert_eq!(note(Some(false), Some(true)).unwrap(), "outdated: svc upgrade a");
        assert_eq!(note(Some(true), Some(true)).unwrap(), "outdated, but class pg is broken");
        assert_eq!(note(Some(true), Some(false)), None);
        assert_eq!(note(None, None).unwrap(), "class pg is gone");
    }

    #[test]
    fn the_version_of_a_chart_is_read_as_it_was_written() {
        let split = split_chart("plain_1.0.0_b.1").unwrap();
        assert_eq!((split.0.as_str(), split.1.as_str()), ("plain", "1.0.0+b.1"));
    }
}
