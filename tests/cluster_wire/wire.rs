//! A mock of the API server under kube's client.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Full};
use kube::client::Body;
use serde_json::{Value, json};
use svc::cluster::{Cluster, Target};
use tower_test::mock::{self, SendResponse};

/// A request as the mock saw it.
#[derive(Clone, Debug)]
pub struct Seen {
    pub method: String,
    pub path: String,
    /// Decoded `key=value` pairs.
    pub query: Vec<(String, String)>,
    pub accept: String,
    pub body: Value,
}

impl Seen {
    pub fn query(&self, key: &str) -> Option<&str> {
        self.query.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    pub fn watches(&self) -> bool {
        self.query("watch") == Some("true")
    }
}

/// What the mock does.
pub enum Answer {
    Json(u16, Value),
    Text(u16, String),
    /// The head, and then nothing more for ever.
    Stuck(String),
    /// Nothing at all, for ever.
    Silent,
}

pub fn ok(body: Value) -> Answer {
    Answer::Json(200, body)
}

/// A Status as the API server sends it.
pub fn status(code: u16, reason: &str, message: &str, details: Value) -> Answer {
    let body = json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": message, "reason": reason, "details": details, "code": code});
    Answer::Json(code, body)
}

pub fn forbidden(verb: &str, resource: &str) -> Answer {
    let message = format!(
        "{resource} is forbidden: User \"dev-1\" cannot {verb} resource \"{resource}\" in API group \"\" at the cluster scope"
    );
    status(403, "Forbidden", &message, json!({"kind": resource}))
}

pub fn missing(kind: &str, name: &str) -> Answer {
    let message = format!("{kind} \"{name}\" not found");
    status(404, "NotFound", &message, json!({"kind": kind, "name": name}))
}

type Reply = UnsyncBoxBody<Bytes, Infallible>;
type Send = SendResponse<Response<Reply>>;

pub type Log = Arc<Mutex<Vec<Seen>>>;

/// A cluster whose server answers with `answer`, and what was asked.
pub fn cluster(answer: impl Fn(&Seen) -> Answer + std::marker::Send + 'static) -> (Cluster, Log) {
    let (service, mut handle) = mock::pair::<Request<Body>, Response<Reply>>();
    let log = Log::default();
    let seen = Arc::clone(&log);
    tokio::spawn(async move {
        let mut held: Vec<Send> = Vec::new();
        while let Some((request, send)) = handle.next_request().await {
            let asked = read(request).await;
            let response = answer(&asked);
            seen.lock().unwrap().push(asked);
            respond(response, send, &mut held);
        }
    });
    let client = kube::Client::new(service, "team-a");
    (Cluster::with_client(client, target(), "team-a"), log)
}

pub fn target() -> Target {
    Target {
        context: "staging".to_owned(),
        server: "10.0.0.7:6443".to_owned(),
        user: "dev-1".to_owned(),
        credentials: "token from the kubeconfig".to_owned(),
        ..Target::default()
    }
}

fn respond(answer: Answer, send: Send, held: &mut Vec<Send>) {
    let (code, body) = match answer {
        Answer::Json(code, value) => (code, whole(value.to_string())),
        Answer::Text(code, text) => (code, whole(text)),
        Answer::Stuck(text) => (200, stuck(text)),
        Answer::Silent => return held.push(send),
    };
    send.send_response(Response::builder().status(code).body(body).unwrap());
}

fn whole(text: String) -> Reply {
    Full::new(Bytes::from(text)).boxed_unsync()
}

/// A body that never ends.
fn stuck(text: String) -> Reply {
    Full::new(Bytes::from(text)).with_trailers(std::future::pending()).boxed_unsync()
}

async fn read(request: Request<Body>) -> Seen {
    let (head, body) = request.into_parts();
    let bytes = body.collect().await.unwrap().to_bytes();
    let query = head.uri.query().unwrap_or_default();
    let decode = |text: &str| {
        let text = text.replace('+', " ");
        percent_encoding::percent_decode_str(&text).decode_utf8().unwrap().into_owned()
    };
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    Seen {
        method: head.method.to_string(),
        path: head.uri.path().to_owned(),
        query: pairs.map(|(key, value)| (key.to_owned(), decode(value))).collect(),
        accept: head.headers.get("accept").map_or("", |v| v.to_str().unwrap()).to_owned(),
        body: serde_json::from_slice(&bytes).unwrap_or(Value::Null),
    }
}

/// An error as lines, without colour.
pub fn told(error: &svc::error::Error) -> Vec<String> {
    let mut lines = vec![error.message.clone()];
    lines.extend(error.facts.iter().map(|fact| format!("{}: {}", fact.name, fact.value)));
    lines.extend(error.advice.iter().cloned());
    lines.extend(error.tries.iter().map(|try_| format!("try: {}", try_.command)));
    lines
}
