//! The JSON of a stored release, as far as svc reads it.
//! <https://github.com/helm/helm/blob/v3.17.3/pkg/release/release.go>

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use super::{Hook, RecordError, Release};
use crate::domain::class::Object;
use crate::domain::instance::Status;
use crate::domain::record::FILE_NAME;

#[derive(Deserialize)]
pub(in crate::helm) struct Stored<'a> {
    name: String,
    #[serde(default)]
    namespace: String,
    #[serde(default)]
    version: u32,
    info: Info,
    #[serde(borrow)]
    chart: StoredChart<'a>,
    #[serde(default, deserialize_with = "null_is_default")]
    config: Object,
    #[serde(default)]
    manifest: String,
    #[serde(default, deserialize_with = "null_is_default")]
    hooks: Vec<Hook>,
}

#[derive(Deserialize)]
struct Info {
    #[serde(default)]
    status: String,
    #[serde(default)]
    description: String,
}

#[derive(Deserialize)]
struct StoredChart<'a> {
    metadata: Metadata,
    #[serde(borrow, default)]
    files: Option<Vec<StoredFile<'a>>>,
}

#[derive(Deserialize)]
struct Metadata {
    name: String,
    version: String,
}

/// Borrowed from the JSON: of all the files one is wanted.
#[derive(Deserialize)]
struct StoredFile<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow, default)]
    data: Option<Cow<'a, str>>,
}

impl TryFrom<Stored<'_>> for Release {
    type Error = RecordError;

    fn try_from(stored: Stored<'_>) -> Result<Self, RecordError> {
        let class_file = class_file(stored.chart.files)?;
        Ok(Self {
            name: stored.name,
            namespace: stored.namespace,
            revision: stored.version,
            status: Status::from_label(&stored.info.status),
            description: stored.info.description,
            chart_name: stored.chart.metadata.name,
            chart_version: stored.chart.metadata.version,
            config: stored.config,
            manifest: stored.manifest,
            hooks: stored.hooks,
            class_file,
        })
    }
}

fn class_file(files: Option<Vec<StoredFile<'_>>>) -> Result<Option<Vec<u8>>, RecordError> {
    files
        .into_iter()
        .flatten()
        .find(|file| file.name == FILE_NAME)
        .and_then(|file| file.data)
        .map(|data| STANDARD.decode(data.as_bytes()).map_err(RecordError::ClassFile))
        .transpose()
}

/// Go writes an empty list or map as `null`.
pub(super) fn null_is_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Option::<T>::deserialize(deserializer).map(Option::unwrap_or_default)
}
