//! Objects that are being deleted: looked at by their places, or by the labels of an instance.

use std::fmt;
use std::time::Duration;

use futures::future::try_join_all;
use futures::{StreamExt as _, TryStreamExt as _, stream};
use tokio::time::{Instant, sleep_until};

use super::answer::{Failure, parse};
use super::ask::{Asked, METADATA, METADATA_LIST};
use super::kind::{CLAIMS, CONFIG_MAPS, DEPLOYMENTS, Kind, PODS, SECRETS, SERVICES, STATEFUL_SETS};
use super::page::{Items, ListMeta, Page};
use super::release::{Meta, Partial};
use super::{Cluster, Outage, Scope, error};
use crate::domain::leaving::Leaving;
use crate::error::Result;

/// Between two looks at something that is going away.
const PAUSE: Duration = Duration::from_millis(500);
/// Objects that are looked at in the same moment.
const SIDE_BY_SIDE: usize = 8;

/// Where one object is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub kind: Kind,
    pub scope: Scope,
    /// The kind as manifests write it: `Secret`.
    pub word: String,
    pub name: String,
}

/// What charts make most, with the kind's word.
const OF_CHARTS: [(Kind, &str); 5] = [
    (SECRETS, "Secret"),
    (CONFIG_MAPS, "ConfigMap"),
    (SERVICES, "Service"),
    (STATEFUL_SETS, "StatefulSet"),
    (DEPLOYMENTS, "Deployment"),
];

/// The objects of a page that are being deleted; the kind's word is not in it.
struct Row(Leaving);

impl Page for Row {
    fn read(bytes: &[u8], all: &mut Vec<Self>) -> Result<ListMeta, Failure> {
        let page: Items<Partial<'_>> = parse(bytes)?;
        all.extend(page.items.into_iter().filter_map(|item| leaving("", item.metadata)).map(Self));
        Ok(page.metadata)
    }
}

fn leaving(word: &str, meta: Meta<'_>) -> Option<Leaving> {
    let since = meta.deletion_timestamp?;
    Some(Leaving {
        object: format!("{word} {}", meta.name),
        since: since.parse().ok(),
        finalizers: meta.finalizers,
    })
}

impl Cluster {
    /// Waits until none of the objects is on its way out any more; gives those that still are at
    /// the deadline. One of the same name that lives is another one, or was never to go; one that
    /// may not be read is not waited for.
    ///
    /// # Errors
    /// What keeps an answer away.
    pub async fn objects_gone(&self, places: &[Place], deadline: Instant) -> Result<Vec<Leaving>> {
        let mut left: Vec<&Place> = places.iter().collect();
        until_gone(Outage::after_an_answer(), deadline, async || {
            let looks = stream::iter(left.clone()).map(|place| self.leaving_at(place));
            let seen: Vec<_> = looks.buffered(SIDE_BY_SIDE).try_collect().await?;
            let there = left.iter().zip(&seen).filter(|(_, seen)| seen.is_some());
            left = there.map(|(place, _)| *place).collect();
            Ok(seen.into_iter().flatten().collect())
        })
        .await
    }

    /// The object at a place, where it is being deleted.
    async fn leaving_at(&self, place: &Place) -> Result<Option<Leaving>> {
        let (scope, purpose) = (place.scope.clone(), format!("read {place}"));
        let asked = Asked::get(&place.kind, scope, &place.name, purpose).accept(METADATA);
        let found = self.bytes(&asked).await.and_then(|bytes| {
            let found: Partial<'_> = parse(&bytes)?;
            Ok(leaving(&place.word, found.metadata))
        });
        self.or_not_known(found, &asked)
    }

    /// What an instance's labels find that is being deleted, of the kinds that charts make most.
    ///
    /// # Errors
    /// What keeps an answer away; kinds that may not be listed are left out.
    pub async fn leaving(&self, namespace: &str, selector: &str) -> Result<Vec<Leaving>> {
        let kinds = OF_CHARTS;
        let asked =
            kinds.iter().map(|(kind, word)| self.leaving_of(kind, word, namespace, selector));
        Ok(try_join_all(asked).await?.into_iter().flatten().collect())
    }

