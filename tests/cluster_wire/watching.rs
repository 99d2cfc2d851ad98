//! An instance watched: first picture, changes, refusals, lost connections.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use svc::cluster::{Cluster, ObjectRef, Pick, Snapshot, Wanted, Workload, WorkloadKind};
use svc::error::ErrorKind;
use tokio::time::{Instant, timeout};

use crate::wire::{Answer, Seen, cluster, forbidden, ok, status};

fn wanted() -> Wanted {
    Wanted {
        namespace: "team-a".to_owned(),
        pods: "app.kubernetes.io/instance=mydb".to_owned(),
        workloads: vec![Workload { kind: WorkloadKind::StatefulSet, name: "mydb".to_owned() }],
        secrets: vec![Pick::Name("auth".to_owned())],
        names: vec!["mydb".to_owned()],
        ..Wanted::default()
    }
}

fn list(items: Value) -> Answer {
    ok(json!({"metadata": {"resourceVersion": "7"}, "items": items}))
}

fn change(object: Value) -> Answer {
    Answer::Stuck(format!("{}\n", json!({"type": "MODIFIED", "object": object})))
}

fn pod(phase: &str) -> Value {
    json!({"metadata": {"name": "mydb-0", "namespace": "team-a", "uid": "u", "resourceVersion": "8"},
        "spec": {"containers": [], "volumes": [{"name": "d", "persistentVolumeClaim": {"claimName": "data-mydb-0"}}]},
        "status": {"phase": phase}})
}

fn claim(name: &str) -> Value {
    json!({"metadata": {"name": name, "namespace": "team-a"}})
}

fn event(name: &str, about: &str) -> Value {
    json!({"metadata": {"name": name, "namespace": "team-a"}, "reason": "Pulling", "type": "Normal",
        "involvedObject": {"kind": "Pod", "name": about}})
}

/// A healthy server: a first list of each kind, then silent watches.
fn healthy(asked: &Seen) -> Answer {
    if asked.watches() {
        return Answer::Stuck(String::new());
    }
    match asked.path.rsplit('/').next().unwrap() {
        "pods" => list(json!([pod("Pending")])),
        "persistentvolumeclaims" => list(json!([claim("data-mydb-0"), claim("data-other-0")])),
        "statefulsets" => list(json!([{"metadata": {"name": "mydb", "namespace": "team-a"},
            "spec": {"selector": {}, "template": {}, "serviceName": "x"}}])),
        "secrets" => list(json!([{"metadata": {"name": "auth", "namespace": "team-a"},
            "data": {"password": "cHc=", "empty": ""}}])),
        "events" => list(json!([event("e1", "mydb-0"), event("e2", "other-0")])),
        other => panic!("unexpected {other}"),
    }
}

async fn first(cluster: &Cluster, wanted: Wanted) -> Snapshot {
    let mut watched = cluster.watch(wanted).await.unwrap();
    timeout(Duration::from_secs(10), watched.changed()).await.expect("a picture").unwrap()
}

#[tokio::test(start_paused = true)]
async fn the_first_picture_holds_everything() {
    let (cluster, log) = cluster(healthy);
    let mut watched = cluster.watch(wanted()).await.unwrap();
    let begun = Instant::now();
    let mut picture = watched.changed().await.unwrap();
    assert!(begun.elapsed() < Duration::from_secs(1));
    if picture.events.is_empty() {
        picture = watched.changed().await.unwrap();
    }
    assert_eq!(picture.pods[0].metadata.name.as_deref(), Some("mydb-0"));
    assert_eq!(picture.stateful_sets.len(), 1);
    let claims: Vec<_> = picture.claims.iter().filter_map(|c| c.metadata.name.clone()).collect();
    assert_eq!(claims, ["data-mydb-0"]);
    let keys: Vec<_> = picture.secrets[0].matches[0].keys.iter().map(String::as_str).collect();
    assert_eq!(keys, ["empty", "password"], "an empty value is a value");
    assert_eq!(picture.events.iter().map(|e| e.name.as_str()).collect::<Vec<_>>(), ["mydb-0"]);
    assert!(picture.not_allowed.is_empty() && picture.trouble.is_none());
    let seen = log.lock().unwrap();
    let pods = seen.iter().find(|asked| asked.path.ends_with("/pods")).unwrap();
    assert_eq!(pods.query("labelSelector"), Some("app.kubernetes.io/instance=mydb"));
    let set = seen.iter().find(|asked| asked.path.ends_with("/statefulsets")).unwrap();
    assert_eq!(set.query("fieldSelector"), Some("metadata.name=mydb"));
}

