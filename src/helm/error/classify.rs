//! What kind of trouble helm's words are about; the wordings of helm 3 and 4 and of the servers
//! behind them.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::schema;
use super::{Cause, CauseKind};

/// How the words of one kind are recognised and told.
struct Rule {
    pattern: Regex,
    tell: fn(&Captures<'_>, &str) -> (CauseKind, String),
}

/// The first that matches counts: the more particular come first.
static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let rule = |pattern: &str, tell| Rule {
        pattern: Regex::new(&format!("(?is){pattern}")).expect("a constant pattern"),
        tell,
    };
    vec![
        rule(OWNED, |found, _| {
            let (kind, name) = (found["kind"].to_lowercase(), &found["name"]);
            let release = &found["release"];
            let namespace = found.name("other").or_else(|| found.name("namespace"));
            let namespace = namespace.map_or("", |namespace| namespace.as_str());
            let text = format!("{kind} \"{name}\" belongs to release {release} of {namespace}");
            (CauseKind::Owned, text)
        }),
        rule(FOREIGN, |found, _| {
            let (kind, name) = (found["kind"].to_lowercase(), &found["name"]);
            let text = format!("{kind} \"{name}\" exists already and belongs to no Helm release");
            (CauseKind::Owned, text)
        }),
        rule(r"cannot re-?use a name that is still in use|release: already exists", |_, _| {
            (CauseKind::NameTaken, "the name is taken by another release".to_owned())
        }),
        rule(r"another operation \(install/upgrade/rollback\) is in progress", |_, _| {
            (CauseKind::InProgress, "another helm works on this release".to_owned())
        }),
        rule(r"has no deployed releases", |_, _| {
            (CauseKind::NoDeployedRevision, "no revision of it was ever deployed".to_owned())
        }),
        rule(r"release: not found", |_, _| {
            (CauseKind::NoSuchRelease, "there is no such release".to_owned())
        }),
        rule(r#"exceeded quota: (?<quota>[^,]+), requested: (?<requested>[^,]+)"#, |found, _| {
            let text =
                format!("quota {} is used up: needs {}", &found["quota"], &found["requested"]);
            (CauseKind::Refused, text)
        }),
        rule(r#"admission webhook "(?<by>[^"]+)" denied the request:? ?(?<says>[^\n]*)"#, refused),
        rule(
            r"ValidatingAdmissionPolicy '(?<by>[^']+)'.* denied request: (?<says>[^\n]*)",
            refused,
        ),
        rule(TERMINATING, |found, _| {
            let text = format!("namespace {} is being deleted", &found["namespace"]);
            (CauseKind::NamespaceMissing, text)
        }),
        rule(FORBIDDEN, forbidden),
        rule(r#"namespaces "(?<namespace>[^"]+)" not found"#, |found, _| {
            let text = format!("there is no namespace {}", &found["namespace"]);
            (CauseKind::NamespaceMissing, text)
        }),
        rule(
            r#"no matches for kind "(?<kind>[^"]+)" in version "(?<version>[^"]+)""#,
            |found, _| {
                let text = format!(
                    "the cluster does not know {} of {}; its operator is not installed",
                    &found["kind"], &found["version"]
                );
                (CauseKind::KindMissing, text)
            },
        ),
        rule(TOO_LARGE, |_, _| {
            let text = "chart and values are too large for helm to store (1 MiB)".to_owned();
            (CauseKind::TooLarge, text)
        }),
        rule(r"\b(?:failed|timed out)\s(?<hook>(?:pre|post)-[a-z]+)\b:?(?<says>.*)", hook),
        rule(r"kubernetes cluster unreachable: (?<says>[^\n]*)", |found, _| {
            (CauseKind::Unreachable, format!("the cluster does not answer: {}", &found["says"]))
        }),
        rule(r#"conflicts? with "(?<manager>[^"]+)"[^\n]*"#, |found, block| {
            let field = block.lines().map(str::trim).find_map(|line| line.strip_prefix("- "));
            let field = field.map_or(String::new(), |field| format!(": {field}"));
            (
                CauseKind::FieldConflict,
                format!("{} changed the same object{field}", &found["manager"]),
            )
        }),
        rule(r"execution error at \([^)]*\): (?<says>.+)", |found, _| {
            let says: Vec<_> = found["says"].split_whitespace().collect();
            (CauseKind::Chart, says.join(" "))
        }),
    ]
});

const OWNED: &str = r#"(?<kind>\w+) "(?<name>[^"]+)" in namespace "(?<namespace>[^"]*)" exists and cannot be imported.*key "meta\.helm\.sh/release-name" must equal "[^"]*": current value is "(?<release>[^"]*)"(?:.*key "meta\.helm\.sh/release-namespace" must equal "[^"]*": current value is "(?<other>[^"]*)")?"#;

