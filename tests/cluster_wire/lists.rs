//! Lists: pages, scopes, and the classes that nobody may hide.

use serde_json::{Value, json};
use svc::cluster::{Scope, Skipped};
use svc::domain::instance::Status;
use svc::error::ErrorKind;

use crate::wire::{Answer, Seen, cluster, forbidden, ok, status};

fn secret(namespace: &str, name: &str, number: u32, state: &str) -> Value {
    json!({"metadata": {
        "name": format!("sh.helm.release.v1.{name}.v{number}"), "namespace": namespace,
        "creationTimestamp": "2030-01-02T03:04:05Z",
        "labels": {"owner": "helm", "name": name, "status": state, "svc-cli.dev/class": "postgres"},
        "managedFields": [{"manager": "helm"}],
    }})
}

fn page(items: Value, next: &str) -> Answer {
    ok(json!({"metadata": {"continue": next, "resourceVersion": "7"}, "items": items}))
}

fn expired() -> Answer {
    status(410, "Expired", "The provided continue parameter is too old", json!(null))
}

#[tokio::test]
async fn revisions_are_metadata_of_helms_secrets() {
    let (cluster, log) = cluster(|_| page(json!([secret("team-a", "mydb", 2, "deployed")]), ""));
    let scope = Scope::namespace("team-a");
    let found = cluster.revisions(scope, "svc-cli.dev/class in (postgres,redis)").await.unwrap();
    let revision = &found.items[0];
    assert_eq!((revision.name.as_str(), revision.number), ("mydb", 2));
    assert_eq!((revision.namespace.as_str(), revision.status), ("team-a", Status::Deployed));
    assert_eq!(revision.created.to_string(), "2030-01-02T03:04:05Z");
    let asked = log.lock().unwrap()[0].clone();
    assert_eq!(asked.path, "/api/v1/namespaces/team-a/secrets");
    let selector = "owner=helm,svc-cli.dev/class,svc-cli.dev/class in (postgres,redis)";
    assert_eq!(asked.query("labelSelector"), Some(selector));
    assert_eq!(asked.query("fieldSelector"), Some("type=helm.sh/release.v1"));
    assert_eq!(asked.query("limit"), Some("500"));
    assert!(asked.accept.contains("as=PartialObjectMetadataList"), "{}", asked.accept);
}

#[tokio::test]
async fn a_name_is_looked_up_among_all_releases() {
    let both = || {
        json!([secret("team-a", "blog", 1, "superseded"), secret("team-a", "blog", 10, "deployed")])
    };
    let (cluster, log) = cluster(move |_| page(both(), ""));
    let numbers: Vec<_> =
        cluster.revisions_of("team-a", "blog").await.unwrap().iter().map(|r| r.number).collect();
    assert_eq!(numbers, [10, 1]);
    assert_eq!(log.lock().unwrap()[0].query("labelSelector"), Some("owner=helm,name=blog"));
}