    /// Waits until [`Cluster::leaving`] finds nothing; gives what it finds at the deadline.
    ///
    /// # Errors
    /// What keeps an answer away.
    pub async fn labelled_gone(
        &self,
        namespace: &str,
        selector: &str,
        deadline: Instant,
    ) -> Result<Vec<Leaving>> {
        let look = async || self.leaving(namespace, selector).await;
        until_gone(Outage::after_an_answer(), deadline, look).await
    }

    /// The pods that are being deleted.
    ///
    /// # Errors
    /// What keeps an answer away; where they may not be listed there are none.
    pub async fn leaving_pods(&self, namespace: &str, selector: &str) -> Result<Vec<Leaving>> {
        self.leaving_of(&PODS, "Pod", namespace, selector).await
    }

    /// The same of one kind; `word` is how manifests write it.
    ///
    /// # Errors
    /// As for [`Cluster::leaving`].
    pub async fn leaving_of(
        &self,
        kind: &Kind,
        word: &str,
        namespace: &str,
        selector: &str,
    ) -> Result<Vec<Leaving>> {
        let asked = Asked::list(kind, Scope::namespace(namespace), format!("list {kind}"))
            .accept(METADATA_LIST)
            .labels(selector);
        let rows: Option<Vec<Row>> =
            self.or_not_known(self.try_pages(&asked).await.map(Some), &asked)?;
        let named = |Row(row): Row| Leaving { object: format!("{word}{}", row.object), ..row };
        Ok(rows.into_iter().flatten().map(named).collect())
    }

    /// What is not there, not allowed or not served says nothing.
    fn or_not_known<T>(
        &self,
        answer: Result<Option<T>, Failure>,
        asked: &Asked,
    ) -> Result<Option<T>> {
        match answer {
            Err(Failure::Refused { code: 403..=406, .. }) => Ok(None),
            Err(failure) => Err(error::explain(failure, asked, &self.target)),
            Ok(known) => Ok(known),
        }
    }

    /// Waits until no pod matches; `false`: some are still there at the deadline.
    ///
    /// # Errors
    /// What keeps an answer away.
    pub async fn pods_gone(
        &self,
        namespace: &str,
        selector: &str,
        deadline: Instant,
    ) -> Result<bool> {
        let scope = Scope::namespace(namespace);
        let look = async || Ok(self.pods(scope.clone(), selector).await?.items);
        Ok(until_gone(Outage::default(), deadline, look).await?.is_empty())
    }
}

impl Place {
    /// A volume.
    pub fn of_claim(namespace: &str, name: &str) -> Self {
        let (scope, word) = (Scope::namespace(namespace), "Volume".to_owned());
        Self { kind: CLAIMS, scope, word, name: name.to_owned() }
    }
}

/// `Secret mydb-config`
impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.word, self.name)
    }
}

/// Looks again and again until nothing is there; gives what still is at the deadline.
///
/// # Errors
/// What keeps an answer away for longer than the outage bears, or at the deadline.
pub(super) async fn until_gone<T>(
    mut outage: Outage,
    deadline: Instant,
    mut look: impl AsyncFnMut() -> Result<Vec<T>>,
) -> Result<Vec<T>> {
    let mut last = Vec::new();
    loop {
        if let Some(seen) = outage.bear(look().await)? {
            if seen.is_empty() {
                return Ok(seen);
            }
            last = seen;
        }
        if !pause(deadline).await {
            return outage.end().map(|()| last);
        }
    }
}

/// Waits a little; `false` at the deadline.
async fn pause(deadline: Instant) -> bool {
    let next = Instant::now() + PAUSE;
    if next >= deadline {
        return false;
    }
    sleep_until(next).await;
    true
}
