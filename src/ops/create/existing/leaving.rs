//! What an earlier instance of the same name is still leaving.

use futures::future::try_join;
use jiff::Timestamp;

use super::{Ground, Wish};
use crate::cluster::Cluster;
use crate::domain::class::Class;
use crate::domain::leaving::Leaving;
use crate::domain::name::InstanceName;
use crate::domain::selector;
use crate::error::{Error, Result};
use crate::ops::delete::gone;

/// Passes where nothing of an earlier instance is on its way out.
///
/// # Errors
/// Something is, and what keeps an answer away.
pub(super) async fn check(
    cluster: &Cluster,
    wish: &Wish<'_>,
    ground: &Ground,
    now: Timestamp,
) -> Result<()> {
    let (name, namespace) = (wish.name.as_str(), &cluster.namespace);
    let told = |left: &[Leaving]| still_leaving(name, namespace, left, now);
    let (left, more) =
        try_join(of_name(cluster, ground, wish.name), of_class(cluster, wish.class, wish.name))
            .await?;
    if !left.is_empty() {
        return Err(told(&left)
            .try_for(format!("wait {name} --for deleted"), "until it is gone")
            .try_for(wish.beside(), "other name"));
    }
    match more.is_empty() {
        true => Ok(()),
        false => Err(told(&more).try_for(wish.beside(), "other name")),
    }
}

/// What is left of the kinds that charts make most. It is asked for after the ground is known and
/// not beside it: the connections are there then, and none has to be made for it.
///
/// # Errors
/// What keeps an answer away.
pub async fn of_name(
    cluster: &Cluster,
    ground: &Ground,
    name: &InstanceName,
) -> Result<Vec<Leaving>> {
    let own = selector::standard(name.as_str());
    let mut left = cluster.leaving(&cluster.namespace, &own).await?;
    left.extend(ground.leaving.iter().cloned());
    Ok(left)
}

/// helm would take objects for its own that are on their way out, and they go all the same.
pub fn still_leaving(name: &str, namespace: &str, left: &[Leaving], now: Timestamp) -> Error {
    let error =
        Error::failed(format!("an earlier {name} is still being deleted in namespace {namespace}"));
    let told = left.iter().take(gone::TOLD);
    let error = told.fold(error, |error, one| error.fact("object", one.for_how_long(now)));
    gone::with_advice(error, left)
}

/// What is left of the kinds that the class names: custom resources, whose finalizers may take long.
async fn of_class(cluster: &Cluster, class: &Class, name: &InstanceName) -> Result<Vec<Leaving>> {
    let (namespace, own) = (&cluster.namespace, selector::standard(name.as_str()));
    let mut left = Vec::new();
    for (version, word) in class.spec.kinds_named() {
        if let Some((kind, true)) = cluster.kind_of(version, word).await? {
            left.extend(cluster.leaving_of(&kind, word, namespace, &own).await?);
        }
    }
    Ok(left)
}
