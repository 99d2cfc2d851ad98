//! A chart's version that is none, and an address that nobody has filled in yet.

use super::{Finding, Place};
use crate::domain::class::{Chart, ChartSource};

/// What a version of a chart never holds: these make a range of it.
const OF_RANGES: &[char] = &['^', '~', '*', '<', '>', '=', '|', ',', ' '];

pub(super) fn findings(chart: &Chart) -> Vec<Finding> {
    let (source, url, version) = match chart.source() {
        Some(ChartSource::Oci(oci)) => ("oci", &oci.url, &oci.version),
        Some(ChartSource::Repository(repository)) => {
            ("repository", &repository.url, &repository.version)
        }
        Some(ChartSource::ConfigMap(_)) | None => return Vec::new(),
    };
    let place = |field: &str| Place::new("chart", format_args!("chart.{source}.{field}"));
    let range = version.contains(OF_RANGES).then(|| {
        Finding::broken(place("version"), format!("{version} is a range; say one version"))
    });
    let unfilled = unfilled(url).map(|word| {
        Finding::warning(place("url"), format!("{word} looks like something to fill in"))
    });
    range.into_iter().chain(unfilled).collect()
}

/// A host in capitals, as `svc class init` writes it.
fn unfilled(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let host = rest.split(['/', ':']).next()?;
    let is_word = host.chars().all(|c| c.is_ascii_uppercase() || c == '-' || c == '_');
    (!host.is_empty() && is_word).then_some(host)
}
