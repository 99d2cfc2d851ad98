//! `helm pull`: pure command lines, then one or two runs of helm.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::Duration;

use super::credentials::{Login, RegistryCredentials, host_of};
use super::handed::{Handed, Repository};
use super::trouble::{self, Trouble};
use crate::domain::class::{OciChart, RepositoryChart};
use crate::error::{Error, Result};
use crate::helm::Helm;
use crate::helm::redaction::Redaction;
use crate::helm::run::{End, Invocation, Outcome, run};
use crate::helm::signal::Signals;

/// Longer than this no pull lasts.
const LIFE: Duration = Duration::from_mins(5);

/// The most bytes of an archive; helm's own limit for its content.
const ARCHIVE_LIMIT: u64 = 100 * 1024 * 1024;

/// The name of the class's repository in a configuration of its own.
const REPOSITORY: &str = "class";

/// A pull in its own directory.
pub(super) struct Pull<'a> {
    pub(super) helm: &'a Helm,
    /// Its name and version, for people.
    pub(super) chart: &'a str,
    pub(super) directory: &'a Path,
    pub(super) credentials: Option<&'a RegistryCredentials>,
}

impl Pull<'_> {
    /// The user's own login first, then that of the class.
    pub(super) async fn oci(&self, chart: &OciChart, signals: &mut Signals) -> Result<Vec<u8>> {
        let host = host_of(&chart.url);
        let args = oci_args(chart, self.directory);
        let handed = Handed::with_certificates(self.credentials)?;
        let mut outcome = self.helm(args.clone(), handed, signals).await?;
        let login = self.credentials.and_then(|credentials| credentials.login_for(host));
        // Some registries hide from a stranger that a chart is there at all.
        let may_need_login = matches!(trouble::of(&outcome), Trouble::Login | Trouble::NoSuchChart);
        if let (Some(login), true) = (login, may_need_login) {
            let handed = Handed::with_login(self.credentials, login, host)?;
            outcome = self.helm(args, handed, signals).await?;
        }
        self.archive(&outcome, &chart.url)
    }

    /// The archive of a repository, by its index.
    pub(super) async fn repository(
        &self,
        chart: &RepositoryChart,
        signals: &mut Signals,
    ) -> Result<Vec<u8>> {
        let login = self.credentials.and_then(|known| known.login_for(host_of(&chart.url)));
        let outcome = match login {
            None => {
                let handed = Handed::with_certificates(self.credentials)?
                    .without_repositories(self.directory);
                self.helm(repository_args(chart, self.directory), handed, signals).await?
            }
            Some(login) => self.repository_with_login(chart, login, signals).await?,
        };
        self.archive(&outcome, &chart.url)
    }

    /// A password on the command line would be visible to everyone on the machine: so the
    /// repository gets a configuration of its own, and its index is fetched first.
    async fn repository_with_login(
        &self,
        chart: &RepositoryChart,
        login: &Login,
        signals: &mut Signals,
    ) -> Result<Outcome> {
        let update = ["repo", "update", REPOSITORY].map(Into::into).to_vec();
        let handed = self.repository_config(chart, login)?;
        let outcome = self.helm(update, handed, signals).await?;
        if !self.directory.join("index").join(format!("{REPOSITORY}-index.yaml")).exists() {
            return Ok(failed_update(outcome));
        }
        let handed = self.repository_config(chart, login)?;
        self.helm(known_repository_args(chart, self.directory), handed, signals).await
    }

    fn repository_config(&self, chart: &RepositoryChart, login: &Login) -> Result<Handed> {
        let repository = Repository { name: REPOSITORY, url: &chart.url, login };
        Handed::with_repository(self.credentials, &repository, self.directory)
    }

    async fn helm(
        &self,
        mut args: Vec<OsString>,
        handed: Handed,
        signals: &mut Signals,
    ) -> Result<Outcome> {
        let mut env = self.helm.environment.for_helm(None);
        env.extend(handed.env);
        // After the verb: a name behind `--` stays the last.
        args.splice(1..1, handed.flags);
        let invocation = Invocation {
            args,
            env,
            descriptors: handed.descriptors,
            inherit_stdin: false,
            stdout_limit: 64 * 1024,
            life: LIFE,
        };
        run(&self.helm.path, invocation, &self.directory.join("empty"), signals)
            .await
            .map_err(|cause| crate::helm::not_started(&self.helm.path, cause))
    }

    fn archive(&self, outcome: &Outcome, url: &str) -> Result<Vec<u8>> {
        let chart = self.chart;
        if !outcome.is_success() {
            let redaction =
                self.credentials.map_or_else(Redaction::default, RegistryCredentials::redaction);
            let had_login =
                self.credentials.is_some_and(|known| known.login_for(host_of(url)).is_some());
            return Err(trouble::error(outcome, &redaction, chart, url, had_login));
        }
        read_only_archive(self.directory).ok_or_else(|| {
            Error::failed(format!("helm pulled chart {chart}, but left no archive behind"))
        })
    }
}

