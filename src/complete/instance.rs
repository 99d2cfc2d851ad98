//! Instances of a namespace and their details, by name.

use std::collections::BTreeMap;

use futures::future::join;

use super::choice::Choice;
use crate::cluster::{Cluster, Scope};
use crate::domain::connection::sensitive_names;
use crate::domain::instance::{Revision, label};
use crate::error::Result;
use crate::ops::instance::{Stored, find_recorded, stored_revisions};
use crate::ops::list::hashes_at_once;

/// The instances and, as `instance/binding`, the bindings: one request.
///
/// # Errors
/// What keeps an answer away.
pub async fn all(cluster: &Cluster) -> Result<Vec<Choice>> {
    let here = Scope::namespace(&cluster.namespace);
    let revisions = cluster.revisions(here, "status!=superseded").await?.items;
    Ok(newest(revisions).iter().map(choice).collect())
}

/// The same, those whose class says something newer first: two requests.
///
/// # Errors
/// What keeps an answer away.
pub async fn outdated_first(cluster: &Cluster) -> Result<Vec<Choice>> {
    let here = Scope::namespace(&cluster.namespace);
    let revisions = cluster.revisions(here, "status!=superseded");
    let (revisions, hashes) = join(revisions, hashes_at_once(cluster)).await;
    Ok(sorted(newest(revisions?.items), &hashes.unwrap_or_default()))
}

fn sorted(revisions: Vec<Revision>, hashes: &BTreeMap<String, String>) -> Vec<Choice> {
    let outdated = |revision: &Revision| revision.is_outdated(hashes) == Some(true);
    let (first, others): (Vec<_>, Vec<_>) = revisions.into_iter().partition(outdated);
    let first = first.iter().map(choice);
    let first =
        first.map(|choice| Choice::new(choice.value, format!("outdated, {}", choice.about)));
    first.chain(others.iter().map(choice)).collect()
}

/// The class and the plan of an instance: one request.
///
/// # Errors
/// What keeps an answer away.
pub async fn class_and_plan(
    cluster: &Cluster,
    name: &str,
) -> Result<(Option<String>, Option<String>)> {
    let revisions = stored_revisions(cluster, name).await?;
    let label = |name: &str| revisions.first().and_then(|newest| newest.labels.get(name)).cloned();
    Ok((label(label::CLASS), label(label::PLAN)))
}

/// The newest revision of each release, by name.
fn newest(revisions: Vec<Revision>) -> Vec<Revision> {
    let mut newest: BTreeMap<String, Revision> = BTreeMap::new();
    for revision in revisions {
        let known = newest.get(&revision.name);
        if known.is_none_or(|known| known.number < revision.number) {
            newest.insert(revision.name.clone(), revision);
        }
    }
    newest.into_values().collect()
}

/// `mydb`: `postgres, plan small, deployed`
fn choice(revision: &Revision) -> Choice {
    let label = |name: &str| revision.labels.get(name).cloned();
    let name = match label(label::BINDING_OF) {
        Some(_) => revision.name.replacen("--", "/", 1),
        None => revision.name.clone(),
    };
    let plan = label(label::PLAN).map(|plan| format!("plan {plan}"));
    let said = [label(label::CLASS), plan, Some(revision.status.to_string())];
    Choice::new(name, said.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

/// The details of an instance as its record has them: two requests.
///
/// # Errors
/// No such instance, no record, and what keeps an answer away.
pub async fn details(cluster: &Cluster, name: &str) -> Result<Vec<Choice>> {
    let name = name.replacen('/', "--", 1);
    find_recorded(cluster, &name).await.map(|stored| detail_names(&stored))
}

fn detail_names(stored: &Stored) -> Vec<Choice> {
    let connection = &stored.record.connection;
    let context = stored.context();
    let sensitive = sensitive_names(connection, &context);
    let named = connection.details.iter().map(|detail| {
        let about = if sensitive.contains(detail.name.as_str()) { "sensitive" } else { "" };
        Choice::new(&detail.name, about)
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::domain::instance::Status;

    fn revision(name: &str, number: u32, status: Status, labels: &[(&str, &str)]) -> Revision {
        let labels = labels.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        Revision {
            namespace: "team-a".into(),
            name: name.into(),
            number,
            status,
            labels: labels.collect(),
            created: Timestamp::UNIX_EPOCH,
        }
    }

    #[test]
    fn each_instance_stands_once_as_its_newest_revision_says() {
        let postgres = [(label::CLASS, "postgres"), (label::PLAN, "small")];
        let binding = [(label::CLASS, "postgres"), (label::BINDING_OF, "mydb")];
        let choices: Vec<_> = newest(vec![
            revision("mydb", 2, Status::Failed, &postgres),
            revision("mydb", 1, Status::Deployed, &postgres),
            revision("mydb--api", 1, Status::Deployed, &binding),
            revision("cache", 1, Status::PendingInstall, &[(label::CLASS, "redis")]),
        ])
        .iter()
        .map(choice)
        .collect();
        assert_eq!(
            choices,
            [
                Choice::new("cache", "redis, pending-install"),
                Choice::new("mydb", "postgres, plan small, failed"),
                Choice::new("mydb/api", "postgres, deployed"),
            ]
        );
    }

    #[test]
    fn what_is_outdated_comes_first() {
        let labels = |hash: &'static str| [(label::CLASS, "postgres"), (label::CLASS_HASH, hash)];
        let revisions = vec![
            revision("fresh", 1, Status::Deployed, &labels("b")),
            revision("old", 1, Status::Deployed, &labels("a")),
            revision("strange", 1, Status::Deployed, &[(label::CLASS, "gone")]),
        ];
        let hashes = BTreeMap::from([("postgres".to_owned(), "b".to_owned())]);
        let names: Vec<_> = sorted(revisions, &hashes);
        assert_eq!(names[0], Choice::new("old", "outdated, postgres, deployed"));
        assert_eq!(names[1].value, "fresh");
    }
}
