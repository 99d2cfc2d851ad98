//! Where the objects of a release are, as the API's paths name them.

use std::collections::{BTreeMap, BTreeSet};

use futures::future::try_join_all;

use crate::cluster::{Cluster, Place, Scope};
use crate::domain::manifest::ManifestObject;
use crate::error::{Error, Result};

/// The places of the objects that go with their release. A kind that is not served any more is
/// left out: helm stops at it before it touches anything.
///
/// # Errors
/// What keeps an answer away.
pub async fn places(
    cluster: &Cluster,
    objects: &[ManifestObject],
    namespace: &str,
) -> Result<Vec<Place>> {
    let doomed: Vec<_> = objects.iter().filter(|object| !object.is_kept()).collect();
    let versions: BTreeSet<&str> =
        doomed.iter().map(|object| object.api_version.as_str()).collect();
    let served = versions
        .into_iter()
        .map(|version| async move { Ok::<_, Error>((version, cluster.kinds_of(version).await?)) });
    let served: BTreeMap<_, _> = try_join_all(served).await?.into_iter().collect();
    let place = |object: &&ManifestObject| {
        let kinds = served.get(object.api_version.as_str())?;
        let (kind, namespaced) = kinds.get(&object.kind)?;
        let scope = match namespaced {
            true => Scope::namespace(object.namespace.as_deref().unwrap_or(namespace)),
            false => Scope::All,
        };
        let (word, name) = (object.kind.clone(), object.name.clone());
        Some(Place { kind: kind.clone(), scope, word, name })
    };
    Ok(doomed.iter().filter_map(place).collect())
}
