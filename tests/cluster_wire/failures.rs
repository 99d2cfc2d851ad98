//! The table of errors, from the server's answer to what a person reads.

use std::time::Duration;

use serde_json::json;
use svc::cluster::{Cluster, Found, Pick, Scope};
use svc::error::{Error, ErrorKind};
use tokio::time::Instant;

use crate::wire::{Answer, cluster, forbidden, missing, status, told};

async fn list_error(answer: impl Fn() -> Answer + Send + 'static) -> Error {
    let (cluster, _) = cluster(move |_| answer());
    cluster.revisions(Scope::namespace("team-a"), "").await.unwrap_err()
}

#[tokio::test]
async fn expired_credentials() {
    let error = list_error(|| status(401, "Unauthorized", "Unauthorized", json!(null))).await;
    assert_eq!(error.kind, ErrorKind::NotAllowed);
    let lines = [
        "credentials of context staging have expired",
        "server: 10.0.0.7:6443 answered 401",
        "user: dev-1, token from the kubeconfig",
        "Log in again the way you got this kubeconfig.",
    ];
    assert_eq!(told(&error), lines);
}

#[tokio::test]
async fn a_missing_right_names_verb_resource_scope_and_user() {
    let (cluster, _) = cluster(|_| forbidden("list", "serviceclasses.svc-cli.dev"));
    let error = cluster.classes("").await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotAllowed);
    let lines = [
        "not allowed to list the catalog",
        "missing: list serviceclasses.svc-cli.dev, cluster-wide",
        "user: dev-1, context staging",
        "try: doctor --rbac",
    ];
    assert_eq!(told(&error), lines);
}

#[tokio::test]
async fn what_admission_says_is_kept() {
    let says = "admission webhook \"x\" denied the request: no";
    let error = list_error(move || status(403, "Forbidden", says, json!(null))).await;
    assert_eq!(error.kind, ErrorKind::NotAllowed);
    assert_eq!(told(&error)[1], format!("says: {says}"));
}

#[tokio::test]
async fn without_the_kind_there_is_no_catalog() {
    let page = || Answer::Text(404, "404 page not found\n".to_owned());
    for one in [true, false] {
        let (cluster, _) = cluster(move |_| page());
        let error = match one {
            true => cluster.class("postgres").await.map(|_| ()).unwrap_err(),
            false => cluster.classes("").await.map(|_| ()).unwrap_err(),
        };
        assert_eq!(error.kind, ErrorKind::Failed);
        let words = "context staging has no catalog: serviceclasses.svc-cli.dev is missing";
        assert_eq!(error.message, words);
        assert_eq!(error.advice.len(), 2);
    }
}

#[tokio::test]
async fn a_class_that_is_missing_is_an_answer() {
    let (cluster, _) = cluster(|_| missing("serviceclasses", "postgers"));
    assert!(matches!(cluster.class("postgers").await, Ok(Found::Missing)));
}

#[tokio::test]
async fn overload_and_breakdown() {
    let error = list_error(|| status(429, "TooManyRequests", "slow down", json!(null))).await;
    assert_eq!(error.message, "cluster of context staging is overloaded");
    let says = "etcdserver: request timed out\ngoroutine 1";
    let error = list_error(move || status(500, "InternalError", says, json!(null))).await;
    let lines = [
        "cluster of context staging failed",
        "asked: to list instances",
        "server: 10.0.0.7:6443 answered 500",
        "says: etcdserver: request timed out",
        "try: doctor",
    ];
    assert_eq!(told(&error), lines);
}

#[tokio::test]
async fn something_else_that_answers() {
    let html = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head></html>";
    for code in [200, 302] {
        let error = list_error(move || Answer::Text(code, html.to_owned())).await;
        assert_eq!(error.message, "server of context staging does not answer as Kubernetes");
    }
    let error = list_error(move || Answer::Text(200, html.to_owned())).await;
    assert_eq!(told(&error)[2], "says: Sign in");
    let error = list_error(|| Answer::Json(200, json!({"hello": "world"}))).await;
    assert!(told(&error)[2].starts_with("says: unexpected JSON: missing field"), "{error:?}");
    let error = list_error(|| Answer::Text(200, String::new())).await;
    assert_eq!(told(&error)[2], "says: an empty answer");
}

