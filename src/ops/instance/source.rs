//! One source of a connection, read from the cluster.

use crate::cluster::{Cluster, Found, Pick};
use crate::domain::connection::{
    Content, Found as FoundSource, Lookup, ObjectKind, SourceNeed, SourceState,
};
use crate::domain::leaving::finalizers_of;
use crate::error::Result;

/// Reads one source.
///
/// # Errors
/// What keeps an answer away; missing and forbidden are answers.
pub async fn source(
    cluster: &Cluster,
    namespace: &str,
    need: &SourceNeed,
    ever_here: bool,
) -> Result<SourceState> {
    let pick = match &need.lookup {
        Lookup::Name(name) => Pick::Name(name.clone()),
        Lookup::Selector(selector) => Pick::Selector(selector.clone()),
    };
    let object = need.to_string();
    let found = match &need.kind {
        ObjectKind::Secret => cluster.secret(namespace, &pick).await?,
        ObjectKind::ConfigMap => cluster.config_map(namespace, &pick).await?,
        ObjectKind::Service | ObjectKind::Other { .. } => {
            return object_source(cluster, namespace, need, ever_here).await;
        }
    };
    Ok(match found {
        Found::Here(keyed) => {
            // A key with no bytes is there: Kubernetes and servicebinding.io take it for a value.
            let keys =
                keyed.keys().filter_map(|key| Some((key.to_owned(), keyed.reveal(key)?.to_vec())));
            let object = format!("{} {}", need.kind, keyed.name);
            let (content, leaving) = (Content::Keys(keys.collect()), keyed.leaving.clone());
            SourceState::Here(FoundSource { object, content, leaving })
        }
        Found::Missing => SourceState::Missing { object, ever_here },
        Found::Forbidden(_) => SourceState::Forbidden { object, verb: verb(need) },
    })
}

/// The plural of a kind, as rights name it.
pub fn resource(kind: &ObjectKind) -> String {
    match kind {
        ObjectKind::Secret => "secrets".to_owned(),
        ObjectKind::ConfigMap => "configmaps".to_owned(),
        ObjectKind::Service => "services".to_owned(),
        ObjectKind::Other { kind, .. } => format!("{}s", kind.to_lowercase()),
    }
}

fn verb(need: &SourceNeed) -> String {
    let verb = if matches!(need.lookup, Lookup::Name(_)) { "get" } else { "list" };
    format!("{verb} {}", resource(&need.kind))
}

async fn object_source(
    cluster: &Cluster,
    namespace: &str,
    need: &SourceNeed,
    ever_here: bool,
) -> Result<SourceState> {
    let object = need.to_string();
    let (Lookup::Name(name) | Lookup::Selector(name)) = &need.lookup;
    let found = match &need.kind {
        ObjectKind::Other { api_version, kind } => {
            cluster.object(api_version, kind, namespace, name).await?
        }
        _ => cluster.object("v1", "Service", namespace, name).await?,
    };
    Ok(match found {
        Found::Here(value) => {
            let leaving = finalizers_of(&value);
            SourceState::Here(FoundSource { object, content: Content::Object(value), leaving })
        }
        Found::Missing => SourceState::Missing { object, ever_here },
        Found::Forbidden(_) => SourceState::Forbidden { object, verb: verb(need) },
    })
}
