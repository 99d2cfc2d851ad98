//! Data outlives its instance until somebody says otherwise, and new passwords never meet it.

use std::io::Read as _;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use crate::support::space::Space;

const VOLUME: &str = "persistentvolumeclaim/data-mydb-postgresql-0";

#[test]
fn data_stays_until_it_is_named() {
    let Some(space) = Space::new("deletion_data") else { return };
    let space = space.with("PW", "a-password-that-stays");
    let create = "create mydb -c postgres --set database=orders --set-env admin-password=PW";
    space.svc(create).ok();
    let uri = "\"$(svc show mydb -o uri)\"";
    space.run(&format!("psql {uri} -qc 'create table kept as select 7 as n'")).ok();
    let password = space.svc("show mydb password").ok().stdout;
    let deleted = space.svc("delete mydb --yes -o json").ok();
    let deleted = deleted.tells("stays: volume data-mydb-postgresql-0, 1Gi, with the data").json();
    assert_eq!(deleted["items"][0]["volumesKept"][0]["name"], "data-mydb-postgresql-0");
    assert_eq!(space.names("statefulsets,services,pods,secrets"), [""; 0]);
    assert_eq!(space.names("persistentvolumeclaims"), [VOLUME]);
    earlier_data_stops_create(&space, create);
    space.svc(&format!("{create} --reuse-data")).ok();
    space.run(&format!("psql {uri} -Atc 'select n from kept'")).ok().answers("7\n");
    assert_ne!(space.svc("show mydb password").ok().stdout, password);
    space.svc("delete mydb --delete-data --yes").ok();
    assert_eq!(space.names("persistentvolumeclaims"), [""; 0]);
}

fn earlier_data_stops_create(space: &Space, create: &str) {
    let namespace = &space.namespace;
    let said = space.svc(create).ended(1).answers("");
    said.tells(&format!("error: an earlier mydb left its data in namespace {namespace}\n"))
        .tells("  volume  data-mydb-postgresql-0, 1Gi, ")
        .tells("A new instance would have a new password, and the old data keeps the old one.\n")
        .tells("--delete-data")
        .tells("--reuse-data");
    assert_eq!(space.names("statefulsets,services,pods,secrets"), [""; 0]);
}

#[test]
fn what_an_instance_left_is_deleted_by_its_name() {
    let Some(space) = Space::new("deletion_left") else { return };
    let class = space.class("workload", &[]);
    let create = format!("create mydb -c {class} --set storage-class=standard");
    space.svc(&create).ok();
    space.svc("delete mydb --yes").ok();
    assert_eq!(space.names("pvc"), ["persistentvolumeclaim/data-mydb-workload-0"]);
    space.svc(&format!("{create} --delete-data")).ok();
    space.svc("delete mydb --yes").ok();
    space.svc("delete mydb --yes").ended(3).tells("data-mydb-workload-0");
    space.svc("delete mydb --delete-data --yes").ok().tells("AND THE DATA IN IT");
    assert_eq!(space.names("pvc"), [""; 0]);
    space.svc("delete mydb --delete-data --yes").fails(
        3,
        &format!("error: no instance mydb in namespace {}, context staging\n", space.namespace),
    );
}

#[test]
fn without_a_terminal_it_wants_a_yes() {
    let Some(space) = Space::new("deletion_yes") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class}")).ok();
    space.svc("delete mydb").fails(
        2,
        "error: delete needs --yes without a terminal\n  \
         goes  release mydb, Secret and ConfigMap mydb-config\n\
         try: svc delete mydb --yes\n",
    );
    space.svc("show mydb").ok();
    space.svc("delete mydb nodb --yes").ended(3).tells("error: no instance nodb");
    space.svc("delete mydb --yes --ignore-not-found").ok().answers("");
    assert_eq!(space.names("secrets,configmaps"), [""; 0]);
}

#[test]
fn a_protected_instance_needs_force() {
    let Some(space) = Space::new("deletion_protected") else { return };
    let class =
        space.class("config", &[("  connection:", "  deletion: {protected: true}\n  connection:")]);
    space.svc(&format!("create mydb -c {class}")).ok();
    space.svc("delete mydb --yes").fails(
        4,
        &format!(
            "error: mydb is protected by its class {class}\n\
             try: svc delete mydb --force    if it really has to go\n"
        ),
    );
    space.svc("delete mydb --yes --force").ok();
}

