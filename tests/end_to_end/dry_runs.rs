//! `--dry-run` checks what the plain command would do, in every state of an instance, and its
//! answer is one document.

use serde_json::{Value, json};

use super::retrying::{cut_off, marked};
use super::upgrading::{chart, patch};
use crate::support::space::Space;

/// A ConfigMap that no server takes where the greeting is `bad`, and a hook.
const CHANGE: &str = "cat >> config/templates/all.yaml <<'MORE'\n\
    {{- if eq (toString .Values.text.greeting) \"bad\" }}\n\
    ---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: Not_A_Name}\n{{- end }}\n\
    ---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-hook\n  \
    annotations: {helm.sh/hook: \"post-delete\"}\ndata: {on: \"{{ .Release.IsUpgrade }}\"}\nMORE";

fn class(space: &Space) -> String {
    let source = chart(space, "0.6.0", CHANGE);
    let class = space.class("config", &[]);
    let replace =
        format!("[{{\"op\": \"replace\", \"path\": \"/spec/chart\", \"value\": {source}}}]");
    patch(space, &class, &replace);
    class
}

/// Everything that is stored, to see that nothing has changed; without what every namespace gets
/// some time after it was made.
fn stored(space: &Space) -> Value {
    let mut items = space.get("secrets,configmaps")["items"].take();
    if let Some(items) = items.as_array_mut() {
        items.retain(|item| item["metadata"]["name"] != "kube-root-ca.crt");
    }
    for item in items.as_array_mut().into_iter().flatten() {
        item["metadata"]["managedFields"].take();
    }
    items
}

/// A look ahead finds what the server would refuse, else says what would be applied, and changes
/// nothing.
#[track_caller]
fn looks(space: &Space, command: &str, refused: &str, is_upgrade: bool) {
    let before = stored(space);
    space
        .svc(&format!("{command} --dry-run --set greeting=bad"))
        .ended(1)
        .answers("")
        .tells(refused)
        .tells("  object  ConfigMap Not_A_Name\n")
        .tells("Invalid value: \"Not_A_Name\"");
    let said = space.svc(&format!("{command} --dry-run --manifests --set greeting=hey")).ok();
    assert!(said.stdout.contains("greeting: \"hey\"") && said.stdout.contains("kind: Secret"));
    let hook = format!("data: {{on: \"{is_upgrade}\"}}");
    assert!(said.stdout.ends_with(&format!("{hook}\n")), "{said}");
    assert!(said.stdout.contains("********"), "{said}");
    let plan = space.svc(&format!("{command} --dry-run --manifests --set greeting=hey -o json"));
    let plan = plan.ok().json();
    assert_eq!((&plan["kind"], &plan["manifests"]), (&json!("Plan"), &json!(said.stdout)));
    let plan = space.svc(&format!("{command} --dry-run -o json")).ok().json();
    assert_eq!((&plan["kind"], &plan["manifests"]), (&json!("Plan"), &Value::Null));
    assert_eq!(stored(space), before, "{command}");
}

#[test]
fn at_rest() {
    let Some(space) = Space::new("dry_at_rest") else { return };
    let class = class(&space);
    let create = format!("create mydb -c {class}");
    looks(&space, &create, "error: the cluster would refuse this create of mydb", false);
    space.svc(&create).ok();
    looks(
        &space,
        "update mydb --set count=3",
        "error: the cluster would refuse this update of mydb",
        true,
    );
    looks(&space, "upgrade mydb", "error: the cluster would refuse this upgrade of mydb", true);
}

#[test]
fn where_nothing_changes() {
    let Some(space) = Space::new("dry_nothing") else { return };
    let class = class(&space);
    space.svc(&format!("create mydb -c {class} --set greeting=hey")).ok();
    for (command, words) in [
        ("upgrade mydb", "mydb is up to date: chart config 0.6.0\n"),
        ("update mydb --set greeting=hey", "mydb is like that already; nothing changed\n"),
    ] {
        space.svc(&format!("{command} --dry-run")).ok().answers("").tells(words);
        let plan = space.svc(&format!("{command} --dry-run -o json")).ok().tells(words).json();
        assert_eq!((&plan["kind"], &plan["differences"]), (&json!("Plan"), &json!([])), "{plan}");
        assert_eq!(plan["parameters"]["greeting"], "hey");
        assert_eq!(plan["values"]["text.greeting"], "hey");
        let said = space.svc(&format!("{command} --dry-run --manifests")).ok();
        assert!(said.stdout.contains("greeting: \"hey\""), "{said}");
        let said = space.svc(&format!("{command} --dry-run -o name")).ok();
        said.answers("mydb\n");
    }
}

