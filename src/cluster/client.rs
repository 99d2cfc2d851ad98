//! The HTTP client under kube.
//!
//! kube's own connector leaves Nagle's algorithm on, and the first request of each connection then
//! waits 40 ms for an acknowledgement; so the layers are put together here, on a connector
//! that does not.

use std::sync::Arc;
use std::time::Duration;

use hyper_util::client::legacy::connect::proxy::{SocksV5, Tunnel};
use hyper_util::client::legacy::connect::{Connect, HttpConnector};
use hyper_util::rt::TokioExecutor;
use kube::client::middleware::AuthLayer;
use kube::client::{Body, ConfigExt as _};
use kube::{Client, Config};
use tower::retry::RetryLayer;
use tower::timeout::TimeoutLayer;
use tower::{BoxError, ServiceBuilder};

use super::PATIENCE;
use super::log::RequestLog;
use super::proxy::{Protocol, Proxy};
use super::retry::Careful;

/// The longest wait for a TCP connection.
const CONNECT: Duration = Duration::from_secs(10);

/// What a client is made of.
pub(super) struct Blueprint {
    pub config: Config,
    pub proxy: Option<Proxy>,
    /// Whether a login helper may ask on the terminal.
    pub may_prompt: bool,
}

/// Makes a client on a thread where blocking is allowed: a login helper runs to its end there.
pub(super) async fn build(
    blueprint: Arc<Blueprint>,
    log: RequestLog,
) -> Result<Client, kube::Error> {
    let built = tokio::task::spawn_blocking(move || connected(&blueprint, log)).await;
    built.unwrap_or_else(|stopped| Err(kube::Error::Service(stopped.into())))
}

fn connected(blueprint: &Blueprint, log: RequestLog) -> Result<Client, kube::Error> {
    let config = &blueprint.config;
    let auth = config.auth_layer()?;
    let mut connection = config.clone();
    if auth.is_some() {
        // The helper has given a token: asking it once more for a certificate would run it twice.
        connection.auth_info.exec = None;
    }
    let stack = Stack { config, auth, log };
    let tcp = tcp();
    let Some(proxy) = &blueprint.proxy else {
        return stack.on(connection.rustls_https_connector_with_connector(tcp)?);
    };
    match proxy.protocol {
        Protocol::Socks5 => {
            let socks = SocksV5::new(proxy.url.clone(), tcp);
            stack.on(connection.rustls_https_connector_with_connector(socks)?)
        }
        Protocol::Http => {
            let tunnel = authorized(Tunnel::new(proxy.url.clone(), tcp), proxy);
            stack.on(connection.rustls_https_connector_with_connector(tunnel)?)
        }
        Protocol::Https => {
            // The proxy's certificate is checked against the system's roots, not the cluster's.
            let secure =
                Config::new(proxy.url.clone()).rustls_https_connector_with_connector(tcp)?;
            let tunnel = authorized(Tunnel::new(proxy.url.clone(), secure), proxy);
            stack.on(connection.rustls_https_connector_with_connector(tunnel)?)
        }
    }
}

fn tcp() -> HttpConnector {
    let mut tcp = HttpConnector::new();
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    tcp.set_connect_timeout(Some(CONNECT));
    tcp.set_keepalive(Some(Duration::from_secs(30)));
    tcp
}

fn authorized<C>(tunnel: Tunnel<C>, proxy: &Proxy) -> Tunnel<C> {
    match &proxy.authorization {
        Some(header) => tunnel.with_auth(header.clone()),
        None => tunnel,
    }
}

/// The layers above the connector.
struct Stack<'a> {
    config: &'a Config,
    auth: Option<AuthLayer>,
    log: RequestLog,
}

impl Stack<'_> {
    /// The client on a connector.
    fn on<C>(self, connector: C) -> Result<Client, kube::Error>
    where
        C: Connect + Clone + Send + Sync + 'static,
    {
        let http = hyper_util::client::legacy::Client::builder(TokioExecutor::new());
        let service = ServiceBuilder::new()
            .layer(RetryLayer::new(Careful::new()))
            .layer(self.log)
            .layer(self.config.base_uri_layer())
            .option_layer(self.auth)
            .layer(self.config.extra_headers_layer()?)
            .map_err(BoxError::from)
            .layer(TimeoutLayer::new(PATIENCE))
            .service(http.build::<_, Body>(connector));
        Ok(Client::new(service, self.config.default_namespace.clone()))
    }
}
