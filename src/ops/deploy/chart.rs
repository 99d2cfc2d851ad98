//! The chart: from the cache, a registry, a repository or the cluster.

use crate::cluster::{Cluster, Found, Pick};
use crate::domain::class::{Class, ConfigMapChart, SecretRef};
use crate::error::{Error, Result};
use crate::helm::chart::{PulledChart, REPAIR, RegistryCredentials, WantedChart};
use crate::helm::{Helm, Signals};

/// The chart that a class names.
///
/// # Errors
/// It cannot be had, or is not what the class says.
pub async fn of_class(
    cluster: &Cluster,
    helm: &Helm,
    class: &Class,
    signals: &mut Signals,
) -> Result<PulledChart> {
    let chart = class.spec.chart.as_ref().ok_or_else(|| {
        Error::failed(format!("class {} is broken: it names no chart", class.name))
    })?;
    obtain(cluster, helm, &WantedChart::of_class(chart)?, signals).await
}

/// Pulls a chart, or takes it from the cache.
///
/// # Errors
/// It cannot be had, or is not the one that is wanted.
pub async fn obtain(
    cluster: &Cluster,
    helm: &Helm,
    wanted: &WantedChart<'_>,
    signals: &mut Signals,
) -> Result<PulledChart> {
    helm.obtain_chart(
        wanted,
        async |secret: &SecretRef| credentials(cluster, secret).await,
        async |map: &ConfigMapChart| archive(cluster, map).await,
        signals,
    )
    .await
}

/// A Secret that may not be read leaves the user's own login.
async fn credentials(cluster: &Cluster, secret: &SecretRef) -> Result<Option<RegistryCredentials>> {
    let found = cluster.secret(&secret.namespace, &Pick::Name(secret.name.clone())).await?;
    let Found::Here(keyed) = found else { return Ok(None) };
    let parts = keyed
        .keys()
        .filter_map(|key| Some((key.to_owned(), keyed.reveal(key)?.to_vec())))
        .collect::<Vec<_>>();
    let place = format!("Secret {} in namespace {}", secret.name, secret.namespace);
    RegistryCredentials::from_secret(parts).map(Some).map_err(|error| {
        Error::failed(format!("the credentials of the chart cannot be used: {error}"))
            .fact("secret", place)
            .advise("The class names this Secret; its operations team can repair it.")
    })
}

async fn archive(cluster: &Cluster, map: &ConfigMapChart) -> Result<Vec<u8>> {
    let place = format!("ConfigMap {} in namespace {}", map.name, map.namespace);
    let broken = |why: String| Error::failed(why).advise(REPAIR);
    match cluster.config_map(&map.namespace, &Pick::Name(map.name.clone())).await? {
        Found::Here(keyed) => match keyed.reveal(&map.key) {
            Some(bytes) => Ok(bytes.to_vec()),
            None => Err(broken(format!("the chart is not there: {place} has no key {}", map.key))),
        },
        Found::Missing => Err(broken(format!("the chart is not there: no {place}"))),
        Found::Forbidden(error) => Err(*error),
    }
}
