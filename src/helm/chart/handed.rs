//! What a pull is handed beside its command line: certificates and logins, in files that nobody
//! else can read and that are gone with helm.

use std::ffi::OsString;
use std::path::Path;

use secrecy::{ExposeSecret, SecretString};
use serde_json::json;

use super::credentials::{Login, RegistryCredentials};
use crate::error::Result;
use crate::helm::descriptor::Descriptors;

/// Descriptors of one run and what helm is told of them.
#[derive(Default)]
pub(super) struct Handed {
    pub(super) descriptors: Descriptors,
    pub(super) flags: Vec<OsString>,
    pub(super) env: Vec<(OsString, OsString)>,
}

/// A repository under a name that only one helm knows.
pub(super) struct Repository<'a> {
    pub(super) name: &'a str,
    pub(super) url: &'a str,
    pub(super) login: &'a Login,
}

impl Handed {
    /// The certificates of the class, where it has some.
    pub(super) fn with_certificates(credentials: Option<&RegistryCredentials>) -> Result<Self> {
        let mut handed = Self::default();
        for ([flag, _], content) in certificates(credentials) {
            let path = handed.add(content)?;
            handed.flags.extend([flag.into(), path.into()]);
        }
        Ok(handed)
    }

    /// A registry configuration with this one login, in place of the user's own.
    pub(super) fn with_login(
        credentials: Option<&RegistryCredentials>,
        login: &Login,
        host: &str,
    ) -> Result<Self> {
        let mut handed = Self::with_certificates(credentials)?;
        let path = handed.add(&login.registry_config(host))?;
        handed.env.push(("HELM_REGISTRY_CONFIG".into(), path.into()));
        Ok(handed)
    }

    /// A repository configuration with this one repository.
    pub(super) fn with_repository(
        credentials: Option<&RegistryCredentials>,
        repository: &Repository<'_>,
        directory: &Path,
    ) -> Result<Self> {
        let mut handed = Self::default();
        let mut entry = json!({
            "name": repository.name,
            "url": repository.url,
            "username": repository.login.username,
            "password": repository.login.password.expose_secret(),
        });
        for ([_, name], content) in certificates(credentials) {
            entry[name] = handed.add(content)?.into();
        }
        let config = json!({"apiVersion": "v1", "repositories": [entry]});
        let path = handed.add(&yaml(&config))?;
        handed.env.push(("HELM_REPOSITORY_CONFIG".into(), path.into()));
        handed.env.push(("HELM_REPOSITORY_CACHE".into(), directory.join("index").into()));
        Ok(handed)
    }

    /// helm would read the index of every repository that its user knows.
    pub(super) fn without_repositories(mut self, directory: &Path) -> Self {
        let none = directory.join("no-repositories");
        self.env.push(("HELM_REPOSITORY_CONFIG".into(), none.into()));
        self.env.push(("HELM_REPOSITORY_CACHE".into(), directory.join("index").into()));
        self
    }

    fn add(&mut self, content: &SecretString) -> Result<String> {
        let bytes = content.expose_secret().as_bytes();
        self.descriptors.add_bytes(bytes).map_err(crate::helm::no_descriptor)
    }
}

/// Each with its flag and its name in a repository configuration.
fn certificates(
    credentials: Option<&RegistryCredentials>,
) -> impl Iterator<Item = ([&'static str; 2], &SecretString)> {
    let parts = credentials.map(|known| {
        [
            (["--ca-file", "caFile"], &known.ca),
            (["--cert-file", "certFile"], &known.certificate),
            (["--key-file", "keyFile"], &known.key),
        ]
    });
    let parts = parts.into_iter().flatten();
    parts.filter_map(|(names, content)| content.as_ref().map(|content| (names, content)))
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

    #[test]
    fn a_password_with_control_characters_is_readable_yaml() {
        let text = yaml(&json!({"password": "a\u{7f}b\u{85}c\u{1}\"😀"}));
        assert_eq!(text.expose_secret(), "{\"password\":\"a\\u007fb\\u0085c\\u0001\\\"😀\"}");
    }
}
