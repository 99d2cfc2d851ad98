//! Namespaces, and what the server and the user are.

use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::json;

use super::answer::{Failure, parse};
use super::ask::{Asked, METADATA_LIST, Verb};
use super::kind::{Kind, NAMESPACES};
use super::page::{Items, ListMeta, Page};
use super::release::Partial;
use super::{Cluster, Found, Scope, error};
use crate::error::{Error, Result};

/// A namespace as `create` must know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamespaceState {
    Active,
    /// It is being deleted: nothing can be made in it.
    Terminating,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

#[derive(Deserialize)]
struct Deletable {
    metadata: Deletion,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Deletion {
    #[serde(default)]
    deletion_timestamp: Option<String>,
}

impl Page for Named {
    fn read(bytes: &[u8], all: &mut Vec<Self>) -> Result<ListMeta, Failure> {
        let page: Items<Partial<'_>> = parse(bytes)?;
        all.extend(page.items.into_iter().map(|i| Self { name: i.metadata.name.into_owned() }));
        Ok(page.metadata)
    }
}

fn list_namespaces() -> Asked {
    Asked::list(&NAMESPACES, Scope::All, "list namespaces").accept(METADATA_LIST)
}

impl Cluster {
    /// The names of all namespaces.
    ///
    /// # Errors
    /// `list namespaces` is not allowed.
    pub async fn namespaces(&self) -> Result<Vec<String>> {
        let names = self.namespace_names().await;
        names.map_err(|failure| error::explain(failure, &list_namespaces(), &self.target))
    }

    pub(super) async fn namespace_names(&self) -> Result<Vec<String>, Failure> {
        let names: Vec<Named> = self.try_pages(&list_namespaces()).await?;
        Ok(names.into_iter().map(|named| named.name).collect())
    }

    /// Whether a namespace is there and lives. Developers often may not ask.
    ///
    /// # Errors
    /// Other failures than missing and forbidden.
    pub async fn namespace_state(&self, name: &str) -> Result<Found<NamespaceState>> {
        let asked = Asked::get(&NAMESPACES, Scope::All, name, format!("read namespace {name}"));
        let found: Found<Deletable> = self.find(&asked).await?;
        Ok(found.map(|namespace| match namespace.metadata.deletion_timestamp {
            Some(_) => NamespaceState::Terminating,
            None => NamespaceState::Active,
        }))
    }

    /// Whether the namespace of this cluster's instances is known not to be there.
    pub async fn lacks_namespace(&self) -> bool {
        matches!(self.namespace_state(&self.namespace).await, Ok(Found::Missing))
    }

    /// The error for a namespace that does not exist. An empty list is what the API answers for
    /// one, so the caller asks [`Cluster::namespace_state`] when a list is empty.
    pub fn no_namespace(&self, name: &str) -> Error {
        error::no_namespace(name, &self.target)
    }

    /// The error for a namespace that is being deleted.
    pub fn namespace_leaving(name: &str) -> Error {
        error::namespace_leaving(name)
    }

    /// The server's version, `v1.33.1`, and how long its answer took.
    ///
    /// # Errors
    /// What keeps an answer away.
    pub async fn server_version(&self) -> Result<(String, Duration)> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Version {
            git_version: String,
        }
        self.client().await?;
        let begun = Instant::now();
        let version: Version = self.read(&Asked::path("/version", "read the version")).await?;
        Ok((version.git_version, begun.elapsed()))
    }

    /// The user's name as the server knows it.
    ///
    /// # Errors
    /// Credentials that are not accepted, and what keeps an answer away.
    pub async fn identity(&self) -> Result<String> {
        const REVIEWS: Kind = Kind::fixed("authentication.k8s.io", "v1", "selfsubjectreviews");
        let body = json!({"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"});
        let asked = Asked::new(Verb::Create, &REVIEWS, Scope::All, "ask who you are").body(&body);
        let review: serde_json::Value = self.read(&asked).await?;
        let name = review.pointer("/status/userInfo/username").and_then(|name| name.as_str());
        Ok(name.unwrap_or(&self.target.user).to_owned())
    }
}
