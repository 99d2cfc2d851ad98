//! `upgrade`: to what the class says today.

use serde_json::json;

use crate::support::space::Space;

/// Packs the chart `config` under another version, with a change of its template, and puts it
/// into a ConfigMap; gives the source for a class.
pub fn chart(space: &Space, version: &str, change: &str) -> String {
    let root = env!("CARGO_MANIFEST_DIR");
    let script = format!(
        "set -e; rm -rf config; cp -r {root}/tests/cluster/catalog/test-charts/config config\n\
         sed -i 's/^version: .*/version: {version}/' config/Chart.yaml\n\
         {change}\n\
         \"$HELM4\" package config >/dev/null\n\
         kubectl create configmap chart-{version} --from-file=config-{version}.tgz >/dev/null\n\
         sha256sum config-{version}.tgz | head -c 64"
    );
    let digest = space.run(&script).ok().stdout;
    format!(
        "{{\"configMap\": {{\"namespace\": \"{}\", \"name\": \"chart-{version}\", \
         \"key\": \"config-{version}.tgz\", \"digest\": \"sha256:{digest}\"}}}}",
        space.namespace
    )
}

/// Changes a class as its operations team would.
pub fn patch(space: &Space, class: &str, patch: &str) {
    space.write("patch.json", patch);
    space
        .run(&format!(
            "kubectl patch --context staging serviceclass {class} --type=json --patch-file patch.json"
        ))
        .ok();
}

/// The new chart reads the greeting elsewhere.
const MOVED: &str = "sed -i 's/range $key, $value := .Values.text/range $key, $value := .Values.words/' \
                     config/templates/all.yaml; printf 'words: {}\\n' >> config/values.yaml";

