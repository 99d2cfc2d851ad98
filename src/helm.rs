//! Helm as the engine: the only room that starts it (design §5).

mod capture;
pub mod chart;
mod command;
mod descriptor;
mod directory;
mod environment;
mod error;
mod label;
mod locate;
mod lock;
mod machine;
mod preview;
pub mod record;
mod redaction;
mod request;
mod run;
mod signal;
mod version;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use secrecy::ExposeSecret;
use semver::Version;

pub use directory::CacheDirectory;
pub use environment::HelmEnvironment;
pub use error::{Cause, CauseKind, SchemaProblem};
pub use label::label_value;
pub use locate::FindError;
pub use lock::{Lock, LockState};
pub use machine::{MachineId, Until};
pub use preview::{Applied, Preview};
pub use redaction::Redaction;
pub use request::{
    Deployment, InstallRequest, RollbackRequest, Target, TemplateRequest, UninstallRequest,
    UpgradeRequest,
};
pub use run::{End, Outcome};
pub use signal::{Signal, Signals, Stop};

use crate::error::{Error, Result, cause_words};
use descriptor::Descriptors;
use run::{Invocation, run};
use signal::GRACE;

/// What helm needs beyond its `--timeout`, which counts for each hook and not for the rest.
const MARGIN: Duration = Duration::from_secs(60);

/// A manifest may be this long; of other output less is kept.
const MANIFEST_LIMIT: usize = 32 * 1024 * 1024;
const OUTPUT_LIMIT: usize = 64 * 1024;

/// How long a helm with this `--timeout` lives at most before svc has ended it.
pub fn longest_life(timeout: Duration) -> Duration {
    timeout + MARGIN + GRACE
}

/// A helm that was found and is new enough.
#[derive(Clone, Debug)]
pub struct Helm {
    path: PathBuf,
    version: Version,
    environment: HelmEnvironment,
    cache: CacheDirectory,
}

impl Helm {
    /// Finds helm and asks its version, unless that is remembered.
    ///
    /// # Errors
    /// When there is none, or it is too old, or no helm at all.
    pub async fn find(
        environment: HelmEnvironment,
        cache: CacheDirectory,
        signals: &mut Signals,
    ) -> Result<Self, FindError> {
        let path = locate::locate(&environment)?;
        let version = version::version_of(&path, &environment, &cache, signals).await?;
        Ok(Self { path, version, environment, cache })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn version(&self) -> &Version {
        &self.version
    }

    pub fn cache(&self) -> &CacheDirectory {
        &self.cache
    }

    /// What one should know of this very version: helm issues 32224 and 32214.
    pub fn warning(&self) -> Option<&'static str> {
        let is_hanging = self.version == Version::new(4, 2, 1);
        is_hanging.then_some("helm 4.2.1 may hang on hooks and deletions; use a newer one")
    }

    /// Makes a release. The lock lives as long as helm does.
    ///
    /// # Errors
    /// When helm cannot be started; what helm itself says is in the outcome.
    pub async fn install(
        &self,
        request: &InstallRequest,
        lock: &Lock,
        signals: &mut Signals,
    ) -> Result<Outcome> {
        let deploy = Deploy::under(lock, &request.target, &request.deployment);
        self.deploy(&deploy, |values| command::install(request, values), signals).await
    }

    /// Makes a new revision of a release.
    ///
    /// # Errors
    /// When helm cannot be started.
    pub async fn upgrade(
        &self,
        request: &UpgradeRequest,
        lock: &Lock,
        signals: &mut Signals,
    ) -> Result<Outcome> {
        let deploy = Deploy::under(lock, &request.target, &request.deployment);
        self.deploy(&deploy, |values| command::upgrade(request, values), signals).await
    }

    /// Renders what helm would apply; it is the outcome's stdout.
    ///
    /// # Errors
    /// When helm cannot be started.
    pub async fn template(
        &self,
        request: &TemplateRequest,
        signals: &mut Signals,
    ) -> Result<Outcome> {
        let mut descriptors = Descriptors::default();
        let values = add_values(&mut descriptors, &request.deployment)?;
        let validates = request.ask_cluster && self.version.major < 4;
        let work = Work {
            args: command::template(request, validates, &values),
            descriptors,
            stdout_limit: MANIFEST_LIMIT,
            timeout: request.deployment.timeout,
        };
        self.run(&request.target, work, signals).await
    }

