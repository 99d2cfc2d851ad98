//! What `create` says when something is there already (interface §6).

use jiff::Timestamp;

use super::{Ground, age};
use crate::cluster::{Claim, Cluster, Scope};
use crate::domain::class::Class;
use crate::domain::instance::{Revision, State, Status, label};
use crate::domain::name::InstanceName;
use crate::domain::state::{self, Observer};
use crate::error::{Error, Result};

/// Passes where nothing is in the way; volumes that are left may be reused or deleted.
///
/// # Errors
/// The name is taken, half made or being worked on; an earlier instance left its data.
pub async fn check(
    cluster: &Cluster,
    class: &Class,
    name: &InstanceName,
    ground: &Ground,
    answers_for_volumes: bool,
    observer: &Observer<'_>,
) -> Result<()> {
    if let Some(newest) = ground.revisions.first() {
        return Err(taken(cluster, class, name, &ground.revisions, newest, observer).await);
    }
    if ground.volumes.is_empty() || answers_for_volumes {
        return Ok(());
    }
    Err(data_left(cluster, class, name, &ground.volumes, observer.now))
}

async fn taken(
    cluster: &Cluster,
    class: &Class,
    name: &InstanceName,
    revisions: &[Revision],
    newest: &Revision,
    observer: &Observer<'_>,
) -> Error {
    let namespace = &cluster.namespace;
    let Some(other_class) = newest.labels.get(label::CLASS) else {
        return foreign(cluster, class, name, newest);
    };
    let pods = cluster.pods(Scope::namespace(namespace), "").await.ok();
    let pods = pods.as_ref().map(|pods| pods.items.as_slice());
    let (state, _) = state::state(revisions, pods, observer);
    match state {
        State::Installing => return in_progress("installed", name, newest, namespace),
        State::Updating => return in_progress("updated", name, newest, namespace),
        State::Deleting => return in_progress("deleted", name, newest, namespace),
        State::Interrupted | State::Failed => {
            return half_made(cluster, name, newest, observer.now).await;
        }
        _ => {}
    }
    exists(class, name, other_class, revisions, state, namespace, observer.now)
}

fn exists(
    class: &Class,
    name: &InstanceName,
    other_class: &str,
    revisions: &[Revision],
    state: State,
    namespace: &str,
    now: Timestamp,
) -> Error {
    let made = state::instance_age(revisions, now).map(|age| format!(", made {age} ago"));
    let state = format!("{state}{}", made.unwrap_or_default());
    let known = format!("{other_class}{}", plan_of(&revisions[0]));
    let wanted = &class.name;
    if other_class != wanted {
        let beside = name.with_suffix(wanted, class.spec.instance_name.max_length);
        let beside = beside.map_or_else(|| "NAME".to_owned(), |name| name.to_string());
        return Error::failed(format!(
            "{name} exists already in namespace {namespace}, as another class"
        ))
        .fact("class", known)
        .fact("state", state)
        .try_(format!("create {beside} --class {wanted}"));
    }
    let beside = next_name(class, name);
    Error::failed(format!("{name} exists already in namespace {namespace}"))
        .fact("class", known)
        .fact("state", state)
        .try_for(format!("show {name}"), "connect to it")
        .try_for(format!("create {beside} --class {wanted}"), "make another")
        .try_for(format!("create {name} -c {wanted} --if-not-exists"), "accept it, in scripts")
}

fn next_name(class: &Class, name: &InstanceName) -> String {
    let length = class.spec.instance_name.max_length;
    let next = InstanceName::first_free(name.as_str(), length, |taken| taken == name.as_str());
    next.map_or_else(|| "NAME".to_owned(), |name| name.to_string())
}

fn plan_of(revision: &Revision) -> String {
    let plan = revision.labels.get(label::PLAN).filter(|plan| !plan.is_empty());
    plan.map(|plan| format!(", plan {plan}")).unwrap_or_default()
}

fn foreign(cluster: &Cluster, class: &Class, name: &InstanceName, newest: &Revision) -> Error {
    let namespace = &cluster.namespace;
    let beside = name.with_suffix(&class.name, class.spec.instance_name.max_length);
    let beside = beside.map_or_else(|| "NAME".to_owned(), |name| name.to_string());
    Error::failed(format!(
        "{name} is a Helm release in namespace {namespace} that svc did not make"
    ))
    .fact("release", format!("{}, revision {}", newest.status, newest.number))
    .try_(format!("create {beside} --class {}", class.name))
}

/// Somebody works on it, until a time at most.
fn in_progress(doing: &str, name: &InstanceName, newest: &Revision, namespace: &str) -> Error {
    let until = state::end_of_work(newest);
    let until = until.strftime("%H:%M:%S");
    Error::failed(format!(
        "{name} is being {doing} by someone else, until {until} at most, namespace {namespace}"
    ))
    .try_(format!("wait {name}"))
}

/// The same where the lock of this machine is held and nothing is stored yet.
pub fn locked(name: &InstanceName, namespace: &str) -> Error {
    Error::failed(format!("{name} is being worked on by another svc, namespace {namespace}"))
        .try_(format!("wait {name}"))
}

async fn half_made(
    cluster: &Cluster,
    name: &InstanceName,
    newest: &Revision,
    now: Timestamp,
) -> Error {
    let namespace = &cluster.namespace;
    let what = match newest.status {
        Status::Failed => "its install failed",
        _ => "its install was cut off",
    };
    let class = newest.labels.get(label::CLASS).map(String::as_str).unwrap_or_default();
    let error = Error::failed(format!(
        "{name} is half made in namespace {namespace}: {what} {} ago",
        age(newest.created, now)
    ))
    .fact(
        "release",
        format!("{}, revision {}, {class}{}", newest.status, newest.number, plan_of(newest)),
    );
    let volumes = left_volumes(cluster, name).await;
    let error = volumes.iter().fold(error, |error, volume| {
        error.fact("volume", format!("{}, made by it", sized(volume)))
    });
    let keeps = if volumes.is_empty() { "remove it" } else { "remove it, keep the volume" };
    error.try_for(format!("delete {name}"), keeps)
}

async fn left_volumes(cluster: &Cluster, name: &InstanceName) -> Vec<Claim> {
    let selector = crate::domain::selector::standard(name.as_str());
    match cluster.claims(&cluster.namespace, &selector).await {
        Ok(found) => found.here().ok().flatten().unwrap_or_default(),
        Err(_) => Vec::new(),
    }
}

fn sized(volume: &Claim) -> String {
    match &volume.size {
        Some(size) => format!("{}, {size}", volume.name),
        None => volume.name.clone(),
    }
}

/// A new password does not open an old database.
fn data_left(
    cluster: &Cluster,
    class: &Class,
    name: &InstanceName,
    volumes: &[Claim],
    now: Timestamp,
) -> Error {
    let (class_name, beside) = (&class.name, next_name(class, name));
    let error = Error::failed(format!(
        "an earlier {name} left its data in namespace {}",
        cluster.namespace
    ));
    let error = volumes.iter().fold(error, |error, volume| {
        error.fact("volume", format!("{}, {} old", sized(volume), age(volume.created, now)))
    });
    error
        .advise("A new instance would have a new password, and the old data keeps the old one.")
        .try_for(format!("create {beside} --class {class_name}"), "other name")
        .try_for(format!("create {name} -c {class_name} --delete-data"), "empty")
        .try_for(format!("create {name} -c {class_name} --reuse-data"), "the old data")
}
