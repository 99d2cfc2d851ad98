//! What helm stores of a revision: the release Secret's `release` (base64
//! over gzip over JSON), read without what svc does not need.

mod stored;

use std::fmt;
use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use serde::Deserialize;

pub(super) use self::stored::Stored;
use crate::domain::class::Object;
use crate::domain::instance::Status;
use crate::domain::record::FILE_NAME;

/// The most bytes that a record may have once it is inflated; helm's own limit for a chart is
/// 100 MiB, and what fits into a Secret is far smaller.
const INFLATED_LIMIT: u64 = 64 * 1024 * 1024;

const GZIP_MAGIC: [u8; 3] = [0x1f, 0x8b, 0x08];

/// One stored revision. `manifest`, `hooks` and `config` hold secrets: `Debug` leaves them out.
#[derive(Clone, PartialEq)]
pub struct Release {
    pub name: String,
    pub namespace: String,
    /// The revision's number.
    pub revision: u32,
    pub status: Status,
    /// Helm's own words on the last thing it did.
    pub description: String,
    pub chart_name: String,
    pub chart_version: String,
    /// The values that the release was given.
    pub config: Object,
    /// The rendered objects, as one YAML stream.
    pub manifest: String,
    pub hooks: Vec<Hook>,
    /// `svc-class.json`, if the release is one of svc's.
    pub class_file: Option<Vec<u8>>,
}

/// An object that helm makes at one moment, and that is no part of the manifest.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct Hook {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub kind: String,
    /// The rendered object, as YAML.
    #[serde(default)]
    pub manifest: String,
    /// `pre-install`, `post-delete`…
    #[serde(default, deserialize_with = "stored::null_is_default")]
    pub events: Vec<String>,
    #[serde(default, deserialize_with = "stored::null_is_default")]
    last_run: LastRun,
}

#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
struct LastRun {
    #[serde(default)]
    phase: String,
}

impl Hook {
    /// Whether helm marked its last run as failed.
    pub fn failed(&self) -> bool {
        self.last_run.phase == "Failed"
    }
}

