//! Every stored state has a way out (design §5.6), and what is not there is said.

use serde_json::json;

use crate::support::space::Space;

/// A release of plain helm that says it is of this class.
fn plain_release(space: &Space, class: &str, values: &str) {
    let script = "mkdir -p plain/templates && cd plain \
        && echo '{apiVersion: v2, name: plain, version: 1.0.0+b.1}' > Chart.yaml \
        && echo '{apiVersion: v1, kind: ConfigMap, metadata: {name: plain}}' > templates/map.yaml";
    space.run(script).ok();
    let labels = format!("--labels svc-cli.dev/class={class}");
    space.run(&format!("helm install mydb ./plain {labels} {values}")).ok();
}

#[test]
fn without_record_and_class_it_can_still_be_deleted() {
    let Some(space) = Space::new("ways_out_class") else { return };
    plain_release(&space, "nosuch", "");
    for command in ["show mydb", "update mydb --set a=b", "wait mydb"] {
        space
            .svc(command)
            .ended(1)
            .tells("error: mydb has no record of its class, and the class is gone\n")
            .tells("try: svc delete mydb    give it up; its data stays\n");
    }
    let listed = space.svc("list").ok();
    assert!(listed.stdout.contains("class nosuch is gone\n"), "{listed}");
    space.svc("delete mydb --dry-run").ok();
    space.svc("delete mydb --yes").ok();
    assert_eq!(space.names("configmaps,secrets"), [""; 0]);
}

#[test]
fn of_a_record_that_cannot_be_read_nothing_is_said() {
    let Some(space) = Space::new("ways_out_record") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create c1 -c {class}")).ok();
    let garbage =
        r#"kubectl patch secret sh.helm.release.v1.c1.v1 -p '{"data":{"release":"eA=="}}'"#;
    space.run(garbage).ok();
    for command in ["create c1 --retry", &format!("create c1 -c {class} --retry")] {
        space.svc(command).ended(1).tells("error: the record of c1 cannot be read");
    }
}

#[test]
fn a_helm_that_stored_nothing_leaves_nothing_to_delete() {
    let Some(space) = Space::new("ways_out_stored") else { return };
    let class = space.class("config", &[]);
    let script = "#!/bin/bash\ncase \"$*\" in *--dry-run=*) ;; install\\ *) exit 0 ;; esac\n\
                  exec \"$REAL_HELM\" \"$@\"\n";
    let said = space.with_helm(script).svc(&format!("create h3 -c {class}")).ended(1);
    assert!(
        said.stderr.ends_with(
            "error: helm said that h3 is installed, but stored nothing\n\
             There is no release to go on with, and none to delete.\n\
             try: svc doctor    whether helm and the cluster work\n"
        ),
        "{said}"
    );
}

#[test]
fn a_namespace_that_is_not_there_is_said() {
    let Some(space) = Space::new("ways_out_namespace") else { return };
    let said = space.svc("doctor -n nons").ended(3).tells("try: svc list -A\n");
    let lines = "FAIL  read        no namespace nons in context staging\n\
                 -     change      needs the namespace\n-     connect     needs the namespace\n";
    assert!(said.stdout.ends_with(lines), "{said}");
    for command in ["wait z --for deleted", "delete z --yes --ignore-not-found"] {
        space.svc(&format!("{command} -n nons")).ok().tells("note: there is no namespace nons\n");
        let said = space.svc(command).ok();
        assert!(!said.stderr.contains("namespace"), "{said}");
    }
}

#[test]
fn machine_formats_have_their_answer() {
    let Some(space) = Space::new("ways_out_machine") else { return };
    let said = space.svc("delete nodb --yes --ignore-not-found -o json").ok().json();
    let empty = json!({"apiVersion": "cli.svc-cli.dev/v1", "kind": "Deletion", "items": []});
    assert_eq!(said, empty);
    let role = space.svc("doctor --rbac -o json").ok().json();
    assert_eq!((&role["kind"], role["rules"].is_array()), (&json!("Role"), true), "{role}");
}

