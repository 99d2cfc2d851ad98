//! What a registry or repository asks for, from the Secret that a class names.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde_json::json;

use crate::helm::redaction::Redaction;

/// Login and certificates of a registry or repository; nothing of it is ever shown.
#[derive(Clone, Debug, Default)]
pub struct RegistryCredentials {
    login: Option<Login>,
    docker_config: BTreeMap<String, Login>,
    /// `ca.crt`, PEM.
    pub(super) ca: Option<SecretString>,
    /// `tls.crt`, PEM.
    pub(super) certificate: Option<SecretString>,
    /// `tls.key`, PEM.
    pub(super) key: Option<SecretString>,
}

/// A user name and its password.
#[derive(Clone, Debug)]
pub(super) struct Login {
    pub(super) username: String,
    pub(super) password: SecretString,
}

/// Why a Secret is no credentials.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CredentialsError {
    #[error("{key} is not text")]
    NotText { key: String },
    #[error("{present} is there and {absent} is missing")]
    HalfThere { present: &'static str, absent: &'static str },
    #[error(".dockerconfigjson is not the configuration of a docker client")]
    DockerConfig,
    #[error("none of username, ca.crt, tls.crt, .dockerconfigjson is there")]
    Empty,
}

#[derive(Deserialize)]
struct DockerConfig {
    #[serde(default)]
    auths: BTreeMap<String, DockerAuth>,
}

#[derive(Deserialize)]
struct DockerAuth {
    #[serde(default)]
    username: String,
    #[serde(default)]
    password: String,
    #[serde(default)]
    auth: String,
}

/// The names under which Docker Hub is known, and the one under which clients keep its login.
const DOCKER_HUB: [&str; 4] =
    ["docker.io", "index.docker.io", "registry-1.docker.io", "registry.hub.docker.com"];
const DOCKER_HUB_KEY: &str = "https://index.docker.io/v1/";

impl RegistryCredentials {
    /// Reads the Secret's data: `username` and `password`, `ca.crt`, `tls.crt` and `tls.key`,
    /// `.dockerconfigjson`.
    ///
    /// # Errors
    /// When a part is missing or is not what its name says.
    pub fn from_secret(
        secret: impl IntoIterator<Item = (String, Vec<u8>)>,
    ) -> Result<Self, CredentialsError> {
        let mut parts = BTreeMap::new();
        for (key, bytes) in secret {
            let text = String::from_utf8(bytes);
            parts.insert(key.clone(), text.map_err(|_| CredentialsError::NotText { key })?);
        }
        let login = pair(&mut parts, "username", "password")?
            .map(|(username, password)| Login { username, password: password.into() });
        let tls = pair(&mut parts, "tls.crt", "tls.key")?;
        let (certificate, key) =
            tls.map(|(certificate, key)| (certificate.into(), key.into())).unzip();
        let ca = parts.remove("ca.crt").map(SecretString::from);
        let docker_config = docker_logins(parts.remove(".dockerconfigjson"))?;
        if login.is_none() && ca.is_none() && certificate.is_none() && docker_config.is_empty() {
            return Err(CredentialsError::Empty);
        }
        Ok(Self { login, docker_config, ca, certificate, key })
    }

    /// The login for this host alone.
    pub(super) fn login_for(&self, host: &str) -> Option<&Login> {
        self.login.as_ref().or_else(|| {
            let mut logins = self.docker_config.iter();
            logins.find(|(server, _)| is_same_host(server, host)).map(|(_, login)| login)
        })
    }

    /// Masks everything of it in helm's words.
    pub(super) fn redaction(&self) -> Redaction {
        let logins = self.login.iter().chain(self.docker_config.values());
        let passwords: Vec<SecretString> =
            logins.flat_map(|login| [login.password.clone(), login.basic()]).collect();
        Redaction::new(passwords.iter().chain(&self.key))
    }
}

impl Login {
    /// `base64(username:password)`
    fn basic(&self) -> SecretString {
        STANDARD.encode(format!("{}:{}", self.username, self.password.expose_secret())).into()
    }

    /// A registry configuration that holds this login for this host and nothing else.
    /// <https://github.com/docker/cli/blob/master/cli/config/configfile/file.go>
    pub(super) fn registry_config(&self, host: &str) -> SecretString {
        let auth = json!({"auth": self.basic().expose_secret()});
        let mut auths = serde_json::Map::new();
        if is_docker_hub(host) {
            auths.insert(DOCKER_HUB_KEY.to_owned(), auth.clone());
        }
        auths.insert(host.to_owned(), auth);
        json!({"auths": auths}).to_string().into()
    }
}

/// The host, with its port, of `oci://host/path` or `https://host/path`.
pub(super) fn host_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    authority.rsplit_once('@').map_or(authority, |(_, host)| host)
}

fn is_same_host(server: &str, host: &str) -> bool {
    let server = host_of(server);
    server.eq_ignore_ascii_case(host) || (is_docker_hub(server) && is_docker_hub(host))
}

