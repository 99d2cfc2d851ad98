//! What the cluster says about objects: events, and the last lines of a container's log.

use k8s_openapi::api::core::v1::Event;

use super::answer::{Failure, parse};
use super::ask::Asked;
use super::kind::{EVENTS, PODS};
use super::page::{Items, ListMeta, Page};
use super::{Cluster, Found, Scope};
use crate::domain::happening::Happening;
use crate::error::Result;

/// At most so much of a log is fetched, in bytes.
const LOG_BYTES: &str = "16384";

impl Page for Happening {
    fn read(bytes: &[u8], all: &mut Vec<Self>) -> Result<ListMeta, Failure> {
        let page: Items<Event> = parse(bytes)?;
        all.extend(page.items.into_iter().map(Self::from));
        Ok(page.metadata)
    }
}

impl Cluster {
    /// The events about one object, the latest last.
    ///
    /// # Errors
    /// What keeps an answer away; forbidden is an answer.
    pub async fn events_of(
        &self,
        namespace: &str,
        kind: &str,
        name: &str,
    ) -> Result<Found<Vec<Happening>>> {
        let asked = Asked::list(&EVENTS, Scope::namespace(namespace), "list events")
            .fields(&format!("involvedObject.kind={kind},involvedObject.name={name}"));
        let found = self.found(self.try_pages::<Happening>(&asked).await, &asked)?;
        Ok(found.map(|mut events| {
            events.sort_by_key(|event| event.last);
            events
        }))
    }

    /// The last lines of the log of a Job's newest pod, where it has one container.
    ///
    /// # Errors
    /// As for [`Cluster::log_tail`].
    pub async fn log_of_job(
        &self,
        namespace: &str,
        job: &str,
        lines: usize,
    ) -> Result<Found<Vec<String>>> {
        let selector = format!("job-name={job}");
        let pods = self.pods(Scope::namespace(namespace), &selector).await?;
        match pods.items.iter().max_by_key(|pod| pod.created) {
            Some(pod) => self.log_tail(namespace, &pod.name, None, false, lines).await,
            None => Ok(Found::Missing),
        }
    }

    /// The last lines of a container's log, of the only one where none is named; `previous`: of the
    /// run before its last restart.
    ///
    /// # Errors
    /// What keeps an answer away; missing (no such run) and forbidden are answers.
    pub async fn log_tail(
        &self,
        namespace: &str,
        pod: &str,
        container: Option<&str>,
        previous: bool,
        lines: usize,
    ) -> Result<Found<Vec<String>>> {
        let purpose = format!("read the log of pod {pod}");
        let asked = Asked::get(&PODS, Scope::namespace(namespace), pod, purpose)
            .subresource("log")
            .query("tailLines", &lines.to_string())
            .query("limitBytes", LOG_BYTES)
            .query("previous", if previous { "true" } else { "false" });
        let asked = match container {
            Some(container) => asked.query("container", container),
            None => asked,
        };
        match self.bytes(&asked).await {
            // 400: the container has not started, or has no earlier run.
            Err(Failure::Refused { code: 400, .. }) => Ok(Found::Missing),
            // The node's own words in place of a log that it has swept away.
            Ok(bytes) if bytes.starts_with(b"unable to retrieve container logs for ") => {
                Ok(Found::Missing)
            }
            answer => Ok(self.found(answer, &asked)?.map(|bytes| last_lines(&bytes, lines))),
        }
    }
}

fn last_lines(bytes: &[u8], most: usize) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(most)..].iter().map(|&line| line.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_log_only_the_last_lines_are_kept() {
        assert_eq!(last_lines(b"a\n\nb\r\nc\xff\n", 2), ["b", "c\u{fffd}"]);
        assert!(last_lines(b"", 5).is_empty());
    }
}
