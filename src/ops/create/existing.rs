//! What `create` says when something is there already (interface §6).

use jiff::Timestamp;
use secrecy::ExposeSecret;

use super::{Ground, age};
use crate::cluster::{Claim, Cluster};
use crate::domain::class::Class;
use crate::domain::command_line::CommandLine;
use crate::domain::instance::{Revision, State, Status, label, running};
use crate::domain::name::InstanceName;
use crate::domain::state::{self, Observer};
use crate::error::{Error, Result};
use crate::helm::record::Release;
use crate::ops::{instance, show};

/// What is wanted, as far as commands to paste repeat it.
#[derive(Clone, Copy, Debug)]
pub struct Wish<'a> {
    pub class: &'a Class,
    pub name: &'a InstanceName,
    /// `--set database=orders`: flags as they were typed, quoted.
    pub typed: &'a [String],
    /// Whether it was said what becomes of volumes that are left.
    pub answers_for_volumes: bool,
}

impl Wish<'_> {
    /// `create mydb-2 --class postgres --set database=orders`
    fn create(&self, name: &str, class_flag: &str, more: &[String]) -> String {
        let start = CommandLine::new(format!("create {name}")).flag(class_flag, &self.class.name);
        start.parts(self.typed.iter().chain(more).cloned()).line()
    }

    fn beside(&self) -> String {
        self.create(&next_name(self.class, self.name), "--class", &[])
    }

    fn with_class_in_name(&self) -> String {
        let limit = self.class.spec.instance_name.max_length;
        let beside = self.name.with_suffix(&self.class.name, limit);
        let beside = beside.map_or_else(|| "NAME".to_owned(), |name| name.to_string());
        self.create(&beside, "--class", &[])
    }

    /// The secrets that the old data keeps, where nobody has given them.
    fn old_secrets(&self) -> Vec<String> {
        let given = |name: &str| self.typed.iter().any(|flag| flag.contains(&format!(" {name}=")));
        let secrets = self.class.spec.parameters.iter().filter(|known| known.sensitive);
        let secrets: Vec<_> = secrets.filter(|secret| !given(&secret.name)).collect();
        let variable = |name: &str| match secrets.len() {
            1 => "OLD_PW".to_owned(),
            _ => format!("OLD_{}", name.to_uppercase().replace('-', "_")),
        };
        let flag = |name: &str| format!("--set-env {name}={}", variable(name));
        secrets.iter().map(|secret| flag(&secret.name)).collect()
    }
}

/// Passes where nothing is in the way; volumes that are left may be reused or deleted.
///
/// # Errors
/// The name is taken, half made or being worked on; an earlier instance left its data.
pub async fn check(
    cluster: &Cluster,
    wish: &Wish<'_>,
    ground: &Ground,
    observer: &Observer<'_>,
) -> Result<()> {
    if let Some(newest) = ground.revisions.first() {
        return Err(taken(cluster, wish, &ground.revisions, newest, observer).await);
    }
    if ground.volumes.is_empty() || wish.answers_for_volumes {
        return Ok(());
    }
    Err(data_left(&cluster.namespace, wish, &ground.volumes, observer.now))
}

async fn taken(
    cluster: &Cluster,
    wish: &Wish<'_>,
    revisions: &[Revision],
    newest: &Revision,
    observer: &Observer<'_>,
) -> Error {
    let (namespace, name) = (&cluster.namespace, wish.name);
    let Some(other_class) = newest.labels.get(label::CLASS) else {
        return foreign(cluster, wish, newest).await;
    };
    let state = state_of(cluster, revisions, observer).await;
    match state {
        State::Installing => return in_progress("installed", name.as_str(), newest, namespace),
        State::Updating => return in_progress("updated", name.as_str(), newest, namespace),
        State::Deleting => return in_progress("deleted", name.as_str(), newest, namespace),
        State::Interrupted | State::Failed => {
            if runs_already(revisions) {
                return half_changed(newest, observer.now);
            }
            let volumes = left_volumes(cluster, name).await;
            return half_made(newest, &volumes, observer.now);
        }
        _ => {}
    }
    exists(wish, other_class, revisions, state, namespace, observer.now)
}

/// As `show` says it; where the record cannot be read, what the release alone tells.
async fn state_of(cluster: &Cluster, revisions: &[Revision], observer: &Observer<'_>) -> State {
    let stored = instance::read_record(cluster, revisions.to_vec()).await;
    let seen = match &stored {
        Ok(stored) => show::closely(cluster, stored, observer).await.ok(),
        Err(_) => None,
    };
    seen.map_or_else(|| state::state(revisions, None, observer).0, |seen| seen.state)
}