#[test]
fn a_class_that_deletes_data_has_the_choice_typed_at_once() {
    let Some(space) = Space::new("deletion_policy") else { return };
    let class =
        space.class("workload", &[("  connection:", "  deletion: {data: Delete}\n  connection:")]);
    space.svc(&format!("create mydb -c {class} --set storage-class=standard")).ok();
    let choice = format!(
        "Its class {class} deletes the data by default.\n\
         try:\n  svc delete mydb --yes --delete-data\n  svc delete mydb --yes --keep-data\n"
    );
    space.svc("delete mydb").ended(2).tells(&choice).tells("AND THE DATA IN IT");
    space.svc("delete mydb --yes").ended(2).tells(&choice);
    let plan = space.svc("delete mydb --dry-run --keep-data -o json").ok();
    let plan = plan.tells("nothing changed: this was a dry run").json();
    assert_eq!(plan["kind"], "Plan");
    let item = &plan["items"][0];
    assert_eq!(item["name"], "mydb");
    assert_eq!(item["class"], class.as_str());
    assert_eq!(item["volumesKept"][0]["name"], "data-mydb-workload-0");
    assert_eq!(item["volumesDeleted"], serde_json::json!([]));
    assert!(item["goes"].as_str().is_some_and(|goes| goes.starts_with("release mydb, ")), "{plan}");
    space.svc("delete mydb --dry-run -o name").ok().answers("mydb\n");
    space.svc("delete mydb --yes --delete-data").ok();
}

#[test]
fn commands_to_paste_act_where_this_one_did() {
    let Some(space) = Space::new("deletion_elsewhere") else { return };
    let class =
        space.class("config", &[("  connection:", "  deletion: {protected: true}\n  connection:")]);
    space.svc(&format!("create mydb -c {class}")).ok();
    let namespace = &space.namespace;
    let elsewhere = format!("svc delete mydb --yes --context staging -n {namespace}");
    space.run(&format!("SVC_NAMESPACE=default {elsewhere}")).ended(4).tells(&format!(
        "\ntry: svc delete mydb -n {namespace} --context staging --force    if it really has to go\n"
    ));
    space.svc("delete mydb --yes --force").ok();
}

impl Space {
    /// Changes what the first revision of an instance remembers of its class.
    fn remember(&self, name: &str, change: impl FnOnce(&mut Value)) {
        let secret = format!("secret/sh.helm.release.v1.{name}.v1");
        let stored = self.get(&secret)["data"]["release"].as_str().expect("a record").to_owned();
        let decode = |text: &[u8]| BASE64_STANDARD.decode(text).expect("base64");
        let mut text = String::new();
        let packed = decode(&decode(stored.as_bytes()));
        let mut plain = flate2::read::GzDecoder::new(packed.as_slice());
        plain.read_to_string(&mut text).expect("a packed text");
        let mut release: Value = serde_json::from_str(&text).expect("JSON");
        let files = release["chart"]["files"].as_array_mut().expect("the chart has files");
        let file = files.iter_mut().find(|file| file["name"] == "svc-class.json");
        let data = &mut file.expect("the record of the class")["data"];
        let recorded = decode(data.as_str().expect("text").as_bytes());
        let mut class: Value = serde_json::from_slice(&recorded).expect("JSON");
        change(&mut class);
        *data = json!(BASE64_STANDARD.encode(class.to_string()));
        let release = BASE64_STANDARD.encode(BASE64_STANDARD.encode(release.to_string()));
        self.write("record.json", &json!({"data": {"release": release}}).to_string());
        self.run(&format!("kubectl patch {secret} --type merge --patch-file record.json")).ok();
    }
}

#[test]
fn a_recorded_selector_that_is_none_does_not_keep_an_instance() {
    let Some(space) = Space::new("deletion_selector") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class}")).ok();
    space.remember("mydb", |class| {
        class["readiness"]["pods"] = json!({"selector": {"a b": "c"}});
        class["deletion"]["volumes"] = json!({"selector": {"app": "{{ release.name }} x"}});
    });
    let pods = "note: mydb: its pods are looked for by app.kubernetes.io/instance=mydb: its class \
                names none: \"a b\" is not the name of a label\n";
    let volumes = "note: mydb: volumes that only its class can name are left alone: it names none: \
                   \"mydb x\" is not the value of a label\n";
    space.svc("show mydb").ok();
    space.svc("delete mydb").ended(2).tells(pods).tells(volumes);
    space.svc("delete mydb --yes").ok().tells(pods).tells(volumes);
    assert_eq!(space.names("secrets,configmaps"), [""; 0]);
}
