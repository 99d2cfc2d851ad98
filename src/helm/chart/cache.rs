//! Charts that were pulled once: archives by their own digest, and which source gave which.

use std::fs;
use std::path::PathBuf;

use sha2::{Digest, Sha256};

use super::archive::Summary;
use super::{PulledChart, WantedChart};
use crate::domain::class::ChartSource;
use crate::error::Result;
use crate::helm::directory::CacheDirectory;
use crate::helm::machine::hexadecimal;

/// `sha256:…` of an archive.
pub(super) fn digest_of(archive: &[u8]) -> String {
    format!("sha256:{}", hexadecimal(&Sha256::digest(archive)))
}

/// An archive that was found, and what was read of it when it was kept.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) archive: Vec<u8>,
    pub(super) digest: String,
    pub(super) summary: Option<Summary>,
}

/// The charts of the cache directory.
pub(super) struct ChartCache {
    archives: PathBuf,
    sources: PathBuf,
}

impl ChartCache {
    pub(super) fn open(cache: &CacheDirectory) -> Result<Self> {
        Ok(Self {
            archives: cache.subdirectory("charts")?,
            sources: cache.subdirectory("chart-sources")?,
        })
    }

    /// The archive, if it is here and still what its name says.
    pub(super) fn find(&self, wanted: &WantedChart<'_>) -> Option<Found> {
        let digest = match wanted.expected_archive() {
            Some(digest) => digest.to_owned(),
            None => fs::read_to_string(self.source_file(wanted.source)).ok()?.trim().to_owned(),
        };
        let file = self.archive_file(&digest)?;
        let archive = fs::read(&file).ok()?;
        if digest_of(&archive) == digest {
            let summary = fs::read(file.with_extension("json")).ok();
            let summary = summary.and_then(|json| serde_json::from_slice(&json).ok());
            return Some(Found { archive, digest, summary });
        }
        // Damaged: the next one in its place is as good.
        let _ = fs::remove_file(file);
        None
    }

    /// Keeps an archive that was verified.
    pub(super) fn keep(
        &self,
        cache: &CacheDirectory,
        wanted: &WantedChart<'_>,
        chart: &PulledChart,
    ) -> Result<()> {
        let Some(file) = self.archive_file(&chart.digest) else { return Ok(()) };
        let summary = serde_json::json!(chart.summary).to_string();
        cache.write(&file.with_extension("json"), summary.as_bytes())?;
        cache.write(&file, &chart.archive)?;
        cache.write(&self.source_file(wanted.source), chart.digest.as_bytes())
    }

    /// `None` for what is no digest, and would be a path of someone's choosing.
    fn archive_file(&self, digest: &str) -> Option<PathBuf> {
        let hex = digest.strip_prefix("sha256:")?;
        let is_digest = hex.len() == 64 && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_digest.then(|| self.archives.join(format!("{hex}.tgz")))
    }

    fn source_file(&self, source: ChartSource<'_>) -> PathBuf {
        self.sources.join(hexadecimal(&Sha256::digest(key(source))[..16]))
    }
}

fn key(source: ChartSource<'_>) -> String {
    let parts = match source {
        ChartSource::Oci(oci) => ["oci", &oci.url, "", &oci.version, digest(&oci.digest)],
        ChartSource::Repository(repository) => [
            "repository",
            &repository.url,
            &repository.name,
            &repository.version,
            digest(&repository.digest),
        ],
        ChartSource::ConfigMap(map) => {
            ["configMap", &map.namespace, &map.name, &map.key, &map.digest]
        }
    };
    parts.join("\0")
}

fn digest(digest: &Option<String>) -> &str {
    digest.as_deref().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::class::{OciChart, RepositoryChart};

    fn caches() -> (tempfile::TempDir, CacheDirectory, ChartCache) {
        let root = tempfile::tempdir().unwrap();
        let cache = CacheDirectory::open(root.path().join("cache")).unwrap();
        let charts = ChartCache::open(&cache).unwrap();
        (root, cache, charts)
    }

    fn oci(digest: Option<&str>) -> OciChart {
        OciChart {
            url: "oci://registry.example/charts/redis".to_owned(),
            version: "1.2.3".to_owned(),
            digest: digest.map(str::to_owned),
        }
    }

    fn wanted(source: ChartSource<'_>) -> WantedChart<'_> {
        WantedChart { source, credentials: None, archive_digest: None }
    }

    fn chart() -> PulledChart {
        let (name, version) = ("redis".to_owned(), "1.2.3".to_owned());
        PulledChart {
            archive: b"tgz".to_vec(),
            summary: Summary { name, version, has_class_file: false },
            digest: digest_of(b"tgz"),
        }
    }

    fn archive(found: Option<Found>) -> Option<Vec<u8>> {
        found.map(|found| found.archive)
    }

    #[test]
    fn an_archive_is_found_by_its_source() {
        let (_root, cache, charts) = caches();
        let (plain, pinned) = (oci(None), oci(Some("sha256:manifest")));
        let plain = wanted(ChartSource::Oci(&plain));
        assert_eq!(charts.find(&plain), None);
        charts.keep(&cache, &plain, &chart()).unwrap();
        assert_eq!(archive(charts.find(&plain)), Some(b"tgz".to_vec()));
        assert_eq!(charts.find(&plain).unwrap().summary, Some(chart().summary));
        assert_eq!(charts.find(&wanted(ChartSource::Oci(&pinned))), None);
    }

    #[test]
    fn an_archive_with_a_known_digest_needs_no_source() {
        let (_root, cache, charts) = caches();
        let other = oci(None);
        let digest = digest_of(b"tgz");
        charts.keep(&cache, &wanted(ChartSource::Oci(&other)), &chart()).unwrap();
        let repository = RepositoryChart {
            url: "https://charts.example".to_owned(),
            name: "redis".to_owned(),
            version: "9.9.9".to_owned(),
            digest: Some(digest.clone()),
        };
        let by_class = wanted(ChartSource::Repository(&repository));
        assert_eq!(archive(charts.find(&by_class)), Some(b"tgz".to_vec()));
        let gone = oci(Some("sha256:gone"));
        let by_record =
            WantedChart { archive_digest: Some(&digest), ..wanted(ChartSource::Oci(&gone)) };
        assert_eq!(archive(charts.find(&by_record)), Some(b"tgz".to_vec()));
    }

    #[test]
    fn a_damaged_archive_is_no_archive() {
        let (_root, cache, charts) = caches();
        let oci = oci(None);
        let wanted = wanted(ChartSource::Oci(&oci));
        let digest = digest_of(b"tgz");
        charts.keep(&cache, &wanted, &chart()).unwrap();
        fs::write(charts.archive_file(&digest).unwrap(), b"tgx").unwrap();
        assert_eq!(charts.find(&wanted), None);
        assert!(!charts.archive_file(&digest).unwrap().exists());
    }

    #[test]
    fn a_digest_is_no_path() {
        let (_root, _cache, charts) = caches();
        for digest in ["sha256:../../../etc/passwd", "sha256:", "md5:00", ""] {
            assert_eq!(charts.archive_file(digest), None, "{digest}");
        }
    }
}
