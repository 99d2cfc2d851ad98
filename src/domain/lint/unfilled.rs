//! What `svc class init` has written and nobody has filled in yet.

use super::{Finding, Place};
use crate::domain::class::{Chart, ChartSource, ServiceClassSpec};

/// The texts of a class that wait for its writer. A name in capitals alone may be a real one, so
/// these are known word by word.
const TEXTS: [&str; 3] = ["DISPLAY NAME", "WHAT IT IS GOOD FOR, IN ONE LINE", "tag"];

pub(super) fn texts(spec: &ServiceClassSpec) -> Vec<Finding> {
    let name = spec.display_name.as_deref().unwrap_or_default();
    let tags = spec.tags.iter().enumerate();
    let tags = tags.map(|(at, tag)| (Place::new("tags", format_args!("tags[{at}]")), &**tag));
    let texts = [
        (Place::new("displayName", "displayName"), name),
        (Place::new("summary", "summary"), spec.summary.as_str()),
    ];
    let texts = texts.into_iter().chain(tags).filter(|(_, text)| TEXTS.contains(text));
    texts.map(|(place, text)| finding(place, text)).collect()
}

/// A registry and a version in capitals: neither is ever written so.
pub(super) fn chart(chart: &Chart) -> Vec<Finding> {
    let (source, url, version) = match chart.source() {
        Some(ChartSource::Oci(oci)) => ("oci", &oci.url, &oci.version),
        Some(ChartSource::Repository(repository)) => {
            ("repository", &repository.url, &repository.version)
        }
        Some(ChartSource::ConfigMap(_)) | None => return Vec::new(),
    };
    let texts = [("url", host(url)), ("version", version.as_str())];
    let texts = texts.into_iter().filter(|(_, text)| is_word_in_capitals(text));
    let place = |field: &str| Place::new("chart", format_args!("chart.{source}.{field}"));
    texts.map(|(field, text)| finding(place(field), text)).collect()
}

fn finding(place: Place, text: &str) -> Finding {
    Finding::warning(place, format!("{text} looks like something to fill in"))
}

fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', ':']).next().unwrap_or_default()
}

fn is_word_in_capitals(text: &str) -> bool {
    let is_word = text.chars().all(|c| c.is_ascii_uppercase() || c == '-' || c == '_');
    !text.is_empty() && is_word
}
