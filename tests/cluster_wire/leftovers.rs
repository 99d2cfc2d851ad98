//! Volumes: listed, deleted by identity, waited for.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use svc::cluster::{Claim, Found, Owner};
use tokio::time::Instant;

use crate::wire::{cluster, missing, ok, status};

fn claim(uid: &str) -> Value {
    json!({
        "metadata": {"name": "data-mydb-0", "namespace": "team-a", "uid": uid,
            "creationTimestamp": "2030-01-02T03:04:05Z",
            "ownerReferences": [{"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "mydb", "uid": "s"}]},
        "spec": {"volumeName": "pv-1", "storageClassName": "fast",
            "resources": {"requests": {"storage": "8Gi"}}},
        "status": {"phase": "Bound", "capacity": {"storage": "10Gi"}},
    })
}

async fn read(uid: &'static str) -> Claim {
    let (cluster, _) = cluster(move |_| ok(claim(uid)));
    match cluster.claim("team-a", "data-mydb-0").await.unwrap() {
        Found::Here(claim) => claim,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_claim_is_what_svc_calls_a_volume() {
    let (cluster, log) = cluster(|_| ok(json!({"items": [claim("u1")]})));
    let Found::Here(claims) = cluster.claims("team-a", "app=x").await.unwrap() else { panic!() };
    let claim = &claims[0];
    assert_eq!((claim.size.as_deref(), claim.phase.as_str()), (Some("10Gi"), "Bound"));
    assert_eq!(claim.volume.as_deref(), Some("pv-1"));
    assert_eq!(claim.owners, [Owner { kind: "StatefulSet".to_owned(), name: "mydb".to_owned() }]);
    assert_eq!(log.lock().unwrap()[0].query("labelSelector"), Some("app=x"));
}

#[tokio::test]
async fn only_the_claim_that_was_named_is_deleted() {
    let (cluster, log) = cluster(|_| ok(claim("u1")));
    cluster.delete_claim(&read("u1").await).await.unwrap();
    let asked = log.lock().unwrap()[0].clone();
    assert_eq!(asked.method, "DELETE");
    assert_eq!(asked.path, "/api/v1/namespaces/team-a/persistentvolumeclaims/data-mydb-0");
    assert_eq!(asked.body["preconditions"]["uid"], "u1");
}

#[tokio::test]
async fn a_claim_of_the_same_name_is_left_alone() {
    let says = "Precondition failed: UID in precondition: u1, UID in object meta: u2";
    let (replaced, _) = cluster(move |_| status(409, "Conflict", says, json!({"name": "x"})));
    let error = replaced.delete_claim(&read("u1").await).await.unwrap_err();
    assert_eq!(error.message, "could not delete volume data-mydb-0: it changed meanwhile");
    let (gone, _) = cluster(|_| missing("persistentvolumeclaims", "data-mydb-0"));
    gone.delete_claim(&read("u1").await).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn gone_is_waited_for() {
    let claim_ = read("u1").await;
    let asked = AtomicUsize::new(0);
    let (cluster_, _) = cluster(move |_| match asked.fetch_add(1, Ordering::Relaxed) {
        0..3 => ok(claim("u1")),
        _ => missing("persistentvolumeclaims", "data-mydb-0"),
    });
    let deadline = Instant::now() + Duration::from_secs(60);
    assert!(cluster_.claim_gone(&claim_, deadline).await.unwrap());
    let (stays, _) = cluster(|_| ok(claim("u1")));
    let deadline = Instant::now() + Duration::from_secs(5);
    assert!(!stays.claim_gone(&claim_, deadline).await.unwrap());
    assert!(Instant::now() <= deadline);
    let (another, _) = cluster(|_| ok(claim("u2")));
    assert!(another.claim_gone(&claim_, Instant::now()).await.unwrap());
}

#[tokio::test(start_paused = true)]
async fn pods_are_waited_for_too() {
    let asked = AtomicUsize::new(0);
    let (cluster, _) = cluster(move |_| {
        let rows = match asked.fetch_add(1, Ordering::Relaxed) {
            0..2 => {
                json!([{"cells": ["1/1", "Terminating", 0], "object": {"metadata": {"name": "p"}}}])
            }
            _ => json!([]),
        };
        let columns = json!([{"name": "Ready"}, {"name": "Status"}, {"name": "Restarts"}]);
        ok(json!({"kind": "Table", "columnDefinitions": columns, "rows": rows}))
    });
    let deadline = Instant::now() + Duration::from_secs(60);
    assert!(cluster.pods_gone("team-a", "app=x", deadline).await.unwrap());
}
