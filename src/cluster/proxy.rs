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
pub(super) fn choose(
    config: &Config,
    own: Option<&str>,
    proxies: &Proxies,
    target: &Target,
) -> Result<Option<Proxy>> {
    let matcher = match own {
        Some(own) => Matcher::builder().all(own.to_owned()),
        None => Matcher::builder()
            .https(proxies.https.clone().unwrap_or_default())
            .no(proxies.no.clone().unwrap_or_default()),
    };
    let Some(intercept) = matcher.build().intercept(&config.cluster_url) else {
        return Ok(None);
    };
    let protocol = match intercept.uri().scheme_str() {
        Some("http") => Protocol::Http,
        Some("https") => Protocol::Https,
        Some("socks5" | "socks5h") => Protocol::Socks5,
        other => {
            let scheme = other.unwrap_or("no scheme");
            let context = &target.context;
            return Err(Error::failed(format!("proxy of context {context} is of no known kind"))
                .fact("proxy", address(intercept.uri()))
                .fact("kind", scheme));
        }
    };
    let authorization = intercept.basic_auth().cloned();
    Ok(Some(Proxy { protocol, url: intercept.uri().clone(), authorization }))
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
