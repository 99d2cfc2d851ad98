//! What would happen: helm's dry run, and what the API server says of each object that changes.

use serde_json::json;

use super::Verb;
use crate::cluster::{Cluster, DryRun, Tried};
use crate::domain::difference::{Check, checks};
use crate::domain::manifest::{self, ManifestObject};
use crate::error::{Error, Result};
use crate::helm::{Applied, CauseKind, Outcome, Preview, Redaction, Signals, UpgradeRequest};
use crate::ops::create::outcome::words;
use crate::ops::deploy::{Engine, Order, Prepared, secrets};
use crate::ops::rights::{Objects, check_change};
use crate::ops::watch::still_there;

/// What helm would apply.
#[derive(Debug)]
pub struct Rendered {
    pub manifest: String,
    pub objects: Vec<ManifestObject>,
    pub hooks: Vec<String>,
}

/// What a change begins with.
#[derive(Clone, Copy, Debug)]
pub struct Before<'a> {
    pub objects: &'a [ManifestObject],
    /// How many revisions are stored.
    pub revisions: usize,
    /// A change that was cut off is still to be stepped back.
    pub pending: bool,
}

/// Asks helm and the API server what a change would do; nothing changes.
///
/// # Errors
/// helm fails, or the server would refuse an object.
pub async fn preview(
    engine: Engine<'_>,
    order: &Order<'_>,
    prepared: &Prepared,
    before: Before<'_>,
    verb: Verb,
    signals: &mut Signals,
) -> Result<Rendered> {
    let Engine { cluster, helm, say } = engine;
    let request =
        UpgradeRequest { target: prepared.target.clone(), deployment: prepared.deployment(order) };
    let secrets = secrets(order.answers);
    let redaction = Redaction::new(&secrets);
    let preview = match before.pending {
        true => helm.preview_upgrade_of_pending(request, signals).await?,
        false => helm.preview_upgrade(&request, signals).await?,
    };
    say(&preview.outcome.command_line);
    // helm may have come to its end all the same.
    if let Some(signal) = preview.outcome.interrupted() {
        return Err(super::interrupted(signal));
    }
    if preview.applied.is_none() && preview.outcome.cause(&redaction).is_of_a_release_gone() {
        let revisions = cluster.revisions_of(&cluster.namespace, order.name).await?;
        still_there(order.name, order.created, &revisions)?;
    }
    let step = format!("{verb} {}", order.name);
    let rendered = rendered(preview, &step, &redaction)?;
    let objects =
        Objects { before: before.objects, after: &rendered.objects, revisions: before.revisions };
    check_change(cluster, helm, &step, objects).await?;
    let doing = (&*verb.to_string(), order.name);
    ask_server(cluster, before.objects, &rendered.objects, doing, &redaction).await?;
    Ok(rendered)
}

/// The objects of a dry run; `step` is a verb and its object.
///
/// # Errors
/// helm failed.
pub fn rendered(preview: Preview, step: &str, redaction: &Redaction) -> Result<Rendered> {
    let Some(Applied { manifest, hooks }) = preview.applied else {
        return Err(refused_by_helm(&preview.outcome, step, redaction));
    };
    let objects = manifest::parse(&manifest).map_err(|error| {
        Error::failed(format!("what helm would apply cannot be read: {error}")).because(error)
    })?;
    Ok(Rendered { manifest, objects, hooks })
}

fn refused_by_helm(outcome: &Outcome, step: &str, redaction: &Redaction) -> Error {
    if let Some(signal) = outcome.interrupted() {
        return super::interrupted(signal);
    }
    let cause = outcome.cause(redaction);
    let killed = cause.kind == CauseKind::Killed;
    let error = cause.into_error(step);
    let error = error.advise("Nothing changed.").because(words(outcome, redaction));
    // The same command again meets a helm that nobody ends.
    if killed { error.try_for("doctor", "how helm is") } else { error }
}

/// Asks the server about every object that changes or is new; `doing` is the verb and its object.
///
/// # Errors
/// It would refuse one.
pub async fn ask_server(
    cluster: &Cluster,
    before: &[ManifestObject],
    after: &[ManifestObject],
    doing: (&str, &str),
    redaction: &Redaction,
) -> Result<()> {
    for check in checks(before, after) {
        let (object, answer) = match &check {
            Check::Change { object, patch } => {
                (*object, cluster.would_patch(tried(cluster, object), patch).await?)
            }
            Check::Make { object } if object.is_binding_of_rights() => continue,
            Check::Make { object } => {
                (*object, cluster.would_create(tried(cluster, object), &object.body).await?)
            }
        };
        if let DryRun::Refused { forbidden, says } = answer
            && !is_there_already(&check, &says)
        {
            return Err(refused(object, forbidden, &redaction.apply(&says), doing));
        }
    }
    Ok(())
}

/// Those of the objects that are in the cluster: what failed or was cut off has perhaps not made
/// all of its own.
///
/// # Errors
/// What keeps an answer away.
pub async fn that_exist(
    cluster: &Cluster,
    objects: Vec<ManifestObject>,
) -> Result<Vec<ManifestObject>> {
    let mut there = Vec::new();
    for object in objects {
        let answer = cluster.would_patch(tried(cluster, &object), &json!({})).await?;
        if answer != DryRun::Missing {
            there.push(object);
        }
    }
    Ok(there)
}

fn tried<'a>(cluster: &'a Cluster, object: &'a ManifestObject) -> Tried<'a> {
    Tried {
        api_version: &object.api_version,
        kind: &object.kind,
        namespace: object.namespace.as_deref().unwrap_or(&cluster.namespace),
        name: &object.name,
    }
}

/// A new object that exists: helm itself looks whether it may take it.
fn is_there_already(check: &Check<'_>, says: &str) -> bool {
    matches!(check, Check::Make { .. }) && says.contains("already exists")
}

fn refused(
    object: &ManifestObject,
    forbidden: bool,
    says: &str,
    (verb, name): (&str, &str),
) -> Error {
    let sentence = format!("the cluster would refuse this {verb} of {name}; nothing changed");
    let error = if forbidden { Error::not_allowed(sentence) } else { Error::failed(sentence) };
    let error = error.fact("object", object.to_string()).fact("says", first_cause(says));
    if forbidden {
        return error.try_for("doctor --rbac", "the rules to ask your cluster's admin for");
    }
    error
        .advise("The class allows what its chart cannot change; its operations team can repair it.")
}

/// The server's words without the name of the object, which stands above.
fn first_cause(says: &str) -> &str {
    let cause = says.split_once(" is invalid: ").map_or(says, |(_, cause)| cause);
    cause.lines().next().unwrap_or_default()
}
