//! `create` where something is already there.

use crate::support::space::Space;

#[test]
fn an_instance_of_that_name() {
    let Some(space) = Space::new("existing_same") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class}")).ok();
    let namespace = &space.namespace;
    let said = space.svc(&format!("create mydb -c {class}")).ended(1).answers("");
    said.tells(&format!("error: mydb exists already in namespace {namespace}\n  class  {class}\n"))
        .tells("try:\n  svc show mydb  ")
        .tells(&format!("  svc create mydb-2 --class {class}  "))
        .tells(&format!("  svc create mydb -c {class} --if-not-exists    accept it, in scripts\n"));
    let said = space.svc(&format!("create mydb -c {class} --set count=3")).ended(1);
    let said = said.tells("  svc update mydb --set count=3  ");
    assert!(!said.stderr.contains("--if-not-exists"), "{said}");
    let said = space.svc(&format!("create mydb -c {class} --set conut=3 --set greeting=bad{{{{"));
    said.ended(1).tells(&format!("  svc create mydb-2 --class {class} --set "));
    let said = space.svc("create mydb -c redis").ended(1).answers("");
    said.tells(&format!(
        "error: mydb exists already in namespace {namespace}, as another class\n  class  {class}\n"
    ))
    .tells("try: svc create mydb-redis --class redis\n");
}

#[test]
fn if_not_exists_takes_an_equal_one_alone() {
    let Some(space) = Space::new("existing_equal") else { return };
    let create = "create mydb -c redis --if-not-exists";
    let first = space.svc(create).ok();
    let again = space.svc(create).ok();
    assert_eq!(again.stdout, first.stdout);
    space.svc(&format!("{create} -p small")).ok();
    let class = space.class("config", &[]);
    let make = format!("create cfg -c {class} --if-not-exists");
    space.svc(&format!("{make} --set count=2")).ok();
    space.svc(&format!("{make} --set count=2")).ok();
    space.svc(&make).ok();
    let said = space.svc(&format!("{make} --set count=3")).ended(1).answers("");
    said.tells(&format!(
        "error: cfg exists already in namespace {}, with other parameters\n  \
         count  2, asked for 3\ntry:\n  svc show cfg  ",
        space.namespace
    ))
    .tells(&format!("  svc create cfg-2 --class {class} --set count=3    make another\n"))
    .tells("  svc update cfg --set count=3  ");
    let records = space.names("secrets --field-selector type=helm.sh/release.v1");
    assert_eq!(records.len(), 2, "{records:?}");
}

#[test]
fn a_release_that_svc_did_not_make() {
    let Some(space) = Space::new("existing_foreign") else { return };
    space.run("\"$SVC_HELM\" install blog \"$CHARTS_DIR/config-0.1.0.tgz\"").ok();
    let namespace = &space.namespace;
    let words =
        format!("error: blog is a Helm release in namespace {namespace} that svc did not make\n");
    let said = space.svc("create blog -c redis").ended(1).answers("").tells(&words);
    said.tells("try: svc create blog-redis --class redis\n");
    space.svc("show blog").ended(3).tells(&words);
    space.svc("delete blog --yes").ended(1).tells(&words);
    space.svc("list -o name").ok().answers("");
    space.run("\"$SVC_HELM\" status blog").ok();
}

#[test]
fn one_whose_record_cannot_be_read() {
    let Some(space) = Space::new("existing_unreadable") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class}")).ok();
    let secret = "sh.helm.release.v1.mydb.v1";
    let patch = |operation: &str| {
        space.run(&format!("kubectl patch secret {secret} --type=json -p '[{operation}]'")).ok();
    };
    let ways = |why: &str| {
        for command in [format!("create mydb -c {class}"), "show mydb".to_owned()] {
            space
                .svc(&command)
                .ended(1)
                .tells(&format!("error: the record of mydb cannot be read: {why}\n"))
                .tells(&format!("kubectl delete secret {secret} -n {}", space.namespace));
        }
    };
    patch(r#"{"op": "replace", "path": "/data/release", "value": "IQ=="}"#);
    ways("it is not base64");
    patch(r#"{"op": "remove", "path": "/data/release"}"#);
    ways("its Secret holds none");
}

#[test]
fn a_secret_that_was_left_with_the_data_is_named() {
    let Some(space) = Space::new("existing_left") else { return };
    let labels = "labels: {app.kubernetes.io/instance: mydb}";
    space.write(
        "left.yaml",
        &format!(
            "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {{name: data-mydb-0, {labels}}}\n\
             spec: {{accessModes: [ReadWriteOnce], resources: {{requests: {{storage: 16Mi}}}}}}\n---\n\
             apiVersion: v1\nkind: Secret\nmetadata: {{name: mydb-auth, {labels}}}\n\
             stringData: {{password: old}}\n"
        ),
    );
    space.run("kubectl apply -f left.yaml").ok();
    space
        .svc("create mydb -c redis")
        .ended(1)
        .tells("error: an earlier mydb left its data in namespace ")
        .tells("  secret  mydb-auth, with password, left as well; it may hold the old password\n");
}
