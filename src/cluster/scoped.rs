//! Lists of one namespace or of all, namespace by namespace where the whole is not allowed.

use futures::{StreamExt as _, TryStreamExt as _, stream};

use super::answer::Failure;
use super::ask::Asked;
use super::page::Page;
use super::{Cluster, error};
use crate::error::{Error, Fact, Result};

/// Namespaces that are asked at the same time.
const SIDE_BY_SIDE: usize = 8;

/// Where to look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    Namespace(String),
    /// All namespaces; for kinds without a namespace, the cluster.
    All,
}

/// A list, and the namespaces that could not be part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scoped<T> {
    pub items: Vec<T>,
    pub skipped: Vec<Skipped>,
    /// Namespaces there are, where they had to be asked one by one; else 0.
    pub namespaces: usize,
}

/// A namespace that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    pub namespace: String,
    /// `list secrets is not allowed`
    pub reason: String,
}

impl Scope {
    /// One namespace.
    pub fn namespace(name: &str) -> Self {
        Self::Namespace(name.to_owned())
    }
}

impl Cluster {
    /// A list of the scope; a refused list of all namespaces is asked namespace by namespace.
    pub(super) async fn scoped<T: Page>(&self, asked: &Asked) -> Result<Scoped<T>> {
        match self.try_pages(asked).await {
            Ok(items) => Ok(Scoped { items, skipped: Vec::new(), namespaces: 0 }),
            Err(refused) if refused.is_forbidden() && asked.scope == Scope::All => {
                self.one_by_one(asked, refused).await
            }
            Err(failure) => Err(error::explain(failure, asked, &self.target)),
        }
    }

    async fn one_by_one<T: Page>(&self, asked: &Asked, refused: Failure) -> Result<Scoped<T>> {
        let names = match self.namespace_names().await {
            Ok(names) => names,
            Err(failure) if failure.is_forbidden() => {
                return Err(neither_allowed(error::explain(refused, asked, &self.target)));
            }
            Err(failure) => return Err(error::explain(failure, asked, &self.target)),
        };
        let answers = stream::iter(&names).map(|name| self.one_of_many(asked, name));
        let parts: Vec<_> = answers.buffered(SIDE_BY_SIDE).try_collect().await?;
        let mut whole = Scoped { items: Vec::new(), skipped: Vec::new(), namespaces: names.len() };
        for part in parts {
            match part {
                Ok(items) => whole.items.extend(items),
                Err(skipped) => whole.skipped.push(skipped),
            }
        }
        if whole.skipped.len() == names.len() {
            return Err(none_allowed(error::explain(refused, asked, &self.target), names.len()));
        }
        Ok(whole)
    }

    /// One namespace's part, or that it is skipped. Other failures than 403 end the whole: a list
    /// with holes that nobody decided on would be taken for complete.
    async fn one_of_many<T: Page>(
        &self,
        asked: &Asked,
        name: &str,
    ) -> Result<Result<Vec<T>, Skipped>> {
        let asked = asked.clone().scope(Scope::namespace(name));
        match self.try_pages(&asked).await {
            Ok(items) => Ok(Ok(items)),
            Err(failure) if failure.is_forbidden() => Ok(Err(Skipped {
                namespace: name.to_owned(),
                reason: format!("{} {} is not allowed", asked.verb.word(), asked.resource()),
            })),
            Err(failure) => Err(error::explain(failure, &asked, &self.target)),
        }
    }
}

/// Interface §8: exit 4, and `-n` is named.
fn neither_allowed(mut error: Error) -> Error {
    let name = "missing".to_owned();
    let behind = error.facts.iter().rposition(|fact| fact.name == name).map_or(0, |at| at + 1);
    let value = "list namespaces, cluster-wide".to_owned();
    error.facts.insert(behind, Fact { name, value });
    error
        .without_tries()
        .try_for("list -n NAMESPACE", "one namespace")
        .try_for("doctor --rbac", "the rules to ask your cluster's admin for")
}

fn none_allowed(mut error: Error, namespaces: usize) -> Error {
    error.message += &match namespaces {
        1 => " in the one namespace there is".to_owned(),
        many => format!(" in any of the {many} namespaces"),
    };
    error.without_tries().try_for("doctor --rbac", "the rules to ask your cluster's admin for")
}
