//! Secrets and config maps: their keys as bytes, that are shown by one method alone.

use std::collections::{BTreeMap, BTreeSet};

use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use secrecy::{ExposeSecret as _, SecretSlice};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::answer::{Failure, parse};
use super::ask::{Asked, METADATA};
use super::kind::{CONFIG_MAPS, Kind, SECRETS};
use super::page::{Items, ListMeta, Page};
use super::{Cluster, Found, Scope};
use crate::domain::leaving::finalizers;
use crate::error::{Error, Result};

/// How one object is chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    Name(String),
    /// A label selector; exactly one object may match.
    Selector(String),
}

/// A Secret or a config map.
#[derive(Debug)]
pub struct Keyed {
    pub name: String,
    pub namespace: String,
    pub labels: BTreeMap<String, String>,
    /// `Opaque`, `servicebinding.io/postgresql`; empty for a config map.
    pub kind: String,
    /// Its finalizers, where it is being deleted.
    pub leaving: Option<Vec<String>>,
    keys: BTreeMap<String, SecretSlice<u8>>,
}

impl Keyed {
    /// The names of the keys, in their order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.keys.keys().map(String::as_str)
    }

    /// The bytes of a key, in clear: for what is shown on purpose.
    pub fn reveal(&self, key: &str) -> Option<&[u8]> {
        self.keys.get(key).map(|bytes| bytes.expose_secret())
    }
}

impl From<Secret> for Keyed {
    fn from(secret: Secret) -> Self {
        let data = secret.data.unwrap_or_default();
        Self {
            leaving: finalizers(&secret.metadata),
            name: secret.metadata.name.unwrap_or_default(),
            namespace: secret.metadata.namespace.unwrap_or_default(),
            labels: secret.metadata.labels.unwrap_or_default(),
            kind: secret.type_.unwrap_or_default(),
            keys: data.into_iter().map(|(key, bytes)| (key, bytes.0.into())).collect(),
        }
    }
}

impl From<ConfigMap> for Keyed {
    fn from(map: ConfigMap) -> Self {
        let text = map.data.unwrap_or_default().into_iter().map(|(k, v)| (k, v.into_bytes()));
        let binary = map.binary_data.unwrap_or_default().into_iter().map(|(k, v)| (k, v.0));
        Self {
            leaving: finalizers(&map.metadata),
            name: map.metadata.name.unwrap_or_default(),
            namespace: map.metadata.namespace.unwrap_or_default(),
            labels: map.metadata.labels.unwrap_or_default(),
            kind: String::new(),
            keys: text.chain(binary).map(|(key, bytes)| (key, bytes.into())).collect(),
        }
    }
}

/// What a page of Secrets or config maps is read into.
struct Whole<T>(T);

impl<T: DeserializeOwned> Page for Whole<T> {
    fn read(bytes: &[u8], all: &mut Vec<Self>) -> Result<ListMeta, Failure> {
        let page: Items<T> = parse(bytes)?;
        all.extend(page.items.into_iter().map(Self));
        Ok(page.metadata)
    }
}

impl Cluster {
    /// One Secret.
    ///
    /// # Errors
    /// More than one match of a selector; other failures than missing and forbidden.
    pub async fn secret(&self, namespace: &str, pick: &Pick) -> Result<Found<Keyed>> {
        self.keyed::<Secret>(&SECRETS, "Secret", namespace, pick).await
    }

    /// One config map.
    ///
    /// # Errors
    /// As for [`Cluster::secret`].
    pub async fn config_map(&self, namespace: &str, pick: &Pick) -> Result<Found<Keyed>> {
        self.keyed::<ConfigMap>(&CONFIG_MAPS, "ConfigMap", namespace, pick).await
    }

    /// The keys of a config map. Its content, a whole chart perhaps, is fetched only where the
    /// server's book of who set what (`managedFields`) does not name them.
    ///
    /// # Errors
    /// Other failures than missing and forbidden.
    pub async fn config_map_keys(
        &self,
        namespace: &str,
        name: &str,
    ) -> Result<Found<BTreeSet<String>>> {
        let purpose = format!("read ConfigMap {name} in namespace {namespace}");
        let asked = Asked::get(&CONFIG_MAPS, Scope::namespace(namespace), name, purpose);
        let found: Found<Value> = self.find(&asked.accept(METADATA)).await?;
        match found.map(|metadata| managed_keys(&metadata)) {
            Found::Here(keys) if !keys.is_empty() => Ok(Found::Here(keys)),
            Found::Here(_) => {
                let whole = self.config_map(namespace, &Pick::Name(name.to_owned())).await?;
                Ok(whole.map(|keyed| keyed.keys().map(str::to_owned).collect()))
            }
            other => Ok(other),
        }
    }

    async fn keyed<T>(
        &self,
        kind: &Kind,
        word: &str,
        namespace: &str,
        pick: &Pick,
    ) -> Result<Found<Keyed>>
    where
        T: DeserializeOwned + Into<Keyed>,
    {
        let scope = Scope::namespace(namespace);
        match pick {
            Pick::Name(name) => {
                let purpose = format!("read {word} {name} in namespace {namespace}");
                let found: Found<T> = self.find(&Asked::get(kind, scope, name, purpose)).await?;
                Ok(found.map(Into::into))
            }
            Pick::Selector(selector) => {
                let purpose = format!("look for a {word} in namespace {namespace}");
                let asked = Asked::list(kind, scope, purpose).labels(selector);
                let found = self.found(self.try_pages::<Whole<T>>(&asked).await, &asked)?;
                let found = found.map(|all| all.into_iter().map(|one| one.0.into()).collect());
                exactly_one(found, word, selector)
            }
        }
    }
}

/// The keys that somebody is known to have set: `f:binaryData: {f:chart.tgz: {}}`.
/// <https://kubernetes.io/docs/reference/using-api/server-side-apply/#managed-fields>
fn managed_keys(metadata: &Value) -> BTreeSet<String> {
    let managers = metadata.pointer("/metadata/managedFields").and_then(Value::as_array);
    let fields = managers.into_iter().flatten().filter_map(|one| one.get("fieldsV1"));
    let parts = fields.flat_map(|fields| [fields.get("f:data"), fields.get("f:binaryData")]);
    let names = parts.flatten().filter_map(Value::as_object).flat_map(|part| part.keys());
    names.filter_map(|name| Some(name.strip_prefix("f:")?.to_owned())).collect()
}

/// Guessing among several Secrets could hand out the wrong password.
fn exactly_one(found: Found<Vec<Keyed>>, word: &str, selector: &str) -> Result<Found<Keyed>> {
    match found {
        Found::Here(all) if all.len() > 1 => {
            let names: Vec<_> = all.into_iter().map(|one| one.name).collect();
            let names = names.join(", ");
            Err(Error::failed(format!("{selector} chooses more than one {word}: {names}")))
        }
        Found::Here(mut all) => Ok(all.pop().map_or(Found::Missing, Found::Here)),
        Found::Missing => Ok(Found::Missing),
        Found::Forbidden(error) => Ok(Found::Forbidden(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_holds_no_secret() {
        let secret =
            serde_json::json!({"metadata": {"name": "s"}, "data": {"password": "aHVudGVyMg=="}});
        let keyed = Keyed::from(serde_json::from_value::<Secret>(secret).unwrap());
        assert_eq!(keyed.reveal("password"), Some(&b"hunter2"[..]));
        let shown = format!("{keyed:?}");
        assert!(!shown.contains("hunter2") && !shown.contains("104"), "{shown}");
    }
}
