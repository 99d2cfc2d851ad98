//! What an exact format says when a detail has no value (interface §9).

use super::detail::{DetailState, Details, EvaluatedDetail};
use crate::error::Error;

/// Why a detail has no value, as the error of the command; `None` when it has one, and for an
/// optional one that is not there.
///
/// `again` is the command that was typed, without the program's name: `show mydb -o env`.
pub fn refusal(
    detail: &EvaluatedDetail,
    instance: &str,
    namespace: &str,
    again: &str,
) -> Option<Error> {
    let name = &detail.name;
    Some(match &detail.state {
        DetailState::Known(_) | DetailState::Absent => return None,
        DetailState::NotThereYet(lack) => {
            Error::not_ready(format!("{instance} has no {name} yet: {}", lack.says))
                .try_(format!("wait {instance} && svc {again}"))
        }
        DetailState::Gone(lack) => gone(&lack.object, instance, namespace),
        DetailState::Forbidden(lack) => {
            let message = format!("not allowed to read {} in namespace {namespace}", lack.object);
            let error = Error::not_allowed(message);
            match &lack.verb {
                Some(verb) => error.fact("missing", verb),
                None => error,
            }
            .try_("doctor")
        }
        DetailState::NotText(lack) => {
            Error::failed(format!("{name} of {instance} cannot be made: {}", lack.says))
                .try_for(format!("show {instance} -o json"), "the bytes, in base64")
        }
        DetailState::Broken(reason) => broken(instance, name, reason),
    })
}

fn broken(instance: &str, detail: &str, reason: &str) -> Error {
    Error::failed(format!("the class of {instance} is broken: detail {detail}: {reason}"))
        .advise("Only its operations team can repair it.")
}

/// What `create` ends with where the service is ready, and its class cannot say how to connect.
pub fn broken_detail(details: &Details, instance: &str) -> Option<Error> {
    let (detail, reason) = details.broken().next()?;
    let tries = broken(instance, detail, reason)
        .try_for(format!("show {instance}"), "the details that are known")
        .try_for(format!("upgrade {instance}"), "when it is repaired")
        .try_for(format!("delete {instance}"), "give it up");
    Some(tries)
}

/// `Secret mydb-postgresql of mydb is gone from namespace team-a`
pub fn gone(object: &str, instance: &str, namespace: &str) -> Error {
    let error = Error::failed(format!("{object} of {instance} is gone from namespace {namespace}"));
    match object.starts_with("Secret ") {
        true => error.advise(
            "The service still has its old password; only a copy of the Secret or the operations \
             team can bring it back.",
        ),
        false => error,
    }
}

/// The first refusal of an exact format over all details.
pub fn first_refusal(
    details: &Details,
    instance: &str,
    namespace: &str,
    again: &str,
) -> Option<Error> {
    details.0.iter().find_map(|detail| refusal(detail, instance, namespace, again))
}

/// `mydb has no detail pasword; it has host, port, username, password, database, uri`
pub fn no_such_detail(details: &Details, instance: &str, asked: &str) -> Error {
    let names: Vec<_> = details.names().collect();
    Error::not_found(format!("{instance} has no detail {asked}; it has {}", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::connection::Lack;

    fn refused(state: fn(Lack) -> DetailState, lack: Lack) -> Error {
        let detail =
            EvaluatedDetail { name: "password".into(), sensitive: true, state: state(lack) };
        first_refusal(&Details(vec![detail]), "mydb", "team-a", "show mydb -o env").unwrap()
    }

    fn lack(says: &str, verb: Option<&str>) -> Lack {
        Lack {
            object: "Secret mydb-postgresql".into(),
            says: says.into(),
            verb: verb.map(str::to_owned),
        }
    }

    #[test]
    fn what_is_not_there_yet_is_waited_for() {
        let says = "Secret mydb-postgresql does not exist";
        let error = refused(DetailState::NotThereYet, lack(says, None));
        assert_eq!(error.kind.exit_code(), 5);
        assert_eq!(
            error.message,
            "mydb has no password yet: Secret mydb-postgresql does not exist"
        );
        assert_eq!(error.tries[0].command, "wait mydb && svc show mydb -o env");
    }

    #[test]
    fn bytes_that_are_no_text_are_not_the_fault_of_the_class() {
        let says = "password in Secret mydb-postgresql is not text";
        let error = refused(DetailState::NotText, lack(says, None));
        assert_eq!(error.message, format!("password of mydb cannot be made: {says}"));
        assert_eq!(error.tries[0].command, "show mydb -o json");
        assert!(error.advice.is_empty());
    }

    #[test]
    fn what_is_gone_stays_gone() {
        let error = refused(DetailState::Gone, lack("", None));
        assert_eq!(error.kind.exit_code(), 1);
        assert_eq!(error.message, "Secret mydb-postgresql of mydb is gone from namespace team-a");
        assert_eq!(error.advice.len(), 1);
    }

    #[test]
    fn a_class_that_cannot_say_how_to_connect_is_no_success() {
        let detail = |state| EvaluatedDetail { name: "uri".into(), sensitive: false, state };
        let lacks = Details(vec![detail(DetailState::NotThereYet(lack("", None)))]);
        assert!(broken_detail(&lacks, "mydb").is_none());
        let broken = Details(vec![detail(DetailState::Broken("takes too many steps".into()))]);
        let error = broken_detail(&broken, "mydb").unwrap();
        assert_eq!(error.kind.exit_code(), 1);
        assert_eq!(error.message, "the class of mydb is broken: detail uri: takes too many steps");
        let tries: Vec<&str> = error.tries.iter().map(|one| one.command.as_str()).collect();
        assert_eq!(tries, ["show mydb", "upgrade mydb", "delete mydb"]);
    }

    #[test]
    fn what_is_forbidden_names_the_right() {
        let error = refused(DetailState::Forbidden, lack("", Some("get secrets")));
        assert_eq!(error.kind.exit_code(), 4);
        assert_eq!(error.message, "not allowed to read Secret mydb-postgresql in namespace team-a");
        assert_eq!(
            (error.facts[0].name.as_str(), error.facts[0].value.as_str()),
            ("missing", "get secrets")
        );
        assert_eq!(error.tries[0].command, "doctor");
    }

    #[test]
    fn names_are_listed_for_one_that_is_wrong() {
        let detail =
            EvaluatedDetail { name: "host".into(), sensitive: false, state: DetailState::Absent };
        let details = Details(vec![detail]);
        assert!(first_refusal(&details, "mydb", "team-a", "show mydb").is_none());
        let error = no_such_detail(&details, "mydb", "hots");
        assert_eq!(error.message, "mydb has no detail hots; it has host");
        assert_eq!(error.kind.exit_code(), 3);
    }
}
