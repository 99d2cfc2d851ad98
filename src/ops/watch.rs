//! Watching an instance until it is ready, cannot become so, or the time is over (design §5).

mod fate;
mod picture;

use std::mem::take;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until, timeout};

use super::instance::{self, Stored, broken_record};
use super::log;
use crate::cluster::{Cluster, Outage, Watched};
use crate::domain::connection::SourceState;
use crate::domain::diagnosis::{Diagnosis, Log, Subject, overdue, still_waiting};
use crate::domain::instance::{Revision, label};
use crate::domain::readiness::{Line, Progress, Snapshot, Verdict, Watch};
use crate::error::{Error, Result};
use crate::helm::{Signal, Signals};
pub use fate::{deleted, still_there};
use picture::{Wish, snapshot};

/// The progress is told at least this often, so that its clock moves.
const TICK: Duration = Duration::from_secs(1);

/// How long the first look may take, whatever is left of the time: helm may have used up all.
const FIRST_LOOK: Duration = Duration::from_secs(4);
/// The first snapshot does not wait for events; this is how long they have where time is over.
const EVENTS: Duration = Duration::from_millis(500);

/// How long to watch: the clock started before helm did.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    pub started: Instant,
    pub timeout: Duration,
}

/// What is told while watching.
#[derive(Clone, Copy, Debug)]
pub struct Waiting<'a> {
    pub elapsed: Duration,
    pub limit: Duration,
    pub lines: &'a [Line],
}

/// How the watching ended, where it did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    Ready,
    /// Watching was stopped; the instance goes on.
    Stopped(Signal),
}

/// Who waits, which decides what is said when the time is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiter {
    /// `create`: with the log and the ways on.
    Maker,
    /// `wait`: in two lines.
    Bystander,
}

/// Watches until the instance is ready.
///
/// # Errors
/// A cause that waiting cannot heal, the deadline, credentials that are not accepted any more.
pub async fn until_ready(
    cluster: &Cluster,
    stored: &Stored,
    waiter: Waiter,
    limit: Limit,
    signals: &mut Signals,
    tell: &mut dyn FnMut(Waiting<'_>),
) -> Result<Ended> {
    let wish = Wish::of(stored).map_err(|reason| broken_record(&stored.record.class, &reason))?;
    let deadline = limit.started + limit.timeout;
    cluster.answer_by(Some(deadline));
    let mut view = View {
        cluster,
        stored,
        deadline,
        looks_until: Instant::now() + FIRST_LOOK,
        outage: Outage::after_an_answer(),
        subject: subject(cluster, stored),
        watched: cluster.watch(wish.wanted.clone()).await?,
        wish,
        limit,
        watch: Watch::default(),
        last: Snapshot::default(),
        lines: Vec::new(),
    };
    let ended = view.run(waiter, signals, tell).await;
    cluster.answer_by(None);
    ended
}

fn subject(cluster: &Cluster, stored: &Stored) -> Subject {
    let release = &stored.release;
    Subject {
        instance: release.name.clone(),
        namespace: release.namespace.clone(),
        context: cluster.helm.context.clone(),
        class: stored.newest().labels.get(label::CLASS).cloned().unwrap_or_default(),
        chart: Some((release.chart_name.clone(), release.chart_version.clone())),
    }
}

struct View<'a> {
    cluster: &'a Cluster,
    stored: &'a Stored,
    deadline: Instant,
    /// A deadline before this does not end the watching: something must have been seen.
    looks_until: Instant,
    outage: Outage,
    subject: Subject,
    wish: Wish,
    watched: Watched,
    limit: Limit,
    watch: Watch,
    last: Snapshot,
    lines: Vec<Line>,
}

