//! One question to the API server, put and answered.

use std::fmt::Write as _;

use http::{Method, Request, Response, header};
use http_body_util::BodyExt as _;
use kube::client::Body;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::de::DeserializeOwned;
use tokio::time::Instant;

use super::answer::{Failure, hidden_refusal, parse, refused};
use super::kind::Kind;
use super::retry::{PAUSES, may_ask_again};
use super::scoped::Scope;
use super::{Cluster, Found, error};
use crate::error::Result;

/// An answer longer than this is not one of Kubernetes: a page of 500 release Secrets, the longest
/// that svc asks for, stays far below.
const LONGEST_ANSWER: usize = 256 << 20;

/// The verbs of the API that svc uses, as access rules name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    Get,
    List,
    Create,
    Patch,
    Delete,
}

/// A question: verb, kind, scope and name, and in svc's words what it is asked for.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub verb: Verb,
    pub kind: Kind,
    pub scope: Scope,
    pub name: Option<String>,
    pub subresource: Option<&'static str>,
    /// After "not allowed to": `list the catalog`.
    pub purpose: String,
    query: String,
    accept: &'static str,
    body: Vec<u8>,
    /// A path that names no object.
    plain_path: Option<String>,
}

const JSON: &str = "application/json";
const MERGE_PATCH: &str = "application/merge-patch+json";
/// One object without its contents.
pub(super) const METADATA: &str = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
/// Lists without the objects' contents.
pub(super) const METADATA_LIST: &str =
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
/// Lists as the server prints them for kubectl.
pub(super) const TABLE: &str = "application/json;as=Table;g=meta.k8s.io;v=v1";

impl Verb {
    /// The word in access rules.
    pub fn word(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::List => "list",
            Self::Create => "create",
            Self::Patch => "patch",
            Self::Delete => "delete",
        }
    }

    fn method(self) -> Method {
        match self {
            Self::Get | Self::List => Method::GET,
            Self::Create => Method::POST,
            Self::Patch => Method::PATCH,
            Self::Delete => Method::DELETE,
        }
    }
}

impl Asked {
    pub fn new(verb: Verb, kind: &Kind, scope: Scope, purpose: impl Into<String>) -> Self {
        Self {
            verb,
            kind: kind.clone(),
            scope,
            name: None,
            subresource: None,
            purpose: purpose.into(),
            query: String::new(),
            accept: JSON,
            body: Vec::new(),
            plain_path: None,
        }
    }

    /// A path outside the API's objects: `/version`.
    pub fn path(path: &str, purpose: &str) -> Self {
        let asked = Self::new(Verb::Get, &Kind::named("", "", path), Scope::All, purpose);
        Self { plain_path: Some(path.to_owned()), ..asked }
    }

    pub fn get(kind: &Kind, scope: Scope, name: &str, purpose: impl Into<String>) -> Self {
        Self { name: Some(name.to_owned()), ..Self::new(Verb::Get, kind, scope, purpose) }
    }

    pub fn list(kind: &Kind, scope: Scope, purpose: impl Into<String>) -> Self {
        Self::new(Verb::List, kind, scope, purpose)
    }

    pub fn query(mut self, key: &str, value: &str) -> Self {
        let separator = if self.query.is_empty() { '?' } else { '&' };
        let value = utf8_percent_encode(value, NON_ALPHANUMERIC);
        write!(self.query, "{separator}{key}={value}").expect("a String takes what is written");
        self
    }

    /// Adds a label selector, unless it is empty.
    pub fn labels(self, selector: &str) -> Self {
        if selector.is_empty() { self } else { self.query("labelSelector", selector) }
    }

    pub fn fields(self, selector: &str) -> Self {
        self.query("fieldSelector", selector)
    }

    pub fn accept(mut self, media: &'static str) -> Self {
        self.accept = media;
        self
    }

    pub fn subresource(mut self, name: &'static str) -> Self {
        self.subresource = Some(name);
        self
    }

    pub fn body(mut self, body: &serde_json::Value) -> Self {
        self.body = body.to_string().into_bytes();
        self
    }

    /// The same question with another verb.
    pub fn verb(self, verb: Verb) -> Self {
        Self { verb, ..self }
    }

    /// The same question about another scope.
    pub fn scope(self, scope: Scope) -> Self {
        Self { scope, ..self }
    }

    /// `secrets`, `pods/log`, `serviceclasses.svc-cli.dev`.
    pub fn resource(&self) -> String {
        match self.subresource {
            Some(sub) if self.kind.group.is_empty() => format!("{}/{sub}", self.kind),
            Some(sub) => format!("{}/{sub}.{}", self.kind.plural, self.kind.group),
            None => self.kind.to_string(),
        }
    }

