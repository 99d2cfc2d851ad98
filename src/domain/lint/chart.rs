//! A chart's version that is none, and what nobody has filled in yet.

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
    let unfilled = |field, text| {
        unfilled(text).map(|word| {
            Finding::warning(place(field), format!("{word} looks like something to fill in"))
        })
    };
    let url = unfilled("url", host(url));
    range.into_iter().chain(url).chain(unfilled("version", version)).collect()
}

fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', ':']).next().unwrap_or_default()
}

/// A word in capitals, as `svc class init` writes it.
fn unfilled(text: &str) -> Option<&str> {
    let is_word = text.chars().all(|c| c.is_ascii_uppercase() || c == '-' || c == '_');
    (!text.is_empty() && is_word).then_some(text)
}
