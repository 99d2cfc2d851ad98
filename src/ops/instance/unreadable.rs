//! Records that cannot be read, and the one way out (design §5.6).

use crate::domain::command_line::{helm_place, kubectl_place};
use crate::domain::instance::Revision;
use crate::error::Error;
use crate::helm::record::RecordError;

/// A release record that helm did not write, or was cut off: a copy of its Secret brings it back,
/// and without the Secret the revision before it counts. Nothing is deleted blindly.
pub fn record(error: RecordError, revision: &Revision, context: Option<&str>) -> Error {
    let Revision { namespace, name, number, .. } = revision;
    let secret = format!("sh.helm.release.v1.{name}.v{number}");
    let place = kubectl_place(namespace, context);
    let newer = matches!(error, RecordError::Json(_) | RecordError::TooLarge);
    let told = Error::failed(format!("the record of {name} cannot be read: {error}"))
        .fact("secret", format!("{secret} in namespace {namespace}"));
    let told = match newer {
        true => told.advise("If a newer helm wrote it, a newer svc reads it."),
        false => told,
    };
    let left = match number {
        1 => "forget it; its objects stay",
        _ => "go back to the revision before",
    };
    let told = told
        .try_for(
            format!("kubectl get secret {secret} {place} -o yaml > {secret}.yaml"),
            "keep a copy",
        )
        .try_for(format!("kubectl delete secret {secret} {place}"), left);
    let told = match number {
        1 => told,
        // helm calls it superseded until there is another.
        _ => told.try_for(format!("update {name} --retry"), "after that: make it the newest"),
    };
    told.because(error)
}

/// A release without a record of its class, whose class is gone: all that is left is to delete it.
pub fn no_class(name: &str) -> Error {
    Error::failed(format!("{name} has no record of its class, and the class is gone"))
        .advise("The release was changed by plain helm, or made without svc.")
        .try_for(format!("delete {name}"), "give it up; its data stays")
}

/// The file of svc in a release that helm reads well: helm alone can still give it back.
pub fn class_file(
    error: &serde_json::Error,
    name: &str,
    namespace: &str,
    context: Option<&str>,
) -> Error {
    let place = format!("{name} {}", helm_place(namespace, context));
    Error::failed(format!("what the class of {name} said cannot be read: {error}"))
        .advise("If a newer svc wrote it, that one reads it.")
        .try_for(format!("helm get manifest {place}"), "what it is made of")
        .try_for(format!("helm uninstall {place}"), "give it up; volumes stay")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::instance::Status;
    use crate::helm::record::Release;

    fn told(data: &[u8], number: u32, context: Option<&str>) -> Error {
        let revision = Revision {
            namespace: "team-a".to_owned(),
            name: "mydb".to_owned(),
            number,
            status: Status::Deployed,
            labels: Default::default(),
            created: jiff::Timestamp::UNIX_EPOCH,
        };
        record(Release::decode(data).expect_err("no record"), &revision, context)
    }

    #[test]
    fn a_record_that_is_none_names_its_secret_and_the_way_out() {
        let error = told(b"!", 1, Some("my staging"));
        assert_eq!(error.message, "the record of mydb cannot be read: it is not base64");
        let place = "sh.helm.release.v1.mydb.v1 -n team-a --context 'my staging'";
        let copy = "-o yaml > sh.helm.release.v1.mydb.v1.yaml";
        assert_eq!(error.tries[0].command, format!("kubectl get secret {place} {copy}"));
        assert_eq!(error.tries[1].command, format!("kubectl delete secret {place}"));
        assert_eq!(error.tries[1].explanation.as_deref(), Some("forget it; its objects stay"));
        assert!(error.advice.is_empty());
        assert_eq!(error.tries.len(), 2);
    }

    #[test]
    fn a_secret_without_a_record_says_so() {
        let error = told(b"", 1, None);
        assert_eq!(error.message, "the record of mydb cannot be read: its Secret holds none");
        let command = "kubectl delete secret sh.helm.release.v1.mydb.v1 -n team-a";
        assert_eq!(error.tries[1].command, command);
    }

    #[test]
    fn what_helm_alone_can_do_acts_where_svc_did() {
        let json = serde_json::from_str::<u8>("x").expect_err("no number");
        let commands = |context| {
            let error = class_file(&json, "c3", "hand", context);
            error.tries.into_iter().map(|one| one.command).collect::<Vec<_>>()
        };
        let place = "c3 -n hand --kube-context staging";
        let told = [format!("helm get manifest {place}"), format!("helm uninstall {place}")];
        assert_eq!(commands(Some("staging")), told);
        assert_eq!(commands(None), ["helm get manifest c3 -n hand", "helm uninstall c3 -n hand"]);
    }

    #[test]
    fn one_of_a_newer_helm_is_for_a_newer_svc() {
        let error = told(b"e30=", 2, None);
        assert_eq!(error.advice, ["If a newer helm wrote it, a newer svc reads it."]);
        let back = Some("go back to the revision before");
        assert_eq!(error.tries[1].explanation.as_deref(), back);
        let command = "kubectl delete secret sh.helm.release.v1.mydb.v2 -n team-a";
        assert_eq!(error.tries[1].command, command);
        assert_eq!(error.tries[2].command, "update mydb --retry");
    }
}
