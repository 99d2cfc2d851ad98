//! A chart archive: what is read of it, and how `svc-class.json` gets into it.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};
use tar::{Archive, Builder, EntryType, Header};

use crate::domain::record::FILE_NAME;

/// Helm's own limit: <https://github.com/helm/helm/blob/v3.17.3/pkg/chart/loader/archive.go>
const INFLATED_LIMIT: u64 = 100 * 1024 * 1024;

/// What svc reads of a chart archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Summary {
    /// `name` of `Chart.yaml`.
    pub(super) name: String,
    /// `version` of `Chart.yaml`.
    pub(super) version: String,
    /// The archive brings a `svc-class.json` of its own.
    pub(super) has_class_file: bool,
}

/// Why an archive is no chart.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    #[error("it is no chart archive: {0}")]
    Unreadable(#[from] io::Error),
    #[error("it is no chart archive: Chart.yaml is missing")]
    NoChartYaml,
    #[error("its Chart.yaml is unreadable: {0}")]
    ChartYaml(String),
}

#[derive(Deserialize)]
struct ChartYaml {
    name: String,
    version: String,
}

/// Reads name and version, and looks at every entry's name once.
pub(super) fn summary(archive: &[u8]) -> Result<Summary, ArchiveError> {
    let mut chart = None;
    let mut has_class_file = false;
    for entry in Archive::new(inflated(archive)).entries()? {
        let mut entry = entry?;
        match path_in_chart(&entry.path_bytes()) {
            Some(path) if path == b"Chart.yaml" => chart = Some(read_chart_yaml(&mut entry)?),
            Some(path) if path == FILE_NAME.as_bytes() => has_class_file = true,
            _ => {}
        }
    }
    let ChartYaml { name, version } = chart.ok_or(ArchiveError::NoChartYaml)?;
    Ok(Summary { name, version, has_class_file })
}

fn read_chart_yaml(entry: &mut impl Read) -> Result<ChartYaml, ArchiveError> {
    let mut text = String::new();
    entry.read_to_string(&mut text)?;
    let text = text.trim_start_matches('\u{feff}');
    serde_yaml::from_str(text).map_err(|error| ArchiveError::ChartYaml(error.to_string()))
}

/// The archive with this `svc-class.json`; everything else stays byte for byte.
///
/// Gzip members may follow one another, and so may the entries of a tar stream that has not
/// ended: the new file goes before the archive, which is not even unpacked. Helm drops the first
/// directory of every path, and applies no `.helmignore` to an archive.
pub(super) fn with_class_file(
    archive: &[u8],
    summary: &Summary,
    content: &[u8],
) -> Result<Vec<u8>, ArchiveError> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    write_entry(&mut encoder, &format!("{}/{FILE_NAME}", summary.name), content)?;
    if summary.has_class_file {
        copy_without_class_file(archive, &mut encoder)?;
        return Ok(encoder.finish()?);
    }
    let mut result = encoder.finish()?;
    result.extend_from_slice(archive);
    Ok(result)
}

/// One entry without the end of the stream.
fn write_entry(stream: &mut impl Write, path: &str, content: &[u8]) -> io::Result<()> {
    let mut header = Header::new_gnu();
    header.set_path(path)?;
    header.set_entry_type(EntryType::Regular);
    header.set_mode(0o644);
    header.set_size(content.len() as u64);
    header.set_cksum();
    stream.write_all(header.as_bytes())?;
    stream.write_all(content)?;
    let padding = content.len().next_multiple_of(BLOCK) - content.len();
    stream.write_all(&[0; BLOCK][..padding])
}

/// The unit of a tar stream, in bytes.
const BLOCK: usize = 512;

fn copy_without_class_file(archive: &[u8], stream: &mut impl Write) -> Result<(), ArchiveError> {
    let mut source = Archive::new(inflated(archive));
    let mut target = Builder::new(stream);
    for entry in source.entries()? {
        let entry = entry?;
        let path = entry.path()?.into_owned();
        if path_in_chart(path.as_os_str().as_encoded_bytes()) != Some(FILE_NAME.as_bytes()) {
            let mut header = entry.header().clone();
            target.append_data(&mut header, path, entry)?;
        }
    }
    target.finish()?;
    Ok(())
}

fn inflated(archive: &[u8]) -> impl Read {
    MultiGzDecoder::new(archive).take(INFLATED_LIMIT)
}

