//! What helm would do: a dry run that asks the server and runs no hook.
//!
//! helm 3 and 4 render with the cluster's version, kinds and `lookup`s, check that the objects are
//! well-formed and nobody else's, and send none of them (measured on 3.17 and 4.3): what the API
//! server itself would refuse is not found here.

use std::fmt;

use serde::Deserialize as _;

use super::record::{RecordError, Release, Stored};
use super::request::{InstallRequest, TemplateRequest, UpgradeRequest};
use super::{Deploy, Helm, MANIFEST_LIMIT, Outcome, Signals, command};
use crate::domain::manifest::without_hooks;
use crate::error::{Error, Result};

/// The end of a dry run.
#[derive(Debug)]
pub struct Preview {
    pub outcome: Outcome,
    /// `None` where helm failed.
    pub applied: Option<Applied>,
}

/// What helm would apply, with the secrets in it.
pub struct Applied {
    /// The objects, as one YAML stream.
    pub manifest: String,
    /// What is made at one moment only, an object each.
    pub hooks: Vec<String>,
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

    /// What an upgrade would make of a release that a cut-off change left: `helm upgrade` itself
    /// would only say that another operation is in progress, dry run or not.
    ///
    /// # Errors
    /// When helm cannot be started.
    pub async fn preview_upgrade_of_pending(
        &self,
        request: UpgradeRequest,
        signals: &mut Signals,
    ) -> Result<Preview> {
        let UpgradeRequest { target, deployment } = request;
        let request = TemplateRequest { target, deployment, is_upgrade: true, ask_cluster: true };
        let outcome = self.template(&request, signals).await?;
        let applied = outcome.is_success().then(|| {
            let (manifest, hooks) = without_hooks(&outcome.stdout);
            Applied { manifest, hooks }
        });
        Ok(Preview { outcome, applied })
    }
}

fn preview(outcome: Outcome) -> Result<Preview> {
    if !outcome.is_success() {
        return Ok(Preview { outcome, applied: None });
    }
    let release = Release::from_json(&outcome.stdout).map_err(|error| {
        Error::failed(format!("what helm would do cannot be read: {error}")).because(error)
    })?;
    let hooks = release.hooks.into_iter().map(|hook| hook.manifest).collect();
    Ok(Preview { outcome, applied: Some(Applied { manifest: release.manifest, hooks }) })
}

impl fmt::Debug for Applied {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Applied(***)")
    }
}

impl Release {
    /// Reads what `helm upgrade -o json` prints: the same form that it stores. A wrapper around
    /// helm may print lines of its own before and after.
    fn from_json(printed: &str) -> Result<Self, RecordError> {
        let start = printed.find("\n{").map_or(0, |line_break| line_break + 1);
        let json = if printed.starts_with('{') { printed } else { &printed[start..] };
        let mut deserializer = serde_json::Deserializer::from_str(json);
        Stored::deserialize(&mut deserializer).map_err(RecordError::Json)?.try_into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RELEASE: &str =
        r#"{"name": "mydb", "info": {}, "chart": {"metadata": {"name": "a", "version": "1"}}}"#;

    #[test]
    fn noise_around_the_release_is_passed_over() {
        let noisy = format!("Loading {{profile}} ...\n{RELEASE}\nbye {{}}\n");
        for printed in [RELEASE, &noisy] {
            assert_eq!(Release::from_json(printed).unwrap().name, "mydb");
        }
        assert!(matches!(Release::from_json("Loading ...\n"), Err(RecordError::Json(_))));
    }
}
