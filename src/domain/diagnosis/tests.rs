use k8s_openapi::api::core::v1::{Event, PersistentVolumeClaim, Pod};
use serde_json::{Value, json};

use super::*;
use crate::domain::connection::{Content, Found, SourceState, Sources, sources_needed};
use crate::domain::happening::Happening;
use crate::domain::readiness::Workload;
use crate::domain::template::Context;

mod old_revision;

const NOW: &str = "2030-01-02T03:04:53Z";

fn parse<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

fn subject() -> Subject {
    Subject {
        instance: "mydb".into(),
        namespace: "team-a".into(),
        context: None,
        class: "postgres".into(),
        chart: Some(("postgresql".into(), "16.2.1".into())),
    }
}

fn pod(container: Value) -> Pod {
    parse(json!({
        "metadata": {"name": "mydb-postgresql-0", "uid": "u1"},
        "spec": {
            "containers": [{"name": "pg", "image": "registry.example/postgresql:16.2.1-r3"}],
            "volumes": [{"name": "data",
                         "persistentVolumeClaim": {"claimName": "data-mydb-postgresql-0"}}]
        },
        "status": {"phase": "Pending", "containerStatuses": [container]}
    }))
}

fn container(restarts: i32, state: Value) -> Value {
    json!({"name": "pg", "image": "x", "imageID": "", "ready": false, "restartCount": restarts,
           "state": state})
}

fn event(kind: &str, name: &str, reason: &str, message: &str, count: i32) -> Happening {
    parse::<Event>(json!({
        "metadata": {"name": "e", "namespace": "team-a"},
        "involvedObject": {"kind": kind, "name": name},
        "reason": reason, "message": message, "count": count,
        "firstTimestamp": "2030-01-02T03:04:05Z", "lastTimestamp": "2030-01-02T03:04:45Z"
    }))
    .into()
}

fn set(made: i32) -> Workload {
    Workload::StatefulSet(parse(json!({
        "metadata": {"name": "mydb-postgresql"},
        "spec": {"replicas": 1, "selector": {}, "serviceName": "", "template": {}},
        "status": {"replicas": made}
    })))
}

fn found(snapshot: &Snapshot) -> Option<Cause> {
    find(snapshot, &subject(), NOW.parse().unwrap())
}

/// The error as text: sentence, facts, advice, commands.
fn text(error: &Error) -> String {
    let mut text = format!("{}: {}\n", error.kind.exit_code(), error.message);
    for fact in &error.facts {
        text += &format!("  {}  {}\n", fact.name, fact.value);
    }
    for sentence in &error.advice {
        text += &format!("{sentence}\n");
    }
    for one in &error.tries {
        text += &format!("  svc {}  {}\n", one.command, one.explanation.as_deref().unwrap_or(""));
    }
    text
}

fn said(snapshot: &Snapshot) -> String {
    text(&found(snapshot).unwrap().diagnosis.into_error(&Log::NotRead, &[]))
}

#[test]
fn an_image_that_does_not_exist() {
    let waiting = json!({"waiting": {"reason": "ImagePullBackOff",
        "message": "Back-off pulling image: reading manifest 16.2.1-r3: manifest unknown"}});
    let snapshot = Snapshot {
        pods: vec![pod(container(0, waiting))],
        events: vec![event("Pod", "mydb-postgresql-0", "Pulling", "Pulling image \"x\"", 3)],
        ..Snapshot::default()
    };
    assert_eq!(
        said(&snapshot),
        "1: mydb cannot start: the image of Pod mydb-postgresql-0 does not exist
  image  registry.example/postgresql:16.2.1-r3
  says  manifest unknown (ImagePullBackOff, 3 tries in 48s)
  class  postgres, chart postgresql 16.2.1
The class names this image; its operations team can repair it. mydb stays.
  svc wait mydb  when it is repaired
  svc upgrade mydb  when its class names another
  svc delete mydb  give it up
"
    );
}

#[test]
fn a_registry_that_is_away_is_no_cause() {
    let waiting = json!({"waiting": {"reason": "ErrImagePull",
        "message": "dial tcp: lookup registry.example: no such host"}});
    let snapshot = Snapshot { pods: vec![pod(container(0, waiting))], ..Snapshot::default() };
    assert!(found(&snapshot).is_none());
}

#[test]
fn the_event_says_what_the_back_off_does_not() {
    let waiting = json!({"waiting": {"reason": "ImagePullBackOff",
        "message": "Back-off pulling image \"x\""}});
    let failed = event(
        "Pod",
        "mydb-postgresql-0",
        "Failed",
        "Failed to pull image \"x\": rpc error: code = Unknown desc = 403 Forbidden",
        1,
    );
    let snapshot = Snapshot {
        pods: vec![pod(container(0, waiting))],
        events: vec![failed],
        ..Snapshot::default()
    };
    assert!(said(&snapshot).contains("is refused by its registry"), "{}", said(&snapshot));
}

