//! From a port of a Service to the port of a pod behind it, as Kubernetes routes it.
//!
//! <https://kubernetes.io/docs/concepts/services-networking/service/>

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::error::{Error, Result};

/// A port of a Service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortOfService {
    pub service: String,
    pub port: u16,
}

/// A port of a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodPort {
    pub pod: String,
    /// Tells a pod from another one of the same name.
    pub uid: String,
    pub port: u16,
}

/// What is read of a Service.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ServiceSpec {
    /// The labels of its pods; none: it leads elsewhere.
    pub selector: BTreeMap<String, String>,
    pub ports: Vec<ServicePort>,
}

/// One of its ports.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ServicePort {
    pub port: u16,
    /// The pods' port by number or by name; the same number where it is left out.
    pub target_port: Option<PortRef>,
}

/// A port by number, or by the name that a container gives it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum PortRef {
    Number(u16),
    Name(String),
}

/// What is read of a pod.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BackingPod {
    pub name: String,
    pub uid: String,
    pub is_ready: bool,
    /// The ports that its containers name.
    pub ports: BTreeMap<String, u16>,
}

impl ServiceSpec {
    /// The selector as the API server takes it: `app=postgres,role=primary`.
    pub fn selector_text(&self) -> String {
        let labels = self.selector.iter().map(|(name, value)| format!("{name}={value}"));
        labels.collect::<Vec<_>>().join(",")
    }
}

/// The port of the pod that gets what is sent to `wanted`: the first that is ready, by name.
///
/// # Errors
/// The Service has no such port or no pods of its own; none of them is ready; none names the port.
pub fn choose(wanted: &PortOfService, spec: &ServiceSpec, pods: &[BackingPod]) -> Result<PodPort> {
    let PortOfService { service, port } = wanted;
    if spec.selector.is_empty() {
        return Err(Error::failed(format!("Service {service} has no pods to tunnel to"))
            .advise("It leads out of the cluster, or its endpoints are made by hand."));
    }
    let Some(known) = spec.ports.iter().find(|known| known.port == *port) else {
        let ports: Vec<String> = spec.ports.iter().map(|known| known.port.to_string()).collect();
        return Err(Error::failed(format!("Service {service} has no port {port}"))
            .fact("ports", ports.join(", ")));
    };
    let ready = pods.iter().filter(|pod| pod.is_ready).min_by(|one, two| one.name.cmp(&two.name));
    let Some(pod) = ready else {
        return Err(Error::not_ready(format!("no pod behind Service {service} is ready")));
    };
    let port = match &known.target_port {
        None => *port,
        Some(PortRef::Number(number)) => *number,
        Some(PortRef::Name(name)) => *pod.ports.get(name).ok_or_else(|| {
            Error::failed(format!("pod {} has no port that is called {name}", pod.name))
        })?,
    };
    Ok(PodPort { pod: pod.name.clone(), uid: pod.uid.clone(), port })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> ServiceSpec {
        serde_json::from_str(text).unwrap()
    }

    fn pod(name: &str, is_ready: bool) -> BackingPod {
        let ports = BTreeMap::from([("sql".to_owned(), 5432)]);
        BackingPod { name: name.to_owned(), uid: format!("{name}-1"), is_ready, ports }
    }

    fn wanted(port: u16) -> PortOfService {
        PortOfService { service: "mydb".to_owned(), port }
    }

    #[test]
    fn the_first_ready_pod_gets_it_on_the_port_that_the_service_names() {
        let pods = [pod("b", true), pod("a", false), pod("c", true)];
        for (target, port) in
            [("", 80), (r#","targetPort":8080"#, 8080), (r#","targetPort":"sql""#, 5432)]
        {
            let spec =
                spec(&format!(r#"{{"selector":{{"app":"db"}},"ports":[{{"port":80{target}}}]}}"#));
            let chosen = choose(&wanted(80), &spec, &pods).unwrap();
            assert_eq!((chosen.pod.as_str(), chosen.port), ("b", port));
        }
    }

    #[test]
    fn what_leads_nowhere_is_told() {
        let ready = [pod("a", true)];
        let says = |spec: &ServiceSpec, pods: &[BackingPod], port| {
            choose(&wanted(port), spec, pods).unwrap_err().to_string()
        };
        let good = spec(r#"{"selector":{"app":"db"},"ports":[{"port":80,"targetPort":"web"}]}"#);
        assert_eq!(
            says(&ServiceSpec::default(), &ready, 80),
            "Service mydb has no pods to tunnel to"
        );
        assert_eq!(says(&good, &ready, 81), "Service mydb has no port 81");
        assert_eq!(says(&good, &ready, 80), "pod a has no port that is called web");
        assert_eq!(says(&good, &[pod("a", false)], 80), "no pod behind Service mydb is ready");
    }

    #[test]
    fn a_selector_is_written_as_the_server_takes_it() {
        let spec = spec(r#"{"selector":{"b":"2","a":"1"}}"#);
        assert_eq!(spec.selector_text(), "a=1,b=2");
    }
}
