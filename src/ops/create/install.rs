//! From answers to a release: helm, and what it stored.

use super::existing;
use super::outcome::judge;
use crate::domain::manifest::ManifestObject;
use crate::error::Result;
use crate::helm::{InstallRequest, Lock, LockState, Redaction, Signals};
use crate::ops::change::apply::Made;
use crate::ops::change::interrupted;
use crate::ops::change::preview::{Rendered, ask_server, rendered};
use crate::ops::deploy::{Engine, Order, Prepared, secrets};
use crate::ops::log;
use crate::ops::rights::{Objects, check_change};

/// Installs and gives the stored revision.
///
/// # Errors
/// Someone else works on it, helm failed or was interrupted, or stored something else than
/// `deployed`.
pub async fn install(
    engine: Engine<'_>,
    order: &Order<'_>,
    prepared: &Prepared,
    signals: &mut Signals,
) -> Result<Made> {
    let Engine { cluster, helm, say } = engine;
    let (namespace, name) = (&cluster.namespace, order.name);
    let lock = match Lock::take(helm.cache(), &cluster.target.server, namespace, name)? {
        LockState::Taken(lock) => lock,
        LockState::HeldByOther => return Err(existing::locked(name, namespace)),
    };
    let deployment = prepared.deployment(order);
    let until = deployment.until();
    let request = InstallRequest { target: prepared.target.clone(), deployment };
    let outcome = helm.install(&request, &lock, signals).await?;
    say(&outcome.command_line);
    say(&outcome.words(&Redaction::new(&secrets(order.answers))));
    let revisions = cluster.revisions_of(namespace, name).await?;
    let newest = revisions.first().cloned();
    let judged = judge(cluster, order, until.as_deref(), &outcome, revisions);
    let revisions =
        log::with_hook(judged, cluster, &outcome, newest.as_ref(), order.answers).await?;
    Ok(Made { revisions, signal: outcome.interrupted() })
}

/// Asks helm and the API server what would be made; nothing is. `goes` are objects that are taken
/// away first: a server that refuses one because it is there says nothing of what comes.
///
/// # Errors
/// helm fails, or the server would refuse an object.
pub async fn preview(
    engine: Engine<'_>,
    order: &Order<'_>,
    prepared: &Prepared,
    goes: &[ManifestObject],
    signals: &mut Signals,
) -> Result<Rendered> {
    let Engine { cluster, helm, say } = engine;
    let request =
        InstallRequest { target: prepared.target.clone(), deployment: prepared.deployment(order) };
    let preview = helm.preview_install(&request, signals).await?;
    say(&preview.outcome.command_line);
    if let Some(signal) = preview.outcome.interrupted() {
        return Err(interrupted(signal));
    }
    let secrets = secrets(order.answers);
    let redaction = Redaction::new(&secrets);
    let rendered = rendered(preview, &format!("install {}", order.name), &redaction)?;
    let objects = Objects { before: goes, after: &rendered.objects, revisions: 0 };
    check_change(cluster, helm, &format!("create {}", order.name), objects).await?;
    let new: Vec<_> =
        rendered.objects.iter().filter(|object| !object.is_one_of(goes)).cloned().collect();
    ask_server(cluster, &[], &new, ("create", order.name), &redaction).await?;
    Ok(rendered)
}
