//! Ports of pods, through the API server: the websocket form of `pods/portforward`.

use std::collections::BTreeMap;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use k8s_openapi::api::core::v1::Pod;
use kube::Api;
use kube::api::Portforwarder;
use serde::Deserialize;
use tokio::io::DuplexStream;
use tokio::time::timeout;

use super::answer::{Failure, first_line, parse};
use super::ask::Asked;
use super::kind::{PODS, SERVICES};
use super::page::{Items, ListMeta, Page};
use super::{Cluster, Found, Scope};
use crate::domain::endpoint::{BackingPod, PodPort, PortOfService, ServiceSpec, choose};
use crate::error::{Error, Result};

/// A connection to a port of a pod.
pub struct Forwarded {
    /// What the program in the pod sees of it.
    pub stream: DuplexStream,
    /// Why it broke, once the server says so; nothing, where it ends as it should.
    pub broken: BoxFuture<'static, Option<String>>,
    /// The connection lives as long as this does.
    pub open: Open,
}

/// Ends a connection when it is dropped.
pub struct Open(Portforwarder);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[derive(Deserialize)]
struct Service {
    #[serde(default)]
    spec: ServiceSpec,
}

#[derive(Deserialize)]
struct ListedPod {
    metadata: PodMeta,
    #[serde(default)]
    spec: PodSpec,
    #[serde(default)]
    status: PodStatus,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PodMeta {
    name: String,
    #[serde(default)]
    uid: String,
    deletion_timestamp: Option<String>,
}

#[derive(Default, Deserialize)]
struct PodSpec {
    #[serde(default)]
    containers: Vec<Container>,
}

#[derive(Deserialize)]
struct Container {
    #[serde(default)]
    ports: Vec<ContainerPort>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ContainerPort {
    name: Option<String>,
    container_port: u16,
}

#[derive(Default, Deserialize)]
struct PodStatus {
    #[serde(default)]
    conditions: Vec<Condition>,
}

#[derive(Deserialize)]
struct Condition {
    #[serde(rename = "type")]
    kind: String,
    status: String,
}

impl From<ListedPod> for BackingPod {
    fn from(pod: ListedPod) -> Self {
        let says_ready = |it: &Condition| it.kind == "Ready" && it.status == "True";
        let ports = pod.spec.containers.into_iter().flat_map(|container| container.ports);
        let named = ports.filter_map(|port| Some((port.name?, port.container_port)));
        Self {
            is_ready: pod.metadata.deletion_timestamp.is_none()
                && pod.status.conditions.iter().any(says_ready),
            ports: named.collect::<BTreeMap<_, _>>(),
            name: pod.metadata.name,
            uid: pod.metadata.uid,
        }
    }
}

impl Page for BackingPod {
    fn read(bytes: &[u8], all: &mut Vec<Self>) -> Result<ListMeta, Failure> {
        let page: Items<ListedPod> = parse(bytes)?;
        all.extend(page.items.into_iter().map(Self::from));
        Ok(page.metadata)
    }
}

impl Cluster {
    /// The pod that gets what is sent to a port of a Service now.
    ///
    /// # Errors
    /// No such Service or port, none of its pods is ready, and what keeps an answer away.
    pub async fn pod_behind(&self, namespace: &str, wanted: &PortOfService) -> Result<PodPort> {
        let (scope, name) = (Scope::namespace(namespace), &wanted.service);
        let asked = Asked::get(&SERVICES, scope.clone(), name, format!("read service {name}"));
        let Some(Service { spec }) = self.find(&asked).await?.here()? else {
            return Err(Error::failed(format!("Service {name} does not exist")));
        };
        let selector = spec.selector_text();
        let pods = if selector.is_empty() {
            Vec::new()
        } else {
            self.pages(&Asked::list(&PODS, scope, "list pods").labels(&selector)).await?
        };
        choose(wanted, &spec, &pods)
    }

    /// A new connection to a port of a pod; missing: the pod is gone.
    ///
    /// # Errors
    /// What keeps an answer away; forbidden is an answer.
    pub async fn forward(&self, namespace: &str, to: &PodPort) -> Result<Found<Forwarded>> {
        let purpose = format!("open a tunnel to pod {}", to.pod);
        let asked = Asked::get(&PODS, Scope::namespace(namespace), &to.pod, purpose)
            .subresource("portforward");
        let opened = self.reached(namespace, to).await;
        self.found(opened, &asked)
    }

    async fn reached(&self, namespace: &str, to: &PodPort) -> Result<Forwarded, Failure> {
        let client = self.client().await.map_err(|error| Failure::Login(Box::new(error)))?;
        let pods: Api<Pod> = Api::namespaced(client.clone(), namespace);
        let patience = self.patience();
        let opened = timeout(patience, pods.portforward(&to.pod, &[to.port])).await;
        let opened = opened.map_err(|_| Failure::Silent(patience))?;
        let mut forwarder = opened.map_err(refused)?;
        let stream = forwarder.take_stream(to.port).expect("the port that was asked for");
        let broken = forwarder.take_error(to.port).expect("the port that was asked for");
        let broken = broken.map(|says| Some(first_line(says?.as_bytes()))).boxed();
        Ok(Forwarded { stream, broken, open: Open(forwarder) })
    }
}

fn refused(error: kube::Error) -> Failure {
    match error {
        kube::Error::Api(status) => {
            Failure::Refused { code: status.code, status: Some(status), text: String::new() }
        }
        kube::Error::UpgradeConnection(error) => Failure::Garbage(error.to_string()),
        error => Failure::Unsent(error),
    }
}