fn is_docker_hub(host: &str) -> bool {
    DOCKER_HUB.iter().any(|name| name.eq_ignore_ascii_case(host))
}

fn pair(
    parts: &mut BTreeMap<String, String>,
    first: &'static str,
    second: &'static str,
) -> Result<Option<(String, String)>, CredentialsError> {
    match (parts.remove(first), parts.remove(second)) {
        (Some(one), Some(other)) => Ok(Some((one, other))),
        (None, None) => Ok(None),
        (Some(_), None) => Err(CredentialsError::HalfThere { present: first, absent: second }),
        (None, Some(_)) => Err(CredentialsError::HalfThere { present: second, absent: first }),
    }
}

fn docker_logins(config: Option<String>) -> Result<BTreeMap<String, Login>, CredentialsError> {
    let Some(config) = config else { return Ok(BTreeMap::new()) };
    let config: DockerConfig =
        serde_json::from_str(&config).map_err(|_| CredentialsError::DockerConfig)?;
    let logins = config.auths.into_iter().filter_map(|(server, auth)| Some((server, login(auth)?)));
    Ok(logins.collect())
}

fn login(auth: DockerAuth) -> Option<Login> {
    if !auth.username.is_empty() {
        return Some(Login { username: auth.username, password: auth.password.into() });
    }
    let decoded = String::from_utf8(STANDARD.decode(auth.auth.trim()).ok()?).ok()?;
    let (username, password) = decoded.split_once(':')?;
    Some(Login { username: username.to_owned(), password: password.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn credentials(parts: &[(&str, &str)]) -> Result<RegistryCredentials, CredentialsError> {
        let parts = parts.iter().map(|(key, text)| ((*key).to_owned(), text.as_bytes().to_vec()));
        RegistryCredentials::from_secret(parts)
    }

    fn password(credentials: &RegistryCredentials, host: &str) -> Option<String> {
        credentials.login_for(host).map(|login| login.password.expose_secret().to_owned())
    }

    #[test]
    fn a_login_of_its_own_is_for_the_host_of_the_class() {
        let credentials = credentials(&[("username", "u"), ("password", "p:w")]).unwrap();
        let login = credentials.login_for("registry.example:5000").unwrap();
        assert_eq!(
            login.registry_config("registry.example:5000").expose_secret(),
            r#"{"auths":{"registry.example:5000":{"auth":"dTpwOnc="}}}"#
        );
    }

    #[test]
    fn of_a_docker_configuration_one_host_is_taken() {
        let config = r#"{"auths":{"https://a.example/v2/":{"auth":"dTpwYQ=="},
            "b.example":{"username":"u","password":"pb"},
            "https://index.docker.io/v1/":{"auth":"dTpoaWI="}},"credsStore":"desktop"}"#;
        let credentials = credentials(&[(".dockerconfigjson", config)]).unwrap();
        assert_eq!(password(&credentials, "a.example").as_deref(), Some("pa"));
        assert_eq!(password(&credentials, "B.example").as_deref(), Some("pb"));
        assert_eq!(password(&credentials, "registry-1.docker.io").as_deref(), Some("hib"));
        assert_eq!(password(&credentials, "c.example"), None);
        assert_eq!(password(&credentials, "a.example:5000"), None);
    }

    #[test]
    fn docker_hub_has_a_key_of_its_own() {
        let credentials = credentials(&[("username", "u"), ("password", "p")]).unwrap();
        let config = credentials.login_for("docker.io").unwrap().registry_config("docker.io");
        assert!(config.expose_secret().contains(DOCKER_HUB_KEY));
    }

    #[test]
    fn half_a_secret_is_said_so() {
        let error = |parts: &[(&str, &str)]| credentials(parts).unwrap_err().to_string();
        assert_eq!(error(&[("username", "u")]), "username is there and password is missing");
        assert_eq!(error(&[("tls.key", "k")]), "tls.key is there and tls.crt is missing");
        assert_eq!(error(&[("user", "u")]), CredentialsError::Empty.to_string());
        assert_eq!(
            error(&[(".dockerconfigjson", "{")]),
            ".dockerconfigjson is not the configuration of a docker client"
        );
        let binary = RegistryCredentials::from_secret([("ca.crt".to_owned(), vec![0xff])]);
        assert_eq!(binary.unwrap_err(), CredentialsError::NotText { key: "ca.crt".to_owned() });
    }

    #[test]
    fn nothing_of_it_stays_in_helms_words() {
        let credentials = credentials(&[("username", "user"), ("password", "hunter22")]).unwrap();
        let words = "auth hunter22 as dXNlcjpodW50ZXIyMg==";
        assert_eq!(credentials.redaction().apply(words), "auth *** as ***");
        assert!(!format!("{credentials:?}").contains("hunter22"));
    }

    #[test]
    fn the_host_is_what_the_url_leads_to() {
        assert_eq!(host_of("oci://registry.example:5000/charts/redis"), "registry.example:5000");
        assert_eq!(host_of("https://u:p@charts.example?x"), "charts.example");
        assert_eq!(host_of("registry.example"), "registry.example");
    }
}
