//! An API server as far as `svc create` asks it, on loopback, for tests without a cluster.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

type Answer = dyn Fn(&str) -> Reply + Send + Sync;

/// What the server does with a request.
pub enum Reply {
    Json(u16, Value),
    /// These bytes, from the status line on; then it closes the connection.
    Raw(Vec<u8>),
    /// The same, and then this piece again and again until the other side has enough.
    Endless(Vec<u8>, Vec<u8>, Duration),
    /// It keeps the connection and says nothing.
    Hang,
    /// It closes the connection, and nobody listens from now on.
    Leave,
}

/// Serves until the test ends; its port.
pub fn start(answer: impl Fn(&str) -> (u16, Value) + Send + Sync + 'static) -> u16 {
    start_asked(move |target| {
        let (code, body) = answer(target.split('?').next().unwrap_or_default());
        Reply::Json(code, body)
    })
}

/// The same, asked with path and query.
pub fn start_asked(answer: impl Fn(&str) -> Reply + Send + Sync + 'static) -> u16 {
    let answer: Arc<Answer> = Arc::new(answer);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let left = Arc::new(AtomicBool::new(false));
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            if left.load(Ordering::Relaxed) {
                return;
            }
            let (answer, left) = (Arc::clone(&answer), Arc::clone(&left));
            thread::spawn(move || {
                if let Reply::Leave = serve(&stream, &*answer) {
                    left.store(true, Ordering::Relaxed);
                    // The listener ends with the next connection.
                    drop(TcpStream::connect(("127.0.0.1", port)));
                }
            });
        }
    });
    port
}

/// One request for each connection.
fn serve(mut stream: &TcpStream, answer: &Answer) -> Reply {
    let mut reader = BufReader::new(stream);
    let mut head = Vec::new();
    let mut line = String::new();
    while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
        head.push(std::mem::take(&mut line));
    }
    let Some(target) = head.first().and_then(|first| first.split(' ').nth(1)) else {
        return Reply::Hang;
    };
    let lower = head.iter().map(|line| line.to_lowercase());
    let mut lengths =
        lower.filter_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    let mut body = vec![0; lengths.next().unwrap_or(0)];
    let _ = reader.read_exact(&mut body);
    let reply = answer(target);
    match &reply {
        Reply::Json(code, body) => {
            let body = body.as_str().map_or_else(|| body.to_string(), str::to_owned);
            let length = body.len();
            let _ = write!(
                stream,
                "HTTP/1.1 {code} x\r\ncontent-type: application/json\r\n\
                 content-length: {length}\r\nconnection: close\r\n\r\n{body}"
            );
        }
        Reply::Raw(bytes) => drop(stream.write_all(bytes)),
        Reply::Endless(head, piece, pause) => {
            let mut sent = stream.write_all(head);
            while sent.is_ok() {
                thread::sleep(*pause);
                sent = stream.write_all(piece);
            }
        }
        // Until the other side gives up.
        Reply::Hang => drop(reader.read(&mut [0])),
        Reply::Leave => {}
    }
    reply
}

/// A cluster with the classes of these tests and nothing in its namespace.
pub fn catalog(path: &str) -> (u16, Value) {
    let class = |name| json!({"metadata": {"name": name}, "spec": spec()});
    let sized = || json!({"metadata": {"name": "sized"}, "spec": sized()});
    let one = "/apis/svc-cli.dev/v1alpha1/serviceclasses/";
    match path {
        "/apis/svc-cli.dev/v1alpha1/serviceclasses" => {
            (200, json!({"metadata": {}, "items": [class("redis"), class("kinds"), sized()]}))
        }
        "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews" => {
            (201, json!({"spec": {}, "status": {"allowed": true}}))
        }
        "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews" => {
            let everything = json!([{"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]}]);
            let rules =
                json!({"resourceRules": everything, "nonResourceRules": [], "incomplete": false});
            (201, json!({"spec": {}, "status": rules}))
        }
        "/api/v1/namespaces/default" => {
            (200, json!({"metadata": {"name": "default"}, "status": {"phase": "Active"}}))
        }
        _ if path.ends_with("/secrets") || path.ends_with("/persistentvolumeclaims") => {
            (200, json!({"metadata": {}, "items": []}))
        }
        _ if path == format!("{one}kinds") => (200, class("kinds")),
        _ if path == format!("{one}sized") => (200, sized()),
        _ => match path.strip_prefix(one) {
            Some(name) => no_object(name),
            None => not_found(),
        },
    }
}

fn no_object(name: &str) -> (u16, Value) {
    let details = json!({"name": name, "group": "svc-cli.dev", "kind": "serviceclasses"});
    let (code, mut status) = not_found();
    status["details"] = details;
    status["message"] = format!("serviceclasses.svc-cli.dev \"{name}\" not found").into();
    (code, status)
}

/// What a server says to a path that it does not know.
pub fn not_found() -> (u16, Value) {
    (404, json!({"kind": "Status", "status": "Failure", "reason": "NotFound", "code": 404}))
}

/// Plans without a default, and a secret.
fn sized() -> Value {
    let mut spec = spec();
    spec["plans"] = json!([{"name": "small"}, {"name": "large"}]);
    spec["parameters"] = json!([
        {"name": "owner", "paths": ["owner"], "string": {"default": "me", "minLength": 1}},
        {"name": "password", "paths": ["password"], "sensitive": true, "generate": {"length": 16},
         "string": {"minLength": 8}},
    ]);
    spec
}

/// One parameter of each kind.
fn spec() -> Value {
    json!({
        "summary": "One of each kind",
        "chart": {"oci": {"url": "oci://registry.example/kinds", "version": "1.0.0"}},
        "parameters": [
            {"name": "size", "paths": ["size"],
             "quantity": {"default": "1Gi", "minimum": "1Mi", "maximum": "4Gi"}},
            {"name": "keep", "paths": ["keep"],
             "duration": {"default": "1h", "minimum": "1m", "maximum": "24h"}},
            {"name": "metrics", "paths": ["metrics"], "boolean": {"default": false}},
            {"name": "count", "paths": ["count"], "integer": {"default": 1}},
            {"name": "ratio", "paths": ["ratio"], "number": {"default": 0.5, "maximum": 1}},
            {"name": "mode", "paths": ["mode"], "string": {"default": "one", "enum": ["one", "two"]}},
            {"name": "owner", "paths": ["owner"], "string": {"default": "me", "maxLength": 20}},
            {"name": "note", "paths": ["note"], "string": {"multiline": true}},
            {"name": "hosts", "paths": ["hosts"], "list": {"maxItems": 2}},
        ],
        "connection": {"type": "none", "provider": "tests", "details": [{"name": "host", "value": "h"}]},
    })
}