const FOREIGN: &str =
    r#"(?<kind>\w+) "(?<name>[^"]+)" in namespace "[^"]*" exists and cannot be imported"#;

/// The record, an object of the chart, or the request that holds it.
const TOO_LARGE: &str = r"Too long: (?:may not be more than|must have at most) 1048576 bytes|request (?:entity )?is too large|request entity too large|message larger than max";

const TERMINATING: &str =
    r"unable to create new content in namespace (?<namespace>\S+) because it is being terminated";

const FORBIDDEN: &str = r#"is forbidden: User "(?<user>[^"]*)" cannot (?<verb>\w+) resource "(?<resource>[^"]+)"(?: in API group "(?<group>[^"]*)")?(?: in the namespace "(?<namespace>[^"]*)")?"#;

fn refused(found: &Captures<'_>, _: &str) -> (CauseKind, String) {
    (CauseKind::Refused, format!("{} refuses it: {}", &found["by"], found["says"].trim()))
}

fn forbidden(found: &Captures<'_>, _: &str) -> (CauseKind, String) {
    let group = found.name("group").map_or("", |group| group.as_str());
    let dot = if group.is_empty() { "" } else { "." };
    let scope = found.name("namespace").map_or("cluster-wide".to_owned(), |namespace| {
        format!("in namespace {}", namespace.as_str())
    });
    let (user, verb, resource) = (&found["user"], &found["verb"], &found["resource"]);
    let text = format!("user {user} is not allowed to {verb} {resource}{dot}{group} {scope}");
    (CauseKind::Forbidden, text)
}

fn hook(found: &Captures<'_>, _: &str) -> (CauseKind, String) {
    let (hook, says) = (&found["hook"], &found["says"]);
    if LATE.is_match(says) {
        return (CauseKind::HookTimeout, format!("its {hook} hook did not end in time"));
    }
    let mut lines = says.lines().map(|line| line.trim_start_matches([' ', '\t', '*']));
    let first = lines.find(|line| !line.is_empty() && !line.ends_with("occurred:"));
    (CauseKind::Hook, format!("its {hook} hook failed: {}", first.unwrap_or_default()))
}

static LATE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)timed out|deadline exceeded|not ready\. status: inprogress")
        .expect("a constant pattern")
});

