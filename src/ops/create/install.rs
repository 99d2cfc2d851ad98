//! From answers to a release: helm, and what it stored.

use super::existing;
use super::outcome::judge;
use crate::cluster::Cluster;
use crate::domain::instance::Revision;
use crate::error::Result;
use crate::helm::{Helm, InstallRequest, Lock, LockState, Redaction, Signals};
use crate::ops::change::preview::{Rendered, ask_server, rendered};
use crate::ops::deploy::{Order, Prepared, secrets};

/// Installs and gives the stored revision.
///
/// # Errors
/// Someone else works on it, helm failed or was interrupted, or stored something else than
/// `deployed`.
pub async fn install(
    cluster: &Cluster,
    helm: &Helm,
    order: &Order<'_>,
    prepared: &Prepared,
    signals: &mut Signals,
    say: &dyn Fn(&str),
) -> Result<Vec<Revision>> {
    let (namespace, name) = (&cluster.namespace, order.name);
    let lock = match Lock::take(helm.cache(), &cluster.target.server, namespace, name)? {
        LockState::Taken(lock) => lock,
        LockState::HeldByOther => return Err(existing::locked(name, namespace)),
    };
    let request =
        InstallRequest { target: prepared.target.clone(), deployment: prepared.deployment(order) };
    let outcome = helm.install(&request, &lock, signals).await?;
    say(&outcome.command_line);
    say(&outcome.words(&Redaction::new(&secrets(order.answers))));
    let revisions = cluster.revisions_of(namespace, name).await?;
    judge(cluster, order, &outcome, revisions)
}

/// Asks helm and the API server what would be made; nothing is.
///
/// # Errors
/// helm fails, or the server would refuse an object.
pub async fn preview(
    cluster: &Cluster,
    helm: &Helm,
    order: &Order<'_>,
    prepared: &Prepared,
    signals: &mut Signals,
    say: &dyn Fn(&str),
) -> Result<Rendered> {
    let request =
        InstallRequest { target: prepared.target.clone(), deployment: prepared.deployment(order) };
    let preview = helm.preview_install(&request, signals).await?;
    say(&preview.outcome.command_line);
    let secrets = secrets(order.answers);
    let redaction = Redaction::new(&secrets);
    let rendered = rendered(preview, &format!("install {}", order.name), &redaction)?;
    let (name, after) = (order.name, &rendered.objects);
    ask_server(cluster, &[], after, ("create", name), &redaction).await?;
    Ok(rendered)
}