#[test]
fn a_new_chart_and_a_moved_path_keep_what_was_given() {
    let Some(space) = Space::new("upgrading_moved") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class} --set greeting=bonjour")).ok();
    let password = space.svc("show mydb password").ok().stdout;
    space.svc("upgrade mydb --yes").ok().tells("mydb is up to date: chart config 0.1.0\n");
    let source = chart(&space, "0.2.0", MOVED);
    patch(
        &space,
        &class,
        &format!(
            "[{{\"op\": \"replace\", \"path\": \"/spec/chart\", \"value\": {source}}},
              {{\"op\": \"replace\", \"path\": \"/spec/parameters/0/paths\", \"value\": [\"words.greeting\"]}},
              {{\"op\": \"replace\", \"path\": \"/spec/parameters/1/paths\", \"value\": [\"words.count\"]}},
              {{\"op\": \"replace\", \"path\": \"/spec/parameters/1/integer/default\", \"value\": 2}},
              {{\"op\": \"add\", \"path\": \"/spec/parameters/-\", \"value\":
                {{\"name\": \"level\", \"paths\": [\"words.level\"], \"string\": {{\"default\": \"info\"}}}}}},
              {{\"op\": \"add\", \"path\": \"/spec/values\", \"value\": {{\"words\": {{\"site\": \"north\"}}}}}}]"
        ),
    );
    space.svc("list").ok();
    let listed = space.svc("list").ok().stdout;
    assert!(listed.contains("outdated: svc upgrade mydb"), "{listed}");
    space
        .svc("upgrade mydb")
        .ended(2)
        .tells("error: upgrade needs --yes without a terminal\n")
        .tells("  svc upgrade mydb --dry-run    the difference\n  svc upgrade mydb --yes\n");
    let rows = "  chart          config 0.1.0 -> 0.2.0\n  by operations  words.site = north\n  \
                new parameter  level = info\n  count          1 -> 2\n  \
                moved          greeting text.greeting -> words.greeting\n                 \
                count text.count -> words.count\n  kept           greeting, password\n";
    space.svc("upgrade mydb --dry-run").ok().answers("").tells(rows);
    what_moved_is_told_to_machines(&space);
    what_the_class_has_since_is_told_by_update(&space, &class);
    space.svc("upgrade mydb --yes").ok().tells(rows).tells("upgraded, revision 2\n");
    let data = space.get("configmap mydb-config")["data"].clone();
    assert_eq!(data["greeting"], "bonjour");
    assert_eq!((data["count"].clone(), data["level"].clone()), ("2".into(), "info".into()));
    assert_eq!(space.svc("show mydb password").ok().stdout, password);
    space.svc("upgrade mydb --yes").ok().tells("mydb is up to date: chart config 0.2.0\n");
    space.svc("update mydb --set level=debug").ok().tells("  level  info -> debug\n");
}

fn what_moved_is_told_to_machines(space: &Space) {
    let plan = space.svc("upgrade mydb --dry-run -o json").ok().json();
    let (before, after) = ("text.greeting", "words.greeting");
    let moved = json!({"of": "path", "name": "greeting", "before": before, "after": after});
    assert!(plan["differences"].as_array().expect("a list").contains(&moved), "{plan}");
}

fn what_the_class_has_since_is_told_by_update(space: &Space, class: &str) {
    let has_it = "the class has it now; an upgrade brings it";
    space.svc("update mydb --set level=debug --set count=3").fails(
        2,
        &format!(
            "error: 1 parameter to put right for mydb ({class})\n  level  {has_it}\ntry:\n  \
             svc upgrade mydb --yes --set level=debug --set count=3    to what its class says today\n  \
             svc update mydb --set count=3\n"
        ),
    );
    space
        .svc("update mydb --set level=debug")
        .ended(2)
        .tells("try: svc upgrade mydb --yes --set level=debug    to what its class says today\n");
}

#[test]
fn an_object_is_named_once_to_machines() {
    let Some(space) = Space::new("upgrading_objects") else { return };
    let class = space.class("workload", &[]);
    space.svc(&format!("create mydb -c {class} --no-wait")).ok();
    let memory =
        r#"[{"op": "replace", "path": "/spec/parameters/3/quantity/default", "value": "9Mi"}]"#;
    patch(&space, &class, memory);
    let plan = space.svc("upgrade mydb --dry-run -o json").ok().json();
    let (name, after) = ("StatefulSet mydb-workload", "changes: its pod restarts");
    let object = json!({"of": "object", "name": name, "before": null, "after": after});
    assert!(plan["differences"].as_array().expect("a list").contains(&object), "{plan}");
}

#[test]
fn new_and_required_is_asked_or_said() {
    let Some(space) = Space::new("upgrading_required") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class}")).ok();
    patch(
        &space,
        &class,
        "[{\"op\": \"add\", \"path\": \"/spec/parameters/-\", \"value\":
           {\"name\": \"owner\", \"paths\": [\"text.owner\"], \"title\": \"Team to tell\", \"required\": true,
            \"string\": {\"pattern\": \"[a-z-]{1,20}\"}}},
          {\"op\": \"add\", \"path\": \"/spec/parameters/-\", \"value\":
           {\"name\": \"token\", \"paths\": [\"text.token\"], \"sensitive\": true,
            \"generate\": {\"length\": 16}, \"string\": {}}}]",
    );
    space.svc("upgrade mydb --yes").fails(
        2,
        &format!(
            "error: 1 parameter to put right for mydb ({class})\n  \
             owner  missing, new in the class: team to tell, 1-20 of a-z -\n\
             try: svc upgrade mydb --yes --set owner=OWNER\n"
        ),
    );
    space
        .svc("upgrade mydb --yes --set owner=team-a")
        .ok()
        .tells("note: token is new in the class and not generated for a service that runs");
    let data = space.get("configmap mydb-config")["data"].clone();
    assert_eq!(data["owner"], "team-a");
    assert!(data.get("token").is_none(), "{data}");
}

#[test]
fn a_chart_that_is_gone_names_upgrade() {
    let Some(space) = Space::new("upgrading_gone") else { return };
    let class = space.class("config", &[]);
    let source = chart(&space, "0.3.0", "true");
    let replace = |source: &str| {
        format!("[{{\"op\": \"replace\", \"path\": \"/spec/chart\", \"value\": {source}}}]")
    };
    patch(&space, &class, &replace(&source));
    space.svc(&format!("create mydb -c {class}")).ok();
    let source = chart(&space, "0.4.0", "true");
    patch(&space, &class, &replace(&source));
    space.run("kubectl delete configmap chart-0.3.0").ok();
    let space = space.with_empty_cache();
    space
        .svc("update mydb --set count=2")
        .ended(1)
        .tells("mydb was made with chart config 0.3.0, which cannot be had any more.\n")
        .tells("svc upgrade mydb    to the chart that its class names today\n");
    space.svc("upgrade mydb --yes --set count=2").ok();
    assert_eq!(space.get("configmap mydb-config")["data"]["count"], "2");
}

#[test]
fn a_chart_that_is_gone_and_still_named_is_for_operations() {
    let Some(space) = Space::new("upgrading_named") else { return };
    let class = space.class("config", &[]);
    let source = chart(&space, "0.3.0", "true");
    patch(
        &space,
        &class,
        &format!("[{{\"op\": \"replace\", \"path\": \"/spec/chart\", \"value\": {source}}}]"),
    );
    space.svc(&format!("create mydb -c {class}")).ok();
    space.run("kubectl delete configmap chart-0.3.0").ok();
    let space = space.with_empty_cache();
    let said = space.svc("update mydb --set count=2").ended(1);
    let said = said
        .tells("mydb was made with chart config 0.3.0, which cannot be had any more.\n")
        .tells(&format!(
            "Its class {class} names the same chart; its operations team can repair it.\n"
        ));
    assert!(!said.stderr.contains("svc upgrade"), "{said}");
}

#[test]
fn a_newest_revision_that_was_deleted_is_made_good() {
    let Some(space) = Space::new("upgrading_lost") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class}")).ok();
    space.svc("update mydb --set count=2").ok();
    space.run("kubectl delete secret sh.helm.release.v1.mydb.v2").ok();
    let shown = space.svc("show mydb -o json").ok().json();
    assert_eq!(shown["note"], "its newest revision is gone: svc update mydb --retry");
    space.svc("update mydb --retry").ok();
    let listed = space.svc("list -o json").ok().json();
    assert_eq!(
        (&listed["items"][0]["name"], &listed["items"][0]["note"]),
        (&"mydb".into(), &().into())
    );
}

#[test]
fn a_release_without_a_record_works_on_todays_class() {
    let Some(space) = Space::new("upgrading_plain") else { return };
    let class = space.class("config", &[]);
    let install = format!(
        "\"$SVC_HELM\" install mydb \"$CHARTS_DIR/config-0.1.0.tgz\" --set text.greeting=hi \
         --labels svc-cli.dev/class={class}"
    );
    space.run(&install).ok();
    let password = space.svc("show mydb password").ok().stdout;
    space
        .svc("update mydb --set count=3")
        .ok()
        .tells("note: mydb has no record of its class; this is what its class says today\n")
        .tells("  count  - -> 3\n");
    let data = space.get("configmap mydb-config")["data"].clone();
    assert_eq!((data["greeting"].clone(), data["count"].clone()), ("hi".into(), "3".into()));
    assert_eq!(space.svc("show mydb password").ok().stdout, password);
    space.svc("update mydb --set count=4").ok();
}

#[test]
fn what_plain_helm_set_is_not_told_as_of_operations() {
    let Some(space) = Space::new("upgrading_outside") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class} --set count=7")).ok();
    let root = env!("CARGO_MANIFEST_DIR");
    let helm = format!(
        "\"${{SVC_HELM:-helm}}\" upgrade mydb {root}/tests/cluster/catalog/test-charts/config \
         --reuse-values --set extra.deep=hunter2"
    );
    space.run(&helm).ok();
    let operations = "[{\"op\": \"add\", \"path\": \"/spec/values\", \"value\": {\"text\": {\"tier\": \"dev\"}}}]";
    patch(&space, &class, operations);
    for verb in ["upgrade mydb", "update mydb --set count=8"] {
        let said = space.svc(&format!("{verb} --dry-run")).ok();
        let said = said
            .tells("  by operations  text.tier = dev\n")
            .tells("  outside svc    extra.deep goes\n");
        assert!(!said.stderr.contains("hunter2"), "{said}");
    }
    space.svc("upgrade mydb --yes").ok();
    let data = space.get("configmap mydb-config")["data"].clone();
    assert_eq!((&data["tier"], &data["count"]), (&"dev".into(), &"7".into()), "{data}");
    assert!(!data["given"].as_str().unwrap_or_default().contains("hunter2"), "{data}");
}

#[test]
fn a_class_that_says_something_else_of_what_no_row_shows_is_told_which() {
    let Some(space) = Space::new("upgrading_parts") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class}")).ok();
    patch(
        &space,
        &class,
        r#"[{"op": "add", "path": "/spec/deletion", "value": {"protected": true}},
            {"op": "add", "path": "/spec/parameters/1/integer/maximum", "value": 1000000000000}]"#,
    );
    let told = "  class    says something else of parameters and deletion\n";
    space.svc("upgrade mydb --dry-run").ok().tells(told);
}