/// What the block of an error is about.
pub(super) fn classify(block: &str) -> Cause {
    let problems = schema::problems(block);
    if !problems.is_empty() {
        let text = "the chart refuses the values".to_owned();
        return Cause { kind: CauseKind::Schema(problems), text };
    }
    let told = RULES
        .iter()
        .find_map(|rule| rule.pattern.captures(block).map(|found| (rule.tell)(&found, block)));
    let (kind, text) =
        told.unwrap_or_else(|| (CauseKind::Other, super::text::first_line(block).to_owned()));
    Cause { kind, text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(block: &str) -> (CauseKind, String) {
        let cause = classify(block);
        (cause.kind, cause.text)
    }

    fn check(block: &str, kind: CauseKind, text: &str) {
        assert_eq!(told(block), (kind, text.to_owned()));
    }

    #[test]
    fn an_object_of_another_release_is_named_with_its_owner() {
        let block = "Service \"mydb-postgresql\" in namespace \"team-a\" exists and cannot be \
            imported into the current release: invalid ownership metadata; annotation validation \
            error: key \"meta.helm.sh/release-name\" must equal \"mydb\": current value is \"other\"";
        let text = "service \"mydb-postgresql\" belongs to release other of team-a";
        check(block, CauseKind::Owned, text);
        let elsewhere = format!(
            "{block}; annotation validation error: key \"meta.helm.sh/release-namespace\" must \
             equal \"team-a\": current value is \"team-b\""
        );
        let text = "service \"mydb-postgresql\" belongs to release other of team-b";
        check(&elsewhere, CauseKind::Owned, text);
        let unowned = "ConfigMap \"x\" in namespace \"team-a\" exists and cannot be imported into \
            the current release: invalid ownership metadata; label validation error: missing key";
        let text = "configmap \"x\" exists already and belongs to no Helm release";
        check(unowned, CauseKind::Owned, text);
    }

    #[test]
    fn names_and_locks() {
        for block in [
            "cannot re-use a name that is still in use",
            "cannot reuse a name that is still in use",
            "release: already exists",
        ] {
            assert_eq!(told(block).0, CauseKind::NameTaken, "{block}");
        }
        let block = "another operation (install/upgrade/rollback) is in progress";
        assert_eq!(told(block).0, CauseKind::InProgress);
        assert_eq!(told("\"x\" has no deployed releases").0, CauseKind::NoDeployedRevision);
        assert_eq!(told("Release not loaded: x: release: not found").0, CauseKind::NoSuchRelease);
    }

    #[test]
    fn refusals_of_the_cluster() {
        let block = "secrets is forbidden: User \"dev-1\" cannot create resource \"secrets\" in \
            API group \"\" in the namespace \"team-a\"";
        let text = "user dev-1 is not allowed to create secrets in namespace team-a";
        check(block, CauseKind::Forbidden, text);
        let block = "statefulsets.apps is forbidden: User \"d\" cannot list resource \
            \"statefulsets\" in API group \"apps\" at the cluster scope";
        let text = "user d is not allowed to list statefulsets.apps cluster-wide";
        check(block, CauseKind::Forbidden, text);
        let block = "pods \"a\" is forbidden: exceeded quota: team-a, requested: \
            requests.memory=1Gi, used: requests.memory=7680Mi, limited: requests.memory=8Gi";
        check(block, CauseKind::Refused, "quota team-a is used up: needs requests.memory=1Gi");
        let block = "admission webhook \"policy.example\" denied the request: no root";
        check(block, CauseKind::Refused, "policy.example refuses it: no root");
        let block = "secrets \"x\" is forbidden: ValidatingAdmissionPolicy 'svc' with binding 'b' \
            denied request: class postgres may not be used";
        check(block, CauseKind::Refused, "svc refuses it: class postgres may not be used");
    }

    #[test]
    fn what_the_cluster_lacks() {
        let block = "namespaces \"x\" not found";
        check(block, CauseKind::NamespaceMissing, "there is no namespace x");
        let block = "secrets \"s\" is forbidden: unable to create new content in namespace team-x \
            because it is being terminated";
        check(block, CauseKind::NamespaceMissing, "namespace team-x is being deleted");
        let block = "resource mapping not found for name: \"r\" namespace: \"\" from \"\": no \
            matches for kind \"Cluster\" in version \"postgresql.cnpg.io/v1\"\nensure CRDs are \
            installed first";
        let text = "the cluster does not know Cluster of postgresql.cnpg.io/v1; its operator is \
            not installed";
        check(block, CauseKind::KindMissing, text);
        let block = "Secret \"s\" is invalid: data: Too long: may not be more than 1048576 bytes";
        assert_eq!(told(block).0, CauseKind::TooLarge);
        for block in [
            "create: failed to create: Request entity too large: limit is 3145728",
            "create: failed to create: etcdserver: request is too large",
            "rpc error: trying to send message larger than max (2097152 vs. 2097152)",
        ] {
            assert_eq!(told(block).0, CauseKind::TooLarge, "{block}");
        }
        let block = "Kubernetes cluster unreachable: Get \"https://h\": connection refused";
        let text = "the cluster does not answer: Get \"https://h\": connection refused";
        check(block, CauseKind::Unreachable, text);
    }

    #[test]
    fn hooks_that_fail_and_hooks_that_are_slow() {
        let slow_3 =
            "failed pre-install: 1 error occurred:\n\t* timed out waiting for the condition";
        let slow_4 = "failed post-install: resource Job/a/b not ready. status: InProgress, x";
        let text = "its pre-install hook did not end in time";
        check(slow_3, CauseKind::HookTimeout, text);
        assert_eq!(told(slow_4).0, CauseKind::HookTimeout);
        let failed = "failed post-install: 1 error occurred:\n\t* job migrate failed: BackoffLimit";
        let text = "its post-install hook failed: job migrate failed: BackoffLimit";
        check(failed, CauseKind::Hook, text);
    }

    #[test]
    fn charts_that_refuse() {
        let block = "execution error at (x/templates/a.yaml:1:4): \nPASSWORDS ERROR: You must";
        check(block, CauseKind::Chart, "PASSWORDS ERROR: You must");
        let block = "values don't meet the specifications of the schema(s) in the following \
            chart(s):\nredis:\n- at '/size': bad\n";
        assert!(matches!(told(block).0, CauseKind::Schema(problems) if problems.len() == 1));
    }

    #[test]
    fn a_field_that_someone_else_changed() {
        let block = "Apply failed with 1 conflict: conflict with \"kubectl\" using apps/v1:\n\
            - .spec.replicas";
        let text = "kubectl changed the same object: .spec.replicas";
        check(block, CauseKind::FieldConflict, text);
    }

    #[test]
    fn unknown_words_are_shown_by_their_first_line() {
        check("something new\nand more", CauseKind::Other, "something new");
    }
}
