//! Nothing is known to be wrong, but the time is over.

use jiff::SignedDuration;

use super::old_revision::{outdated_by, way_out};
use super::{Diagnosis, LogSource, Subject, image, refused};
use crate::domain::age;
use crate::domain::readiness::{Events, Line, PodView, Rank, Snapshot, survey};
use crate::error::Error;

/// `mydb is not ready after 5m`, at the end of a create or update: what is there, what the probe
/// says, and the log that would say more.
pub fn overdue(snapshot: &Snapshot, subject: &Subject, waited: SignedDuration) -> Diagnosis {
    let (_, lines) = survey(snapshot);
    let slow = slowest_pod(snapshot);
    let mut error = sentence(subject, waited);
    let probe = slow.and_then(|pod| probe(&pod, snapshot));
    let pod_line = lines.iter().find(|line| is_about(line, slow.as_ref()));
    if let Some(line) = pod_line.or(lines.first()) {
        error = fact(error, line);
    }
    if let Some(probe) = probe {
        error = error.fact("probe", probe);
    }
    let said = slow.and_then(|pod| image::said(&pod, snapshot));
    if let Some(said) = said.or_else(|| refused::said(snapshot)) {
        error = error.fact("says", said);
    }
    let log_at = error.facts.len();
    for line in lines.iter().filter(|line| !is_about(line, slow.as_ref())).take(4) {
        if Some(line) != pod_line && !error.facts.iter().any(|known| known.value == value(line)) {
            error = fact(error, line);
        }
    }
    let error = match not_replaced(snapshot) {
        Some((pod, set)) => way_out(error, &pod, set, subject),
        None => error.advise("It may still come up: nothing was undone."),
    };
    let longer = age::duration(waited.saturating_mul(3)).replace(' ', "");
    let error = error
        .try_(format!("wait {} --timeout {longer}", subject.instance))
        .try_(format!("delete {}", subject.instance));
    Diagnosis { error, log_at, log: slow.and_then(|pod| log_of(&pod)) }
}

/// The same for `svc wait`: the sentence and what is least ready.
pub fn still_waiting(snapshot: &Snapshot, subject: &Subject, waited: SignedDuration) -> Error {
    let (_, lines) = survey(snapshot);
    let error = sentence(subject, waited);
    let error = match lines.iter().find(|line| line.rank < Rank::Ready) {
        Some(line) => fact(error, line),
        None => error,
    };
    match not_replaced(snapshot) {
        Some((pod, set)) => way_out(error, &pod, set, subject),
        None => error,
    }
}

fn sentence(subject: &Subject, waited: SignedDuration) -> Error {
    Error::not_ready(format!("{} is not ready after {}", subject.instance, age::duration(waited)))
}

/// A pod that blocks, and the StatefulSet that wants another revision of it.
fn not_replaced(snapshot: &Snapshot) -> Option<(PodView<'_>, &str)> {
    let mut slow = snapshot.pods.iter().map(PodView::new).filter(PodView::blocks);
    slow.find_map(|pod| Some((pod, outdated_by(&pod, snapshot)?)))
}

fn slowest_pod(snapshot: &Snapshot) -> Option<PodView<'_>> {
    snapshot.pods.iter().map(PodView::new).find(PodView::blocks)
}

fn is_about(line: &Line, pod: Option<&PodView<'_>>) -> bool {
    pod.is_some_and(|pod| line.subject.strip_prefix("Pod ") == Some(pod.name()))
}

/// `secret  mydb-postgresql is here`, `pod  mydb-0 runs, not ready`, `pod  mydb-0: pulling image`.
fn fact(error: Error, line: &Line) -> Error {
    let kind = line.subject.split(' ').next().unwrap_or("object");
    error.fact(kind.to_lowercase(), value(line))
}

fn value(line: &Line) -> String {
    let name = line.subject.split_once(' ').map_or(line.subject.as_str(), |(_, name)| name);
    match line.text.strip_prefix("running, ") {
        Some(rest) => format!("{name} runs, {rest}"),
        None if matches!(line.text.as_str(), "here" | "ready") => {
            format!("{name} is {}", line.text)
        }
        None => format!("{name}: {}", line.text),
    }
}

/// `readiness: pg_isready: no response`, from the newest `Unhealthy` event.
fn probe(pod: &PodView<'_>, snapshot: &Snapshot) -> Option<String> {
    let events = Events::new(&snapshot.events).of("Pod", pod.name(), pod.uid());
    let event = events.iter().rev().find(|event| event.reason == "Unhealthy")?;
    let (probe, words) = event.says().split_once(" probe failed: ")?;
    Some(format!("{}: {}", probe.to_lowercase(), words.trim()))
}

fn log_of(pod: &PodView<'_>) -> Option<LogSource> {
    let container = pod.containers().find(|container| {
        let state = container.state.as_ref();
        !container.ready && state.is_some_and(|state| state.running.is_some())
    })?;
    Some(LogSource::Container {
        pod: pod.name().to_owned(),
        container: container.name.clone(),
        previous: false,
    })
}
