//! What an earlier instance of the same name is still leaving.

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
    if !ground.leaving.is_empty() {
        return Err(told(&ground.leaving)
            .try_for(format!("wait {name} --for deleted"), "until it is gone")
            .try_for(wish.beside(), "other name"));
    }
    let left = of_class(cluster, wish.class, wish.name).await?;
    match left.is_empty() {
        true => Ok(()),
        false => Err(told(&left).try_for(wish.beside(), "other name")),
    }
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
