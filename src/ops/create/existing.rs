//! What `create` says when something is there already (interface §6).

mod leaving;
mod wish;

use jiff::Timestamp;
use secrecy::ExposeSecret;

use super::same;
use super::{Ground, age};
use crate::cluster::{Claim, Cluster, Pick};
use crate::domain::instance::{Revision, State, Status, label, running};
use crate::domain::name::InstanceName;
use crate::domain::selector;
use crate::domain::state::{self, Observer};
use crate::error::{Error, Result};
use crate::helm::record::Release;
use crate::ops::instance::{self, Stored};
use crate::ops::show;
pub use leaving::{of_name as leaving_of_name, still_leaving};
pub use wish::Wish;

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
    leaving::check(cluster, wish, ground, observer.now).await?;
    if ground.volumes.is_empty() || wish.answers_for_volumes {
        return Ok(());
    }
    let error = data_left(&cluster.namespace, wish, &ground.volumes, observer.now);
    Err(match left_secret(cluster, wish.name).await {
        Some(secret) => {
            error.fact("secret", format!("{secret}, left as well; it may hold the old password"))
        }
        None => error,
    })
}

/// The Secret that a chart has kept, with its keys: the old password may be in it.
async fn left_secret(cluster: &Cluster, name: &InstanceName) -> Option<String> {
    let own = Pick::Selector(selector::standard(name.as_str()));
    let kept = cluster.secret(&cluster.namespace, &own).await.ok()?.here().ok()??;
    let keys: Vec<&str> = kept.keys().collect();
    (!keys.is_empty()).then(|| format!("{}, with {}", kept.name, keys.join(", ")))
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
    let stored = instance::read_record(cluster, revisions.to_vec()).await;
    let state = state_of(cluster, &stored, revisions, observer).await;
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
    let known = Known { class: other_class, revisions, state, namespace };
    match stored {
        _ if *other_class != wish.class.name => known.as_another_class(wish, observer.now),
        Ok(stored) => known.of_the_class(wish, &stored, observer.now),
        // Nothing can be said of it, but how its record is put right.
        Err(error) => error,
    }
}

/// As `show` says it; where the record cannot be read, what the release alone tells.
async fn state_of(
    cluster: &Cluster,
    stored: &Result<Stored>,
    revisions: &[Revision],
    observer: &Observer<'_>,
) -> State {
    let seen = match stored {
        Ok(stored) => show::closely(cluster, stored, observer).await.ok(),
        Err(_) => None,
    };
    seen.map_or_else(|| state::state(revisions, None, observer).0, |seen| seen.state)
}

/// An instance of the name that is wanted.
struct Known<'a> {
    class: &'a str,
    revisions: &'a [Revision],
    state: State,
    namespace: &'a str,
}

impl Known<'_> {
    fn as_another_class(&self, wish: &Wish<'_>, now: Timestamp) -> Error {
        self.told(wish, ", as another class", now).try_(wish.with_class_in_name())
    }

    fn of_the_class(&self, wish: &Wish<'_>, stored: &Stored, now: Timestamp) -> Error {
        match same::differences(stored, wish.class, wish.plan, wish.given) {
            Ok(differences) => wish.ways_on(self.told(wish, "", now), &differences),
            // What is wrong in itself is nothing that it could be compared with.
            Err(_) => wish.beside_it(self.told(wish, "", now)),
        }
    }

    fn told(&self, wish: &Wish<'_>, how: &str, now: Timestamp) -> Error {
        let made = state::instance_age(self.revisions, now);
        let made = made.map(|age| format!(", made {age} ago")).unwrap_or_default();
        let (name, namespace) = (wish.name, self.namespace);
        Error::failed(format!("{name} exists already in namespace {namespace}{how}"))
            .fact("class", format!("{}{}", self.class, plan_of(&self.revisions[0])))
            .fact("state", format!("{}{made}", self.state))
    }
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
    let own = selector::standard(name.as_str());
    match cluster.claims(&cluster.namespace, &own).await {
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