    /// Removes a release, all its revisions.
    ///
    /// # Errors
    /// When helm cannot be started.
    pub async fn uninstall(
        &self,
        request: &UninstallRequest,
        lock: &Lock,
        signals: &mut Signals,
    ) -> Result<Outcome> {
        let work = Work::with_lock(command::uninstall(request), lock, request.timeout)?;
        self.run(&request.target, work, signals).await
    }

    /// Makes a new revision that is like an older one.
    ///
    /// # Errors
    /// When helm cannot be started.
    pub async fn rollback(
        &self,
        request: &RollbackRequest,
        lock: &Lock,
        signals: &mut Signals,
    ) -> Result<Outcome> {
        let work = Work::with_lock(command::rollback(request), lock, request.timeout)?;
        self.run(&request.target, work, signals).await
    }

    async fn deploy(
        &self,
        deploy: &Deploy<'_>,
        args: impl FnOnce(&str) -> Vec<OsString>,
        signals: &mut Signals,
    ) -> Result<Outcome> {
        let mut descriptors = Descriptors::default();
        let values = add_values(&mut descriptors, deploy.deployment)?;
        if let Some(lock) = deploy.lock {
            descriptors.add_held(lock).map_err(no_descriptor)?;
        }
        let (timeout, stdout_limit) = (deploy.deployment.timeout, deploy.stdout_limit);
        let work = Work { args: args(&values), descriptors, stdout_limit, timeout };
        self.run(deploy.target, work, signals).await
    }

    async fn run(&self, target: &Target, work: Work, signals: &mut Signals) -> Result<Outcome> {
        let directory = self.cache.work_directory()?;
        let invocation = Invocation {
            args: work.args,
            env: self.environment.for_helm(target.kubeconfig.as_deref()),
            descriptors: work.descriptors,
            inherit_stdin: self.environment.may_prompt,
            stdout_limit: work.stdout_limit,
            life: work.timeout + MARGIN,
        };
        run(&self.path, invocation, directory.path(), signals)
            .await
            .map_err(|cause| not_started(&self.path, cause))
    }
}

/// A release that is made or changed under its lock, or only looked at.
struct Deploy<'a> {
    target: &'a Target,
    deployment: &'a Deployment,
    lock: Option<&'a Lock>,
    stdout_limit: usize,
}

impl<'a> Deploy<'a> {
    fn under(lock: &'a Lock, target: &'a Target, deployment: &'a Deployment) -> Self {
        Self { target, deployment, lock: Some(lock), stdout_limit: OUTPUT_LIMIT }
    }
}

/// One command of helm.
struct Work {
    args: Vec<OsString>,
    descriptors: Descriptors,
    stdout_limit: usize,
    timeout: Duration,
}

impl Work {
    fn with_lock(args: Vec<OsString>, lock: &Lock, timeout: Duration) -> Result<Self> {
        let mut descriptors = Descriptors::default();
        descriptors.add_held(lock).map_err(no_descriptor)?;
        Ok(Self { args, descriptors, stdout_limit: OUTPUT_LIMIT, timeout })
    }
}

fn add_values(descriptors: &mut Descriptors, deployment: &Deployment) -> Result<String> {
    let values = deployment.values.expose_secret();
    descriptors.add_bytes(values.as_bytes()).map_err(no_descriptor)
}

fn no_descriptor(cause: std::io::Error) -> Error {
    Error::failed(format!("cannot hand the values to helm: {}", cause_words(&cause))).because(cause)
}

fn not_started(path: &Path, cause: std::io::Error) -> Error {
    let cause_in_words = cause_words(&cause);
    let message = format!("helm cannot be started: {}: {cause_in_words}", path.display());
    Error::failed(message).because(cause).try_("doctor")
}