fn exists(
    wish: &Wish<'_>,
    other_class: &str,
    revisions: &[Revision],
    state: State,
    namespace: &str,
    now: Timestamp,
) -> Error {
    let made = state::instance_age(revisions, now).map(|age| format!(", made {age} ago"));
    let state = format!("{state}{}", made.unwrap_or_default());
    let known = format!("{other_class}{}", plan_of(&revisions[0]));
    let name = wish.name;
    if *other_class != wish.class.name {
        return Error::failed(format!(
            "{name} exists already in namespace {namespace}, as another class"
        ))
        .fact("class", known)
        .fact("state", state)
        .try_(wish.with_class_in_name());
    }
    let accepted = wish.create(name.as_str(), "-c", &["--if-not-exists".to_owned()]);
    Error::failed(format!("{name} exists already in namespace {namespace}"))
        .fact("class", known)
        .fact("state", state)
        .try_for(format!("show {name}"), "connect to it")
        .try_for(wish.beside(), "make another")
        .try_for(accepted, "accept it, in scripts")
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

async fn foreign(cluster: &Cluster, wish: &Wish<'_>, newest: &Revision) -> Error {
    let namespace = &cluster.namespace;
    let (release, number) = (wish.name.as_str(), newest.number);
    let stored = cluster.release_record(namespace, release, number).await;
    let stored = stored.ok().and_then(|found| found.here().ok().flatten());
    let stored = stored.and_then(|bytes| Release::decode(bytes.expose_secret()).ok());
    let (name, value) = match stored {
        Some(stored) => ("chart", format!("{} {}", stored.chart_name, stored.chart_version)),
        None => ("release", newest.status.to_string()),
    };
    Error::failed(format!(
        "{} is a Helm release in namespace {namespace} that svc did not make",
        wish.name
    ))
    .fact(name, format!("{value}, revision {number}"))
    .try_(wish.with_class_in_name())
}

/// Somebody works on it, until a time at most.
pub fn in_progress(doing: &str, name: &str, newest: &Revision, namespace: &str) -> Error {
    let until = state::end_of_work(newest);
    let until = until.strftime("%H:%M:%S");
    Error::failed(format!(
        "{name} is being {doing} by someone else, until {until} at most, namespace {namespace}"
    ))
    .try_(format!("wait {name}"))
}

/// Passes unless somebody still works on a pending revision.
///
/// # Errors
/// Somebody does.
pub fn at_rest(newest: &Revision, observer: &Observer<'_>) -> Result<()> {
    if !newest.status.is_pending() || !state::is_worked_on(newest, observer) {
        return Ok(());
    }
    let first = newest.status == Status::PendingInstall;
    let doing = if first { "installed" } else { "updated" };
    Err(in_progress(doing, &newest.name, newest, &newest.namespace))
}

/// The same where the lock of this machine is held and nothing is stored yet.
pub fn locked(name: &str, namespace: &str) -> Error {
    Error::failed(format!("{name} is being worked on by another svc, namespace {namespace}"))
        .try_(format!("wait {name}"))
}

/// Whether a revision was ever whole: what is half made then is a change of it.
pub(super) fn runs_already(revisions: &[Revision]) -> bool {
    let upgraded = |status| matches!(status, Status::PendingUpgrade | Status::PendingRollback);
    running(revisions).is_some() || upgraded(revisions[0].status)
}

/// What was cut off or failed, and its way out.
pub fn half(revisions: &[Revision], now: Timestamp) -> Error {
    let newest = &revisions[0];
    if runs_already(revisions) { half_changed(newest, now) } else { half_made(newest, &[], now) }
}

/// An update that was cut off or failed.
pub fn half_changed(newest: &Revision, now: Timestamp) -> Error {
    let (name, namespace) = (&newest.name, &newest.namespace);
    let what = match newest.status {
        Status::Failed => "its update failed",
        _ => "its update was cut off",
    };
    let since = age(newest.created, now);
    Error::failed(format!("{name} is half changed in namespace {namespace}: {what} {since} ago"))
        .fact("release", format!("{}, revision {}", newest.status, newest.number))
        .try_for(format!("update {name} --retry"), "finish it, same answers")
}

/// A new instance that was cut off or failed; the way that deletes data is never the first.
pub fn half_made(newest: &Revision, volumes: &[Claim], now: Timestamp) -> Error {
    let (name, namespace) = (&newest.name, &newest.namespace);
    let (what, is_cut_off) = match newest.status {
        Status::Failed => ("its install failed", false),
        _ => ("its install was cut off", true),
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
    let error = volumes.iter().fold(error, |error, volume| {
        error.fact("volume", format!("{}, made by it", sized(volume)))
    });
    let retry = format!("create {name} --retry");
    let delete = format!("delete {name}");
    match (volumes.is_empty(), is_cut_off) {
        (true, _) => {
            error.try_for(retry, "finish it, same answers").try_for(delete, "remove what is there")
        }
        (false, true) => error
            .try_for(format!("{retry} --reuse-data"), "on the same volume")
            .try_for(format!("{retry} --delete-data"), "start again, empty")
            .try_for(delete, "remove it, keep the volume"),
        (false, false) => error
            .try_for(retry.clone(), "finish it, on the same volume")
            .try_for(format!("{retry} --delete-data"), "start again, empty")
            .try_for(delete, "remove it, keep the volume"),
    }
}

/// Volumes that may be its own.
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
fn data_left(namespace: &str, wish: &Wish<'_>, volumes: &[Claim], now: Timestamp) -> Error {
    let name = wish.name.as_str();
    let with = |flags: &[String]| wish.create(name, "-c", flags);
    let empty = with(&["--delete-data".to_owned()]);
    let reused = ["--reuse-data".to_owned()].into_iter().chain(wish.old_secrets());
    let reused = with(&reused.collect::<Vec<_>>());
    let error = Error::failed(format!("an earlier {name} left its data in namespace {namespace}"));
    let error = volumes.iter().fold(error, |error, volume| {
        error.fact("volume", format!("{}, {} old", sized(volume), age(volume.created, now)))
    });
    error
        .advise("A new instance would have a new password, and the old data keeps the old one.")
        .try_for(wish.beside(), "other name")
        .try_for(empty, "empty")
        .try_for(reused, "the old data")
}
