//! A chart's version that is none.

use super::{Finding, Place, unfilled};
use crate::domain::class::{Chart, ChartSource};

/// What a version of a chart never holds: these make a range of it.
const OF_RANGES: &[char] = &['^', '~', '*', '<', '>', '=', '|', ',', ' '];

pub(super) fn findings(chart: &Chart) -> Vec<Finding> {
    range(chart).into_iter().chain(unfilled::chart(chart)).collect()
}

fn range(chart: &Chart) -> Option<Finding> {
    let (source, version) = match chart.source()? {
        ChartSource::Oci(oci) => ("oci", &oci.version),
        ChartSource::Repository(repository) => ("repository", &repository.version),
        ChartSource::ConfigMap(_) => return None,
    };
    version.contains(OF_RANGES).then(|| {
        let place = Place::new("chart", format_args!("chart.{source}.version"));
        Finding::broken(place, format!("{version} is a range; say one version"))
    })
}
