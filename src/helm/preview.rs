//! What helm would do: a dry run that asks the server and runs no hook.
//!
//! helm 3 and 4 render with the cluster's version, kinds and `lookup`s, check that the objects are
//! well-formed and nobody else's, and send none of them (measured on 3.21 and 4.3): what the API
//! server itself would refuse is not found here.

use super::record::{RecordError, Release};
use super::request::{InstallRequest, UpgradeRequest};
use super::{Deploy, Helm, MANIFEST_LIMIT, Outcome, Signals, command};
use crate::error::{Error, Result};

/// The end of a dry run.
#[derive(Debug)]
pub struct Preview {
    pub outcome: Outcome,
    /// The release as it would be stored; `None` where helm failed. Its manifest holds secrets.
    pub release: Option<Release>,
}

impl Helm {
    /// What an install would make.
    ///
    /// # Errors
    /// When helm cannot be started, or prints something else than a release.
    pub async fn preview_install(
        &self,
        request: &InstallRequest,
        signals: &mut Signals,
    ) -> Result<Preview> {
        let InstallRequest { target, deployment } = request;
        let deploy = Deploy { target, deployment, lock: None, stdout_limit: MANIFEST_LIMIT };
        let args = |values: &str| command::dry_run(command::install(request, values));
        preview(self.deploy(&deploy, args, signals).await?)
    }

    /// What an upgrade would make.
    ///
    /// # Errors
    /// When helm cannot be started, or prints something else than a release.
    pub async fn preview_upgrade(
        &self,
        request: &UpgradeRequest,
        signals: &mut Signals,
    ) -> Result<Preview> {
        let UpgradeRequest { target, deployment } = request;
        let deploy = Deploy { target, deployment, lock: None, stdout_limit: MANIFEST_LIMIT };
        let args = |values: &str| command::dry_run(command::upgrade(request, values));
        preview(self.deploy(&deploy, args, signals).await?)
    }
}

fn preview(outcome: Outcome) -> Result<Preview> {
    if !outcome.is_success() {
        return Ok(Preview { outcome, release: None });
    }
    let release = Release::from_json(outcome.stdout.as_bytes()).map_err(|error| {
        Error::failed(format!("what helm would do cannot be read: {error}")).because(error)
    })?;
    Ok(Preview { outcome, release: Some(release) })
}

impl Release {
    /// Reads what `helm upgrade -o json` prints: the same form that it stores.
    fn from_json(json: &[u8]) -> Result<Self, RecordError> {
        let stored: super::record::Stored<'_> =
            serde_json::from_slice(json).map_err(RecordError::Json)?;
        stored.try_into()
    }
}
