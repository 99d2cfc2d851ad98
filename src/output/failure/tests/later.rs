//! Error blocks of interface §9, §10, §11, §12.

use super::reads;
use crate::error::Error;

#[test]
fn show() {
    reads(
        Error::not_found(
            "mydb has no detail pasword; it has host, port, username, password, database, uri",
        ),
        r#"error: mydb has no detail pasword; it has host, port, username, password,
  database, uri
"#,
    );
    reads(
        Error::not_ready("mydb has no password yet: Secret mydb-postgresql does not exist")
            .try_("wait mydb && svc show mydb -o env"),
        r#"error: mydb has no password yet: Secret mydb-postgresql does not exist
try: svc wait mydb && svc show mydb -o env
"#,
    );
    reads(
        Error::failed("Secret mydb-postgresql of mydb is gone from namespace team-a").advise(
            "The database still has its old password; only a copy of the Secret or the \
                 operations team can bring it back.",
        ),
        r#"error: Secret mydb-postgresql of mydb is gone from namespace team-a
The database still has its old password; only a copy of the Secret or the
operations team can bring it back.
"#,
    );
    reads(
        Error::not_allowed("not allowed to read Secret mydb-postgresql in namespace team-a")
            .fact("missing", "get secrets")
            .try_("doctor"),
        r#"error: not allowed to read Secret mydb-postgresql in namespace team-a
  missing  get secrets
try: svc doctor
"#,
    );
    reads(
        Error::not_found("no instance nodb in namespace team-a, context staging").try_("list -A"),
        r#"error: no instance nodb in namespace team-a, context staging
try: svc list -A
"#,
    );
}

#[test]
fn update_upgrade_wait() {
    reads(
        Error::usage("storage of mydb cannot change after create; it is 10Gi").try_for(
            "create mydb-2 --class postgres --plan medium --set database=orders --set storage=20Gi",
            "a bigger one beside it, then move the data",
        ),
        r#"error: storage of mydb cannot change after create; it is 10Gi
try:
  svc create mydb-2 --class postgres --plan medium --set database=orders \
    --set storage=20Gi    a bigger one beside it, then move the data
"#,
    );
    reads(
        Error::usage("upgrade needs --yes without a terminal")
            .try_for("upgrade mydb --dry-run", "the difference")
            .try_("upgrade mydb --yes"),
        r#"error: upgrade needs --yes without a terminal
try:
  svc upgrade mydb --dry-run    the difference
  svc upgrade mydb --yes
"#,
    );
    reads(
        Error::usage("1 parameter to put right for api-db (postgres, plan medium)")
            .fact("owner", "missing, new in the class: team to tell, 1-20 of a-z -")
            .try_("upgrade api-db --yes --set owner=OWNER"),
        r#"error: 1 parameter to put right for api-db (postgres, plan medium)
  owner  missing, new in the class: team to tell, 1-20 of a-z -
try: svc upgrade api-db --yes --set owner=OWNER
"#,
    );
    reads(
        Error::not_ready("mydb is not ready after 10s")
            .fact("pod", "mydb-postgresql-0: pulling image postgresql:16.2"),
        r#"error: mydb is not ready after 10s
  pod  mydb-postgresql-0: pulling image postgresql:16.2
"#,
    );
}

#[test]
fn delete() {
    reads(
        Error::usage("delete needs --yes without a terminal")
            .fact("goes", "release mydb, 2 pods, Service and Secret mydb-postgresql")
            .fact("stays", "volume data-mydb-postgresql-0, 10Gi, with the data")
            .try_("delete mydb --yes"),
        r#"error: delete needs --yes without a terminal
  goes   release mydb, 2 pods, Service and Secret mydb-postgresql
  stays  volume data-mydb-postgresql-0, 10Gi, with the data
try: svc delete mydb --yes
"#,
    );
    reads(
        Error::not_allowed("prod-db is protected by its class postgres-ha")
            .try_for("delete prod-db --force", "if it really has to go"),
        r#"error: prod-db is protected by its class postgres-ha
try: svc delete prod-db --force    if it really has to go
"#,
    );
    reads(
        Error::failed("mydb has 2 bindings: api, worker")
            .fact("api", "made 3d ago")
            .fact("worker", "made 1h ago")
            .try_("unbind mydb/api mydb/worker")
            .try_for("delete mydb --unbind", "both in one step"),
        r#"error: mydb has 2 bindings: api, worker
  api     made 3d ago
  worker  made 1h ago
try:
  svc unbind mydb/api mydb/worker
  svc delete mydb --unbind    both in one step
"#,
    );
    reads(
        Error::not_found("no instance nodb in namespace team-a, context staging"),
        r#"error: no instance nodb in namespace team-a, context staging
"#,
    );
}

#[test]
fn bindings_and_connect() {
    reads(
        Error::failed("class redis has no bindings; cache has one set of credentials")
            .try_("show cache"),
        r#"error: class redis has no bindings; cache has one set of credentials
try: svc show cache
"#,
    );
    reads(
        Error::not_ready("mydb is starting; there is nothing to connect to yet")
            .try_("wait mydb && svc connect mydb"),
        r#"error: mydb is starting; there is nothing to connect to yet
try: svc wait mydb && svc connect mydb
"#,
    );
}
