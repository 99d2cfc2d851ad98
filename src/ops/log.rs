//! The log that says more of a cause, and the Job of a hook that failed.

use std::time::Duration;

use secrecy::ExposeSecret;
use tokio::time::timeout;

use super::deploy::secrets;
use super::instance::release;
use crate::cluster::{Cluster, Found};
use crate::domain::answers::Answers;
use crate::domain::diagnosis::{Log, LogSource, log_facts};
use crate::domain::instance::Revision;
use crate::domain::manifest::secret_texts;
use crate::error::{Fact, Result};
use crate::helm::{CauseKind, Outcome, Redaction};

/// Lines of a log that are fetched.
const LINES: usize = 20;
/// How long the log may take once the cause is known.
pub const TELLING: Duration = Duration::from_secs(5);

/// The last lines of a log.
pub async fn read(cluster: &Cluster, namespace: &str, source: &LogSource) -> Log {
    let found = match source {
        LogSource::Container { pod, container, previous } => {
            cluster.log_tail(namespace, pod, Some(container), *previous, LINES).await
        }
        LogSource::Job(job) => cluster.log_of_job(namespace, job, LINES).await,
    };
    match found {
        Ok(Found::Here(lines)) => Log::Lines(lines),
        Ok(Found::Forbidden(_)) => Log::NotAllowed,
        Ok(Found::Missing) | Err(_) => Log::NotRead,
    }
}

/// What came of a helm; where a hook of it failed, the error gets the log of the hook's Job: by the
/// record of the newest revision.
///
/// # Errors
/// That of `judged`.
pub async fn with_hook<T>(
    judged: Result<T>,
    cluster: &Cluster,
    outcome: &Outcome,
    newest: Option<&Revision>,
    answers: &Answers,
) -> Result<T> {
    let Err(mut error) = judged else { return judged };
    let cause = outcome.cause(&Redaction::default()).kind;
    let Some(newest) = newest.filter(|_| cause == CauseKind::Hook) else { return Err(error) };
    let facts = timeout(TELLING, facts_of_hook(cluster, newest, answers)).await;
    error.facts.extend(facts.ok().flatten().into_iter().flatten());
    Err(error)
}

async fn facts_of_hook(
    cluster: &Cluster,
    newest: &Revision,
    answers: &Answers,
) -> Option<Vec<Fact>> {
    let release = release(cluster, newest).await.ok()?;
    let job = release.hooks.iter().find(|hook| hook.kind == "Job" && hook.failed())?;
    let source = LogSource::Job(job.name.clone());
    let log = read(cluster, &release.namespace, &source).await;
    let hooks = release.hooks.iter().map(|hook| hook.manifest.as_str());
    let manifests = std::iter::once(release.manifest.as_str()).chain(hooks);
    let mut hidden: Vec<String> = manifests.flat_map(secret_texts).collect();
    hidden.extend(secrets(answers).iter().map(|secret| secret.expose_secret().to_owned()));
    let hidden: Vec<&str> = hidden.iter().map(String::as_str).collect();
    Some(log_facts(&log, &hidden))
}