#[test]
fn what_a_release_does_not_set_does_not_break_its_class() {
    let Some(space) = Space::new("ways_out_unset") else { return };
    let class = space.class_like("config", |spec| {
        let detail = json!({"name": "greeting", "value": "{{ params.greeting }}"});
        spec["connection"]["details"][1] = detail;
    });
    plain_release(&space, &class, "");
    space.svc("show mydb greeting").ok().answers("hello");
}

#[test]
fn upgrade_is_not_named_while_the_class_is_broken() {
    let Some(space) = Space::new("ways_out_broken") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create a -c {class}")).ok();
    let detail = r#"{"name": "greeting", "value": "{{ nope }}"}"#;
    let patch = format!(
        r#"[{{"op": "replace", "path": "/spec/connection/details/1", "value": {detail}}}]"#
    );
    space.run(&format!("kubectl patch serviceclass {class} --type=json -p '{patch}'")).ok();
    let listed = space.svc("list").ok();
    let note = format!("outdated, but class {class} is broken\n");
    assert!(listed.stdout.ends_with(&note), "{listed}");
}

/// Changes the record of revision 1 as somebody with an editor would.
fn edit(space: &Space, by_sed: &str) {
    let secret = "secret sh.helm.release.v1.mydb.v1";
    let edit = format!(
        "release=$(kubectl get {secret} -o jsonpath='{{.data.release}}' | base64 -d | base64 -d \
         | gunzip | sed '{by_sed}' | gzip | base64 -w0 | base64 -w0); \
         kubectl patch {secret} -p '{{\"data\":{{\"release\":\"'$release'\"}}}}'"
    );
    space.run(&edit).ok();
}

#[test]
fn a_secret_that_somebody_edited_at_one_of_its_paths_is_told_before_it_goes_back() {
    let Some(space) = Space::new("ways_out_strayed") else { return };
    let class = space.class_like("config", |spec| {
        spec["parameters"][2]["paths"] = json!(["password", "text.copy"]);
    });
    space.svc(&format!("create mydb -c {class}")).ok();
    let password = space.svc("show mydb password").ok().stdout;
    edit(&space, "s/\"copy\":\"[^\"]*\"/\"copy\":\"mine-7f3c\"/g");
    let told = "  outside svc  text.copy back to what password is\n";
    for command in ["update mydb --set greeting=hi --dry-run", "upgrade mydb --dry-run"] {
        let said = space.svc(command).ok().tells(told);
        assert!(!said.stderr.contains("mine-7f3c"), "{said}");
    }
    let plan = space.svc("update mydb --set greeting=hi --dry-run -o json").ok().json();
    let stray = json!({"of": "value", "name": "text.copy", "before": null, "after": null});
    assert!(plan["differences"].as_array().expect("a list").contains(&stray), "{plan}");
    space.svc("update mydb --set greeting=hi").ok().tells(told);
    assert_eq!(space.get("configmap mydb-config")["data"]["copy"], password);
    let said = space.svc("update mydb --set greeting=hi").ok();
    said.tells("mydb is like that already");
}

#[test]
fn an_answer_that_somebody_edited_is_told_before_it_goes_back() {
    let Some(space) = Space::new("ways_out_edited") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class} --set count=5")).ok();
    space.svc("update mydb --set count=5").ok().tells("mydb is like that already");
    edit(&space, "s/\"count\":5/\"count\":\"str\"/g");
    let told = "  outside svc  text.count back to 5\n";
    space.svc("update mydb --set greeting=hi --dry-run").ok().tells(told);
    space.svc("update mydb --set count=5").ok().tells(told).tells("applied, revision 2");
    space.svc("update mydb --set count=5").ok().tells("mydb is like that already");
    space.svc("update mydb --set count=6").ok().tells("  count  5 -> 6\n");
}
