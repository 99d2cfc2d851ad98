//! The proxy between svc and the API server, if any.

use hyper_util::client::proxy::matcher::Matcher;
use kube::Config;

use super::kubeconfig::address;
use super::target::Target;
use crate::error::{Error, Result};

/// Proxies of the environment; empty text counts as unset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proxies {
    /// `HTTPS_PROXY`
    pub https: Option<String>,
    /// `NO_PROXY`: hosts, domains and networks that are reached directly.
    pub no: Option<String>,
}

/// A proxy that is used.
#[derive(Clone, Debug)]
pub(super) struct Proxy {
    pub protocol: Protocol,
    pub url: http::Uri,
    pub authorization: Option<http::HeaderValue>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Protocol {
    Http,
    Https,
    Socks5,
}

impl Proxy {
    /// `host:port`
    pub fn address(&self) -> String {
        address(&self.url)
    }
}

/// The cluster's own `proxy-url` always holds; the environment's only where `NO_PROXY` does not
/// name the server. Same as client-go.
///
/// # Errors
/// A proxy of no known kind: going on without it could go round a guard.
pub(super) fn choose(
    config: &Config,
    own: Option<&str>,
    proxies: &Proxies,
    target: &Target,
) -> Result<Option<Proxy>> {
    let text = own.or(proxies.https.as_deref()).unwrap_or_default();
    let (scheme, rest) = text.split_once("://").unwrap_or(("http", text));
    let plain = if rest.is_empty() { String::new() } else { format!("http://{rest}") };
    let no = proxies.no.as_deref().filter(|_| own.is_none()).unwrap_or_default();
    let matcher = Matcher::builder().all(plain).no(no.to_owned()).build();
    let Some(intercept) = matcher.intercept(&config.cluster_url) else {
        return if rest.is_empty() || !no.is_empty() {
            Ok(None)
        } else {
            Err(unknown(text, target))
        };
    };
    let protocol = match scheme {
        "http" => Protocol::Http,
        "https" => Protocol::Https,
        "socks5" | "socks5h" => Protocol::Socks5,
        _ => return Err(unknown(text, target)),
    };
    let url = format!("{scheme}://{}", address(intercept.uri()));
    let url = url.parse().map_err(|_| unknown(text, target))?;
    Ok(Some(Proxy { protocol, url, authorization: intercept.basic_auth().cloned() }))
}

/// Without the part before `@`, which may hold a password.
fn unknown(text: &str, target: &Target) -> Error {
    let context = &target.context;
    let shown = match (text.split_once("://"), text.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
        (None, Some((_, host))) => host.to_owned(),
        (_, None) => text.to_owned(),
    };
    Error::failed(format!("proxy of context {context} is of no known kind")).fact("proxy", shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(server: &'static str, own: Option<&str>, no: &str) -> Option<Proxy> {
        let proxies = Proxies {
            https: Some("http://user:p%40ss@proxy.example:3128".to_owned()),
            no: Some(no.to_owned()),
        };
        let config = Config::new(http::Uri::from_static(server));
        choose(&config, own, &proxies, &Target::default()).unwrap()
    }

    #[test]
    fn no_proxy_names_the_server_not_the_proxy() {
        assert!(chosen("https://10.0.0.7:6443", None, "10.0.0.0/8,.corp").is_none());
        assert!(chosen("https://api.corp:6443", None, "10.0.0.0/8,.corp").is_none());
        let proxy = chosen("https://api.example:6443", None, "proxy.example").unwrap();
        assert_eq!(
            (proxy.address().as_str(), proxy.protocol),
            ("proxy.example:3128", Protocol::Http)
        );
        assert!(proxy.authorization.is_some());
    }

    #[test]
    fn the_kubeconfigs_own_proxy_goes_first() {
        let proxy = chosen("https://10.0.0.7:6443", Some("socks5://127.0.0.1:1080"), "*").unwrap();
        assert_eq!(
            (proxy.address().as_str(), proxy.protocol),
            ("127.0.0.1:1080", Protocol::Socks5)
        );
    }

    #[test]
    fn an_empty_variable_is_no_proxy() {
        let config = Config::new(http::Uri::from_static("https://10.0.0.7"));
        let proxies = Proxies { https: Some(String::new()), no: None };
        assert!(choose(&config, None, &proxies, &Target::default()).unwrap().is_none());
    }
}
