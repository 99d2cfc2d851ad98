//! `update`: other answers, nothing lost, and what is refused before anything changes.

use crate::support::space::Space;

fn records(space: &Space) -> usize {
    space.names("secrets --field-selector type=helm.sh/release.v1").len()
}

#[test]
fn parameters_change_and_the_rest_stays() {
    let Some(space) = Space::new("changing_parameters") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class} --set greeting=hi")).ok();
    let password = space.svc("show mydb password").ok().stdout;
    let labels = |number| {
        let secret = space.get(&format!("secret sh.helm.release.v1.mydb.v{number}"));
        secret["metadata"]["labels"].clone()
    };
    space
        .svc("update mydb --set count=9007199254740993 --set greeting=hello")
        .ok()
        .answers("")
        .tells(&format!("0s updating mydb in namespace {}, context staging\n", space.namespace))
        .tells("  count     1 -> 9007199254740993\n  greeting  hi -> hello\n")
        .tells("applied, revision 2\n");
    let map = space.get("configmap mydb-config");
    assert_eq!(map["data"]["count"], "9007199254740993");
    assert_eq!(map["data"]["greeting"], "hello");
    assert_eq!(space.svc("show mydb password").ok().stdout, password);
    let (one, two) = (labels(1), labels(2));
    for kept in ["class", "chart", "class-hash", "created"] {
        let name = format!("svc-cli.dev/{kept}");
        assert_eq!(one[&name], two[&name], "{kept}");
    }
    assert!(two["svc-cli.dev/until"].is_string());
    let same = "mydb is like that already; nothing changed\n";
    space.svc("update mydb --set greeting=hello").ok().answers("").tells(same);
    let shown = space.svc("update mydb --set greeting=hello -o json").ok().json();
    assert_eq!((shown["revision"].clone(), shown["masked"].clone()), (2.into(), true.into()));
    space.svc("update mydb --unset count").ok().tells("  count  9007199254740993 -> 1\n");
    let shown = space.svc("update mydb --set count=7 -o json").ok().json();
    assert_eq!(shown["parameters"]["count"], 7);
    assert_eq!(shown["connection"]["details"]["password"], serde_json::Value::Null);
    assert_eq!(space.svc("show mydb password").ok().stdout, password);
}

#[test]
fn all_that_is_wrong_comes_at_once() {
    let Some(space) = Space::new("changing_wrong") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class}")).ok();
    let long = "x".repeat(201);
    space
        .svc(&format!("update mydb --set greeting={long} --set cont=2 --unset password"))
        .ended(2)
        .tells(&format!("error: 3 parameters to put right for mydb ({class})\n"))
        .tells("no such parameter; did you mean count?")
        .tells("was generated; a service that runs keeps it, or gets another by --set-env");
    space
        .svc("update mydb")
        .ended(2)
        .tells("error: update needs --set without a terminal\ntry:\n  svc update mydb --set");
    assert_eq!(records(&space), 1);
}

#[test]
fn what_the_server_refuses_is_found_before_anything_changes() {
    let Some(space) = Space::new("changing_refused") else { return };
    let class = space.copy_of("postgres", |spec| {
        spec["parameters"][1]["change"] = "Allowed".into();
    });
    space.svc(&format!("create mydb -c {class} --set database=orders --no-wait")).ok();
    let before = space.get("secret mydb-postgresql");
    for dry in ["", " --dry-run"] {
        space
            .run(&format!(
                "NEW=another-secret svc update mydb --set storage=3Gi --set-env admin-password=NEW{dry}"
            ))
            .ended(1)
            .answers("")
            .tells("error: the cluster would refuse this update of mydb; nothing changed\n")
            .tells("  object  StatefulSet mydb-postgresql\n")
            .tells("  says    spec: Forbidden: updates to statefulset spec");
        assert_eq!(space.get("secret mydb-postgresql")["data"], before["data"]);
        assert_eq!(records(&space), 1);
    }
}

#[test]
fn what_cannot_change_names_a_new_one_beside_it() {
    let Some(space) = Space::new("changing_never") else { return };
    let create = "create mydb -c postgres -p medium --set database=orders --set storage=2Gi";
    space.svc(&format!("{create} --no-wait")).ok();
    space.svc("update mydb --set storage=20Gi").fails(
        2,
        "error: storage of mydb cannot change after create; it is 2Gi\n\
         try: svc create mydb-2 --class postgres --plan medium --set database=orders --set storage=20Gi    \
         a bigger one beside it, then move the data\n",
    );
    space.svc("update mydb --set storage=2048Mi").ok().tells("like that already");
    assert_eq!(records(&space), 1);
}

