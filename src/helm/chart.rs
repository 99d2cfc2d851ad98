//! The chart of a class: pulled once, verified, and made to carry `svc-class.json` (design §4, §5).

mod archive;
mod cache;
mod credentials;
mod handed;
mod pull;
mod trouble;

use std::fs;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

pub use archive::ArchiveError;
pub use credentials::{CredentialsError, RegistryCredentials};

use self::archive::Summary;
use self::cache::{ChartCache, Found, digest_of};
use self::pull::Pull;
use super::directory::CacheDirectory;
use super::{Helm, Signals};
use crate::domain::class::{Chart, ChartSource, ConfigMapChart, SecretRef};
use crate::domain::record::RecordedChart;
use crate::error::{Error, Result, cause_words};

/// Who can help where the chart that a class names is not to be had.
pub const REPAIR: &str = "The class names this chart; its operations team can repair it.";

/// A chart to be had: its source, and what is known of its archive.
#[derive(Clone, Copy, Debug)]
pub struct WantedChart<'a> {
    source: ChartSource<'a>,
    credentials: Option<&'a SecretRef>,
    archive_digest: Option<&'a str>,
}

/// A chart that is here and is the one that was asked for.
#[derive(Clone, Debug)]
pub struct PulledChart {
    archive: Vec<u8>,
    summary: Summary,
    digest: String,
}

/// An archive for one helm, in a private directory that is gone when the value is dropped.
#[derive(Debug)]
pub struct PreparedChart {
    _directory: TempDir,
    path: PathBuf,
}

impl<'a> WantedChart<'a> {
    /// The chart that a class names.
    ///
    /// # Errors
    /// When it names none or several sources.
    pub fn of_class(chart: &'a Chart) -> Result<Self> {
        let source = chart.source().ok_or_else(|| {
            Error::failed("the class names no chart source, or more than one")
                .advise("Only its operations team can repair it.")
        })?;
        let credentials = chart.credentials.as_ref().map(|credentials| &credentials.secret);
        Ok(Self { source, credentials, archive_digest: None })
    }

    /// The very archive of an earlier revision, from the cache or its source.
    ///
    /// # Errors
    /// When the record names no source.
    pub fn of_record(recorded: &'a RecordedChart) -> Result<Self> {
        let source = recorded
            .source
            .as_ref()
            .ok_or_else(|| Error::failed("the record of the release names no chart source"))?;
        let wanted = Self::of_class(source)?;
        Ok(Self { archive_digest: Some(&recorded.digest), ..wanted })
    }

    /// The digest of the archive, where it is known. That of an OCI chart is its manifest's.
    fn expected_archive(&self) -> Option<&'a str> {
        self.archive_digest.or(match self.source {
            ChartSource::Oci(_) => None,
            ChartSource::Repository(repository) => repository.digest.as_deref(),
            ChartSource::ConfigMap(map) => Some(&map.digest),
        })
    }

    /// What a person calls it, and where it is from.
    fn told(&self) -> (String, String) {
        match self.source {
            ChartSource::Oci(oci) => {
                let name = oci.url.rsplit('/').next().unwrap_or(&oci.url);
                (format!("{name} {}", oci.version), oci.url.clone())
            }
            ChartSource::Repository(repository) => {
                (format!("{} {}", repository.name, repository.version), repository.url.clone())
            }
            ChartSource::ConfigMap(map) => {
                (map.key.clone(), format!("configmap {} of {}", map.name, map.namespace))
            }
        }
    }

    /// The version that the archive has to have; a ConfigMap's key says none.
    fn version(&self) -> Option<&'a str> {
        match self.source {
            ChartSource::Oci(oci) => Some(&oci.version),
            ChartSource::Repository(repository) => Some(&repository.version),
            ChartSource::ConfigMap(_) => None,
        }
    }
}

impl Helm {
    /// The chart from the cache, else from its source. `credentials` and `archive` read a Secret
    /// and a ConfigMap of the cluster, and are asked only where they are needed; no credentials
    /// (the Secret may not be read, say) leave the user's own login.
    ///
    /// # Errors
    /// When it cannot be had, or is not what the class or the record says.
    pub async fn obtain_chart(
        &self,
        wanted: &WantedChart<'_>,
        credentials: impl AsyncFnOnce(&SecretRef) -> Result<Option<RegistryCredentials>>,
        archive: impl AsyncFnOnce(&ConfigMapChart) -> Result<Vec<u8>>,
        signals: &mut Signals,
    ) -> Result<PulledChart> {
        let cache = ChartCache::open(&self.cache)?;
        if let Some(Found { archive, digest, summary }) = cache.find(wanted) {
            return match summary {
                Some(summary) => PulledChart { archive, summary, digest }.of_version(wanted),
                None => PulledChart::verified(archive, wanted),
            };
        }
        let bytes = match wanted.source {
            ChartSource::ConfigMap(map) => archive(map).await?,
            _ => self.pull(wanted, credentials, signals).await?,
        };
        let chart = PulledChart::verified(bytes, wanted)?;
        cache.keep(&self.cache, wanted, &chart)?;
        Ok(chart)
    }

