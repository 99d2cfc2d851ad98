//! An API server as far as completion asks: classes, releases, namespaces.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use svc::domain::class::{class_hash, read};
use svc::domain::record::{FILE_NAME, Record, RecordedChart};

/// A server on loopback; it answers until the test ends.
pub struct Server {
    pub port: u16,
    paths: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let paths = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&paths);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let log = Arc::clone(&log);
                thread::spawn(move || serve(&stream, &log));
            }
        });
        Self { port, paths }
    }

    /// What was asked since the last look.
    pub fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.paths.lock().expect("no test panics with it"))
    }
}

/// One request for each connection.
fn serve(mut stream: &TcpStream, log: &Mutex<Vec<String>>) {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let Some(first) = lines.next() else { return };
    while lines.next().is_some_and(|header| !header.is_empty()) {}
    let target = first.split(' ').nth(1).unwrap_or_default().to_owned();
    log.lock().expect("no test panics with it").push(target.clone());
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let (code, body) = match answer(path, query) {
        Some(body) => (200, body),
        None => {
            let name = path.rsplit('/').next().unwrap_or_default();
            let status = json!({"kind": "Status", "status": "Failure", "code": 404,
                "reason": "NotFound", "details": {"name": name}});
            (404, status)
        }
    };
    let body = body.to_string();
    let length = body.len();
    let _ = write!(
        stream,
        "HTTP/1.1 {code} x\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\
         connection: close\r\n\r\n{body}"
    );
}

fn answer(path: &str, query: &str) -> Option<Value> {
    let classes = classes();
    if let Some(name) = path.strip_prefix("/apis/svc-cli.dev/v1alpha1/serviceclasses/") {
        return classes.into_iter().find(|class| class["metadata"]["name"] == *name);
    }
    let items = match path {
        "/apis/svc-cli.dev/v1alpha1/serviceclasses" => classes,
        "/api/v1/namespaces" => ["default", "team-a", "team-b"].map(named).to_vec(),
        "/api/v1/namespaces/team-a/secrets" if query.contains("name%3Dmydb") => {
            vec![release("mydb")]
        }
        "/api/v1/namespaces/team-a/secrets" => vec![release("cache"), release("mydb")],
        "/api/v1/namespaces/team-a/secrets/sh.helm.release.v1.mydb.v1" => return Some(record()),
        _ => return None,
    };
    Some(json!({"metadata": {}, "items": items}))
}

fn named(name: &str) -> Value {
    json!({"metadata": {"name": name}})
}

fn release(name: &str) -> Value {
    json!({"metadata": {
        "name": format!("sh.helm.release.v1.{name}.v1"), "namespace": "team-a",
        "creationTimestamp": "2030-01-02T03:04:05Z",
        "labels": {"owner": "helm", "name": name, "status": "deployed",
            "svc-cli.dev/class": "postgres", "svc-cli.dev/plan": "small"},
    }})
}

/// What helm stored of `mydb`, with the class in it.
fn record() -> Value {
    let class = read(&classes()[0]).expect("the class is sound");
    let chart = RecordedChart {
        name: "postgresql".into(),
        version: "16.2.1".into(),
        source: None,
        digest: String::new(),
    };
    let file = serde_json::to_vec(&Record::of(&class, class_hash(&class.spec), chart));
    let file = STANDARD.encode(file.expect("a record is JSON"));
    let release = json!({
        "name": "mydb", "namespace": "team-a", "version": 1, "manifest": "", "hooks": [],
        "info": {"status": "deployed", "description": "x"}, "config": {},
        "chart": {"metadata": {"name": "postgresql", "version": "16.2.1"},
            "files": [{"name": FILE_NAME, "data": file}]},
    });
    let stored = STANDARD.encode(STANDARD.encode(release.to_string()));
    json!({"metadata": {"name": "x"}, "data": {"release": stored}})
}

/// `postgres`, one deprecated, one broken, one shared, one whose archive is gone.
fn classes() -> Vec<Value> {
    let postgres = json!({
        "summary": "Disposable PostgreSQL for development",
        "chart": {"oci": {"url": "oci://registry.example/postgresql", "version": "16.2.1"}},
        "parameters": [
            {"name": "database", "paths": ["auth.database"], "required": true, "string": {}},
            {"name": "storage", "paths": ["size"], "title": "Disk size",
             "quantity": {"default": "8Gi", "minimum": "1Gi", "maximum": "100Gi"}},
            {"name": "mode", "paths": ["architecture"],
             "string": {"default": "standalone", "enum": ["standalone", "replication", "odd one"]}},
            {"name": "metrics", "paths": ["metrics"], "boolean": {"default": false}},
            {"name": "admin-password", "paths": ["auth.password"], "sensitive": true, "string": {}}
        ],
        "defaultPlan": "small",
        "plans": [
            {"name": "medium", "summary": "4 GiB memory"},
            {"name": "small", "summary": "1 GiB memory", "parameters": [
                {"name": "storage", "quantity": {"default": "2Gi", "maximum": "10Gi"}}]}
        ],
        "connection": {
            "sources": [{"name": "auth", "secret": {"name": "{{ fullname }}"}}],
            "details": [
                {"name": "host", "value": "h"}, {"name": "port", "value": "5432"},
                {"name": "password", "from": {"source": "auth", "key": "password"}},
                {"name": "uri", "value": "postgresql://{{ password | uri }}@{{ host }}"}]
        },
    });
    let mut old = postgres.clone();
    old["deprecated"] = json!({"message": "use mysql-9"});
    let mut broken = postgres.clone();
    broken["connection"]["details"][0]["value"] = json!("{{ pasword }}");
    let shared = json!({"summary": "Postal codes", "sharing": "Shared",
        "shared": {"namespace": "data", "release": "zipcodes"},
        "connection": {"details": [{"name": "host", "value": "h"}]}});
    let mut lost = postgres.clone();
    lost["chart"] = json!({"configMap": {"namespace": "svc-system", "name": "charts",
        "key": "redis-1.0.0.tgz", "digest": format!("sha256:{:064}", 0)}});
    let class = |(name, spec)| json!({"metadata": {"name": name}, "spec": spec});
    [
        ("postgres", postgres),
        ("mysql-8", old),
        ("rabbitmq", broken),
        ("zipcodes", shared),
        ("redis", lost),
    ]
    .map(class)
    .to_vec()
}
