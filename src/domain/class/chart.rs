//! Where the chart of a class comes from: exactly one of three sources.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{bounds, rules};

/// The chart of a class; the CRD sees to it that exactly one source is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = rules::chart()))]
pub struct Chart {
    /// In an OCI registry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oci: Option<OciChart>,
    /// In an HTTP chart repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<RepositoryChart>,
    /// In a ConfigMap of the cluster: no registry needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config_map: Option<ConfigMapChart>,
    /// What the registry or repository asks for; sent to the host of the URL alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credentials: Option<Credentials>,
}

/// The one source that is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartSource<'a> {
    Oci(&'a OciChart),
    Repository(&'a RepositoryChart),
    ConfigMap(&'a ConfigMapChart),
}

/// A chart in an OCI registry; `digest` is the manifest's, as `helm push` prints it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OciChart {
    /// `oci://…` up to the chart, without tag or digest.
    #[schemars(length(max = 512), regex(pattern = bounds::OCI_URL))]
    pub url: String,
    /// The chart's exact version.
    #[schemars(length(min = 1, max = 64), regex(pattern = bounds::ONE_LINE))]
    pub version: String,
    /// The digest of the manifest, as `helm push` prints it.
    #[schemars(length(max = 71), regex(pattern = bounds::DIGEST))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

/// A chart in an HTTP chart repository; `digest` is the archive's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RepositoryChart {
    /// The repository, where its `index.yaml` is.
    #[schemars(length(max = 512), regex(pattern = bounds::REPOSITORY_URL))]
    pub url: String,
    /// The chart's name.
    #[schemars(length(min = 1, max = 250), regex(pattern = bounds::ONE_LINE))]
    pub name: String,
    /// The chart's exact version.
    #[schemars(length(min = 1, max = 64), regex(pattern = bounds::ONE_LINE))]
    pub version: String,
    /// The digest of the .tgz.
    #[schemars(length(max = 71), regex(pattern = bounds::DIGEST))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

/// A chart archive in a ConfigMap of the cluster; `digest` is the archive's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfigMapChart {
    /// The ConfigMap's namespace.
    #[schemars(length(min = 1, max = 63), regex(pattern = bounds::DNS_LABEL))]
    pub namespace: String,
    /// The ConfigMap's name.
    #[schemars(length(min = 1, max = 253), regex(pattern = bounds::DNS_SUBDOMAIN))]
    pub name: String,
    /// The key of the archive: `NAME-VERSION.tgz`.
    #[schemars(length(min = 1, max = 253), regex(pattern = bounds::DATA_KEY))]
    pub key: String,
    /// The digest of the .tgz.
    #[schemars(length(max = 71), regex(pattern = bounds::DIGEST))]
    pub digest: String,
}

/// What the registry or repository asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Credentials {
    /// A Secret with username, password, ca.crt, tls.crt, tls.key, or .dockerconfigjson.
    pub secret: SecretRef,
}

/// A Secret by namespace and name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecretRef {
    /// The Secret's namespace.
    #[schemars(length(min = 1, max = 63), regex(pattern = bounds::DNS_LABEL))]
    pub namespace: String,
    /// The Secret's name.
    #[schemars(length(min = 1, max = 253), regex(pattern = bounds::DNS_SUBDOMAIN))]
    pub name: String,
}

impl Chart {
    /// The source that is given, unless there is none or more than one.
    pub fn source(&self) -> Option<ChartSource<'_>> {
        match (&self.oci, &self.repository, &self.config_map) {
            (Some(oci), None, None) => Some(ChartSource::Oci(oci)),
            (None, Some(repository), None) => Some(ChartSource::Repository(repository)),
            (None, None, Some(map)) => Some(ChartSource::ConfigMap(map)),
            _ => None,
        }
    }

    /// Name and version as a person knows them. For an archive in a ConfigMap they are cut from
    /// the key `NAME-VERSION.tgz`; the archive itself has the last word once it is read.
    pub fn name_and_version(&self) -> Option<(&str, &str)> {
        match self.source()? {
            ChartSource::Oci(oci) => Some((oci.url.rsplit('/').next()?, &oci.version)),
            ChartSource::Repository(repository) => Some((&repository.name, &repository.version)),
            ChartSource::ConfigMap(map) => split_archive_name(&map.key),
        }
    }
}

fn split_archive_name(key: &str) -> Option<(&str, &str)> {
    let stem = key.strip_suffix(".tgz").unwrap_or(key);
    let cut = stem
        .match_indices('-')
        .map(|(at, _)| at)
        .find(|at| stem[at + 1..].starts_with(|c: char| c.is_ascii_digit()))?;
    Some((&stem[..cut], &stem[cut + 1..]))
}
