//! Error blocks of interface §2, §3, §5, §6.

use super::reads;
use crate::error::Error;

#[test]
fn wrong_command() {
    reads(
        Error::usage("no command get").try_("show mydb"),
        r#"error: no command get
try: svc show mydb
"#,
    );
}

#[test]
fn catalog() {
    reads(
        Error::not_found("no class postgers in context staging").try_("catalog postgres"),
        r#"error: no class postgers in context staging
try: svc catalog postgres
"#,
    );
    reads(
        Error::failed("class rabbitmq is broken: detail uri: \"pasword\" is not defined")
            .advise("Only its operations team can repair it: svc class lint"),
        r#"error: class rabbitmq is broken: detail uri: "pasword" is not defined
Only its operations team can repair it: svc class lint
"#,
    );
}

#[test]
fn create_without_a_terminal() {
    reads(
        Error::usage("5 parameters to put right for mydb (postgres, plan small)")
            .fact("database", "missing: first database, 1-63 of a-z 0-9 _")
            .fact("storage", "\"50Gi\" is more than 10Gi, the most in plan small")
            .fact("mode", "\"cluster\" is not one of standalone, replication")
            .fact("strage", "no such parameter; did you mean storage?")
            .fact(
                "admin-password",
                "sensitive: not on the command line; leave it out to have it generated, or \
                 use --set-env or --set-file",
            )
            .try_(
                "create mydb --class postgres --plan small --set database=DATABASE --set \
                 storage=10Gi --set mode=standalone",
            )
            .close("All parameters: svc catalog postgres"),
        r#"error: 5 parameters to put right for mydb (postgres, plan small)
  database        missing: first database, 1-63 of a-z 0-9 _
  storage         "50Gi" is more than 10Gi, the most in plan small
  mode            "cluster" is not one of standalone, replication
  strage          no such parameter; did you mean storage?
  admin-password  sensitive: not on the command line; leave it out to
                  have it generated, or use --set-env or --set-file
try:
  svc create mydb --class postgres --plan small --set database=DATABASE \
    --set storage=10Gi --set mode=standalone
All parameters: svc catalog postgres
"#,
    );
    reads(
        Error::usage("create needs a name and a class, and there is no terminal to ask on")
            .try_("create NAME --class CLASS")
            .close("Classes: svc catalog"),
        r#"error: create needs a name and a class, and there is no terminal to ask on
try: svc create NAME --class CLASS
Classes: svc catalog
"#,
    );
    reads(
        Error::usage("\"My_Db\" is not a name: 1-30 of a-z 0-9 -, letter first, no -- inside")
            .try_("create my-db --class postgres"),
        r#"error: "My_Db" is not a name: 1-30 of a-z 0-9 -, letter first, no -- inside
try: svc create my-db --class postgres
"#,
    );
}

#[test]
fn an_equal_instance() {
    reads(
        Error::failed("mydb exists already in namespace team-a")
            .fact("class", "postgres, plan small")
            .fact("state", "ready, made 3d ago")
            .try_for("show mydb", "connect to it")
            .try_for("create mydb-2 --class postgres", "make another")
            .try_for("create mydb -c postgres --if-not-exists", "accept it, in scripts"),
        r#"error: mydb exists already in namespace team-a
  class  postgres, plan small
  state  ready, made 3d ago
try:
  svc show mydb                                  connect to it
  svc create mydb-2 --class postgres             make another
  svc create mydb -c postgres --if-not-exists    accept it, in scripts
"#,
    );
}

#[test]
fn other_parameters() {
    reads(
        Error::failed("mydb exists already in namespace team-a, with other parameters")
            .fact("storage", "10Gi, asked for 5Gi (cannot change after create)"),
        r#"error: mydb exists already in namespace team-a, with other parameters
  storage  10Gi, asked for 5Gi (cannot change after create)
"#,
    );
}

#[test]
fn another_class() {
    reads(
        Error::failed("mydb exists already in namespace team-a, as another class")
            .fact("class", "postgres, plan small")
            .fact("state", "ready, made 3d ago")
            .try_("create mydb-redis --class redis"),
        r#"error: mydb exists already in namespace team-a, as another class
  class  postgres, plan small
  state  ready, made 3d ago
try: svc create mydb-redis --class redis
"#,
    );
}

#[test]
fn a_release_of_others() {
    reads(
        Error::failed("blog is a Helm release in namespace team-a that svc did not make")
            .fact("chart", "wordpress 24.1.0, revision 7")
            .try_("create blog-postgres --class postgres"),
        r#"error: blog is a Helm release in namespace team-a that svc did not make
  chart  wordpress 24.1.0, revision 7
try: svc create blog-postgres --class postgres
"#,
    );
}

#[test]
fn half_made() {
    reads(
        Error::failed("mydb is half made in namespace team-a: its install was cut off 12m ago")
            .fact("release", "pending-install, revision 1, postgres, plan small")
            .fact("volume", "data-mydb-postgresql-0, 10Gi, made by it")
            .try_for("create mydb --retry --reuse-data", "on the same volume")
            .try_for("create mydb --retry --delete-data", "start again, empty")
            .try_for("delete mydb", "remove it, keep the volume"),
        r#"error: mydb is half made in namespace team-a: its install was cut off 12m ago
  release  pending-install, revision 1, postgres, plan small
  volume   data-mydb-postgresql-0, 10Gi, made by it
try:
  svc create mydb --retry --reuse-data     on the same volume
  svc create mydb --retry --delete-data    start again, empty
  svc delete mydb                          remove it, keep the volume
"#,
    );
}

#[test]
fn being_installed() {
    reads(
        Error::failed(
            "mydb is being installed by someone else, until 10:04:11 at most, namespace team-a",
        )
        .try_("wait mydb"),
        r#"error: mydb is being installed by someone else, until 10:04:11 at most,
  namespace team-a
try: svc wait mydb
"#,
    );
}

#[test]
fn data_left_behind() {
    reads(
        Error::failed("an earlier mydb left its data in namespace team-a")
            .fact("volume", "data-mydb-postgresql-0, 10Gi, 12d old")
            .advise("A new instance would have a new password, and the old data keeps the old one.")
            .try_for("create mydb-2 --class postgres --set database=orders", "other name")
            .try_for("create mydb -c postgres --set database=orders --delete-data", "empty")
            .try_for(
                "create mydb -c postgres --set database=orders --reuse-data --set-env \
                 admin-password=OLD_PW",
                "the old data",
            ),
        r#"error: an earlier mydb left its data in namespace team-a
  volume  data-mydb-postgresql-0, 10Gi, 12d old
A new instance would have a new password, and the old data keeps the old one.
try:
  svc create mydb-2 --class postgres --set database=orders    other name
  svc create mydb -c postgres --set database=orders --delete-data    empty
  svc create mydb -c postgres --set database=orders --reuse-data \
    --set-env admin-password=OLD_PW    the old data
"#,
    );
}
