//! A cluster that stumbles: what passes is borne within the deadline, what stays is told, and a
//! change that may have been made is never repeated.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::instance::{answer, listed, nothing, page};
use crate::place::Place;
use crate::server::{self, Reply};
use crate::support::Said;

const RELEASES: &str = "/api/v1/namespaces/default/secrets?";
const LIST: &str = "mydb  kinds";

fn raw(head: &str, body: &str) -> Reply {
    Reply::Raw(format!("HTTP/1.1 {head}\r\nconnection: close\r\n{body}").into_bytes())
}

fn status(code: u16, more: &str) -> Reply {
    let status = json!({"kind": "Status", "message": "not now", "code": code}).to_string();
    let length = status.len();
    raw(&format!("{code} x\r\n{more}content-length: {length}"), &format!("\r\n{status}"))
}

fn good(target: &str) -> Reply {
    answer(target, || page("deployed"))
}

/// A server that answers the first requests of these by something else, and a counter of them.
fn stumbling(
    is_meant: impl Fn(&str) -> bool + Send + Sync + 'static,
    bad: impl Fn(usize) -> Option<Reply> + Send + Sync + 'static,
) -> (u16, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    let port = server::start_asked(move |target| {
        if !is_meant(target) {
            return good(target);
        }
        bad(counter.fetch_add(1, Ordering::Relaxed)).unwrap_or_else(|| good(target))
    });
    (port, asked)
}

fn svc(port: u16, arguments: &str) -> (Said, Duration) {
    let place = Place::new().with_server(port).with_helm("echo v4.3.1");
    let started = Instant::now();
    (place.svc(arguments), started.elapsed())
}

/// `list` on a server whose first answers are bad.
fn list(bad: impl Fn(usize) -> Option<Reply> + Send + Sync + 'static) -> (Said, Duration, usize) {
    let (port, asked) = stumbling(|target| target.starts_with(RELEASES), bad);
    let (said, took) = svc(port, "list");
    (said, took, asked.load(Ordering::Relaxed))
}

fn once(reply: fn() -> Reply) -> impl Fn(usize) -> Option<Reply> {
    move |number| (number == 0).then(reply)
}

#[test]
fn an_overloaded_server_is_asked_again_when_it_says() {
    let (said, took, _) = list(once(|| status(429, "retry-after: 2\r\n")));
    assert!(said.ok().stdout.contains(LIST));
    assert!((Duration::from_secs(2)..Duration::from_secs(6)).contains(&took), "{took:?}");
    let (said, took, asked) = list(|_| Some(status(429, "retry-after: 600\r\n")));
    said.ended(1).answers("").tells("error: cluster of context staging is overloaded\n");
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert_eq!(asked, 1);
}

#[test]
fn a_read_that_breaks_off_is_asked_again() {
    for bad in [
        once(|| status(500, "")),
        once(|| status(503, "")),
        once(|| raw("200 x\r\ncontent-length: 900", "\r\n{\"metadata\": {}, \"items\": [")),
        once(|| raw("200 x\r\ntransfer-encoding: chunked", "\r\n9\r\n{\"metada")),
        once(|| Reply::Raw(Vec::new())),
    ] {
        let (said, took, asked) = list(bad);
        assert!(said.ok().stdout.contains(LIST));
        assert!(took < Duration::from_secs(5), "{took:?}");
        assert_eq!(asked, 2);
    }
    let (said, _, asked) = list(|_| Some(status(500, "")));
    said.ended(1).answers("").tells("error: cluster of context staging failed\n");
    assert_eq!(asked, 3);
}

#[test]
fn a_page_whose_token_is_too_old_begins_the_list_again() {
    let asked = AtomicUsize::new(0);
    let pages = server::start_asked(move |target| {
        if target.starts_with(RELEASES) && !target.contains("continue=") {
            let metadata = json!({"continue": "next"});
            let items = json!([{"metadata": listed("deployed")}]);
            return Reply::Json(200, json!({"metadata": metadata, "items": items}));
        }
        if target.contains("continue=") {
            let first = asked.fetch_add(1, Ordering::Relaxed) == 0;
            return if first { status(410, "") } else { nothing() };
        }
        good(target)
    });
    let (said, _) = svc(pages, "list -o name");
    said.ok().answers("mydb\n");
}

