//! An instance that the server holds, without a helm that made it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::server::{self, Reply};

/// The newest revision of `mydb` in a list of metadata.
pub fn listed(status: &str) -> Value {
    let labels = json!({"owner": "helm", "name": "mydb", "status": status, "version": "1",
        "svc-cli.dev/class": "kinds", "svc-cli.dev/created": "1900000000"});
    json!({"name": "sh.helm.release.v1.mydb.v1", "namespace": "default", "labels": labels,
        "creationTimestamp": "2030-03-17T17:46:40Z"})
}

/// Its record: a StatefulSet that never comes.
fn record() -> Value {
    let set = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: mydb}\nspec: {}\n";
    let class = json!({
        "version": 1, "class": "kinds", "classHash": "", "parameters": [], "plans": [], "answers": {},
        "chart": {"name": "kinds", "version": "1.0.0", "source": null, "digest": ""},
        "connection": {"type": "none", "provider": "tests", "sources": [], "details": [{"name": "host", "value": "h"}]},
        "readiness": {"timeout": "5m"}, "deletion": {},
    });
    let file = json!({"name": "svc-class.json", "data": STANDARD.encode(class.to_string())});
    let release = json!({"name": "mydb", "namespace": "default", "version": 1,
        "info": {"status": "deployed"}, "config": {}, "manifest": set,
        "chart": {"metadata": {"name": "kinds", "version": "1.0.0"}, "files": [file]}});
    let helms = STANDARD.encode(release.to_string());
    json!({"metadata": listed("deployed"), "data": {"release": STANDARD.encode(helms)}})
}

/// A cluster with one deployed instance that does not become ready; `revisions` answers what is
/// stored of it each time that svc asks, counted from 0.
pub fn cluster(revisions: impl Fn(usize) -> Reply + Send + Sync + 'static) -> u16 {
    let asked = std::sync::atomic::AtomicUsize::new(0);
    server::start_asked(move |target| {
        answer(target, || revisions(asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed)))
    })
}

/// What that cluster answers; `revisions` is what is stored of the instance.
pub fn answer(target: &str, revisions: impl Fn() -> Reply) -> Reply {
    let path = target.split('?').next().unwrap_or_default();
    if target.contains("watch=true") {
        return Reply::Hang;
    }
    // A list and a table at once: which of them is wanted is said in a header.
    let empty = json!({"kind": "Table", "metadata": {"resourceVersion": "1"}, "items": [],
            "columnDefinitions": [], "rows": []});
    match path {
        "/api/v1/namespaces/default/secrets" if target.contains("owner") => revisions(),
        "/api/v1/namespaces/default/secrets/sh.helm.release.v1.mydb.v1" => {
            Reply::Json(200, record())
        }
        _ if path.starts_with("/api/v1/namespaces/default/") || path.starts_with("/apis/apps") => {
            Reply::Json(200, empty)
        }
        _ => {
            let (code, body) = server::catalog(path);
            Reply::Json(code, body)
        }
    }
}

/// A page of stored revisions with one in this status.
pub fn page(status: &str) -> Reply {
    let items = json!([{"metadata": listed(status)}]);
    Reply::Json(200, json!({"metadata": {}, "items": items}))
}

/// A page with nothing on it.
pub fn nothing() -> Reply {
    Reply::Json(200, json!({"metadata": {}, "items": []}))
}