#[tokio::test]
async fn half_an_answer_is_no_answer() {
    let half = r#"{"kind":"SecretList","items":[{"metadata":{"name":"sh.helm"#;
    let error = list_error(move || Answer::Text(200, half.to_owned())).await;
    assert_eq!(error.message, "cluster of context staging does not answer");
    assert_eq!(told(&error)[2], "says: answer cut off: the answer ends in the middle");
}

#[tokio::test(start_paused = true)]
async fn silence_ends_after_a_quarter_of_a_minute() {
    for stuck in [true, false] {
        let begun = Instant::now();
        let error = list_error(move || match stuck {
            true => Answer::Stuck("{\"items\":[".to_owned()),
            false => Answer::Silent,
        })
        .await;
        assert_eq!(begun.elapsed().as_secs(), Duration::from_secs(15).as_secs());
        assert_eq!(told(&error)[2], "says: no answer within 15s");
    }
}

/// Every question by name: each one must tell the answer apart in the same way.
async fn each(cluster: &Cluster) -> Vec<(&'static str, Result<&'static str, Error>)> {
    fn word<T>(found: Result<Found<T>, Error>) -> Result<&'static str, Error> {
        found.map(|found| match found {
            Found::Here(_) => "here",
            Found::Missing => "missing",
            Found::Forbidden(error) => {
                assert_eq!(error.kind, ErrorKind::NotAllowed);
                "forbidden"
            }
        })
    }
    let (n, name) = ("team-a", Pick::Name("x".to_owned()));
    vec![
        ("class", word(cluster.class("x").await)),
        ("secret", word(cluster.secret(n, &name).await)),
        ("config_map", word(cluster.config_map(n, &name).await)),
        ("config_map_keys", word(cluster.config_map_keys(n, "x").await)),
        ("release_record", word(cluster.release_record(n, "x", 1).await)),
        ("service", word(cluster.service(n, "x").await)),
        ("claim", word(cluster.claim(n, "x").await)),
        ("reclaim_policy", word(cluster.reclaim_policy("x").await)),
        ("namespace_state", word(cluster.namespace_state("x").await)),
        ("log_tail", word(cluster.log_tail(n, "x", Some("c"), false, 5).await)),
    ]
}

#[tokio::test]
async fn missing_and_forbidden_are_answers_everywhere() {
    let (server, _) = cluster(|_| missing("things", "x"));
    for (what, answer) in each(&server).await {
        assert_eq!(answer.unwrap(), "missing", "{what}");
    }
    let (server, _) = cluster(|_| forbidden("get", "things"));
    for (what, answer) in each(&server).await {
        assert_eq!(answer.unwrap(), "forbidden", "{what}");
    }
}

#[tokio::test]
async fn other_failures_are_errors_everywhere() {
    let (server, _) = cluster(|_| status(401, "Unauthorized", "Unauthorized", json!(null)));
    for (what, answer) in each(&server).await {
        assert_eq!(answer.unwrap_err().kind, ErrorKind::NotAllowed, "{what}");
    }
    let (server, _) = cluster(|_| Answer::Text(503, "<h1>Service Unavailable</h1>".to_owned()));
    for (what, answer) in each(&server).await {
        let error = answer.unwrap_err();
        assert_eq!(told(&error)[3], "says: Service Unavailable", "{what}");
    }
    let (server, _) = cluster(|_| Answer::Text(200, "[1, 2]".to_owned()));
    for (what, answer) in each(&server).await.into_iter().filter(|(what, _)| *what != "log_tail") {
        // A bare list is valid JSON.
        if what != "class" {
            assert!(answer.is_err(), "{what}");
        }
    }
}