impl View<'_> {
    async fn run(
        &mut self,
        waiter: Waiter,
        signals: &mut Signals,
        tell: &mut dyn FnMut(Waiting<'_>),
    ) -> Result<Ended> {
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (cluster, stored) = (self.cluster, self.stored);
        let mut pulse = Box::pin(fate::next(cluster, stored));
        loop {
            tokio::select! {
                // What was pressed while helm ended counts, however soon the instance is ready.
                biased;
                Some(signal) = signals.recv() => return Ok(Ended::Stopped(signal)),
                revisions = &mut pulse => {
                    self.still_there(revisions)?;
                    pulse.set(fate::next(cluster, stored));
                }
                _ = ticks.tick() => {
                    if !self.lines.is_empty() && self.look(tell).await? {
                        return Ok(Ended::Ready);
                    }
                }
                seen = self.watched.changed() => {
                    self.last = snapshot(&seen?, &self.wish);
                    self.looks_until = self.looks_until.min(Instant::now() + EVENTS);
                    if self.look(tell).await? {
                        return Ok(Ended::Ready);
                    }
                }
                () = sleep_until(self.deadline.max(self.looks_until)) => return Err(self.too_late(waiter).await),
            }
        }
    }

    /// What is watched may be deleted meanwhile, and the cluster may be away.
    fn still_there(&mut self, revisions: Result<Vec<Revision>>) -> Result<()> {
        match self.outage.bear(revisions)? {
            Some(revisions) => fate::judge(self.stored, &revisions),
            None => Ok(()),
        }
    }

    /// Judges what was seen last; whether it is ready.
    async fn look(&mut self, tell: &mut dyn FnMut(Waiting<'_>)) -> Result<bool> {
        let progress = self.watch.look(&self.last, &self.subject, Timestamp::now());
        let Progress { lines, verdict, .. } = progress;
        self.lines = lines;
        match verdict {
            Verdict::Ready => return Ok(true),
            Verdict::CannotHeal(diagnosis) => return Err(self.told(*diagnosis).await),
            Verdict::Waiting => {}
        }
        tell(Waiting {
            elapsed: self.limit.started.elapsed(),
            limit: self.limit.timeout,
            lines: &self.lines,
        });
        Ok(false)
    }

    /// The facts of a cluster that does not answer any more are old, and no reason.
    async fn too_late(&mut self, waiter: Waiter) -> Error {
        let revisions = instance::stored_revisions(self.cluster, &self.subject.instance).await;
        let known = self.still_there(revisions).and_then(|()| take(&mut self.outage).end());
        if let Err(error) = known {
            return error;
        }
        let waited = SignedDuration::try_from(self.limit.timeout).unwrap_or(SignedDuration::MAX);
        match waiter {
            Waiter::Bystander => still_waiting(&self.last, &self.subject, waited),
            Waiter::Maker => self.told(overdue(&self.last, &self.subject, waited)).await,
        }
    }

    /// The diagnosis with the log that it asks for, without what is sensitive.
    async fn told(&self, diagnosis: Diagnosis) -> Error {
        // A log is shown only where everything secret in it is known.
        let told = async { (self.log(&diagnosis).await, self.secrets().await) };
        let (log, secrets) =
            timeout(log::TELLING, told).await.unwrap_or_else(|_| (Log::NotRead, Vec::new()));
        let secrets: Vec<&str> = secrets.iter().map(String::as_str).collect();
        diagnosis.into_error(&log, &secrets)
    }

    async fn log(&self, diagnosis: &Diagnosis) -> Log {
        match &diagnosis.log {
            Some(source) => log::read(self.cluster, &self.subject.namespace, source).await,
            None => Log::NotRead,
        }
    }

    /// Every value of the instance's Secrets: none of them may appear in a log.
    async fn secrets(&self) -> Vec<String> {
        let mut secrets = self.wish.sensitive.clone();
        let sources = self.wish.stored_sources(self.cluster).await;
        for state in sources.values() {
            if let SourceState::Here(found) = state {
                secrets.extend(found.texts());
            }
        }
        secrets
    }
}