#[test]
fn of_a_change_that_was_cut_off() {
    let Some(space) = Space::new("dry_cut_off") else { return };
    let class = class(&space);
    space.svc(&format!("create mydb -c {class}")).ok();
    space.svc("update mydb --set count=7").ok();
    let script = format!("set -e\n{}{}", marked(1, "deployed"), cut_off(2, "pending-upgrade"));
    space.run(&script).ok();
    for verb in ["update", "upgrade"] {
        let refused = format!("error: the cluster would refuse this {verb} of mydb");
        looks(&space, &format!("{verb} mydb --retry"), &refused, true);
        space
            .svc(&format!("{verb} mydb --retry --dry-run"))
            .ok()
            .tells("note: what was cut off is stepped back to revision 1 first\n");
    }
    space.svc("update mydb --retry").ok().tells("stepped back, revision 3\n");
    assert_eq!(space.get("configmap mydb-config")["data"]["count"], "7");
}

#[test]
fn of_an_install_that_was_cut_off_or_failed() {
    let Some(space) = Space::new("dry_half_made") else { return };
    let class = class(&space);
    for (status, is_upgrade) in [("pending-install", false), ("failed", true)] {
        space.svc(&format!("create mydb -c {class} --set count=7")).ok();
        space.run(&cut_off(1, status)).ok();
        // It was ended before it had made all.
        space.run("kubectl delete configmap mydb-config").ok();
        let verb = if is_upgrade { "install" } else { "create" };
        let refused = format!("error: the cluster would refuse this {verb} of mydb");
        looks(&space, "create mydb --retry", &refused, is_upgrade);
        space.svc("create mydb --retry").ok();
        assert_eq!(space.get("configmap mydb-config")["data"]["count"], "7");
        space.svc("delete mydb --yes").ok();
    }
}

#[test]
fn no_hook_runs_and_helm_is_shown_on_request() {
    let Some(space) = Space::new("dry_hooks") else { return };
    let source = chart(
        &space,
        "0.7.0",
        "cat >> config/templates/all.yaml <<'MORE'\n\
         ---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-hook\n  \
         annotations: {helm.sh/hook: \"pre-install,pre-upgrade,pre-delete,pre-rollback\"}\n\
         data: {at: {{ .Values.text.greeting }}}\nMORE",
    );
    let class = space.class("config", &[]);
    let replace =
        format!("[{{\"op\": \"replace\", \"path\": \"/spec/chart\", \"value\": {source}}}]");
    patch(&space, &class, &replace);
    let create = format!("create mydb -c {class}");
    let verbose = |command: &str, words: &str| {
        let said = space.svc(&format!("{command} --dry-run -v")).ok().tells(words);
        said.tells("--dry-run=server").tells("note: nothing changed: this was a dry run\n");
    };
    verbose(&create, "helm install mydb ");
    assert_eq!(space.names("secrets,configmaps"), chart_alone(&space));
    space.svc(&create).ok();
    let before = stored(&space);
    verbose("update mydb --set greeting=hey", "helm upgrade mydb ");
    patch(
        &space,
        &class,
        r#"[{"op": "replace", "path": "/spec/parameters/1/integer/default", "value": 2}]"#,
    );
    verbose("upgrade mydb", "helm upgrade mydb ");
    space.svc("delete mydb --dry-run").ok();
    assert_eq!(stored(&space), before);
}

/// The ConfigMap that holds the chart.
fn chart_alone(space: &Space) -> Vec<String> {
    let names = space.names("configmaps");
    names.into_iter().filter(|name| name.starts_with("configmap/chart-")).collect()
}