/// Why a record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error("its Secret holds none")]
    Empty,
    #[error("it is not base64")]
    Base64(#[source] base64::DecodeError),
    #[error("it is cut off or not gzip")]
    Gzip(#[source] std::io::Error),
    #[error("it is larger than 64 MiB")]
    TooLarge,
    #[error("it is not a release of helm")]
    Json(#[source] serde_json::Error),
    #[error("its {FILE_NAME} is not base64")]
    ClassFile(#[source] base64::DecodeError),
}

impl Release {
    /// Reads `data.release` of a release Secret, whose own base64 is already taken off.
    ///
    /// # Errors
    /// For anything that helm did not write.
    pub fn decode(secret_data: &[u8]) -> Result<Self, RecordError> {
        let text = secret_data.trim_ascii();
        if text.is_empty() {
            return Err(RecordError::Empty);
        }
        let bytes = STANDARD.decode(text).map_err(RecordError::Base64)?;
        let json = inflate(bytes)?;
        let stored: Stored<'_> = serde_json::from_slice(&json).map_err(RecordError::Json)?;
        stored.try_into()
    }
}

/// Records of old helms are not compressed.
fn inflate(bytes: Vec<u8>) -> Result<Vec<u8>, RecordError> {
    if !bytes.starts_with(&GZIP_MAGIC) {
        return Ok(bytes);
    }
    let mut json = Vec::with_capacity(bytes.len() * 4);
    let mut decoder = GzDecoder::new(&*bytes).take(INFLATED_LIMIT + 1);
    decoder.read_to_end(&mut json).map_err(RecordError::Gzip)?;
    if json.len() as u64 > INFLATED_LIMIT {
        return Err(RecordError::TooLarge);
    }
    Ok(json)
}

impl fmt::Debug for Release {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Release")
            .field("name", &self.name)
            .field("namespace", &self.namespace)
            .field("revision", &self.revision)
            .field("status", &self.status)
            .field("chart", &format_args!("{} {}", self.chart_name, self.chart_version))
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Hook {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Hook")
            .field("name", &self.name)
            .field("kind", &self.kind)
            .field("events", &self.events)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use serde_json::json;

    use super::*;

    fn stored() -> serde_json::Value {
        json!({
            "name": "mydb", "namespace": "team-a", "version": 2,
            "info": {"first_deployed": "2030-01-02T03:04:05Z", "deleted": "", "status": "deployed",
                     "description": "Upgrade complete", "notes": "hello"},
            "chart": {
                "metadata": {"name": "postgresql", "version": "16.2.1", "keywords": ["sql"]},
                "lock": null, "templates": [{"name": "templates/a.yaml", "data": "e30="}],
                "values": {"auth": {"password": ""}}, "schema": null,
                "files": [{"name": "README.md", "data": "aGk="},
                          {"name": "svc-class.json", "data": "eyJ2ZXJzaW9uIjoxfQ=="}]
            },
            "config": {"auth": {"password": "hunter2"}},
            "manifest": "---\nkind: Secret\n",
            "hooks": [{"name": "migrate", "kind": "Job", "path": "x", "manifest": "kind: Job",
                       "events": ["pre-install"], "last_run": {"phase": ""}}],
            "apply_method": "ssa"
        })
    }

    fn packed(json: &serde_json::Value) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(json.to_string().as_bytes()).unwrap();
        STANDARD.encode(encoder.finish().unwrap()).into_bytes()
    }

    #[test]
    fn a_revision_is_read_with_its_class_file() {
        let release = Release::decode(&packed(&stored())).unwrap();
        assert_eq!((release.name.as_str(), release.revision), ("mydb", 2));
        assert_eq!(release.status, Status::Deployed);
        assert_eq!(release.description, "Upgrade complete");
        assert_eq!(release.chart_name, "postgresql");
        assert_eq!(release.chart_version, "16.2.1");
        assert_eq!(release.config["auth"]["password"], "hunter2");
        assert_eq!(release.hooks[0].events, ["pre-install"]);
        assert_eq!(release.class_file.as_deref(), Some(&br#"{"version":1}"#[..]));
    }

    #[test]
    fn a_record_without_compression_or_lists_is_read_too() {
        let mut json = stored();
        json["chart"]["files"] = serde_json::Value::Null;
        json["config"] = serde_json::Value::Null;
        json["hooks"] = serde_json::Value::Null;
        json["info"]["status"] = "new-in-helm-5".into();
        let release = Release::decode(STANDARD.encode(json.to_string()).as_bytes()).unwrap();
        assert_eq!(release.class_file, None);
        assert_eq!(release.status, Status::Unknown);
        assert!(release.config.is_empty() && release.hooks.is_empty());
    }

    #[test]
    fn secrets_do_not_reach_a_log() {
        let text = format!("{:?}", Release::decode(&packed(&stored())).unwrap());
        assert!(!text.contains("hunter2") && !text.contains("kind: "), "{text}");
    }

    #[test]
    fn what_helm_did_not_write_is_an_error_and_no_panic() {
        let packed = packed(&stored());
        let gzip = STANDARD.decode(&packed).unwrap();
        let cut = STANDARD.encode(&gzip[..gzip.len() / 2]);
        assert!(matches!(Release::decode(b"%%%"), Err(RecordError::Base64(_))));
        assert!(matches!(Release::decode(&packed[..100]), Err(RecordError::Gzip(_))));
        assert!(matches!(Release::decode(cut.as_bytes()), Err(RecordError::Gzip(_))));
        assert!(matches!(Release::decode(b""), Err(RecordError::Empty)));
        let garbage = STANDARD.encode(b"[1,2,3]");
        assert!(matches!(Release::decode(garbage.as_bytes()), Err(RecordError::Json(_))));
        let mut json = stored();
        json["chart"]["files"][1]["data"] = "%".into();
        let bad = STANDARD.encode(json.to_string());
        assert!(matches!(Release::decode(bad.as_bytes()), Err(RecordError::ClassFile(_))));
    }

    #[test]
    fn a_bomb_is_not_inflated_to_its_end() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        let block = vec![b' '; 1024 * 1024];
        for _ in 0..70 {
            encoder.write_all(&block).unwrap();
        }
        let bomb = STANDARD.encode(encoder.finish().unwrap());
        assert!(matches!(Release::decode(bomb.as_bytes()), Err(RecordError::TooLarge)));
    }
}
