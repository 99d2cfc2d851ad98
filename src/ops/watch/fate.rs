//! Whether what is watched is still what it was.

use std::time::Duration;

use tokio::time::sleep;

use super::super::instance::{self, Stored};
use crate::cluster::Cluster;
use crate::domain::instance::{Revision, Status, label};
use crate::error::{Error, Result};

/// Between two looks at the release: one question for a few lines of metadata.
const PAUSE: Duration = Duration::from_secs(2);

/// The stored revisions, a while from now.
pub(super) async fn next(cluster: &Cluster, stored: &Stored) -> Result<Vec<Revision>> {
    sleep(PAUSE).await;
    instance::stored_revisions(cluster, &stored.release.name).await
}

/// Passes while the instance is there.
///
/// # Errors
/// It is gone, on its way, or another one of the same name.
pub(super) fn judge(stored: &Stored, revisions: &[Revision]) -> Result<()> {
    let created = stored.newest().labels.get(label::CREATED);
    still_there(&stored.release.name, created.map(String::as_str), revisions)
}

/// Passes while the instance that was made at that time (the label `created`) is there.
///
/// # Errors
/// It is gone, on its way, or another one of the same name.
pub fn still_there(name: &str, created: Option<&str>, revisions: &[Revision]) -> Result<()> {
    let Some(newest) = revisions.first() else { return Err(deleted(name)) };
    if matches!(newest.status, Status::Uninstalling | Status::Uninstalled) {
        return Err(Error::failed(format!("{name} is being deleted by someone else"))
            .try_(format!("wait {name} --for deleted")));
    }
    let made = newest.labels.get(label::CREATED).map(String::as_str);
    if created.is_some_and(|created| !created.is_empty() && made != Some(created)) {
        return Err(Error::failed(format!("{name} was deleted and made anew meanwhile"))
            .try_(format!("wait {name}")));
    }
    Ok(())
}

/// The instance that was waited for is not there any more.
pub fn deleted(name: &str) -> Error {
    Error::failed(format!("{name} was deleted meanwhile")).try_("list")
}