/// helm 3 calls an update without an index a success, and both tell the reason on stdout.
fn failed_update(outcome: Outcome) -> Outcome {
    let mut lines = outcome.stdout.lines();
    let reason = lines
        .find(|line| line.contains("Unable to get an update"))
        .and_then(|_| lines.next())
        .map(|reason| format!("Error: {}\n", reason.trim()));
    let end = if outcome.is_success() { End::Exit(1) } else { outcome.end };
    Outcome { end, stderr: reason.unwrap_or(outcome.stderr), ..outcome }
}

/// With a digest the registry's own word for the version is not asked: helm 3.17 checks no digest
/// beside a tag.
fn oci_args(chart: &OciChart, directory: &Path) -> Vec<OsString> {
    let reference = match &chart.digest {
        Some(digest) => format!("{}@{digest}", chart.url),
        None => chart.url.clone(),
    };
    let mut args: Vec<OsString> = vec!["pull".into(), reference.into()];
    if chart.digest.is_none() {
        args.extend(["--version".into(), chart.version.clone().into()]);
    }
    args.extend(destination(directory));
    args
}

fn repository_args(chart: &RepositoryChart, directory: &Path) -> Vec<OsString> {
    let mut args: Vec<OsString> =
        ["pull", "--repo", &chart.url, "--version", &chart.version].map(Into::into).to_vec();
    args.extend(destination(directory));
    // After the flags: a name is operations' text, and may look like one.
    args.extend(["--".into(), chart.name.clone().into()]);
    args
}

fn known_repository_args(chart: &RepositoryChart, directory: &Path) -> Vec<OsString> {
    let name = format!("{REPOSITORY}/{}", chart.name);
    let mut args: Vec<OsString> =
        ["pull", &name, "--version", &chart.version].map(Into::into).to_vec();
    args.extend(destination(directory));
    args
}

fn destination(directory: &Path) -> [OsString; 2] {
    ["--destination".into(), directory.join("pulled").into()]
}

/// helm names the file after chart and version, or after the digest.
fn read_only_archive(directory: &Path) -> Option<Vec<u8>> {
    let mut files = fs::read_dir(directory.join("pulled")).ok()?.flatten();
    let file = files.find(|file| file.path().extension().is_some_and(|end| end == "tgz"))?;
    let is_small = file.metadata().ok()?.len() <= ARCHIVE_LIMIT;
    is_small.then(|| fs::read(file.path()).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(args: &[OsString]) -> String {
        let words: Vec<_> = args.iter().map(|arg| arg.to_string_lossy()).collect();
        words.join(" ")
    }

    #[test]
    fn a_digest_takes_the_place_of_the_version() {
        let mut chart = OciChart {
            url: "oci://registry.example/charts/redis".to_owned(),
            version: "1.2.3".to_owned(),
            digest: Some("sha256:abc".to_owned()),
        };
        assert_eq!(
            line(&oci_args(&chart, Path::new("/w"))),
            "pull oci://registry.example/charts/redis@sha256:abc --destination /w/pulled"
        );
        chart.digest = None;
        assert_eq!(
            line(&oci_args(&chart, Path::new("/w"))),
            "pull oci://registry.example/charts/redis --version 1.2.3 --destination /w/pulled"
        );
    }

    #[test]
    fn a_chart_name_is_never_a_flag() {
        let chart = RepositoryChart {
            url: "https://charts.example".to_owned(),
            name: "--untar".to_owned(),
            version: "1.2.3".to_owned(),
            digest: None,
        };
        assert_eq!(
            line(&repository_args(&chart, Path::new("/w"))),
            "pull --repo https://charts.example --version 1.2.3 --destination /w/pulled -- --untar"
        );
        assert_eq!(
            line(&known_repository_args(&chart, Path::new("/w"))),
            "pull class/--untar --version 1.2.3 --destination /w/pulled"
        );
    }

    #[test]
    fn an_update_without_an_index_has_failed_for_the_reason_it_tells() {
        let stdout = "Hang tight\n...Unable to get an update from the \"class\" chart repository \
                      (https://h):\n\tfailed to fetch https://h/index.yaml : 401 Unauthorized\n";
        let ended = Outcome::of_test(End::Exit(0), None, "");
        let outcome = Outcome { stdout: stdout.to_owned(), ..ended };
        let failed = failed_update(outcome);
        assert_eq!(failed.end, End::Exit(1));
        assert_eq!(trouble::of(&failed), Trouble::Login);
    }
}