/// The path below the first directory, as helm sees it: archives from Windows have `\`.
fn path_in_chart(path: &[u8]) -> Option<&[u8]> {
    let delimiter = if path.contains(&b'\\') { b'\\' } else { b'/' };
    let end = path.iter().position(|byte| *byte == delimiter)?;
    Some(&path[end + 1..])
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A chart archive with these files below its directory.
    pub(in crate::helm) fn packed(files: &[(&str, &str)]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        for (path, content) in files {
            write_entry(&mut encoder, path, content.as_bytes()).unwrap();
        }
        encoder.write_all(&[0; 2 * BLOCK]).unwrap();
        encoder.finish().unwrap()
    }

    const CHART_YAML: &str = "apiVersion: v2\nname: redis\nversion: 1.2.3+b\n";

    fn contents(archive: &[u8]) -> Vec<(String, String)> {
        let mut archive = Archive::new(MultiGzDecoder::new(archive));
        let entries = archive.entries().unwrap().map(Result::unwrap);
        entries
            .map(|mut entry| {
                let path = entry.path().unwrap().display().to_string();
                let mut content = String::new();
                entry.read_to_string(&mut content).unwrap();
                (path, content)
            })
            .collect()
    }

    #[test]
    fn name_and_version_come_from_the_chart_itself() {
        let subchart = ("redis/charts/x/Chart.yaml", "name: x\nversion: 9.9.9\n");
        let archive = packed(&[subchart, ("redis/Chart.yaml", CHART_YAML)]);
        let expected =
            Summary { name: "redis".into(), version: "1.2.3+b".into(), has_class_file: false };
        assert_eq!(summary(&archive).unwrap(), expected);
    }

    #[test]
    fn the_class_file_is_added_and_the_archive_stays_as_it_is() {
        let archive = packed(&[("redis/Chart.yaml", CHART_YAML), ("redis/values.yaml", "a: 1")]);
        let result = with_class_file(&archive, &summary(&archive).unwrap(), b"{}").unwrap();
        assert!(result.ends_with(&archive));
        let expected = [
            ("redis/svc-class.json", "{}"),
            ("redis/Chart.yaml", CHART_YAML),
            ("redis/values.yaml", "a: 1"),
        ];
        let expected = expected.map(|(path, content)| (path.to_owned(), content.to_owned()));
        assert_eq!(contents(&result), expected);
    }

    #[test]
    fn a_class_file_of_the_chart_is_replaced() {
        let long = format!("redis/templates/{}.yaml", "x".repeat(150));
        let mut builder = Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        let files =
            [("redis/Chart.yaml", CHART_YAML), ("redis/svc-class.json", "old"), (&long, "deep")];
        for (path, content) in files {
            let mut header = Header::new_gnu();
            header.set_size(content.len() as u64);
            header.set_mode(0o644);
            builder.append_data(&mut header, path, content.as_bytes()).unwrap();
        }
        let archive = builder.into_inner().unwrap().finish().unwrap();

        let before = summary(&archive).unwrap();
        assert!(before.has_class_file);
        let result = with_class_file(&archive, &before, b"new").unwrap();
        let files = contents(&result);
        let class_files: Vec<_> =
            files.iter().filter(|(path, _)| path.ends_with(FILE_NAME)).collect();
        assert_eq!(class_files, [&("redis/svc-class.json".to_owned(), "new".to_owned())]);
        assert!(files.contains(&(long, "deep".to_owned())));
    }

    #[test]
    fn paths_are_read_as_helm_reads_them() {
        let below = |path: &str| path_in_chart(path.as_bytes()).map(<[u8]>::to_vec);
        assert_eq!(below("redis/Chart.yaml"), Some(b"Chart.yaml".to_vec()));
        assert_eq!(below(r"redis\Chart.yaml"), Some(b"Chart.yaml".to_vec()));
        assert_eq!(below("./redis/Chart.yaml"), Some(b"redis/Chart.yaml".to_vec()));
        assert_eq!(below("Chart.yaml"), None);
    }

    #[test]
    fn what_is_no_chart_is_said_so() {
        assert!(matches!(summary(b"hello"), Err(ArchiveError::Unreadable(_))));
        let archive = packed(&[("redis/Chart.yaml", CHART_YAML)]);
        assert!(summary(&archive[..archive.len() / 2]).is_err());
        let archive = packed(&[("redis/values.yaml", "a: 1"), ("Chart.yaml", CHART_YAML)]);
        assert!(matches!(summary(&archive), Err(ArchiveError::NoChartYaml)));
        let archive = packed(&[("redis/Chart.yaml", "name: [")]);
        assert!(matches!(summary(&archive), Err(ArchiveError::ChartYaml(_))));
    }
}
