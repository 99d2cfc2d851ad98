//! The record of an instance: what one revision of it remembers, and what is made up where it
//! remembers nothing.

use futures::future::join;
use secrecy::ExposeSecret;

use super::{Stored, revisions, unreadable};
use crate::cluster::{Cluster, Found};
use crate::domain::class::{Class, read};
use crate::domain::instance::{Revision, label, running};
use crate::domain::record::{Record, RecordedChart};
use crate::error::{Error, Result};
use crate::helm::record::Release;

/// Finds an instance and its record alone, in two requests: for completion.
///
/// # Errors
/// As for [`find`]; also where the release has no record of its class.
pub async fn find_recorded(cluster: &Cluster, name: &str) -> Result<Stored> {
    let revisions = revisions(cluster, name).await?;
    let release = release(cluster, to_read(&revisions)).await?;
    let (record, record_is_todays) = record_of(cluster, &release, None, &revisions[0])?;
    Ok(Stored { revisions, release, record, record_is_todays, class: None })
}

/// Reads the record of the revision that runs, and the class of today beside it.
///
/// # Errors
/// A record that is gone, forbidden or cannot be read.
pub async fn read_record(cluster: &Cluster, revisions: Vec<Revision>) -> Result<Stored> {
    let number = to_read(&revisions).number;
    read_record_of(cluster, revisions, number).await
}

/// Reads the record of one revision, and the class of today beside it.
///
/// # Errors
/// A record that is gone, forbidden or cannot be read.
pub async fn read_record_of(
    cluster: &Cluster,
    revisions: Vec<Revision>,
    number: u32,
) -> Result<Stored> {
    let (release, class) = release_and_class(cluster, &revisions, number).await?;
    let (record, record_is_todays) = record_of(cluster, &release, class.as_ref(), &revisions[0])?;
    Ok(Stored { revisions, release, record, record_is_todays, class })
}

/// The same of the revision that runs where it is to be deleted: without a record and without a
/// class it goes by what holds for any class.
///
/// # Errors
/// A record that is gone, forbidden or cannot be read.
pub async fn read_to_delete(cluster: &Cluster, revisions: Vec<Revision>) -> Result<Stored> {
    let number = to_read(&revisions).number;
    let (release, class) = release_and_class(cluster, &revisions, number).await?;
    let name = class_name(&revisions);
    let (record, record_is_todays) = match (&release.class_file, &class) {
        (None, None) => (Record::unknown(name, recorded_chart(&release, None)), true),
        _ => record_of(cluster, &release, class.as_ref(), &revisions[0])?,
    };
    Ok(Stored { revisions, release, record, record_is_todays, class })
}

async fn release_and_class(
    cluster: &Cluster,
    revisions: &[Revision],
    number: u32,
) -> Result<(Release, Option<Class>)> {
    let wanted = revisions.iter().find(|revision| revision.number == number);
    let release = release(cluster, wanted.unwrap_or(&revisions[0]));
    let (release, class) = join(release, class_of_today(cluster, class_name(revisions))).await;
    Ok((release?, class))
}

/// The name of the class that an instance was made of.
fn class_name(revisions: &[Revision]) -> &str {
    revisions[0].labels.get(label::CLASS).map(String::as_str).unwrap_or_default()
}

/// The release as helm stored it at a revision.
///
/// # Errors
/// It is gone, forbidden or cannot be read.
pub async fn release(cluster: &Cluster, revision: &Revision) -> Result<Release> {
    let Revision { namespace, name, number, .. } = revision;
    let bytes =
        cluster.release_record(namespace, name, *number).await?.here()?.ok_or_else(|| {
            Error::failed(format!("{name} changed while it was read: revision {number} is gone"))
                .try_(format!("show {name}"))
        })?;
    Release::decode(bytes.expose_secret())
        .map_err(|error| unreadable::record(error, revision, cluster.helm.context.as_deref()))
}

/// The revision that runs, else the newest.
fn to_read(revisions: &[Revision]) -> &Revision {
    running(revisions).unwrap_or(&revisions[0])
}

async fn class_of_today(cluster: &Cluster, name: &str) -> Option<Class> {
    match cluster.class(name).await {
        Ok(Found::Here(raw)) => read(&raw).ok(),
        _ => None,
    }
}

/// The record; what is made up for a release that has none takes its plan from the label.
fn record_of(
    cluster: &Cluster,
    release: &Release,
    class: Option<&Class>,
    newest: &Revision,
) -> Result<(Record, bool)> {
    let name = &release.name;
    let plan = newest.labels.get(label::PLAN).map(String::as_str);
    if let Some(file) = &release.class_file {
        let context = cluster.helm.context.as_deref();
        let record = serde_json::from_slice(file)
            .map_err(|error| unreadable::class_file(&error, name, &release.namespace, context))?;
        return Ok((record, false));
    }
    let class = class.ok_or_else(|| unreadable::no_class(name))?;
    let chart = recorded_chart(release, Some(class));
    Ok((Record::of_today(class, plan, chart, &release.config), true))
}

fn recorded_chart(release: &Release, class: Option<&Class>) -> RecordedChart {
    RecordedChart {
        name: release.chart_name.clone(),
        version: release.chart_version.clone(),
        source: class.and_then(|class| class.spec.chart.clone()),
        digest: String::new(),
    }
}
