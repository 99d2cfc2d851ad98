//! Secrets, config maps, records, objects of other kinds, logs and events.

use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use svc::cluster::{Found, NamespaceState, Pick};
use svc::error::ErrorKind;

use crate::wire::{Answer, cluster, ok, status};

fn here<T>(found: Found<T>) -> T {
    match found {
        Found::Here(found) => found,
        Found::Missing => panic!("missing"),
        Found::Forbidden(error) => panic!("{error}"),
    }
}

fn secret(name: &str) -> Value {
    json!({"metadata": {"name": name, "namespace": "team-a"}, "type": "Opaque",
        "data": {"password": "cHcK", "raw": "/wA="}})
}

#[tokio::test]
async fn keys_are_bytes() {
    let (cluster, log) = cluster(|_| ok(secret("auth")));
    let found = here(cluster.secret("team-a", &Pick::Name("auth".to_owned())).await.unwrap());
    assert_eq!(found.reveal("password"), Some(&b"pw\n"[..]));
    assert_eq!(found.reveal("raw"), Some(&[0xff, 0][..]));
    assert_eq!(found.reveal("user"), None);
    assert_eq!(found.keys().collect::<Vec<_>>(), ["password", "raw"]);
    assert_eq!(log.lock().unwrap()[0].path, "/api/v1/namespaces/team-a/secrets/auth");
}

#[tokio::test]
async fn config_maps_hold_text_and_bytes() {
    let map = json!({"metadata": {"name": "m"}, "data": {"a": "x"}, "binaryData": {"b": "/wA="}});
    let (cluster, _) = cluster(move |_| ok(map.clone()));
    let found = here(cluster.config_map("team-a", &Pick::Name("m".to_owned())).await.unwrap());
    assert_eq!((found.reveal("a"), found.reveal("b")), (Some(&b"x"[..]), Some(&[0xff, 0][..])));
}

#[tokio::test]
async fn a_selector_must_choose_exactly_one() {
    let pick = Pick::Selector("app=x".to_owned());
    for (names, expected) in [(vec![], "missing"), (vec!["a"], "a"), (vec!["a", "b"], "error")] {
        let items: Vec<_> = names.iter().map(|name| secret(name)).collect();
        let (cluster, log) = cluster(move |_| ok(json!({"items": items})));
        let word = match cluster.secret("team-a", &pick).await {
            Ok(Found::Here(found)) => found.name,
            Ok(_) => "missing".to_owned(),
            Err(error) => {
                assert_eq!(error.message, "app=x chooses more than one Secret: a, b");
                "error".to_owned()
            }
        };
        assert_eq!(word, expected);
        assert_eq!(log.lock().unwrap()[0].query("labelSelector"), Some("app=x"));
    }
}

#[tokio::test]
async fn a_record_is_what_helm_stored() {
    let (cluster, log) = cluster(|_| ok(json!({"metadata": {}, "data": {"release": "SDRzSUFB"}})));
    let record = here(cluster.release_record("team-a", "mydb", 3).await.unwrap());
    assert_eq!(record.expose_secret(), b"H4sIAA");
    let path = "/api/v1/namespaces/team-a/secrets/sh.helm.release.v1.mydb.v3";
    assert_eq!(log.lock().unwrap()[0].path, path);
}

#[tokio::test]
async fn other_kinds_are_discovered() {
    let (cluster, _) = cluster(|asked| match asked.path.as_str() {
        "/apis/postgresql.cnpg.io/v1" => {
            ok(json!({"groupVersion": "postgresql.cnpg.io/v1", "resources": [
            {"name": "clusters/status", "kind": "Cluster", "namespaced": true, "singularName": "", "verbs": []},
            {"name": "clusters", "kind": "Cluster", "namespaced": true, "singularName": "", "verbs": []}]}))
        }
        "/apis/postgresql.cnpg.io" => ok(json!({"name": "postgresql.cnpg.io",
            "versions": [{"groupVersion": "postgresql.cnpg.io/v1", "version": "v1"}]})),
        "/apis/postgresql.cnpg.io/v1/namespaces/team-a/clusters/mydb" => ok(json!({"status": {}})),
        _ => Answer::Text(404, "404 page not found".to_owned()),
    });
    let found = cluster.object("postgresql.cnpg.io/v1", "Cluster", "team-a", "mydb").await.unwrap();
    assert_eq!(here(found), json!({"status": {}}));
    let other = cluster.object("gone.io/v1", "Gone", "team-a", "mydb").await.unwrap();
    assert!(matches!(other, Found::Missing));
    assert!(cluster.serves("postgresql.cnpg.io", "clusters").await.unwrap());
    assert!(!cluster.serves("postgresql.cnpg.io", "poolers").await.unwrap());
    assert!(!cluster.serves("gone.io", "things").await.unwrap());
}

