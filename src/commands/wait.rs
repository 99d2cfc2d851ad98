//! `svc wait NAME`: until it is ready, or gone.

use tokio::time::{Instant, sleep};

use crate::cli::{Wait, WaitFor};
use crate::cluster::Outage;
use crate::commands::create::tell::stopped_waiting;
use crate::commands::story::progress_to;
use crate::context::Context;
use crate::domain::instance::{Revision, Status};
use crate::domain::{age, selector, state};
use crate::error::{Error, ErrorKind, Result};
use crate::ops::create::{existing, timeout};
use crate::ops::delete::gone;
use crate::ops::instance;
use crate::ops::watch::{Ended, Limit, Waiter, deleted as deleted_meanwhile, until_ready};

/// Between two looks at a release that somebody works on.
const PAUSE: std::time::Duration = std::time::Duration::from_millis(500);

/// Waits.
///
/// # Errors
/// No such instance, not ready in time, a cause that waiting cannot heal.
pub async fn run(args: &Wait, context: &Context) -> Result<u8> {
    match args.what {
        WaitFor::Ready => ready(args, context).await,
        WaitFor::Deleted => deleted(args, context).await,
    }
}

async fn ready(args: &Wait, context: &Context) -> Result<u8> {
    let cluster = context.cluster()?;
    let started = Instant::now();
    if let Some(asked) = &args.timeout {
        cluster.answer_by(Some(started + timeout(Some(asked), asked)?));
    }
    let first = instance::find(cluster, &args.name).await?;
    let timeout = timeout(args.timeout.as_deref(), &first.record.readiness.timeout)?;
    cluster.answer_by(Some(started + timeout));
    let limit = Limit { started, timeout };
    let stored = settled(first, args, limit, context).await?;
    let mut signals = context.catch_signals()?;
    let mut progress = context.face.progress();
    let mut told = progress_to(&mut progress);
    let ended =
        until_ready(cluster, &stored, Waiter::Bystander, limit, &mut signals, &mut told).await;
    drop(told);
    match ended? {
        Ended::Ready => {
            progress.finish(&format!("{} is ready", args.name), "ready", started.elapsed());
            Ok(0)
        }
        Ended::Stopped(signal) => {
            progress.stop(started.elapsed(), timeout);
            Err(stopped_waiting(&args.name, &cluster.namespace, signal))
        }
    }
}

/// Waits while helm works on it; a release that was cut off has nothing to wait for.
async fn settled(
    mut stored: instance::Stored,
    args: &Wait,
    limit: Limit,
    context: &Context,
) -> Result<instance::Stored> {
    let cluster = context.cluster()?;
    let machine = context.machine();
    let mut outage = Outage::after_an_answer();
    loop {
        let newest = stored.newest();
        let working = newest.status.is_pending() || newest.status == Status::Uninstalling;
        if newest.status == Status::Failed && stored.release.status == Status::Failed {
            return Err(existing::half(&stored.revisions, context.now()));
        }
        if !working {
            return Ok(stored);
        }
        if !state::is_worked_on(newest, &context.observer_of(&machine, &args.name)) {
            return Err(existing::half(&stored.revisions, context.now()));
        }
        if limit.started.elapsed() >= limit.timeout {
            outage.end()?;
            return Err(late(args, limit, &in_words(newest)));
        }
        sleep(PAUSE).await;
        let again = instance::find(cluster, &args.name).await.map_err(|error| match error.kind {
            ErrorKind::NotFound => deleted_meanwhile(&args.name),
            _ => error,
        });
        if let Some(again) = outage.bear(again)? {
            stored = again;
        }
    }
}

/// `revision 2 is pending-upgrade`
fn in_words(newest: &Revision) -> String {
    format!("revision {} is {}", newest.number, newest.status)
}

fn late(args: &Wait, limit: Limit, what: &str) -> Error {
    let waited = jiff::SignedDuration::try_from(limit.timeout).unwrap_or(jiff::SignedDuration::MAX);
    let goal = if args.what == WaitFor::Ready { "ready" } else { "gone" };
    Error::not_ready(format!("{} is not {goal} after {}", args.name, age::duration(waited)))
        .fact("release", what)
}

/// Until the release, its pods and its objects are gone.
async fn deleted(args: &Wait, context: &Context) -> Result<u8> {
    let cluster = context.cluster()?;
    let limit = Limit { started: Instant::now(), timeout: timeout(args.timeout.as_deref(), "5m")? };
    let deadline = limit.started + limit.timeout;
    cluster.answer_by(Some(deadline));
    let mut outage = Outage::default();
    let mut places = None;
    loop {
        let revisions = instance::stored_revisions(cluster, &args.name).await;
        let newest = outage.bear(revisions)?.map(|revisions| revisions.into_iter().next());
        match &newest {
            Some(None) => {
                if places.is_none() && cluster.lacks_namespace().await {
                    context.face.note(&format!("there is no namespace {}", cluster.namespace));
                }
                break;
            }
            Some(Some(_)) if places.is_none() => {
                places = Some(gone::recorded(cluster, &args.name).await);
            }
            _ => {}
        }
        if Instant::now() >= deadline {
            outage.end()?;
            return Err(late(
                args,
                limit,
                &newest.flatten().as_ref().map_or_else(String::new, in_words),
            ));
        }
        sleep(PAUSE).await;
    }
    let pods = selector::standard(&args.name);
    if !cluster.pods_gone(&cluster.namespace, &pods, deadline).await? {
        return Err(late(args, limit, "gone; its pods are still there"));
    }
    let left = gone::all(cluster, &args.name, &places.unwrap_or_default(), deadline).await?;
    if !left.is_empty() {
        let error = late(args, limit, "gone; its objects are still there");
        return Err(gone::with_objects(error, &left));
    }
    context.face.progress().finish(
        &format!("{} is gone", args.name),
        "gone",
        limit.started.elapsed(),
    );
    Ok(0)
}