#[tokio::test]
async fn pages_are_followed() {
    let (cluster, log) = cluster(|asked| match asked.query("continue") {
        None => page(json!([secret("a", "one", 1, "deployed")]), "t/1=&"),
        Some("t/1=&") => page(json!([secret("b", "two", 1, "failed")]), ""),
        other => panic!("unexpected token {other:?}"),
    });
    let found = cluster.revisions(Scope::All, "").await.unwrap();
    assert_eq!(found.items.len(), 2);
    assert_eq!(log.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn an_expired_token_begins_the_list_again() {
    let tries = std::sync::atomic::AtomicUsize::new(0);
    let (cluster, log) = cluster(move |asked| match asked.query("continue") {
        None => page(json!([secret("a", "one", 1, "deployed")]), "old"),
        Some(_) if tries.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 0 => expired(),
        Some(_) => page(json!([secret("b", "two", 1, "deployed")]), ""),
    });
    let found = cluster.revisions(Scope::All, "").await.unwrap();
    let names: Vec<_> = found.items.iter().map(|revision| revision.name.as_str()).collect();
    assert_eq!(names, ["one", "two"]);
    assert_eq!(log.lock().unwrap().len(), 4);
}

#[tokio::test]
async fn tokens_that_always_expire_end_the_list() {
    let (cluster, log) = cluster(|asked| match asked.query("continue") {
        None => page(json!([]), "old"),
        Some(_) => expired(),
    });
    assert!(cluster.revisions(Scope::All, "").await.is_err());
    assert_eq!(log.lock().unwrap().len(), 6);
}

fn only_team_a(asked: &Seen) -> Answer {
    match asked.path.as_str() {
        "/api/v1/namespaces" => {
            let names =
                ["team-a", "billing", "team-b"].map(|name| json!({"metadata": {"name": name}}));
            page(json!(names), "")
        }
        "/api/v1/namespaces/team-a/secrets" => {
            page(json!([secret("team-a", "a", 1, "deployed")]), "")
        }
        "/api/v1/namespaces/team-b/secrets" => page(json!([]), ""),
        _ => forbidden("list", "secrets"),
    }
}

#[tokio::test]
async fn where_the_whole_is_forbidden_each_namespace_is_asked() {
    let (cluster, _) = cluster(only_team_a);
    let found = cluster.revisions(Scope::All, "").await.unwrap();
    assert_eq!((found.items.len(), found.namespaces), (1, 3));
    let reason = "list secrets is not allowed".to_owned();
    assert_eq!(found.skipped, [Skipped { namespace: "billing".to_owned(), reason }]);
}

#[tokio::test]
async fn without_any_namespace_it_is_exit_4() {
    let names = || page(json!([{"metadata": {"name": "billing"}}]), "");
    let (none, _) = cluster(move |asked| match asked.path.as_str() {
        "/api/v1/namespaces" => names(),
        _ => forbidden("list", "secrets"),
    });
    let error = none.revisions(Scope::All, "").await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotAllowed);
    assert!(error.message.ends_with(" in the one namespace there is"), "{}", error.message);
    let (neither, _) = cluster(|_| forbidden("list", "secrets"));
    let error = neither.revisions(Scope::All, "").await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotAllowed);
    assert_eq!(error.tries[0].command, "list -n NAMESPACE");
    let facts: Vec<_> = error.facts.iter().map(|fact| fact.name.as_str()).collect();
    assert_eq!(facts, ["missing", "missing", "user"]);
    assert_eq!(error.facts[1].value, "list namespaces, cluster-wide");
}

#[tokio::test]
async fn a_broken_server_is_not_taken_for_an_empty_namespace() {
    let (cluster, _) = cluster(|asked| match asked.path.as_str() {
        "/api/v1/namespaces/team-b/secrets" => status(500, "InternalError", "no", json!(null)),
        _ => only_team_a(asked),
    });
    assert_eq!(cluster.revisions(Scope::All, "").await.unwrap_err().kind, ErrorKind::Failed);
}

#[tokio::test]
async fn pods_are_the_servers_own_table() {
    let (cluster, log) = cluster(|_| {
        ok(json!({"kind": "Table", "metadata": {},
            "columnDefinitions": [{"name": "Name"}, {"name": "Ready"}, {"name": "Status"}, {"name": "Restarts"}],
            "rows": [{"cells": ["p", "0/1", "CrashLoopBackOff", "14 (2m ago)"], "object": {"metadata":
                {"name": "p", "namespace": "team-a", "labels": {"a": "b"}}}}]}))
    });
    let pods = cluster.pods(Scope::namespace("team-a"), "a=b").await.unwrap();
    let pod = &pods.items[0];
    assert_eq!((pod.status.as_str(), pod.ready, pod.restarts), ("CrashLoopBackOff", (0, 1), 14));
    let asked = log.lock().unwrap()[0].clone();
    assert!(asked.accept.contains("as=Table"), "{}", asked.accept);
    assert_eq!(asked.query("includeObject"), Some("Metadata"));
}

#[tokio::test]
async fn classes_come_raw_and_none_hides_another() {
    let (cluster, log) = cluster(|_| {
        page(
            json!([{"metadata": {"name": "bad", "managedFields": []}, "spec": 7},
            {"metadata": {"name": "good"}, "spec": {}}]),
            "",
        )
    });
    let classes = cluster.classes("tier=dev").await.unwrap();
    assert_eq!(classes[0], json!({"metadata": {"name": "bad"}, "spec": 7}));
    assert_eq!(classes[1]["metadata"]["name"], "good");
    let asked = log.lock().unwrap()[0].clone();
    assert_eq!(asked.path, "/apis/svc-cli.dev/v1alpha1/serviceclasses");
    assert_eq!(asked.query("labelSelector"), Some("tier=dev"));
}
