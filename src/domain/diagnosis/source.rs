//! What the release brought for its connection was deleted.

use jiff::Timestamp;

use super::{Cause, Subject};
use crate::domain::connection::{self, SourceState};
use crate::domain::readiness::Snapshot;

pub(super) fn gone(snapshot: &Snapshot, subject: &Subject, _now: Timestamp) -> Option<Cause> {
    let brought = snapshot.sources.iter().filter(|(name, _)| snapshot.brought.contains(*name));
    brought.into_iter().find_map(|(_, state)| {
        let SourceState::Missing { object, ever_here: true } = state else { return None };
        let error = connection::gone(object, &subject.instance, &subject.namespace);
        Some(Cause::new(format!("gone {object}"), error))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    fn snapshot(ever_here: bool, brought: &[&str]) -> Snapshot {
        let state = SourceState::Missing { object: "Secret mydb-pg".to_owned(), ever_here };
        Snapshot {
            sources: [("auth".to_owned(), state)].into(),
            brought: brought.iter().map(|name| (*name).to_owned()).collect(),
            ..Snapshot::default()
        }
    }

    fn found(snapshot: &Snapshot) -> Option<Cause> {
        let subject = Subject {
            instance: "mydb".to_owned(),
            namespace: "team-a".to_owned(),
            ..Subject::default()
        };
        gone(snapshot, &subject, Timestamp::UNIX_EPOCH)
    }

    #[test]
    fn what_the_release_brought_does_not_come_again() {
        let cause = found(&snapshot(true, &["auth"])).expect("it is gone");
        let words = "Secret mydb-pg of mydb is gone from namespace team-a";
        assert_eq!((cause.diagnosis.kind(), cause.diagnosis.message()), (ErrorKind::Failed, words));
    }

    #[test]
    fn what_someone_else_makes_may_still_come() {
        assert!(found(&snapshot(true, &[])).is_none());
        assert!(found(&snapshot(false, &["auth"])).is_none());
    }
}
