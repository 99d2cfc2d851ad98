//! What would happen: helm's dry run, and what the API server says of each object that changes.

use super::{Base, Verb};
use crate::cluster::{Cluster, DryRun, Tried};
use crate::domain::difference::{Check, checks};
use crate::domain::manifest::{self, ManifestObject};
use crate::error::{Error, Result};
use crate::helm::record::{Hook, Release};
use crate::helm::{Outcome, Preview, Redaction, Signals, Stop, UpgradeRequest};
use crate::ops::create::outcome::words;
use crate::ops::deploy::{Engine, Order, Prepared, secrets};

/// What helm would apply.
#[derive(Debug)]
pub struct Rendered {
    pub manifest: String,
    pub objects: Vec<ManifestObject>,
    pub hooks: Vec<Hook>,
}

/// Asks helm and the API server what a change would do; nothing changes.
///
/// # Errors
/// helm fails, or the server would refuse an object.
pub async fn preview(
    engine: Engine<'_>,
    order: &Order<'_>,
    prepared: &Prepared,
    base: &Base,
    verb: Verb,
    signals: &mut Signals,
) -> Result<Rendered> {
    let Engine { cluster, helm, say } = engine;
    let request =
        UpgradeRequest { target: prepared.target.clone(), deployment: prepared.deployment(order) };
    let secrets = secrets(order.answers);
    let redaction = Redaction::new(&secrets);
    let preview = helm.preview_upgrade(&request, signals).await?;
    say(&preview.outcome.command_line);
    // helm may have come to its end all the same.
    if let Some(Stop::Interrupted(signal) | Stop::Killed(signal)) = preview.outcome.stopped {
        return Err(super::interrupted(signal));
    }
    let step = format!("{verb} {}", order.name);
    let rendered = rendered(preview, &step, &redaction)?;
    let doing = (&*verb.to_string(), order.name);
    ask_server(cluster, &base.objects, &rendered.objects, doing, &redaction).await?;
    Ok(rendered)
}

/// The objects of a dry run; `step` is a verb and its object.
///
/// # Errors
/// helm failed.
pub fn rendered(preview: Preview, step: &str, redaction: &Redaction) -> Result<Rendered> {
    let Some(release) = preview.release else {
        return Err(refused_by_helm(&preview.outcome, step, redaction));
    };
    let Release { manifest, hooks, .. } = release;
    let objects = manifest::parse(&manifest).map_err(|error| {
        Error::failed(format!("what helm would apply cannot be read: {error}")).because(error)
    })?;
    Ok(Rendered { manifest, objects, hooks })
}

fn refused_by_helm(outcome: &Outcome, step: &str, redaction: &Redaction) -> Error {
    if let Some(Stop::Interrupted(signal) | Stop::Killed(signal)) = outcome.stopped {
        return super::interrupted(signal);
    }
    let error = outcome.cause(redaction).into_error(step);
    error.advise("Nothing changed.").because(words(outcome, redaction))
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
