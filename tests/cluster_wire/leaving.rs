//! Objects on their way out: asked for as metadata, waited for while they are.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use svc::cluster::{Kind, Place, Scope};
use tokio::time::Instant;

use crate::wire::{cluster, forbidden, missing, ok};

fn place(plural: &'static str, word: &str) -> Place {
    let (kind, scope) = (Kind::core(plural), Scope::namespace("team-a"));
    Place { kind, scope, word: word.to_owned(), name: "mydb".to_owned() }
}

fn metadata(more: Value) -> Value {
    let mut all = json!({"name": "mydb", "namespace": "team-a"});
    all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({"kind": "PartialObjectMetadata", "metadata": all})
}

fn held() -> Value {
    metadata(json!({"deletionTimestamp": "2030-01-02T03:04:05Z", "finalizers": ["example.com/f"]}))
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(3)
}

#[tokio::test(start_paused = true)]
async fn only_what_is_being_deleted_is_waited_for_and_asked_for_again() {
    let asked = AtomicUsize::new(0);
    let (cluster, log) = cluster(move |seen| match seen.path.rsplit('/').nth(1).unwrap() {
        "services" => ok(metadata(json!({}))),
        "configmaps" => missing("configmaps", "mydb"),
        "endpoints" => forbidden("get", "endpoints"),
        _ if asked.fetch_add(1, Ordering::Relaxed) < 2 => ok(held()),
        _ => missing("secrets", "mydb"),
    });
    let places = [
        place("services", "Service"),
        place("configmaps", "ConfigMap"),
        place("endpoints", "Endpoints"),
        place("secrets", "Secret"),
    ];
    assert_eq!(cluster.objects_gone(&places, soon()).await.unwrap(), []);
    let log = log.lock().unwrap();
    assert_eq!(log.len(), 4 + 2, "the others are known");
    assert!(log.iter().all(|one| one.method == "GET" && one.accept.contains("Metadata")));
}

#[tokio::test(start_paused = true)]
async fn at_the_deadline_it_is_named_with_what_holds_it() {
    let (cluster, _) = cluster(|_| ok(held()));
    let left = cluster.objects_gone(&[place("secrets", "Secret")], soon()).await.unwrap();
    assert_eq!(left[0].to_string(), "Secret mydb, held by finalizer example.com/f");
}

#[tokio::test]
async fn labels_find_what_is_being_deleted_of_the_kinds_that_may_be_listed() {
    let (cluster, log) = cluster(|seen| match seen.path.rsplit('/').next().unwrap() {
        "secrets" => ok(json!({"items": [held(), metadata(json!({}))]})),
        "widgets" => ok(json!({"items": [held()]})),
        "services" => forbidden("list", "services"),
        _ => ok(json!({"items": []})),
    });
    let mut left = cluster.leaving("team-a", "app=mydb").await.unwrap();
    let widgets = Kind::named("example.com", "v1", "widgets");
    left.extend(cluster.leaving_of(&widgets, "Widget", "team-a", "app=mydb").await.unwrap());
    let named: Vec<_> = left.iter().map(|one| one.object.as_str()).collect();
    assert_eq!(named, ["Secret mydb", "Widget mydb"]);
    let log = log.lock().unwrap();
    assert_eq!(log.len(), 6);
    assert!(log.iter().all(|one| one.query("labelSelector") == Some("app=mydb")));
}