    async fn pull(
        &self,
        wanted: &WantedChart<'_>,
        credentials: impl AsyncFnOnce(&SecretRef) -> Result<Option<RegistryCredentials>>,
        signals: &mut Signals,
    ) -> Result<Vec<u8>> {
        let credentials = match wanted.credentials {
            Some(secret) => credentials(secret).await?,
            None => None,
        };
        let directory = self.cache.work_directory()?;
        for name in ["empty", "pulled"] {
            let path = directory.path().join(name);
            fs::create_dir(&path).map_err(|cause| cannot_write(&path, cause))?;
        }
        let pull = Pull {
            helm: self,
            chart: &wanted.told().0,
            directory: directory.path(),
            credentials: credentials.as_ref(),
        };
        match wanted.source {
            ChartSource::Oci(chart) => pull.oci(chart, signals).await,
            ChartSource::Repository(chart) => pull.repository(chart, signals).await,
            ChartSource::ConfigMap(_) => Ok(Vec::new()),
        }
    }
}

impl PulledChart {
    fn verified(archive: Vec<u8>, wanted: &WantedChart<'_>) -> Result<Self> {
        let digest = digest_of(&archive);
        if let Some(expected) = wanted.expected_archive()
            && expected != digest
        {
            return Err(differs(wanted, expected, &digest));
        }
        let summary = archive::summary(&archive).map_err(|error| unreadable(wanted, error))?;
        Self { archive, summary, digest }.of_version(wanted)
    }

    fn of_version(self, wanted: &WantedChart<'_>) -> Result<Self> {
        match wanted.version() {
            Some(version) if version != self.summary.version => {
                Err(other_version(wanted, &self.summary))
            }
            _ => Ok(self),
        }
    }

    /// `name` of its `Chart.yaml`.
    pub fn name(&self) -> &str {
        &self.summary.name
    }

    /// `version` of its `Chart.yaml`.
    pub fn version(&self) -> &str {
        &self.summary.version
    }

    /// `sha256:…` of the archive as it was pulled.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The archive for helm, with this content of `svc-class.json`.
    ///
    /// # Errors
    /// When the private directory cannot be written.
    pub fn prepare(&self, cache: &CacheDirectory, class_file: &[u8]) -> Result<PreparedChart> {
        let directory = cache.work_directory()?;
        let path = directory.path().join("chart.tgz");
        let archive = archive::with_class_file(&self.archive, &self.summary, class_file)
            .map_err(|error| Error::failed(format!("chart {}: {error}", self.name())))?;
        write_private(&path, &archive).map_err(|cause| cannot_write(&path, cause))?;
        Ok(PreparedChart { _directory: directory, path })
    }
}

impl PreparedChart {
    /// The archive to hand to helm.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

fn write_private(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    std::io::Write::write_all(&mut file, content)
}

fn cannot_write(path: &Path, cause: std::io::Error) -> Error {
    Error::failed(format!("cannot write {}: {}", path.display(), cause_words(&cause)))
        .because(cause)
}

fn differs(wanted: &WantedChart<'_>, expected: &str, found: &str) -> Error {
    let (chart, source) = wanted.told();
    let by = if wanted.archive_digest.is_some() { "its instance" } else { "the class" };
    Error::failed(format!("chart {chart} is not the one that {by} names: its digest differs"))
        .fact("source", source)
        .fact("expected", expected)
        .fact("found", found)
        .advise("Someone replaced it there; the operations team of the class can tell.")
}

fn other_version(wanted: &WantedChart<'_>, found: &Summary) -> Error {
    let (chart, source) = wanted.told();
    let found = format!("{} {}", found.name, found.version);
    Error::failed(format!("chart {chart} is {found} in truth"))
        .fact("source", source)
        .advise("The class names this chart; its operations team can repair it.")
}

fn unreadable(wanted: &WantedChart<'_>, error: ArchiveError) -> Error {
    let (chart, source) = wanted.told();
    Error::failed(format!("chart {chart} cannot be used: {error}"))
        .fact("source", source)
        .advise("The class names this chart; its operations team can repair it.")
        .because(error)
}
