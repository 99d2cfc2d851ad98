//! Error blocks of interface §7.

use super::reads;
use crate::error::Error;

#[test]
fn no_image() {
    reads(
        Error::failed("mydb cannot start: the image of Pod mydb-postgresql-0 does not exist")
            .fact("image", "registry.example/postgresql:16.2.1-r3")
            .fact("says", "manifest unknown (ImagePullBackOff, 3 tries in 48s)")
            .fact("class", "postgres, chart postgresql 16.2.1")
            .advise("The class names this image; its operations team can repair it. mydb stays.")
            .try_for("wait mydb", "when it is repaired")
            .try_for("upgrade mydb", "when its class names another")
            .try_for("delete mydb", "give it up"),
        r#"error: mydb cannot start: the image of Pod mydb-postgresql-0 does not exist
  image   registry.example/postgresql:16.2.1-r3
  says    manifest unknown (ImagePullBackOff, 3 tries in 48s)
  class   postgres, chart postgresql 16.2.1
The class names this image; its operations team can repair it. mydb stays.
try:
  svc wait mydb       when it is repaired
  svc upgrade mydb    when its class names another
  svc delete mydb     give it up
"#,
    );
}

#[test]
fn no_storage_class() {
    reads(
        Error::failed("mydb cannot start: no storage class fast-ssd for its volume")
            .fact("volume", "data-mydb-postgresql-0, 10Gi, pending for 31s")
            .fact("says", "storageclass.storage.k8s.io \"fast-ssd\" not found")
            .fact("pod", "mydb-postgresql-0 waits for the volume")
            .advise("The class names this storage class; its operations team can repair it.")
            .try_for("wait mydb", "when it is repaired")
            .try_for("delete mydb", "give it up"),
        r#"error: mydb cannot start: no storage class fast-ssd for its volume
  volume  data-mydb-postgresql-0, 10Gi, pending for 31s
  says    storageclass.storage.k8s.io "fast-ssd" not found
  pod     mydb-postgresql-0 waits for the volume
The class names this storage class; its operations team can repair it.
try:
  svc wait mydb      when it is repaired
  svc delete mydb    give it up
"#,
    );
}

#[test]
fn no_quota_left() {
    reads(
        Error::not_allowed("mydb cannot start: quota team-a of namespace team-a is used up")
            .fact("needs", "requests.memory 1Gi")
            .fact("quota", "requests.memory 7680Mi used of 8Gi")
            .fact("object", "StatefulSet mydb-postgresql cannot make its pod")
            .try_for("list", "what uses the namespace")
            .try_for("delete mydb", "give it up")
            .try_for("wait mydb", "after making room"),
        r#"error: mydb cannot start: quota team-a of namespace team-a is used up
  needs   requests.memory 1Gi
  quota   requests.memory 7680Mi used of 8Gi
  object  StatefulSet mydb-postgresql cannot make its pod
try:
  svc list           what uses the namespace
  svc delete mydb    give it up
  svc wait mydb      after making room
"#,
    );
}

#[test]
fn not_ready_in_time() {
    reads(
        Error::not_ready("mydb is not ready after 5m")
            .fact("pod", "mydb-postgresql-0 runs, not ready, 2 restarts")
            .fact("probe", "readiness: pg_isready: no response")
            .fact("log", "database system was shut down at 10:04:11 UTC")
            .fact("log", "startup recovery in progress, 61 % done")
            .fact("secret", "mydb-postgresql is here")
            .advise("It may still come up: nothing was undone.")
            .try_("wait mydb --timeout 15m")
            .try_("delete mydb"),
        r#"error: mydb is not ready after 5m
  pod     mydb-postgresql-0 runs, not ready, 2 restarts
  probe   readiness: pg_isready: no response
  log     database system was shut down at 10:04:11 UTC
  log     startup recovery in progress, 61 % done
  secret  mydb-postgresql is here
It may still come up: nothing was undone.
try:
  svc wait mydb --timeout 15m
  svc delete mydb
"#,
    );
}
