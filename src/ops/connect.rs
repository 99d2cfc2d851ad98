//! Tunnels from this machine to an instance: each connection goes to the pod that is behind the
//! Service at that moment.

mod carry;
mod door;

use std::collections::BTreeMap;

use crate::cluster::{Cluster, Right};
use crate::domain::access::{self, Purpose};
use crate::domain::connection::Tunnel;
use crate::error::{Error, Result};

pub use door::{Door, Event};

/// Opens a door on this machine for every tunnel; `port` is that of the first, else any free one.
///
/// # Errors
/// Not allowed; nothing ready to connect to; the local port is taken.
pub async fn open(cluster: &Cluster, tunnels: &[Tunnel], port: Option<u16>) -> Result<Vec<Door>> {
    check_rights(cluster).await?;
    let mut doors = Vec::with_capacity(tunnels.len());
    for (index, tunnel) in tunnels.iter().enumerate() {
        let port = port.filter(|_| index == 0);
        doors.push(Door::open(cluster, tunnel, port).await?);
    }
    Ok(doors)
}

/// Passes when the user may open tunnels: the first connection would be refused else, when a
/// program waits for it already.
async fn check_rights(cluster: &Cluster) -> Result<()> {
    let namespace = &cluster.namespace;
    let rules = access::needed_for(Purpose::Connect);
    let needed: Vec<Right> = rules
        .iter()
        .map(|rule| Right::new(rule.verb, rule.resource.group, rule.resource.plural, namespace))
        .collect();
    let missing = cluster.missing(namespace, &needed).await?;
    if missing.is_empty() {
        return Ok(());
    }
    let missing: Vec<String> = missing.iter().map(ToString::to_string).collect();
    Err(Error::not_allowed("not allowed to open a tunnel".to_owned())
        .fact("missing", format!("{}, in namespace {namespace}", missing.join(", ")))
        .fact("user", format!("{}, context {}", cluster.target.user, cluster.target.context))
        .try_for("doctor --rbac", "the rules to ask your cluster's admin for"))
}

/// What the details become on this side of the doors: `host` and `port` are those of the first,
/// `NAME-host` and `NAME-port` those of the door NAME.
pub fn replaced(doors: &[Door]) -> BTreeMap<String, String> {
    let mut replaced = BTreeMap::new();
    for (index, door) in doors.iter().enumerate() {
        let (host, port) = (door.address.ip().to_string(), door.address.port().to_string());
        if index == 0 {
            replaced.insert("host".to_owned(), host.clone());
            replaced.insert("port".to_owned(), port.clone());
        }
        replaced.insert(format!("{}-host", door.name), host);
        replaced.insert(format!("{}-port", door.name), port);
    }
    replaced
}
