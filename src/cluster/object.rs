//! Objects of any kind that a class names, and whether the cluster serves a kind at all.

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1::Service;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{APIGroup, APIResource, APIResourceList};
use serde_json::Value;

use super::answer::Failure;
use super::ask::Asked;
use super::kind::{Kind, SERVICES};
use super::{Cluster, Found, Scope, error};
use crate::error::Result;

impl Cluster {
    /// One Service.
    ///
    /// # Errors
    /// What keeps an answer away.
    pub async fn service(&self, namespace: &str, name: &str) -> Result<Found<Service>> {
        let purpose = format!("read Service {name} in namespace {namespace}");
        self.find(&Asked::get(&SERVICES, Scope::namespace(namespace), name, purpose)).await
    }

    /// One object of any kind, as JSON; missing also where its kind is not served.
    ///
    /// # Errors
    /// What keeps an answer away.
    pub async fn object(
        &self,
        api_version: &str,
        kind: &str,
        namespace: &str,
        name: &str,
    ) -> Result<Found<Value>> {
        let Some((resource, namespaced)) = self.kind_of(api_version, kind).await? else {
            return Ok(Found::Missing);
        };
        let scope = if namespaced { Scope::namespace(namespace) } else { Scope::All };
        let purpose = format!("read {kind} {name}");
        self.find(&Asked::get(&resource, scope, name, purpose)).await
    }

    /// The kinds of a version, by their names in manifests: as paths name them, and whether their
    /// objects live in namespaces.
    ///
    /// # Errors
    /// What keeps an answer away.
    pub async fn kinds_of(&self, api_version: &str) -> Result<BTreeMap<String, (Kind, bool)>> {
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        let resources = self.resources(group, version).await?;
        let whole = resources.into_iter().filter(|one| !one.name.contains('/'));
        let named = whole.map(|one| {
            let kind = Kind::named(group, version, &one.name);
            (one.kind, (kind, one.namespaced))
        });
        Ok(named.collect())
    }

    /// The kind as paths name it, and whether its objects live in namespaces; `None`: not served.
    ///
    /// # Errors
    /// What keeps an answer away.
    pub async fn kind_of(&self, api_version: &str, kind: &str) -> Result<Option<(Kind, bool)>> {
        Ok(self.kinds_of(api_version).await?.remove(kind))
    }

    /// Whether some version of a group serves a resource (`clusters` of `postgresql.cnpg.io`).
    ///
    /// # Errors
    /// What keeps an answer away.
    pub async fn serves(&self, group: &str, resource: &str) -> Result<bool> {
        let versions = if group.is_empty() {
            vec!["v1".to_owned()]
        } else {
            let asked = Asked::path(&format!("/apis/{group}"), "read the cluster's kinds");
            let found: Option<APIGroup> = self.discovered(&asked).await?;
            let versions = found.into_iter().flat_map(|group| group.versions);
            versions.map(|version| version.version).collect()
        };
        for version in versions {
            if self.resources(group, &version).await?.iter().any(|one| one.name == resource) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    async fn resources(&self, group: &str, version: &str) -> Result<Vec<APIResource>> {
        let path = Kind::named(group, version, "").root();
        let found: Option<APIResourceList> =
            self.discovered(&Asked::path(&path, "read the cluster's kinds")).await?;
        Ok(found.map(|list| list.resources).unwrap_or_default())
    }

    /// Discovery answers 404 for what it does not know, without naming an object.
    async fn discovered<T: serde::de::DeserializeOwned>(&self, asked: &Asked) -> Result<Option<T>> {
        let answer = self.bytes(asked).await.and_then(|bytes| super::answer::parse(&bytes));
        match answer {
            Ok(found) => Ok(Some(found)),
            Err(Failure::Refused { code: 404, .. }) => Ok(None),
            Err(failure) => Err(error::explain(failure, asked, &self.target)),
        }
    }
}
