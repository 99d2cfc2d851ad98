//! Pods that their StatefulSet does not replace.

use super::*;

/// A pod of the revision `old` that cannot pull its image.
fn stuck(state: Value, restarts: i32) -> Pod {
    let mut pod = pod(container(restarts, state));
    pod.metadata.labels = Some([("controller-revision-hash".into(), "old".into())].into());
    pod.metadata.owner_references = parse(json!([{
        "apiVersion": "apps/v1", "kind": "StatefulSet", "name": "mydb-postgresql", "uid": "s1",
        "controller": true}]));
    pod
}

fn no_image() -> Value {
    json!({"waiting": {"reason": "ImagePullBackOff", "message": "x: manifest unknown"}})
}

/// The StatefulSet that wants `update`, and has looked at generation `observed` of 2.
fn wants(update: &str, observed: i64, strategy: Value) -> Workload {
    Workload::StatefulSet(parse(json!({
        "metadata": {"name": "mydb-postgresql", "generation": 2},
        "spec": {"replicas": 1, "selector": {}, "serviceName": "", "template": {},
                 "updateStrategy": strategy},
        "status": {"replicas": 1, "observedGeneration": observed, "currentRevision": "old",
                   "updateRevision": update}
    })))
}

fn with(pod: Pod, set: Workload) -> Snapshot {
    Snapshot { pods: vec![pod], workloads: vec![set], ..Snapshot::default() }
}

#[test]
fn the_class_is_not_blamed_again_for_a_pod_of_an_older_revision() {
    let snapshot = with(stuck(no_image(), 0), wants("new", 2, json!({})));
    let error = found(&snapshot).unwrap().diagnosis.into_error(&Log::NotRead, &[]);
    assert_eq!(
        error.message,
        "mydb cannot start: Pod mydb-postgresql-0 is of an older revision and not replaced"
    );
    let facts: Vec<_> = error.facts.iter().map(|fact| (&*fact.name, &*fact.value)).collect();
    assert_eq!(
        facts,
        [
            ("image", "registry.example/postgresql:16.2.1-r3"),
            ("says", "manifest unknown (ImagePullBackOff)"),
            ("revision", "older than StatefulSet mydb-postgresql wants now"),
        ]
    );
    assert_eq!(
        error.advice,
        [
            "A StatefulSet replaces a pod only once it is ready; one that never is has to be deleted by hand."
        ]
    );
    let tries: Vec<_> =
        error.tries.iter().map(|one| (&*one.command, one.explanation.as_deref())).collect();
    assert_eq!(
        tries,
        [
            ("kubectl delete pod mydb-postgresql-0 -n team-a", Some("a new one is made")),
            ("wait mydb", Some("after that")),
        ]
    );
}

#[test]
fn a_pod_that_crashes_is_told_so_too() {
    let mut crashed = container(5, json!({"waiting": {"reason": "CrashLoopBackOff"}}));
    crashed["lastState"] =
        json!({"terminated": {"exitCode": 1, "finishedAt": "2030-01-02T03:04:05Z"}});
    let mut pod = stuck(no_image(), 0);
    pod.status.as_mut().unwrap().container_statuses = parse(json!([crashed]));
    let cause = found(&with(pod, wants("new", 2, json!({})))).unwrap();
    assert!(cause.patience >= PATIENCE, "the StatefulSet may be about to replace it");
    let error = cause.diagnosis.into_error(&Log::Lines(vec!["no such table".into()]), &[]);
    assert!(error.message.ends_with("is of an older revision and not replaced"), "{error}");
    let names: Vec<_> = error.facts.iter().map(|fact| fact.name.as_str()).collect();
    assert_eq!(names, ["exit", "log", "revision"]);
}

#[test]
fn only_a_revision_that_is_wanted_and_known_is_newer() {
    let told = |update: &str, observed: i64, strategy: Value| {
        let snapshot = with(stuck(no_image(), 0), wants(update, observed, strategy));
        said(&snapshot).contains("older revision")
    };
    assert!(!told("old", 2, json!({})));
    assert!(!told("new", 1, json!({})), "not looked at yet");
    assert!(told("new", 2, json!({"type": "OnDelete"})));
    let kept = |partition: i32| json!({"rollingUpdate": {"partition": partition}});
    assert!(told("new", 2, kept(0)));
    assert!(!told("new", 2, kept(1)), "this pod keeps its revision");
    let mut other = stuck(no_image(), 0);
    other.metadata.owner_references.as_mut().unwrap()[0].name = "other".into();
    assert!(!said(&with(other, wants("new", 2, json!({})))).contains("older revision"));
}

#[test]
fn a_pod_that_only_the_deadline_ends_is_told_so_too() {
    let pod = stuck(json!({"waiting": {"reason": "ContainerCreating"}}), 0);
    let snapshot = with(pod, wants("new", 2, json!({})));
    let minutes = SignedDuration::from_mins(5);
    let late = overdue(&snapshot, &subject(), minutes).into_error(&Log::NotRead, &[]);
    let brief = still_waiting(&snapshot, &subject(), minutes);
    for error in [late, brief] {
        assert_eq!(error.message, "mydb is not ready after 5m");
        let has = |value: &str| error.facts.iter().any(|fact| fact.value == value);
        assert!(has("older than StatefulSet mydb-postgresql wants now"), "{:?}", error.facts);
        assert_eq!(error.tries[0].command, "kubectl delete pod mydb-postgresql-0 -n team-a");
    }
}

#[test]
fn the_place_of_the_pod_is_named() {
    let subject = Subject { context: Some("my staging".into()), ..subject() };
    let snapshot = with(stuck(no_image(), 0), wants("new", 2, json!({})));
    let cause = find(&snapshot, &subject, NOW.parse().unwrap()).unwrap();
    let error = cause.diagnosis.into_error(&Log::NotRead, &[]);
    let command = "kubectl delete pod mydb-postgresql-0 -n team-a --context 'my staging'";
    assert_eq!(error.tries[0].command, command);
}