fn claim(class: Option<&str>) -> PersistentVolumeClaim {
    parse(json!({
        "metadata": {"name": "data-mydb-postgresql-0", "creationTimestamp": "2030-01-02T03:04:22Z"},
        "spec": {"storageClassName": class, "resources": {"requests": {"storage": "10Gi"}}},
        "status": {"phase": "Pending"}
    }))
}

#[test]
fn a_storage_class_that_does_not_exist() {
    let waiting = json!({"waiting": {"reason": "ContainerCreating"}});
    let words = "storageclass.storage.k8s.io \"fast-ssd\" not found";
    let about = |reason: &str, words: &str| {
        event("PersistentVolumeClaim", "data-mydb-postgresql-0", reason, words, 1)
    };
    let snapshot = Snapshot {
        pods: vec![pod(container(0, waiting))],
        claims: vec![claim(Some("fast-ssd"))],
        events: vec![about("ProvisioningFailed", words)],
        ..Snapshot::default()
    };
    assert_eq!(
        said(&snapshot),
        "1: mydb cannot start: no storage class fast-ssd for its volume
  volume  data-mydb-postgresql-0, 10Gi, pending for 31s
  says  storageclass.storage.k8s.io \"fast-ssd\" not found
  pod  mydb-postgresql-0 waits for the volume
The class names this storage class; its operations team can repair it.
  svc wait mydb  when it is repaired
  svc delete mydb  give it up
"
    );
    let waits = vec![about("WaitForFirstConsumer", "waiting for first consumer")];
    assert!(found(&Snapshot { events: waits, ..snapshot.clone() }).is_none());
    let none = "no persistent volumes available for this claim and no storage class is set";
    let unset = Snapshot {
        claims: vec![claim(None)],
        events: vec![about("FailedBinding", none)],
        ..snapshot
    };
    assert!(said(&unset).contains("has no default storage class for its volume"));
}

#[test]
fn a_quota_that_is_used_up() {
    let words = "create Pod mydb-postgresql-0 in StatefulSet mydb-postgresql failed error: pods \
                 \"mydb-postgresql-0\" is forbidden: exceeded quota: team-a, requested: \
                 requests.memory=1Gi, used: requests.memory=7680Mi, limited: requests.memory=8Gi";
    let snapshot = Snapshot {
        workloads: vec![set(0)],
        events: vec![event("StatefulSet", "mydb-postgresql", "FailedCreate", words, 4)],
        ..Snapshot::default()
    };
    assert_eq!(
        said(&snapshot),
        "4: mydb cannot start: quota team-a of namespace team-a is used up
  needs  requests.memory 1Gi
  quota  requests.memory 7680Mi used of 8Gi
  object  StatefulSet mydb-postgresql cannot make its pod
  svc list  what uses the namespace
  svc delete mydb  give it up
  svc wait mydb  after making room
"
    );
    let made = Snapshot { workloads: vec![set(1)], ..snapshot.clone() };
    assert!(found(&made).is_none(), "the pod was made since");
    let other = vec![event("StatefulSet", "other", "FailedCreate", words, 4)];
    assert!(found(&Snapshot { events: other, ..snapshot }).is_none(), "of another instance");
}

#[test]
fn a_policy_that_refuses() {
    let words =
        "create Pod a-0 failed error: admission webhook \"w.example\" denied the request: no";
    let snapshot = Snapshot {
        workloads: vec![set(0)],
        events: vec![event("StatefulSet", "mydb-postgresql", "FailedCreate", words, 1)],
        ..Snapshot::default()
    };
    let text = said(&snapshot);
    assert!(text.starts_with("4: mydb cannot start: an admission webhook of namespace team-a"));
    assert!(
        text.contains("says  admission webhook \"w.example\" denied the request: no"),
        "{text}"
    );
}

#[test]
fn the_log_is_that_of_the_run_that_ended_last() {
    let previous = |state: Value| {
        let mut container = container(5, state);
        container["lastState"] = json!({"terminated": {
            "exitCode": 1, "finishedAt": "2030-01-02T03:04:05Z"}});
        let snapshot = Snapshot { pods: vec![pod(container)], ..Snapshot::default() };
        let log = found(&snapshot).unwrap().diagnosis.log.unwrap();
        matches!(log, LogSource::Container { previous: true, .. })
    };
    assert!(previous(json!({"waiting": {"reason": "CrashLoopBackOff"}})));
    assert!(!previous(json!({"terminated": {"exitCode": 1}})), "the one before is swept away");
}