#[tokio::test]
async fn a_namespace_that_is_going_away_is_told() {
    let (cluster, _) = cluster(|asked| match asked.path.as_str() {
        "/api/v1/namespaces/going" => {
            ok(json!({"metadata": {"name": "going", "deletionTimestamp": "2030-01-02T03:04:05Z"}}))
        }
        _ => ok(json!({"metadata": {"name": "team-a"}})),
    });
    let state = cluster.namespace_state("going").await.unwrap();
    assert_eq!(here(state), NamespaceState::Terminating);
    assert_eq!(here(cluster.namespace_state("team-a").await.unwrap()), NamespaceState::Active);
    let error = cluster.no_namespace("team-x");
    assert_eq!(error.message, "no namespace team-x in context staging");
    assert_eq!((error.kind, error.tries[0].command.as_str()), (ErrorKind::NotFound, "list -A"));
}

#[tokio::test]
async fn of_a_log_the_last_lines() {
    let (cluster, log) = cluster(|_| Answer::Text(200, "one\ntwo\nthree\n".to_owned()));
    let lines = here(cluster.log_tail("team-a", "p", Some("main"), true, 2).await.unwrap());
    assert_eq!(lines, ["two", "three"]);
    let asked = log.lock().unwrap()[0].clone();
    assert_eq!(asked.path, "/api/v1/namespaces/team-a/pods/p/log");
    assert_eq!((asked.query("tailLines"), asked.query("previous")), (Some("2"), Some("true")));
}

#[tokio::test]
async fn a_container_that_has_not_started_has_no_log() {
    let says = "container \"main\" in pod \"p\" is waiting to start: ContainerCreating";
    let (cluster, _) = cluster(move |_| status(400, "BadRequest", says, json!(null)));
    let log = cluster.log_tail("team-a", "p", Some("main"), false, 5).await.unwrap();
    assert!(matches!(log, Found::Missing));
}

#[tokio::test]
async fn events_of_one_object_the_latest_last() {
    let event = |reason: &str, last: &str| {
        json!({"metadata": {"name": reason}, "involvedObject": {"kind": "Pod", "name": "p"},
            "reason": reason, "type": "Warning", "lastTimestamp": last})
    };
    let items = json!([event("B", "2030-01-02T03:05:00Z"), event("A", "2030-01-02T03:04:00Z")]);
    let (cluster, log) = cluster(move |_| ok(json!({"items": items})));
    let events = here(cluster.events_of("team-a", "Pod", "p").await.unwrap());
    assert_eq!(events.iter().map(|e| e.reason.as_str()).collect::<Vec<_>>(), ["A", "B"]);
    let fields = "involvedObject.kind=Pod,involvedObject.name=p";
    assert_eq!(log.lock().unwrap()[0].query("fieldSelector"), Some(fields));
}

#[tokio::test]
async fn the_keys_of_a_config_map_are_read_without_its_content() {
    let fields = json!({"f:binaryData": {".": {}, "f:a.tgz": {}}, "f:data": {"f:b": {}}});
    let (server, log) = cluster(move |_| {
        ok(json!({"metadata": {"name": "charts", "managedFields": [{"fieldsV1": fields}]}}))
    });
    let keys = here(server.config_map_keys("team-a", "charts").await.unwrap());
    assert_eq!(keys.iter().map(String::as_str).collect::<Vec<_>>(), ["a.tgz", "b"]);
    let asked = log.lock().unwrap().clone();
    assert_eq!(asked.len(), 1);
    assert!(asked[0].accept.contains("PartialObjectMetadata"), "{}", asked[0].accept);
    let (server, _) = cluster(|asked| match asked.accept.contains("PartialObjectMetadata") {
        true => ok(json!({"metadata": {"name": "charts"}})),
        false => ok(json!({"metadata": {"name": "charts"}, "binaryData": {"a.tgz": "/wA="}})),
    });
    let keys = here(server.config_map_keys("team-a", "charts").await.unwrap());
    assert_eq!(keys.len(), 1, "nobody wrote down who set what");
}

#[tokio::test]
async fn a_log_that_the_node_has_swept_away_is_none() {
    let words = "unable to retrieve container logs for containerd://3987773d";
    let (cluster, _) = cluster(move |_| Answer::Text(200, words.to_owned()));
    let found = cluster.log_tail("team-a", "mydb-0", Some("pg"), true, 5).await.unwrap();
    assert!(matches!(found, Found::Missing));
}