#[tokio::test(start_paused = true)]
async fn a_change_is_told_once() {
    let watches = AtomicUsize::new(0);
    let (cluster, _) =
        cluster(move |asked| match asked.path.ends_with("/pods") && asked.watches() {
            true if watches.fetch_add(1, Ordering::Relaxed) == 0 => change(pod("Running")),
            _ => healthy(asked),
        });
    let mut watched = cluster.watch(wanted()).await.unwrap();
    let phase =
        |picture: &Snapshot| picture.pods[0].status.as_ref().unwrap().phase.clone().unwrap();
    let mut picture = watched.changed().await.unwrap();
    let mut pictures = 1;
    while phase(&picture) == "Pending" {
        let before = Instant::now();
        picture = watched.changed().await.unwrap();
        assert!(before.elapsed() <= Duration::from_millis(250));
        pictures += 1;
    }
    assert!(pictures <= 3, "{pictures}");
    let quiet = timeout(Duration::from_secs(60), watched.changed()).await;
    assert!(quiet.is_err(), "nothing changed, and it was told");
}

#[tokio::test(start_paused = true)]
async fn what_may_not_be_read_is_named_and_asked_once() {
    let (cluster, log) = cluster(|asked| match asked.path.rsplit('/').next().unwrap() {
        "events" => forbidden("list", "events"),
        "persistentvolumeclaims" => forbidden("list", "persistentvolumeclaims"),
        _ => healthy(asked),
    });
    let mut watched = cluster.watch(wanted()).await.unwrap();
    let mut picture = watched.changed().await.unwrap();
    if picture.not_allowed.len() < 2 {
        picture = watched.changed().await.unwrap();
    }
    assert_eq!(picture.not_allowed, ["list persistentvolumeclaims", "list events"]);
    assert_eq!(picture.pods.len(), 1);
    assert!(timeout(Duration::from_secs(100), watched.changed()).await.is_err());
    let events = log.lock().unwrap().iter().filter(|a| a.path.ends_with("/events")).count();
    assert_eq!(events, 1);
}

#[tokio::test(start_paused = true)]
async fn expired_credentials_end_the_watch() {
    let (cluster, _) = cluster(|_| status(401, "Unauthorized", "Unauthorized", json!(null)));
    let mut watched = cluster.watch(wanted()).await.unwrap();
    let error = watched.changed().await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotAllowed);
    assert_eq!(error.message, "credentials of context staging have expired");
}

#[tokio::test(start_paused = true)]
async fn trouble_is_told_and_passes() {
    let lists = AtomicUsize::new(0);
    let (cluster, _) = cluster(move |asked| match asked.path.ends_with("/pods") {
        true if lists.fetch_add(1, Ordering::Relaxed) < 2 => {
            status(500, "InternalError", "etcd has no leader", json!(null))
        }
        _ => healthy(asked),
    });
    let mut watched = cluster.watch(wanted()).await.unwrap();
    let mut picture = watched.changed().await.unwrap();
    assert_eq!(picture.trouble.as_deref(), Some("10.0.0.7:6443 answered 500: etcd has no leader"));
    while picture.trouble.is_some() {
        picture = watched.changed().await.unwrap();
    }
    assert_eq!(picture.pods.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_silent_part_does_not_hold_up_the_rest() {
    let (cluster, _) = cluster(|asked| match asked.path.ends_with("/statefulsets") {
        true => Answer::Silent,
        false => healthy(asked),
    });
    let begun = Instant::now();
    let picture = first(&cluster, wanted()).await;
    assert_eq!((picture.pods.len(), picture.stateful_sets.len()), (1, 0));
    assert_eq!(begun.elapsed().as_secs(), 3);
}

#[tokio::test(start_paused = true)]
async fn custom_resources_are_watched_by_name_where_they_are_served() {
    let (cluster, log) = cluster(|asked| match asked.path.as_str() {
        "/apis/cnpg.io/v1" => ok(json!({"groupVersion": "cnpg.io/v1", "resources": [
            {"name": "clusters", "kind": "Cluster", "namespaced": true, "singularName": "", "verbs": []}]})),
        "/apis/gone.io/v1" => Answer::Text(404, "404 page not found".to_owned()),
        path if path.ends_with("/clusters") && !asked.watches() => list(json!([
            {"apiVersion": "cnpg.io/v1", "kind": "Cluster", "metadata": {"name": "mydb", "namespace": "team-a"},
             "status": {"conditions": [{"type": "Ready", "status": "True"}]}}])),
        _ => healthy(asked),
    });
    let object = |api_version: &str, kind: &str| ObjectRef {
        api_version: api_version.to_owned(),
        kind: kind.to_owned(),
        name: "mydb".to_owned(),
    };
    let objects = vec![object("cnpg.io/v1", "Cluster"), object("gone.io/v1", "Gone")];
    let picture = first(&cluster, Wanted { objects, ..wanted() }).await;
    let found = picture.objects[0].1.as_ref().unwrap();
    assert_eq!(found["status"]["conditions"][0]["type"], "Ready");
    assert!(picture.objects[1].1.is_none());
    let seen = log.lock().unwrap();
    let asked = seen.iter().find(|asked| asked.path.ends_with("/clusters")).unwrap();
    assert_eq!(asked.query("fieldSelector"), Some("metadata.name=mydb"));
}
