//! Objects that finalizers hold: an instance is gone when they are.

use crate::support::space::Space;

const HOLD: &str = "kubectl patch --context staging --type=merge -p";

fn hold(space: &Space, object: &str) {
    let finalizers = "'{\"metadata\": {\"finalizers\": [\"example.com/backup\"]}}'";
    space.run(&format!("{HOLD} {finalizers} {object}")).ok();
}

fn let_go(space: &Space, object: &str) {
    space.run(&format!("{HOLD} '{{\"metadata\": {{\"finalizers\": null}}}}' {object}")).ok();
}

const HELD: &str = "Secret mydb-config, held by finalizer example.com/backup\n";

#[test]
fn an_instance_is_gone_when_its_objects_are() {
    let Some(space) = Space::new("leaving_held") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class}")).ok();
    hold(&space, "secret mydb-config");
    space
        .svc("delete mydb --yes --timeout 3s")
        .ended(5)
        .answers("")
        .tells("error: mydb is not gone in time: its objects are still there\n  object  ")
        .tells(HELD)
        .tells("try: svc wait mydb --for deleted\n");
    space.svc("wait mydb --for deleted --timeout 2s").ended(5).tells(HELD);
    for create in [format!("create mydb -c {class}"), "create mydb --retry".to_owned()] {
        let said = space.svc(&create).ended(1).answers("");
        let namespace = &space.namespace;
        said.tells(&format!(
            "error: an earlier mydb is still being deleted in namespace {namespace}\n"
        ))
        .tells("  object  Secret mydb-config, for ")
        .tells(", held by finalizer example.com/backup\n")
        .tells("svc wait mydb --for deleted");
    }
    let_go(&space, "secret mydb-config");
    space.svc("wait mydb --for deleted --timeout 20s").ok();
    space.svc(&format!("create mydb -c {class}")).ok();
    space.svc("delete mydb --yes").ok();
}

#[test]
fn delete_waits_for_what_goes_late() {
    let Some(space) = Space::new("leaving_late") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class}")).ok();
    hold(&space, "configmap mydb-config");
    let later = "(sleep 4; kubectl patch --context staging configmap mydb-config --type=merge \
                 -p '{\"metadata\": {\"finalizers\": null}}') & ";
    space.run(&format!("{later} svc delete mydb --yes; wait")).ok();
    assert_eq!(space.names("secrets,configmaps"), [""; 0]);
}

#[test]
fn what_is_on_its_way_out_is_not_ready() {
    let Some(space) = Space::new("leaving_ready") else { return };
    for (class, object) in [("config", "secret mydb-config"), ("workload", "sts mydb-workload")] {
        let class = space.class(class, &[]);
        space.svc(&format!("create mydb -c {class}")).ok();
        hold(&space, object);
        space.run(&format!("kubectl delete --wait=false {object}")).ok();
        let held = "being deleted, held by finalizer example.com/backup\n";
        space.svc("wait mydb --timeout 1s").ended(5).tells(held);
        assert_eq!(space.states("mydb", &class)[1], "degraded");
        space.svc("show mydb").ok().tells(held);
        let_go(&space, object);
        space.svc("delete mydb --yes").ok();
    }
}
