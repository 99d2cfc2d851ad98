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
             There is no release to go on with, and none to delete.\n"
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
