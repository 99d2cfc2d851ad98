//! A Job of the release has failed for good.

use jiff::{SignedDuration, Timestamp};

use super::{Cause, LogSource, Subject, cannot_start, class_fact, or_give_up, upgrade};
use crate::domain::readiness::{Snapshot, Workload};
use crate::error::ErrorKind;

pub(super) fn failed(snapshot: &Snapshot, subject: &Subject, _now: Timestamp) -> Option<Cause> {
    let job = snapshot.workloads.iter().find(|workload| {
        matches!(workload, Workload::Job(_))
            && workload.missing().is_some_and(|lack| lack.starts_with("failed"))
    })?;
    let lack = job.missing()?;
    let says = lack.strip_prefix("failed: ").unwrap_or(&lack);
    let why = format!("Job {} failed", job.name());
    let error = cannot_start(ErrorKind::Failed, subject, &why).fact("says", says);
    let at = error.facts.len();
    // A Job that has failed is not run again: a changed one may be.
    let error = upgrade(class_fact(error, subject), subject, "when its class is repaired");
    let error = or_give_up(error, subject);
    let mut cause = Cause::new(format!("job {}", job.name()), error);
    // Kubernetes has tried as often as the chart allows.
    cause.patience = SignedDuration::ZERO;
    cause.diagnosis.log_at = at;
    cause.diagnosis.log = Some(LogSource::Job(job.name().to_owned()));
    Some(cause)
}
