//! What `update` and `upgrade` share: the instance as it stands, a look at what would happen, and
//! the new revision.

pub mod apply;
mod outcome;
pub mod preview;

use super::create::{existing, outcome::kind_of};
use super::instance::{self, Stored};
use crate::cluster::Cluster;
use crate::domain::class::Object;
use crate::domain::instance::{Revision, Status, running};
use crate::domain::manifest::{self, ManifestObject};
use crate::domain::state::Observer;
use crate::error::{Error, Result};

pub use outcome::Verb;

/// An instance that may be changed now.
#[derive(Debug)]
pub struct Base {
    /// As it runs.
    pub stored: Stored,
    /// What a change that was cut off or failed wanted, where that is to be finished.
    pub wanted: Option<Stored>,
    pub standing: Standing,
    /// The objects of the revision that runs.
    pub objects: Vec<ManifestObject>,
    /// The values that svc sent last, where plain helm has changed the release since.
    pub sent_last: Option<Object>,
}

/// How the newest revision stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Sound,
    /// helm failed, or its newest revision was lost; it takes another upgrade.
    Failed,
    /// It was cut off: first back to this revision.
    CutOff {
        back_to: u32,
    },
}

impl Base {
    /// The newest revision's number: the next one must follow it.
    pub fn newest(&self) -> u32 {
        self.stored.newest().number
    }

    /// The answers to go on from.
    pub fn source(&self) -> &Stored {
        self.wanted.as_ref().unwrap_or(&self.stored)
    }
}

/// Finds an instance that may be changed; with `retry` also one that a change left half made.
///
/// # Errors
/// No such instance, someone works on it, or its state has another way out, which is named.
pub async fn find(
    cluster: &Cluster,
    name: &str,
    retry: bool,
    observer: &Observer<'_>,
) -> Result<Base> {
    let revisions = instance::revisions(cluster, name).await?;
    let standing = standing(&revisions, retry, observer)?;
    let newest = revisions[0].number;
    let wanted = match standing {
        Standing::Failed | Standing::CutOff { .. } if retry => {
            Some(instance::read_record_of(cluster, revisions.clone(), newest).await?)
        }
        _ => None,
    };
    let stored = instance::read_record(cluster, revisions).await?;
    let objects = objects_of(&stored)?;
    let sent_last = sent_last(cluster, &stored).await;
    Ok(Base { stored, wanted, standing, objects, sent_last })
}

/// Plain helm leaves no record of the class; the newest revision before it that has one is svc's.
async fn sent_last(cluster: &Cluster, stored: &Stored) -> Option<Object> {
    if !stored.record_is_todays {
        return None;
    }
    let running = running(&stored.revisions).unwrap_or(stored.newest()).number;
    for revision in stored.revisions.iter().filter(|revision| revision.number < running) {
        let release = instance::release(cluster, revision).await.ok()?;
        if release.class_file.is_some() {
            return Some(release.config);
        }
    }
    None
}

/// The objects of a record.
///
/// # Errors
/// The manifest cannot be read.
pub fn objects_of(stored: &Stored) -> Result<Vec<ManifestObject>> {
    let release = &stored.release;
    manifest::parse(&release.manifest).map_err(|error| {
        let sentence = format!("the record of {} cannot be read: {error}", release.name);
        Error::failed(sentence).because(error)
    })
}

fn standing(revisions: &[Revision], retry: bool, observer: &Observer<'_>) -> Result<Standing> {
    let newest = &revisions[0];
    let (name, namespace) = (newest.name.as_str(), newest.namespace.as_str());
    let deployed = running(revisions);
    existing::at_rest(newest, observer)?;
    match newest.status {
        Status::Deployed | Status::Unknown => Ok(Standing::Sound),
        // The one that followed it is gone: it runs, and helm says it does not.
        Status::Superseded => Ok(Standing::Failed),
        Status::Failed if deployed.is_some() => Ok(Standing::Failed),
        Status::PendingUpgrade | Status::PendingRollback => match (deployed, retry) {
            (Some(deployed), true) => Ok(Standing::CutOff { back_to: deployed.number }),
            (Some(_), false) => Err(existing::half_changed(newest, observer.now)),
            (None, _) => Err(nothing_runs(newest)),
        },
        Status::Failed | Status::PendingInstall => {
            Err(existing::half_made(newest, &[], observer.now))
        }
        Status::Uninstalling | Status::Uninstalled => {
            Err(Error::failed(format!("{name} is being deleted, namespace {namespace}"))
                .try_for(format!("delete {name}"), "finish it"))
        }
    }
}

fn nothing_runs(newest: &Revision) -> Error {
    let name = &newest.name;
    Error::failed(format!("{name} has no revision that runs, and an update was cut off"))
        .fact("release", format!("{}, revision {}", newest.status, newest.number))
        .try_for(format!("delete {name}"), "remove it, keep the volume")
}

/// Objects of the record outside the instance's namespace are not touched without a word
/// (design §7); `command` is the one that may.
///
/// # Errors
/// There are some.
pub fn stays_inside(objects: &[ManifestObject], stored: &Stored, command: &str) -> Result<()> {
    let release = &stored.release;
    let outside = manifest::outside(objects, &release.namespace);
    if outside.is_empty() {
        return Ok(());
    }
    let error = Error::failed(format!(
        "the record of {} holds objects outside its namespace; they would change too",
        release.name
    ));
    let error = outside.iter().take(8).fold(error, |error, object| error.fact("outside", object));
    Err(error.try_for(format!("{command} --allow-outside-namespace"), "if they are its own"))
}

/// The exit status of a signal that came while nothing was changed yet.
pub fn interrupted(signal: crate::helm::Signal) -> Error {
    Error::new(kind_of(signal), "interrupted; nothing changed")
}