    fn url(&self) -> String {
        if let Some(path) = &self.plain_path {
            return path.clone();
        }
        let mut path = self.kind.root();
        if let Scope::Namespace(namespace) = &self.scope {
            path.push_str("/namespaces/");
            path.extend(utf8_percent_encode(namespace, SEGMENT));
        }
        path.push('/');
        path.push_str(&self.kind.plural);
        if let Some(name) = &self.name {
            path.push('/');
            path.extend(utf8_percent_encode(name, SEGMENT));
        }
        if let Some(sub) = self.subresource {
            path.push('/');
            path.push_str(sub);
        }
        path
    }

    /// A patch is a merge patch (RFC 7386), which every kind takes.
    fn content_type(&self) -> &'static str {
        if self.verb == Verb::Patch { MERGE_PATCH } else { JSON }
    }

    fn request(&self) -> Result<Request<Body>, Failure> {
        Request::builder()
            .method(self.verb.method())
            .uri(self.url() + &self.query)
            .header(header::ACCEPT, self.accept)
            .header(header::CONTENT_TYPE, self.content_type())
            .body(Body::from(self.body.clone()))
            .map_err(|error| Failure::Unsent(kube::Error::HttpError(error)))
    }
}

/// What may stand in a segment of a path as it is: names of objects are DNS names.
const SEGMENT: &percent_encoding::AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b':');

impl Cluster {
    /// Asks, and collects the answer; a read that broke off is asked again.
    pub(super) async fn bytes(&self, asked: &Asked) -> Result<Vec<u8>, Failure> {
        for pause in PAUSES {
            match self.bytes_at_once(asked).await {
                Err(failure)
                    if may_ask_again(asked.verb, &failure) && pause < self.longest_answer() =>
                {
                    tokio::time::sleep(pause).await;
                }
                done => return done,
            }
        }
        self.bytes_at_once(asked).await
    }

    async fn bytes_at_once(&self, asked: &Asked) -> Result<Vec<u8>, Failure> {
        let client = self.client().await.map_err(|error| Failure::Login(Box::new(error)))?;
        let patience = self.patience();
        let sent = tokio::time::timeout(patience, client.send(asked.request()?));
        let response = match sent.await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(Failure::Unsent(error)),
            Err(_) => return Err(Failure::Silent(patience)),
        };
        let code = response.status();
        let body = self.collect(response).await?;
        if !code.is_success() {
            return Err(refused(code, &body));
        }
        // Something between that answers 200 to everything hides the server's no.
        hidden_refusal(&body).map_or(Ok(body), Err)
    }

    /// Collects a body; it may take long as long as it goes on, but not for ever: a server, or
    /// something before it, that sends a byte now and then would keep a command past its deadline.
    async fn collect(&self, response: Response<Body>) -> Result<Vec<u8>, Failure> {
        let mut body = response.into_body();
        let mut bytes = Vec::new();
        let end = Instant::now() + self.longest_answer();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let patience = self.patience().min(left);
            match tokio::time::timeout(patience, body.frame()).await {
                Err(_) if patience == left => {
                    return Err(Failure::Endless);
                }
                Err(_) => return Err(Failure::Silent(patience)),
                Ok(None) => return Ok(bytes),
                Ok(Some(Err(error))) => return Err(Failure::Cut(error::innermost(&error))),
                Ok(Some(Ok(frame))) => {
                    if let Some(data) = frame.data_ref() {
                        bytes.extend_from_slice(data);
                    }
                }
            }
            if bytes.len() > LONGEST_ANSWER {
                return Err(Failure::Garbage("an answer without end".to_owned()));
            }
        }
    }

    /// Asks for something that must be there.
    pub(super) async fn read<T: DeserializeOwned>(&self, asked: &Asked) -> Result<T> {
        let answer = self.bytes(asked).await.and_then(|bytes| parse(&bytes));
        answer.map_err(|failure| error::explain(failure, asked, &self.target))
    }

    /// Asks for something that may be missing or forbidden.
    pub(super) async fn find<T: DeserializeOwned>(&self, asked: &Asked) -> Result<Found<T>> {
        let answer = self.bytes(asked).await.and_then(|bytes| parse(&bytes));
        self.found(answer, asked)
    }

    /// Tells missing and forbidden from failed.
    pub(super) fn found<T>(&self, answer: Result<T, Failure>, asked: &Asked) -> Result<Found<T>> {
        match answer {
            Ok(here) => Ok(Found::Here(here)),
            Err(failure) if failure.is_missing_object() => Ok(Found::Missing),
            Err(failure) => {
                let forbidden = failure.is_forbidden();
                let error = error::explain(failure, asked, &self.target);
                if forbidden { Ok(Found::Forbidden(Box::new(error))) } else { Err(error) }
            }
        }
    }
}