#[test]
fn a_pod_that_crashes_five_times_ends_at_once() {
    let crashed = |times: i32, finished: &str| {
        let mut container = container(times, json!({"running": {}}));
        container["lastState"] = json!({"terminated": {
            "exitCode": 137, "reason": "OOMKilled", "finishedAt": finished}});
        Snapshot { pods: vec![pod(container)], ..Snapshot::default() }
    };
    let cause = found(&crashed(5, "2030-01-02T03:04:05Z")).unwrap();
    assert_eq!(cause.patience, SignedDuration::ZERO);
    let (pod, container) = ("mydb-postgresql-0".to_owned(), "pg".to_owned());
    assert_eq!(cause.diagnosis.log, Some(LogSource::Container { pod, container, previous: true }));
    let lines: Vec<_> = (1..=7).map(|at| format!("line {at} hunter2")).collect();
    let error = cause.diagnosis.into_error(&Log::Lines(lines), &["hunter2", ""]);
    assert_eq!(error.message, "mydb cannot start: Pod mydb-postgresql-0 crashed 5 times");
    let facts: Vec<_> = error.facts.iter().map(|fact| fact.value.as_str()).collect();
    assert_eq!(
        facts,
        [
            "137, OOMKilled: it needs more memory",
            "line 3 ***",
            "line 4 ***",
            "line 5 ***",
            "line 6 ***",
            "line 7 ***",
            "postgres, chart postgresql 16.2.1"
        ]
    );
    assert!(found(&crashed(4, "2030-01-02T03:04:05Z")).is_none());
    assert!(found(&crashed(9, "2030-01-01T00:00:00Z")).is_none(), "long ago");
}

#[test]
fn a_job_that_failed() {
    let job = Workload::Job(parse(json!({"metadata": {"name": "init"}, "status": {"conditions": [
        {"type": "Failed", "status": "True", "message": "Job has reached the backoff limit"}]}})));
    let snapshot = Snapshot { workloads: vec![job], ..Snapshot::default() };
    assert!(said(&snapshot).contains("Job init failed\n  says  Job has reached the backoff limit"));
}

fn slow() -> Snapshot {
    let connection = parse(json!({
        "sources": [{"name": "auth", "secret": {"name": "mydb-postgresql"}}], "details": []}));
    let needs = sources_needed(&connection, &Context::new("mydb", "team-a", "p", "f")).unwrap();
    let found = Found {
        object: "Secret mydb-postgresql".into(),
        content: Content::Keys([].into()),
        leaving: None,
    };
    let mut slow = pod(container(2, json!({"running": {}})));
    slow.status.as_mut().unwrap().phase = Some("Running".into());
    Snapshot {
        pods: vec![slow],
        events: vec![event(
            "Pod",
            "mydb-postgresql-0",
            "Unhealthy",
            "Readiness probe failed: pg_isready: no response",
            9,
        )],
        needs,
        sources: Sources::from([("auth".to_owned(), SourceState::Here(found))]),
        ..Snapshot::default()
    }
}

#[test]
fn slow_things_run_to_the_deadline() {
    let diagnosis = overdue(&slow(), &subject(), SignedDuration::from_mins(5));
    let lines = vec![
        "database system was shut down at 10:04:11 UTC".to_owned(),
        "startup recovery in progress, 61 % done".to_owned(),
    ];
    assert_eq!(
        text(&diagnosis.into_error(&Log::Lines(lines), &[])),
        "5: mydb is not ready after 5m
  pod  mydb-postgresql-0 runs, not ready, 2 restarts
  probe  readiness: pg_isready: no response
  log  database system was shut down at 10:04:11 UTC
  log  startup recovery in progress, 61 % done
  secret  mydb-postgresql is here
It may still come up: nothing was undone.
  svc wait mydb --timeout 15m  
  svc delete mydb  
"
    );
    let diagnosis = overdue(&slow(), &subject(), SignedDuration::from_mins(5));
    let error = diagnosis.into_error(&Log::NotAllowed, &[]);
    assert_eq!(error.facts[2].value, "not allowed: get pods/log");
}

#[test]
fn wait_says_what_is_least_ready() {
    let waiting = json!({"waiting": {"reason": "ContainerCreating"}});
    let words = "Pulling image \"registry.example/postgresql:16.2\"";
    let snapshot = Snapshot {
        pods: vec![pod(container(0, waiting))],
        events: vec![event("Pod", "mydb-postgresql-0", "Pulling", words, 1)],
        ..Snapshot::default()
    };
    assert_eq!(
        text(&still_waiting(&snapshot, &subject(), SignedDuration::from_secs(10))),
        "5: mydb is not ready after 10s\n  pod  mydb-postgresql-0: pulling image postgresql:16.2\n"
    );
}

#[test]
fn secrets_are_hidden_the_longer_first() {
    assert_eq!(redact("a pass and password", &["pass", "password"]), "a *** and ***");
    assert_eq!(redact("port 54", &["54", ""]), "port ***");
}
