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
    space.svc(&format!("{make} --set count=3")).fails(
        1,
        &format!(
            "error: cfg exists already in namespace {}, with other parameters\n  \
             count  2, asked for 3\n",
            space.namespace
        ),
    );
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
