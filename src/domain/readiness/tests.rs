use k8s_openapi::api::core::v1::Event;
use serde_json::{Value, json};

use super::*;
use crate::domain::class::Connection;
use crate::domain::connection::{Content, Found, SourceState, sources_needed};
use crate::domain::happening::Happening;
use crate::domain::manifest::ManifestObject;
use crate::domain::template::Context;

fn parse<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_900_000_000 + seconds).unwrap()
}

fn set(ready: i32) -> Workload {
    Workload::StatefulSet(parse(json!({
        "metadata": {"name": "mydb-pg", "generation": 2},
        "spec": {"replicas": 1, "selector": {}, "serviceName": "", "template": {}},
        "status": {"observedGeneration": 2, "replicas": 1, "readyReplicas": ready}
    })))
}

fn pod(status: Value) -> Pod {
    parse(json!({
        "metadata": {"name": "mydb-pg-0", "uid": "u1"},
        "spec": {
            "containers": [{"name": "pg", "image": "r.example/a/postgresql:16.2"}],
            "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "data-mydb-pg-0"}}]
        },
        "status": status
    }))
}

fn ready_pod() -> Pod {
    pod(json!({"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}))
}

fn waiting_pod(reason: &str, message: &str) -> Pod {
    pod(json!({"phase": "Pending", "containerStatuses": [{
        "name": "pg", "image": "x", "imageID": "", "ready": false, "restartCount": 0,
        "state": {"waiting": {"reason": reason, "message": message}}}]}))
}

fn event(kind: &str, name: &str, reason: &str, message: &str) -> Happening {
    parse::<Event>(json!({
        "metadata": {"name": "e", "namespace": "team-a"},
        "involvedObject": {"kind": kind, "name": name},
        "reason": reason, "message": message, "lastTimestamp": "2030-01-02T03:04:05Z"
    }))
    .into()
}

fn claim(phase: &str) -> PersistentVolumeClaim {
    parse(json!({
        "metadata": {"name": "data-mydb-pg-0"},
        "spec": {"resources": {"requests": {"storage": "10Gi"}}},
        "status": {"phase": phase}
    }))
}

fn needs() -> Vec<SourceNeed> {
    let connection: Connection = parse(json!({
        "sources": [{"name": "auth", "secret": {"name": "{{ fullname }}", "keys": ["password"]}}],
        "details": []
    }));
    sources_needed(&connection, &Context::new("mydb", "team-a", "pg", "mydb-pg")).unwrap()
}

fn here(key: &str) -> Sources {
    let keys = [(key.to_owned(), b"x".to_vec())].into();
    let found =
        Found { object: "Secret mydb-pg".into(), content: Content::Keys(keys), leaving: None };
    Sources::from([("auth".to_owned(), SourceState::Here(found))])
}

fn complete() -> Snapshot {
    Snapshot {
        workloads: vec![set(1)],
        pods: vec![ready_pod()],
        claims: vec![claim("Bound")],
        needs: needs(),
        sources: here("password"),
        ..Snapshot::default()
    }
}

fn texts(snapshot: &Snapshot) -> Vec<String> {
    survey(snapshot).1.iter().map(ToString::to_string).collect()
}

#[test]
fn all_must_be_there() {
    assert!(survey(&complete()).0);
    assert!(!survey(&Snapshot { workloads: vec![set(0)], ..complete() }).0);
    assert!(!survey(&Snapshot { sources: here("other"), ..complete() }).0);
    assert!(!survey(&Snapshot { sources: Sources::new(), ..complete() }).0);
    assert!(!survey(&Snapshot { pods: vec![waiting_pod("CrashLoopBackOff", "")], ..complete() }).0);
    let missing = Workload::Missing { kind: "Deployment".into(), name: "x".into() };
    assert!(!survey(&Snapshot { workloads: vec![missing], ..complete() }).0);
}

#[test]
fn lines_are_those_of_the_page() {
    let pulling =
        event("Pod", "mydb-pg-0", "Pulling", "Pulling image \"r.example/a/postgresql:16.2\"");
    let snapshot = Snapshot {
        workloads: vec![set(0)],
        pods: vec![waiting_pod("ContainerCreating", "")],
        events: vec![pulling],
        ..complete()
    };
    assert_eq!(
        texts(&snapshot),
        [
            "Pod mydb-pg-0: pulling image postgresql:16.2",
            "StatefulSet mydb-pg: 0 of 1 pods ready",
            "Volume data-mydb-pg-0: bound, 10Gi",
            "Secret mydb-pg: here"
        ]
    );
}

#[test]
fn a_pod_waits_for_its_volume() {
    let snapshot = Snapshot {
        pods: vec![waiting_pod("ContainerCreating", "")],
        claims: vec![claim("Pending")],
        sources: Sources::new(),
        ..complete()
    };
    assert_eq!(
        texts(&snapshot),
        [
            "Pod mydb-pg-0: waiting for its volume",
            "Volume data-mydb-pg-0: waiting for its disk",
            "Secret mydb-pg: not there yet"
        ]
    );
}

#[test]
fn a_running_pod_says_how_often_it_restarted() {
    let running = pod(json!({"phase": "Running", "containerStatuses": [{
        "name": "pg", "image": "x", "imageID": "", "ready": false, "restartCount": 2,
        "state": {"running": {}}}]}));
    let unscheduled = pod(json!({"phase": "Pending", "conditions": [{
        "type": "PodScheduled", "status": "False",
        "message": "0/1 nodes are available: 1 Insufficient memory. preemption: none"}]}));
    let text = |pod: Pod| texts(&Snapshot { pods: vec![pod], ..Snapshot::default() })[0].clone();
    assert_eq!(text(running), "Pod mydb-pg-0: running, not ready, 2 restarts");
    assert_eq!(text(unscheduled), "Pod mydb-pg-0: waiting for a node: Insufficient memory");
    let config = waiting_pod("CreateContainerConfigError", "secret \"x\" not found");
    assert_eq!(text(config), "Pod mydb-pg-0: cannot start: secret \"x\" not found");
}

#[test]
fn a_condition_must_hold() {
    let look = |object: Value| ConditionLook {
        condition: parse(json!({
            "apiVersion": "a/v1", "kind": "Cluster", "name": "x", "type": "Ready"})),
        name: "mydb".into(),
        object: (!object.is_null()).then_some(object),
    };
    let with = |status: &str| {
        json!({"status": {"conditions": [
            {"type": "Ready", "status": status, "message": "1 of 3 up\nmore"}]}})
    };
    assert!(look(with("True")).holds());
    assert_eq!(look(with("False")).line().to_string(), "Cluster mydb: Ready is False: 1 of 3 up");
    assert_eq!(look(json!({})).line().to_string(), "Cluster mydb: Ready is not known yet");
    assert_eq!(look(Value::Null).line().to_string(), "Cluster mydb: not there yet");
    assert!(!survey(&Snapshot { conditions: vec![look(Value::Null)], ..complete() }).0);
}

#[test]
fn rollouts_are_followed_to_their_end() {
    let deployment = |generation: i64, replicas: i32, updated: i32, available: i32| {
        Workload::Deployment(parse(json!({
            "metadata": {"name": "web", "generation": 2},
            "spec": {"replicas": 2, "selector": {}, "template": {}},
            "status": {"observedGeneration": generation, "replicas": replicas,
                       "updatedReplicas": updated, "availableReplicas": available}
        })))
        .missing()
    };
    assert_eq!(deployment(2, 2, 2, 2), None);
    assert_eq!(deployment(1, 2, 2, 2).unwrap(), "not looked at yet");
    assert_eq!(deployment(2, 2, 1, 2).unwrap(), "1 of 2 pods made");
    assert_eq!(deployment(2, 3, 2, 2).unwrap(), "1 old pods still run");
    assert_eq!(deployment(2, 2, 2, 1).unwrap(), "1 of 2 pods ready");
}

#[test]
fn a_stateful_set_renews_its_pods() {
    let set = |strategy: Value, renewed: i32| {
        Workload::StatefulSet(parse(json!({
            "metadata": {"name": "a"},
            "spec": {"replicas": 3, "selector": {}, "serviceName": "", "template": {},
                     "updateStrategy": strategy},
            "status": {"replicas": 3, "readyReplicas": 3, "updatedReplicas": renewed,
                       "currentRevision": "a", "updateRevision": "b"}
        })))
        .missing()
    };
    assert_eq!(set(json!({}), 1).unwrap(), "1 of 3 pods renewed");
    assert_eq!(set(json!({}), 3), None);
    assert_eq!(set(json!({"type": "OnDelete"}), 0), None);
    assert_eq!(set(json!({"rollingUpdate": {"partition": 2}}), 1), None);
}

#[test]
fn jobs_must_end_well() {
    let job = |status: Value| {
        Workload::Job(parse(json!({"metadata": {"name": "j"}, "status": status}))).missing()
    };
    assert_eq!(job(json!({"active": 1})).unwrap(), "running");
    assert_eq!(job(json!({"conditions": [{"type": "Complete", "status": "True"}]})), None);
    assert_eq!(
        job(json!({"conditions": [{"type": "Failed", "status": "True", "message": "limit"}]}))
            .unwrap(),
        "failed: limit"
    );
}

#[test]
fn what_may_not_be_read_is_not_waited_for() {
    let forbidden = SourceState::Forbidden { object: "Secret mydb-pg".into(), verb: "get".into() };
    let sources = Sources::from([("auth".to_owned(), forbidden)]);
    let snapshot = Snapshot { sources, ..complete() };
    assert!(survey(&snapshot).0);
    assert!(texts(&snapshot).contains(&"Secret mydb-pg: not allowed to read it".to_owned()));
}

#[test]
fn a_cause_must_last_before_it_ends_the_waiting() {
    let subject = Subject { instance: "mydb".into(), ..Subject::default() };
    let broken = Snapshot {
        pods: vec![waiting_pod("ErrImagePull", "reading manifest: manifest unknown")],
        ..complete()
    };
    let mut watch = Watch::default();
    let mut look = |snapshot: &Snapshot, seconds| {
        let progress = watch.look(snapshot, &subject, at(seconds));
        matches!(progress.verdict, Verdict::CannotHeal(_))
    };
    assert!(!look(&broken, 0));
    assert!(!look(&broken, 29));
    let pulling = Snapshot { pods: vec![waiting_pod("ContainerCreating", "")], ..complete() };
    assert!(!look(&pulling, 30), "it healed");
    assert!(!look(&broken, 31));
    let backing_off = Snapshot {
        pods: vec![waiting_pod("ImagePullBackOff", "x: manifest unknown")],
        ..complete()
    };
    assert!(look(&backing_off, 61), "the same cause in other words");
    assert!(matches!(watch.look(&complete(), &subject, at(62)).verdict, Verdict::Ready));
}

#[test]
fn six_lines_at_most_are_shown() {
    let snapshot = Snapshot { pods: vec![ready_pod(); 9], ..Snapshot::default() };
    let progress = Watch::default().look(&snapshot, &Subject::default(), at(0));
    assert_eq!(progress.shown().len(), SHOWN_LINES);
    assert_eq!(progress.lines.len(), 9);
}

fn manifest(kind: &str, replicas: Option<i64>) -> ManifestObject {
    let spec = replicas.map_or_else(|| json!({}), |count| json!({"replicas": count}));
    let body = json!({"spec": spec});
    let (name, api_version) = ("mydb-pg".into(), "apps/v1".into());
    ManifestObject { api_version, kind: kind.into(), name, namespace: None, body }
}

fn scaled(replicas: i32) -> Workload {
    Workload::StatefulSet(parse(json!({
        "metadata": {"name": "mydb-pg"},
        "spec": {"replicas": replicas, "selector": {}, "serviceName": "", "template": {}},
        "status": {"replicas": replicas, "readyReplicas": replicas}
    })))
}

#[test]
fn what_was_scaled_to_nothing_by_hand_is_not_ready() {
    let wants = |count| manifest("StatefulSet", count);
    let lack = |workload: Workload, wanted| workload.as_wanted_by(&wants(wanted)).missing();
    assert_eq!(lack(scaled(0), None).unwrap(), "scaled to 0");
    assert_eq!(lack(scaled(0), Some(2)).unwrap(), "scaled to 0");
    assert_eq!(lack(scaled(0), Some(0)), None, "the release wants none");
    assert_eq!(lack(scaled(1), Some(2)), None, "fewer by hand still serve");
    let stopped = scaled(0).as_wanted_by(&wants(None));
    let snapshot = Snapshot { workloads: vec![stopped], pods: Vec::new(), ..complete() };
    assert!(!survey(&snapshot).0);
    assert_eq!(texts(&snapshot)[0], "StatefulSet mydb-pg: scaled to 0");
}

#[test]
fn what_went_for_good_is_told_before_what_may_come() {
    let gone = SourceState::Missing { object: "Secret mydb-pg".into(), ever_here: true };
    let gone = Sources::from([("auth".to_owned(), gone)]);
    let lack = |sources: &Sources| lack(&[set(0)], &needs(), sources, &[]).unwrap();
    let words = |sources: &Sources| (lack(sources).words, lack(sources).for_good);
    assert_eq!(words(&gone), ("Secret mydb-pg is gone".to_owned(), true));
    assert_eq!(words(&here("x")), ("StatefulSet mydb-pg: 0 of 1 pods ready".to_owned(), false));
}

#[test]
fn a_secret_without_a_key_that_must_be_there_is_lacking() {
    let lack = lack(&[], &needs(), &here("other"), &[]).unwrap();
    assert_eq!(lack.words, "Secret mydb-pg has no key password yet, but other");
    let later = SourceState::Missing { object: "Secret mydb-pg".into(), ever_here: false };
    let later = Sources::from([("auth".to_owned(), later)]);
    assert_eq!(
        super::lack(&[], &needs(), &later, &[]).unwrap().words,
        "Secret mydb-pg does not exist yet"
    );
    assert_eq!(super::lack(&[], &needs(), &here("password"), &[]), None);
}

#[test]
fn what_is_being_deleted_is_not_ready() {
    let leaving = json!({"name": "mydb-pg", "deletionTimestamp": "2030-01-02T03:04:05Z",
        "finalizers": ["example.com/backup"]});
    let held = "being deleted, held by finalizer example.com/backup";
    let Workload::StatefulSet(mut dying) = set(1) else { unreachable!() };
    dying.metadata = parse(leaving.clone());
    let lack = lack(&[Workload::StatefulSet(dying)], &[], &Sources::new(), &[]).unwrap();
    assert_eq!((lack.words, lack.for_good), (format!("StatefulSet mydb-pg: {held}"), true));
    let condition = ConditionLook {
        condition: parse(json!({"apiVersion": "x/v1", "kind": "Cluster", "name": "mydb-pg",
            "type": "Ready"})),
        name: "mydb-pg".to_owned(),
        object: Some(json!({"metadata": leaving,
            "status": {"conditions": [{"type": "Ready", "status": "True"}]}})),
    };
    assert!(!condition.holds());
    assert_eq!(condition.line(), Line::new("Cluster mydb-pg", held, Rank::Failing));
}