/// What a watch answers once, before it hangs like a good one.
fn watched(first: fn() -> Reply) -> Said {
    let is_watch = |target: &str| target.contains("watch=true");
    let (port, _) = stumbling(is_watch, move |number| (number < 2).then(first));
    let (said, took) = svc(port, "wait mydb --timeout 4s");
    assert!(took < Duration::from_secs(8), "{took:?}");
    said
}

#[test]
fn a_watch_that_expires_or_breaks_off_goes_on() {
    let gone = || {
        let object: Value = json!({"kind": "Status", "apiVersion": "v1", "status": "Failure",
            "message": "too old resource version", "reason": "Expired", "code": 410});
        let event = json!({"type": "ERROR", "object": object}).to_string();
        let length = event.len() + 1;
        raw(&format!("200 x\r\ncontent-length: {length}"), &format!("\r\n{event}\n"))
    };
    for first in [
        gone as fn() -> Reply,
        || raw("200 x\r\ntransfer-encoding: chunked", "\r\n9\r\n{\"type\": "),
        || Reply::Raw(Vec::new()),
        || status(500, ""),
    ] {
        watched(first).ended(5).tells("error: mydb is not ready after 4s\n");
    }
}

/// An instance that is gone and left a volume; what deleting it is answered.
fn deleting(bad: impl Fn(usize) -> Option<Reply> + Send + Sync + 'static) -> (Said, usize) {
    let claim = json!({"metadata": {"name": "data-mydb-0", "namespace": "default", "uid": "u-1",
        "creationTimestamp": "2030-03-17T17:46:40Z",
        "labels": {"app.kubernetes.io/instance": "mydb"}},
        "spec": {"resources": {"requests": {"storage": "1Gi"}}}, "status": {"phase": "Bound"}});
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    let port = server::start_asked(move |target| {
        let path = target.split('?').next().unwrap_or_default();
        if path.ends_with("/persistentvolumeclaims/data-mydb-0") {
            let number = counter.fetch_add(1, Ordering::Relaxed);
            return bad(number).unwrap_or_else(|| Reply::Json(200, claim.clone()));
        }
        if path.ends_with("/persistentvolumeclaims") {
            return Reply::Json(200, json!({"metadata": {}, "items": [claim]}));
        }
        answer(target, nothing)
    });
    let (said, took) = svc(port, "delete mydb --delete-data --yes --no-wait");
    assert!(took < Duration::from_secs(20), "{took:?}");
    (said, asked.load(Ordering::Relaxed))
}

#[test]
fn a_change_that_may_have_been_made_is_not_repeated() {
    for bad in [
        once(|| status(500, "")),
        once(|| status(503, "")),
        once(|| status(504, "")),
        once(|| Reply::Raw(Vec::new())),
    ] {
        let (said, asked) = deleting(bad);
        assert_eq!((said.status, asked), (1, 1), "{said}");
    }
    // This one was not taken.
    let (said, asked) = deleting(once(|| status(429, "retry-after: 1\r\n")));
    assert_eq!((said.status, asked), (0, 2), "{said}");
}

#[test]
fn the_proxy_of_the_environment_is_used_and_named() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    let port = server::start_asked(move |target| {
        assert_eq!(target, "api.example:6443");
        counter.fetch_add(1, Ordering::Relaxed);
        raw("403 x", "\r\n")
    });
    let proxy = format!("http://127.0.0.1:{port}");
    let place = Place::new().with_kubeconfig("https://api.example:6443", "{token: t}");
    let place = place.with("HTTPS_PROXY", &proxy);
    place
        .svc("list")
        .ended(1)
        .tells("error: cluster of context staging does not answer\n")
        .tells(&format!("  proxy   127.0.0.1:{port}\n"));
    assert!(asked.load(Ordering::Relaxed) > 0);
}