#[test]
fn what_only_grows_does_not_shrink_and_grows() {
    let Some(space) = Space::new("changing_grows") else { return };
    let class = space.class_like("config", |spec| {
        spec["parameters"][1]["change"] = "IncreaseOnly".into();
        spec["parameters"].as_array_mut().expect("a list").push(serde_json::json!({
            "name": "cache", "paths": ["text.cache"], "change": "IncreaseOnly",
            "quantity": {"default": "1Gi", "maximum": "8Gi"}}));
    });
    space.svc(&format!("create mydb -c {class} --set count=5 --set cache=2Gi")).ok();
    let before = space.get("configmap mydb-config");
    for more in ["", " --dry-run", " -o json"] {
        space.svc(&format!("update mydb --set count=4 --set cache=2047Mi{more}")).fails(
            2,
            &format!(
                "error: 2 parameters to put right for mydb ({class})\n  \
                 count  \"4\" is less than 5; it can only grow\n  \
                 cache  \"2047Mi\" is less than 2Gi; it can only grow\n\
                 try: svc update mydb{more} --set count=5 --set cache=2Gi\n"
            ),
        );
    }
    let unset = space.svc("update mydb --unset cache").ended(2).answers("");
    unset.tells("  cache  \"1Gi\" is less than 2Gi; it can only grow\n");
    assert_eq!(records(&space), 1);
    assert_eq!(space.get("configmap mydb-config"), before);
    space
        .svc("update mydb --set count=6 --set cache=4096Mi")
        .ok()
        .tells("  count  5 -> 6\n  cache  2Gi -> 4096Mi\n")
        .tells("applied, revision 2\n");
    let data = space.get("configmap mydb-config")["data"].clone();
    assert_eq!((&data["count"], &data["cache"]), (&"6".into(), &"4096Mi".into()));
    space.svc("update mydb --set cache=4Gi").ok().tells("mydb is like that already");
    space.svc("update mydb --set cache=9Gi").ended(2).tells("more than 8Gi, the most allowed");
}

#[test]
fn another_plan_brings_its_values_and_keeps_what_was_given() {
    let Some(space) = Space::new("changing_plan") else { return };
    space.svc("create mydb -c postgres --set database=orders --no-wait").ok();
    let password = space.get("secret mydb-postgresql")["data"].clone();
    space
        .svc("update mydb --plan medium --no-wait")
        .ok()
        .tells("  plan           small -> medium\n")
        .tells("  by operations  primary.resources.limits.memory 1Gi -> 4Gi\n");
    let shown = space.svc("show mydb -o json").ok().json();
    assert_eq!((shown["plan"].clone(), shown["revision"].clone()), ("medium".into(), 2.into()));
    assert_eq!(shown["parameters"]["storage"], "1Gi", "a disk stays as it is");
    assert_eq!(space.get("secret mydb-postgresql")["data"], password);
    space.svc("update mydb --plan huge").ended(3).tells("has no plan huge; it has small, medium");
}

#[test]
fn a_condition_that_comes_and_goes() {
    let Some(space) = Space::new("changing_when") else { return };
    space.svc("create mydb -c postgres --set database=orders --no-wait").ok();
    let said = space.svc("update mydb --set mode=replication --no-wait").ok();
    said.tells("  mode      standalone -> replication\n  replicas  - -> 2\n");
    let said = space.svc("update mydb --set mode=standalone --no-wait").ok();
    said.tells("  mode      replication -> standalone\n  replicas  2 -> -\n");
    let shown = space.svc("show mydb -o json").ok().json();
    assert!(shown["parameters"].get("replicas").is_none(), "{shown}");
}

#[test]
fn the_answers_make_the_same_instance_again() {
    let Some(space) = Space::new("changing_answers") else { return };
    let class = space.class("config", &[]);
    let texts = "--set greeting=0123 --set count=1000000";
    space.svc(&format!("create mydb -c {class} {texts}")).ok();
    let said = space.svc("show mydb -o answers > mydb.yaml").ok();
    said.tells("note: password is left out; give it with --set-env or --set-file\n");
    space.svc("create twin -f mydb.yaml").ok();
    let data = |name: &str| {
        let mut data = space.get(&format!("configmap {name}-config"))["data"].clone();
        data["host"] = "".into();
        data
    };
    assert_eq!(data("twin"), data("mydb"));
    let again = "create mydb -f mydb.yaml --if-not-exists";
    space.svc(again).ok();
}

#[test]
fn objects_outside_the_namespace_are_not_changed_without_a_word() {
    let Some(space) = Space::new("changing_outside") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class}")).ok();
    // A record is writable by whoever may write Secrets.
    space
        .run(
            "set -e; name=sh.helm.release.v1.mydb.v1\n\
             kubectl get secret $name -o jsonpath='{.data.release}' | base64 -d | base64 -d | gunzip > record.json\n\
             sed 's/kind: ConfigMap\\\\nmetadata:\\\\n/&  namespace: default\\\\n/' record.json > other.json\n\
             ! cmp -s record.json other.json\n\
             data=$(gzip -c other.json | base64 -w0 | base64 -w0)\n\
             kubectl patch secret $name --type=merge -p \"{\\\"data\\\":{\\\"release\\\":\\\"$data\\\"}}\"",
        )
        .ok();
    space
        .svc("update mydb --set greeting=x")
        .ended(1)
        .tells("error: the record of mydb holds objects outside its namespace; they would change too\n")
        .tells("  outside  ConfigMap mydb-config of namespace default\n")
        .tells("try: svc update mydb --set greeting=x --allow-outside-namespace    if they are its own\n");
    space.svc("delete mydb --yes --delete-data").ended(1).tells(
        "try: svc delete mydb --delete-data --allow-outside-namespace --yes    if they are its own\n",
    );
    space
        .svc("upgrade mydb --set greeting=x --yes --no-wait")
        .ended(1)
        .tells("svc upgrade mydb --set greeting=x --no-wait --yes --allow-outside-namespace");
    assert_eq!(records(&space), 1);
}
