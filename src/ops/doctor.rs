//! What stands between a person and their services, line by line (interface §13).

use std::time::Duration;

use futures::future::{join, join5};

use super::catalog::{self, Filter, Status};
use crate::cluster::{Cluster, Right};
use crate::domain::access::{Purpose, Rule, needed_for};
use crate::error::{Error, ErrorKind, Try};

/// One line of the report.
#[derive(Clone, Debug)]
pub struct Check {
    pub name: &'static str,
    /// `None`: it depends on a line that failed.
    pub ok: Option<bool>,
    pub message: String,
    /// What to type; the kind gives the exit status.
    pub tries: Vec<Try>,
    pub kind: ErrorKind,
}

impl Check {
    pub fn ok(name: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { name, ok: Some(true), message, tries: Vec::new(), kind: ErrorKind::Failed }
    }

    pub fn failed(name: &'static str, kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { ok: Some(false), kind, ..Self::ok(name, message) }
    }

    /// A line that waits for another one.
    pub fn depends(name: &'static str, on: &str) -> Self {
        Self { ok: None, ..Self::ok(name, on) }
    }

    fn of_error(name: &'static str, error: &Error) -> Self {
        let says = |name: &str| error.facts.iter().find(|fact| fact.name == name);
        let message = match (says("says"), says("server")) {
            (Some(says), Some(server)) => format!("{} by {}", says.value, server.value),
            _ => error.message.clone(),
        };
        Self::failed(name, error.kind, message)
    }

    fn try_for(mut self, command: &str, explanation: &str) -> Self {
        let explanation = Some(explanation.to_owned());
        self.tries.push(Try { command: command.to_owned(), explanation });
        self
    }
}

/// What is said of a line that waits for the cluster.
pub const NEEDS_CLUSTER: &str = "needs the cluster";

/// As many as a reader takes in: three lines of a report.
const NAMED_RIGHTS: usize = 5;

/// Every line about the cluster; those below the first that fails depend on it.
pub async fn of_cluster(cluster: &Cluster, contexts: &[String]) -> Vec<Check> {
    let reach = match cluster.server_version().await {
        Ok((version, time)) => Check::ok("cluster", format!("{version}, answers in {}", ms(time))),
        Err(error) => {
            let others = format!("another cluster (contexts: {})", contexts.join(", "));
            let failed =
                Check::of_error("cluster", &error).try_for("doctor --context NAME", &others);
            let rest = ["identity", "catalog", "read", "change", "connect"]
                .map(|name| Check::depends(name, NEEDS_CLUSTER));
            return [failed].into_iter().chain(rest).collect();
        }
    };
    let ((identity, lacks_namespace), catalog, read, change, connect) = join5(
        join(cluster.identity(), cluster.lacks_namespace()),
        catalog(cluster),
        rights(cluster, "read", Purpose::Read, "list and show instances"),
        rights(cluster, "change", Purpose::Change, "create, update and delete instances"),
        rights(cluster, "connect", Purpose::Connect, "port-forward"),
    )
    .await;
    let identity = match identity {
        Ok(name) => Check::ok("identity", name),
        Err(error) => Check::of_error("identity", &error),
    };
    if lacks_namespace {
        // A right may be had in a namespace that is not there.
        let error = cluster.no_namespace(&cluster.namespace);
        let mut read = Check::of_error("read", &error);
        read.tries = error.tries;
        let [change, connect] =
            ["change", "connect"].map(|name| Check::depends(name, "needs the namespace"));
        return vec![reach, identity, catalog, read, change, connect];
    }
    vec![reach, identity, catalog, read, change, connect]
}

fn ms(time: Duration) -> String {
    format!("{}ms", time.as_millis())
}

async fn catalog(cluster: &Cluster) -> Check {
    match catalog::list(cluster, &Filter::default()).await {
        Ok(entries) => {
            let broken = entries.iter().filter(|entry| entry.status == Status::Broken).count();
            let classes = if entries.len() == 1 { "class" } else { "classes" };
            let broken = if broken > 0 { format!(", {broken} broken") } else { String::new() };
            Check::ok("catalog", format!("{} {classes}{broken}", entries.len()))
        }
        Err(error) => Check::of_error("catalog", &error),
    }
}

async fn rights(cluster: &Cluster, name: &'static str, purpose: Purpose, what: &str) -> Check {
    let namespace = &cluster.namespace;
    let needed: Vec<Right> =
        needed_for(purpose).iter().map(|rule| right(rule, namespace)).collect();
    match cluster.missing(namespace, &needed).await {
        Ok(missing) if missing.is_empty() => Check::ok(name, format!("{what} in {namespace}")),
        Ok(missing) => {
            let message = format!("missing in {namespace}: {}", counted(&missing));
            Check::failed(name, ErrorKind::NotAllowed, message)
                .try_for("doctor --rbac > role.yaml", "the rules to ask your cluster's admin for")
        }
        Err(error) => Check::of_error(name, &error),
    }
}

/// The first of the rights and how many more; `--rbac` prints them all.
fn counted(missing: &[Right]) -> String {
    let named: Vec<_> = missing.iter().take(NAMED_RIGHTS).map(ToString::to_string).collect();
    match missing.len() - named.len() {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

fn right(rule: &Rule, namespace: &str) -> Right {
    Right::new(rule.verb, rule.resource.group, rule.resource.plural, namespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_missing_rights_are_counted() {
        let rights = |verbs: &[&str]| -> Vec<Right> {
            verbs.iter().map(|verb| Right::new(verb, "", "secrets", "team-a")).collect()
        };
        assert_eq!(counted(&rights(&["get", "create"])), "get secrets, create secrets");
        let seven = rights(&["get", "list", "watch", "create", "update", "patch", "delete"]);
        let text = "get secrets, list secrets, watch secrets, create secrets, update secrets \
                    and 2 more";
        assert_eq!(counted(&seven), text);
    }
}
