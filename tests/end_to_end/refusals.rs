//! What the cluster refuses: hooks that fail, admission, a namespace on its way out, namespaces
//! that may not be read.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::space::Space;

/// Refuses what an expression is false for, in this test's namespace alone.
fn policy(space: &Space, groups: &str, resource: &str, expression: &str) -> String {
    let name = &space.namespace;
    let rule = format!(
        "{{apiGroups: [\"{groups}\"], apiVersions: [v1], operations: [CREATE], resources: [{resource}]}}"
    );
    format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n\
         metadata: {{name: {name}}}\nspec:\n  matchConstraints: {{resourceRules: [{rule}]}}\n  \
         validations:\n  - {{expression: \"{expression}\", message: no such pods here}}\n---\n\
         apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\n\
         metadata: {{name: {name}}}\nspec:\n  policyName: {name}\n  validationActions: [Deny]\n  \
         matchResources: {{namespaceSelector: {{matchLabels: {{kubernetes.io/metadata.name: {name}}}}}}}\n"
    )
}

#[test]
fn a_policy_that_refuses_pods() {
    let Some(space) = Space::new("refusals_pods") else { return };
    let class = space.class("workload", &[]);
    space.apply(&policy(&space, "", "pods", "false"));
    space.until("! kubectl run probe --image=svc.test/redis:7 --dry-run=server 2>/dev/null");
    let started = Instant::now();
    let said = space.svc(&format!("create mydb -c {class} --timeout 100s")).ended(4).answers("");
    assert!(started.elapsed() > Duration::from_secs(30), "{said}");
    assert!(started.elapsed() < Duration::from_secs(60), "{said}");
    said.tells("error: mydb cannot start: an admission policy of namespace ")
        .tells("no such pods here")
        .tells("  object  StatefulSet mydb-workload cannot make its pod\n")
        .tells("try:\n  svc wait mydb       when it is repaired\n")
        .tells(
            "  svc upgrade mydb    when its class is repaired\n  svc delete mydb     give it up\n",
        );
    space.run(&format!("kubectl delete validatingadmissionpolicybinding {}", space.namespace)).ok();
    space.svc("wait mydb --timeout 2m").ok();
    space.svc("delete mydb --yes").ok();
}

#[test]
fn a_policy_that_refuses_what_the_chart_brings() {
    let Some(space) = Space::new("refusals_chart") else { return };
    let class = space.class("workload", &[]);
    space.apply(&policy(&space, "apps", "statefulsets", "false"));
    let dry = "kubectl create --dry-run=server -f set.yaml";
    space.write(
        "set.yaml",
        "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: a}, spec: {serviceName: a, \
         selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, \
         spec: {containers: [{name: a, image: a}]}}}}",
    );
    space.until(&format!("! {dry} 2>/dev/null"));
    let said = space.svc(&format!("create mydb -c {class}")).ended(4).answers("");
    said.tells("no such pods here").tells("svc delete mydb");
    space.svc("list").ok();
    space.svc("delete mydb --yes").ok();
    assert_eq!(space.names("secrets"), [""; 0]);
    space.run(&format!("kubectl delete validatingadmissionpolicybinding {}", space.namespace)).ok();
}

#[test]
fn a_hook_that_fails() {
    let Some(space) = Space::new("refusals_hook") else { return };
    let class = space.hooked("echo the schema is old; exit 3");
    let started = Instant::now();
    let said = space.svc(&format!("create mydb -c {class} --timeout 60s")).ended(1).answers("");
    assert!(started.elapsed() < Duration::from_secs(40), "{said}");
    said.tells("error: helm could not install mydb: ").tells("svc delete mydb");
    let listed = space.svc("list -o json").ok().json();
    assert_eq!(listed["items"][0]["state"], "failed");
    space.svc("delete mydb --yes").ok();
}

#[test]
fn ctrl_c_while_helm_works() {
    let Some(space) = Space::new("refusals_interrupt") else { return };
    let class = space.hooked("sleep 60");
    let create = format!("create mydb -c {class} --timeout 100s");
    let started = Instant::now();
    let said = space.run(&format!(
        "(until kubectl get job mydb-hook >/dev/null 2>&1; do sleep 0.2; done; sleep 1; \
         kill -INT $(cat pid)) & sh -c 'echo $$ >pid; exec svc {create}'"
    ));
    assert!(started.elapsed() < Duration::from_secs(40), "{said}");
    said.ended(130)
        .answers("")
        .tells("interrupted: the install of mydb was cut off, revision 1 is marked failed\n")
        .tells("svc delete mydb");
    space.svc("delete mydb --yes").ok();
    assert_eq!(space.names("secrets"), [""; 0]);
}

#[test]
fn a_container_that_crashes_five_times() {
    let Some(space) = Space::new("refusals_crash") else { return };
    let class = space.class("workload", &[]);
    let script = "--set script='echo no room for $PASSWORD; exit 7'";
    let started = Instant::now();
    let said = space.svc(&format!("create mydb -c {class} {script} --timeout 9m"));
    assert!(started.elapsed() < Duration::from_secs(400), "{said}");
    said.ended(1)
        .answers("")
        .tells("error: mydb cannot start: Pod mydb-workload-0 crashed 5 times\n  exit   7\n")
        .tells("  log    no room for ***\n")
        .tells("  svc upgrade mydb    when its class is repaired\n")
        .tells("  svc delete mydb     give it up\n");
    let listed = space.svc("list -o json").ok().json();
    assert_eq!(listed["items"][0]["state"], "degraded");
}

#[test]
fn a_namespace_that_is_being_deleted() {
    let Some(space) = Space::new("refusals_terminating") else { return };
    let doomed = format!("{}-doomed", space.namespace);
    space
        .run(&format!(
            "kubectl create namespace {doomed}\n\
             kubectl create configmap anchor -n {doomed}\n\
             kubectl patch configmap anchor -n {doomed} -p '{{\"metadata\": {{\"finalizers\": [\"svc-cli.dev/test\"]}}}}'\n\
             kubectl delete namespace {doomed} --wait=false"
        ))
        .ok();
    space.until(&format!("kubectl get namespace {doomed} -o yaml | grep -q 'phase: Terminating'"));
    space.svc(&format!("create mydb -c redis -n {doomed}")).fails(
        1,
        &format!(
            "error: namespace {doomed} is being deleted\nNothing can be made in it.\n\
             try: svc list -A    what there is elsewhere\n"
        ),
    );
    space.svc(&format!("list -n {doomed}")).ok();
    space
        .svc(&format!("show mydb -n {doomed}"))
        .ended(3)
        .tells("The namespace is being deleted.\ntry: svc list -A\n");
    let free = "'{\"metadata\": {\"finalizers\": null}}'";
    space.run(&format!("kubectl patch configmap anchor -n {doomed} -p {free}")).ok();
}

/// Its objects may outlive everything else of a namespace, and so may the record.
#[test]
fn a_namespace_that_is_being_deleted_takes_no_update() {
    let Some(space) = Space::new("refusals_doomed") else { return };
    let class = space.class("config", &[]);
    let doomed = format!("{}-doomed", space.namespace);
    space.run(&format!("kubectl create namespace {doomed}")).ok();
    space.svc(&format!("create mydb -c {class} -n {doomed}")).ok();
    let objects = "secret/sh.helm.release.v1.mydb.v1 secret/mydb-config configmap/mydb-config";
    let hold = |finalizers: &str| {
        format!(
            "kubectl patch {objects} -n {doomed} -p '{{\"metadata\": {{\"finalizers\": {finalizers}}}}}'"
        )
    };
    space.run(&hold("[\"svc-cli.dev/test\"]")).ok();
    space.run(&format!("kubectl delete namespace {doomed} --wait=false")).ok();
    space.until(&format!("kubectl get namespace {doomed} -o yaml | grep -q 'phase: Terminating'"));
    let said = space.svc(&format!("update mydb --set count=5 -n {doomed}")).ended(1).answers("");
    said.tells(&format!("namespace {doomed} is being deleted\n"))
        .tells("try: svc list -A    what there is elsewhere\n");
    space.run(&hold("null")).ok();
}

#[test]
fn namespaces_that_may_not_be_read_are_skipped_and_named() {
    let Some(space) = Space::new("refusals_skipped") else { return };
    let name = &space.namespace;
    let others: Vec<_> = (1..5).map(|number| format!("{name}-{number}")).collect();
    let [mine, theirs @ ..] = others.as_slice() else { unreachable!("there are four") };
    space.person("reader");
    let bind = |namespace: &str| {
        format!(
            "kubectl create rolebinding reader --clusterrole=edit --serviceaccount={name}:reader -n {namespace}\n"
        )
    };
    space
        .run(&format!(
            "set -e\nfor one in {}; do kubectl create namespace $one; done\n{}{}\
             kubectl create clusterrole {name} --verb=list --resource=namespaces\n\
             kubectl create clusterrolebinding {name} --clusterrole={name} --serviceaccount={name}:reader",
            others.join(" "),
            bind(name),
            bind(mine),
        ))
        .ok();
    let class = space.own_class(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"{{ .Release.Name }}\"}\n",
        |_| {},
    );
    for place in [name, mine] {
        space.svc(&format!("create mydb -c {class} -n {place}")).ok();
    }
    let space_of_reader = "--context reader";
    let said = space.svc(&format!("list -A {space_of_reader} --class {class} -o json")).ok();
    let list = said.json();
    let places: Vec<_> =
        list["items"].as_array().expect("a list").iter().map(|item| &item["namespace"]).collect();
    assert_eq!(places, [&json!(name), &json!(mine)], "{said}");
    for one in theirs {
        let skipped = json!({"namespace": one, "reason": "list secrets is not allowed"});
        assert!(list["skipped"].as_array().expect("a list").contains(&skipped), "{one}: {said}");
    }
    said.tells("namespaces were skipped: not allowed to list secrets in");
    space.run(&format!("kubectl delete namespace {} --wait=false", others.join(" "))).ok();
    space.run(&format!("kubectl delete clusterrole,clusterrolebinding {name}")).ok();
}

#[test]
fn a_class_that_cannot_say_how_to_connect_is_no_success() {
    let Some(space) = Space::new("refusals_details") else { return };
    let old = "    - {name: host, from: {source: settings, key: host}}\n";
    let share = |template: &str| {
        space.class(
            "config",
            &[(old, &format!("{old}    - {{name: share, value: \"{template}\"}}\n"))],
        )
    };
    let never = share("{{ 1 // 0 }}");
    let linted = space.svc(&format!("class lint {never}")).ended(1);
    assert!(linted.stdout.contains(": error: detail share: "), "{linted}");
    space.svc(&format!("create mydb -c {never}")).ended(1).tells("is broken: detail share: ");

    // Known before anything is made, with the answers alone.
    let with_zero = share("{{ 10 // params.count }}");
    let said = space.svc(&format!("create mydb -c {with_zero} --set count=0")).ended(1).answers("");
    said.tells(&format!("error: class {with_zero} is broken: detail share: "));
    assert_eq!(space.names("secrets,configmaps"), [""; 0]);
    space.svc(&format!("create mydb -c {with_zero} --set count=0 --dry-run")).ended(1);
    space.svc(&format!("create mydb -c {with_zero} --set count=5")).ok();
    space.svc("delete mydb --yes").ok();

    // Known only once the chart has written its settings.
    let of_a_word = share("{{ host | int + 1 }}");
    let said = space.svc(&format!("create mydb -c {of_a_word}")).ended(1).answers("");
    said.tells("error: the class of mydb is broken: detail share: ")
        .tells("Only its operations team can repair it.\n")
        .tells("  svc show mydb ");
    let shown = space.svc("show mydb").ok();
    assert!(shown.stdout.contains("(broken class: "), "{shown}");
}
