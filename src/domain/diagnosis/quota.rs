//! A quota of the namespace is used up: a workload cannot make its pod.

use jiff::Timestamp;

use super::refused::refusals;
use super::{Cause, Subject, cannot_start};
use crate::domain::readiness::Snapshot;
use crate::error::ErrorKind;

/// What the quota's refusal says: `exceeded quota: team-a, requested: requests.memory=1Gi, used:
/// requests.memory=7680Mi, limited: requests.memory=8Gi`.
#[derive(Debug, PartialEq, Eq)]
struct Refusal<'a> {
    quota: &'a str,
    resource: &'a str,
    requested: &'a str,
    used: &'a str,
    limit: &'a str,
}

pub(super) fn used_up(snapshot: &Snapshot, subject: &Subject, _now: Timestamp) -> Option<Cause> {
    let (kind, event, refusal) =
        refusals(snapshot).find_map(|(kind, event)| Some((kind, event, read(event.says())?)))?;
    let name = &event.name;
    let why = format!("quota {} of namespace {} is used up", refusal.quota, subject.namespace);
    let Refusal { resource, requested, used, limit, .. } = refusal;
    let error = cannot_start(ErrorKind::NotAllowed, subject, &why)
        .fact("needs", format!("{resource} {requested}"))
        .fact("quota", format!("{resource} {used} used of {limit}"))
        .fact("object", format!("{kind} {name} cannot make its pod"))
        .try_for("list", "what uses the namespace")
        .try_for(format!("delete {}", subject.instance), "give it up")
        .try_for(format!("wait {}", subject.instance), "after making room");
    Some(Cause::new(format!("quota {} {resource}", refusal.quota), error))
}

fn read(message: &str) -> Option<Refusal<'_>> {
    let (_, rest) = message.split_once("exceeded quota: ")?;
    let (quota, rest) = rest.split_once(", requested: ")?;
    let (requested, rest) = rest.split_once(", used: ")?;
    let (used, limited) = rest.split_once(", limited: ")?;
    // The first of the resources that are short.
    let (resource, requested) = requested.split(',').next()?.split_once('=')?;
    Some(Refusal {
        quota,
        resource,
        requested,
        used: amount(used, resource)?,
        limit: amount(limited, resource)?,
    })
}

/// The amount of one resource in `a=1,b=2`.
fn amount<'a>(list: &'a str, resource: &str) -> Option<&'a str> {
    list.split(',').find_map(|pair| pair.trim().strip_prefix(resource)?.strip_prefix('='))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_refusal_is_read() {
        let message = "create Pod a-0 in StatefulSet a failed error: pods \"a-0\" is forbidden: \
                       exceeded quota: team-a, requested: requests.memory=1Gi, used: \
                       pods=3,requests.memory=7680Mi, limited: pods=9,requests.memory=8Gi";
        let expected = Refusal {
            quota: "team-a",
            resource: "requests.memory",
            requested: "1Gi",
            used: "7680Mi",
            limit: "8Gi",
        };
        assert_eq!(read(message), Some(expected));
        assert_eq!(read("exceeded quota: team-a, requested: pods=1"), None);
        assert_eq!(read("is forbidden: no"), None);
    }
}
