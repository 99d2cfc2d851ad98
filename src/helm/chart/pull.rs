//! `helm pull`: pure command lines, then one or two runs of helm.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use serde_json::json;

use super::credentials::{Login, RegistryCredentials, host_of};
use super::trouble::{self, Trouble};
use crate::domain::class::{OciChart, RepositoryChart};
use crate::error::{Error, Result};
use crate::helm::Helm;
use crate::helm::descriptor::Descriptors;
use crate::helm::redaction::Redaction;
use crate::helm::run::{Invocation, Outcome, Signals, run};

/// Longer than this no pull lasts.
const LIFE: Duration = Duration::from_mins(5);

/// The most bytes of an archive; helm's own limit for its content.
const ARCHIVE_LIMIT: u64 = 100 * 1024 * 1024;

/// The name of the class's repository in a configuration of its own.
const REPOSITORY: &str = "class";

/// Descriptors of one run and what helm is told of them.
#[derive(Default)]
struct Handed {
    descriptors: Descriptors,
    flags: Vec<OsString>,
    env: Vec<(OsString, OsString)>,
}

/// A pull in its own directory.
pub(super) struct Pull<'a> {
    pub(super) helm: &'a Helm,
    pub(super) directory: &'a Path,
    pub(super) credentials: Option<&'a RegistryCredentials>,
}

impl Pull<'_> {
    /// The user's own login first, then that of the class.
    pub(super) async fn oci(&self, chart: &OciChart, signals: &mut Signals) -> Result<Vec<u8>> {
        let host = host_of(&chart.url);
        let args = oci_args(chart, self.directory);
        let handed = self.with_certificates()?;
        let mut outcome = self.helm(args.clone(), handed, signals).await?;
        let login = self.credentials.and_then(|credentials| credentials.login_for(host));
        if let (Some(login), Trouble::Login) = (login, trouble::of(&outcome)) {
            let handed = self.with_login(login, host)?;
            outcome = self.helm(args, handed, signals).await?;
        }
        self.archive(&outcome, &format!("{} {}", chart.url, chart.version), &chart.url)
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
                let handed = self.with_certificates()?.without_repositories(self.directory);
                self.helm(repository_args(chart, self.directory), handed, signals).await?
            }
            Some(login) => self.repository_with_login(chart, login, signals).await?,
        };
        self.archive(&outcome, &format!("{} {}", chart.name, chart.version), &chart.url)
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
        let handed = self.with_repository(chart, login)?;
        let outcome = self.helm(update, handed, signals).await?;
        if !outcome.is_success() {
            return Ok(outcome);
        }
        let handed = self.with_repository(chart, login)?;
        self.helm(known_repository_args(chart, self.directory), handed, signals).await
    }

    async fn helm(
        &self,
        args: Vec<OsString>,
        handed: Handed,
        signals: &mut Signals,
    ) -> Result<Outcome> {
        let mut env = self.helm.environment.for_helm(None);
        env.extend(handed.env);
        let invocation = Invocation {
            args: args.into_iter().chain(handed.flags).collect(),
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

    fn archive(&self, outcome: &Outcome, chart: &str, url: &str) -> Result<Vec<u8>> {
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

    fn with_certificates(&self) -> Result<Handed> {
        let mut handed = Handed::default();
        let Some(credentials) = self.credentials else { return Ok(handed) };
        let parts = [
            ("--ca-file", &credentials.ca),
            ("--cert-file", &credentials.certificate),
            ("--key-file", &credentials.key),
        ];
        for (flag, content) in parts {
            if let Some(content) = content {
                let path = handed.add(content)?;
                handed.flags.extend([flag.into(), path.into()]);
            }
        }
        Ok(handed)
    }

    fn with_login(&self, login: &Login, host: &str) -> Result<Handed> {
        let mut handed = self.with_certificates()?;
        let path = handed.add(&login.registry_config(host))?;
        handed.env.push(("HELM_REGISTRY_CONFIG".into(), path.into()));
        Ok(handed)
    }

    fn with_repository(&self, chart: &RepositoryChart, login: &Login) -> Result<Handed> {
        let mut handed = Handed::default();
        let mut entry = json!({
            "name": REPOSITORY,
            "url": chart.url,
            "username": login.username,
            "password": login.password.expose_secret(),
        });
        let credentials = self.credentials.cloned().unwrap_or_default();
        let parts = [
            ("caFile", credentials.ca),
            ("certFile", credentials.certificate),
            ("keyFile", credentials.key),
        ];
        for (name, content) in parts {
            if let Some(content) = content {
                entry[name] = handed.add(&content)?.into();
            }
        }
        let config = json!({"apiVersion": "v1", "repositories": [entry]});
        let path = handed.add(&yaml(&config))?;
        handed.env.push(("HELM_REPOSITORY_CONFIG".into(), path.into()));
        let cache = self.directory.join("index");
        handed.env.push(("HELM_REPOSITORY_CACHE".into(), cache.into()));
        Ok(handed)
    }
}

impl Handed {
    fn add(&mut self, content: &SecretString) -> Result<String> {
        let bytes = content.expose_secret().as_bytes();
        self.descriptors.add_bytes(bytes).map_err(crate::helm::no_descriptor)
    }

    /// helm would read the index of every repository that its user knows.
    fn without_repositories(mut self, directory: &Path) -> Self {
        let none = directory.join("no-repositories");
        self.env.push(("HELM_REPOSITORY_CONFIG".into(), none.into()));
        self.env.push(("HELM_REPOSITORY_CACHE".into(), directory.join("index").into()));
        self
    }
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

/// JSON that helm's YAML reader takes: it refuses DEL and C1 controls as they are.
fn yaml(value: &serde_json::Value) -> SecretString {
    let json = value.to_string();
    let escape = |c: char| match c {
        '\u{7f}'..='\u{9f}' => format!("\\u{:04x}", u32::from(c)),
        _ => c.to_string(),
    };
    json.chars().map(escape).collect::<String>().into()
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
    fn a_password_with_control_characters_is_readable_yaml() {
        let text = yaml(&json!({"password": "a\u{7f}b\u{85}c\u{1}\"😀"}));
        assert_eq!(text.expose_secret(), "{\"password\":\"a\\u007fb\\u0085c\\u0001\\\"😀\"}");
    }
}
