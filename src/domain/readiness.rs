//! Whether an instance is ready, and what it still waits for, from one look at the cluster.

mod events;
mod pod;
mod source;
mod steady;
mod volume;
mod workload;

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};
use k8s_openapi::api::core::v1::{PersistentVolumeClaim, Pod};

use super::connection::{SourceNeed, Sources};
use super::diagnosis::{self, Diagnosis, Subject};
use super::happening::Happening;

pub use events::Events;
pub use pod::{PodView, short_image};
pub use source::ConditionLook;
pub use volume::size;
pub use workload::Workload;

/// The most lines a person is shown at once (interface §4).
pub const SHOWN_LINES: usize = 6;

/// What was seen of one instance at one moment.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Every workload of the manifest, in its order.
    pub workloads: Vec<Workload>,
    /// The pods that the selector of the instance matches.
    pub pods: Vec<Pod>,
    /// The volume claims of the instance.
    pub claims: Vec<PersistentVolumeClaim>,
    /// The events of its namespace.
    pub events: Vec<Happening>,
    /// The sources of the connection, and what was found for them.
    pub needs: Vec<SourceNeed>,
    pub sources: Sources,
    /// The sources whose objects the release itself brings: where one is gone, nobody makes it.
    pub brought: BTreeSet<String>,
    /// `readiness.conditions` of the class.
    pub conditions: Vec<ConditionLook>,
}

/// What keeps an instance from being ready beside its pods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lack {
    /// `Secret mydb-postgresql does not exist yet`
    pub words: String,
    /// It was there, and does not come back by itself.
    pub for_good: bool,
}

/// One row of the progress block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Kind and name: `Pod mydb-postgresql-0`.
    pub subject: String,
    /// `pulling image postgresql:16.2`
    pub text: String,
    pub rank: Rank,
}

/// How far something is, the least ready first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// Something is wrong.
    Failing,
    /// It waits for something else.
    Waiting,
    /// It is being made.
    Coming,
    /// It is there but not ready.
    AlmostReady,
    Ready,
}

/// How far an instance is.
#[derive(Debug)]
pub struct Progress {
    pub ready: bool,
    /// All lines, the least ready first; see [`Progress::shown`].
    pub lines: Vec<Line>,
    pub verdict: Verdict,
}

/// What to do next.
#[derive(Debug)]
pub enum Verdict {
    /// Look again.
    Waiting,
    Ready,
    /// A cause that waiting does not heal.
    CannotHeal(Box<Diagnosis>),
}

/// Looks at snapshots one after the other and remembers since when a cause has been there.
#[derive(Debug, Default)]
pub struct Watch {
    cause: Since,
    /// What is ready only because it runs.
    unproven: Since,
}

/// What was seen last, and since when without a break.
#[derive(Debug, Default)]
struct Since(Option<(String, Timestamp)>);

impl Watch {
    /// Judges one snapshot. A cause ends the waiting once it was there for as long as it needs.
    pub fn look(&mut self, snapshot: &Snapshot, subject: &Subject, now: Timestamp) -> Progress {
        let (ready, lines) = survey(snapshot);
        if ready {
            self.cause = Since::default();
            let steady = self.is_steady(snapshot, now);
            let verdict = if steady { Verdict::Ready } else { Verdict::Waiting };
            return Progress { ready: steady, lines, verdict };
        }
        self.unproven = Since::default();
        let verdict = match diagnosis::find(snapshot, subject, now) {
            Some(cause) if self.cause.has_lasted(&cause.key, now) >= cause.patience => {
                Verdict::CannotHeal(Box::new(cause.diagnosis))
            }
            Some(_) => Verdict::Waiting,
            None => {
                self.cause = Since::default();
                Verdict::Waiting
            }
        };
        Progress { ready, lines, verdict }
    }

    fn is_steady(&mut self, snapshot: &Snapshot, now: Timestamp) -> bool {
        let unproven = steady::unproven(&snapshot.pods, now);
        unproven.is_none_or(|one| self.unproven.has_lasted(&one.key, now) >= one.needs)
    }
}

impl Since {
    fn has_lasted(&mut self, key: &str, now: Timestamp) -> SignedDuration {
        match &self.0 {
            Some((known, since)) if known == key => now.duration_since(*since),
            _ => {
                self.0 = Some((key.to_owned(), now));
                SignedDuration::ZERO
            }
        }
    }
}

impl Progress {
    /// The lines that fit the progress block.
    pub fn shown(&self) -> &[Line] {
        &self.lines[..self.lines.len().min(SHOWN_LINES)]
    }
}

/// Whether the instance is ready, and its lines, the least ready first.
pub fn survey(snapshot: &Snapshot) -> (bool, Vec<Line>) {
    let events = Events::new(&snapshot.events);
    let mut lines: Vec<Line> = Vec::new();
    let pods: Vec<PodView<'_>> = snapshot.pods.iter().map(PodView::new).collect();
    lines.extend(pods.iter().map(|pod| pod.line(&events, &snapshot.claims)));
    lines.extend(snapshot.workloads.iter().filter_map(|workload| workload.line(&events)));
    lines.extend(snapshot.claims.iter().map(|claim| volume::line(claim, &events)));
    lines.extend(source::lines(&snapshot.needs, &snapshot.sources));
    lines.extend(snapshot.conditions.iter().map(ConditionLook::line));
    let Snapshot { workloads, needs, sources, conditions, .. } = snapshot;
    let ready =
        !pods.iter().any(PodView::blocks) && lack(workloads, needs, sources, conditions).is_none();
    lines.sort_by_key(|line| line.rank);
    (ready, lines)
}

/// What is lacking beside the pods, what went for good first: the rule that `wait` ends on and
/// that `show` tells by.
pub fn lack(
    workloads: &[Workload],
    needs: &[SourceNeed],
    sources: &Sources,
    conditions: &[ConditionLook],
) -> Option<Lack> {
    let mut lacks: Vec<Lack> = workloads.iter().filter_map(Workload::lack).collect();
    lacks.extend(needs.iter().filter_map(|need| source::lack(need, sources)));
    lacks.extend(conditions.iter().filter_map(ConditionLook::lack));
    let first = lacks.iter().position(|lack| lack.for_good).unwrap_or(0);
    (!lacks.is_empty()).then(|| lacks.swap_remove(first))
}

impl Lack {
    fn passing(words: impl Into<String>) -> Self {
        Self { words: words.into(), for_good: false }
    }
}

impl Line {
    pub(crate) fn new(subject: impl Into<String>, text: impl Into<String>, rank: Rank) -> Self {
        Self { subject: subject.into(), text: text.into(), rank }
    }
}

/// `Pod mydb-postgresql-0: pulling image postgresql:16.2`, for logs and notes.
impl std::fmt::Display for Line {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}: {}", self.subject, self.text)
    }
}

#[cfg(test)]
mod tests;
