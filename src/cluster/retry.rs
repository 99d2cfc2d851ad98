//! What is asked again: a request that the server did not take, and a read whose answer broke off.
//! A change that may have been made is never repeated.

use std::time::Duration;

use http::{Method, Request, Response, StatusCode, header};
use kube::client::Body;
use kube::client::retry::RetryPolicy;
use tokio::time::Sleep;
use tower::BoxError;
use tower::retry::Policy;

use super::answer::Failure;
use super::ask::Verb;

/// A server that wants longer peace than this is told as overloaded.
const LONGEST_PEACE: u64 = 10;
/// Pauses before a read is asked once more.
pub(super) const PAUSES: [Duration; 2] = [Duration::from_millis(200), Duration::from_millis(800)];

/// kube's policy (429, 503, 504; three times), with `Retry-After`, and changes only on 429: that
/// one the server has not taken, the others it may have.
#[derive(Clone)]
pub(super) struct Careful(RetryPolicy);

impl Careful {
    pub fn new() -> Self {
        let (least, most) = (Duration::from_millis(500), Duration::from_secs(5));
        Self(RetryPolicy::new(least, most, 3, true).expect("the shorter pause comes first"))
    }
}

/// Reads, and the reviews of rights that are put as a POST.
fn changes_nothing<B>(request: &Request<B>) -> bool {
    request.method() == Method::GET
        || request.uri().path().starts_with("/apis/authorization.k8s.io/")
}

fn is_too_long<B>(response: &Response<B>) -> bool {
    let after = response.headers().get(header::RETRY_AFTER);
    let seconds = after.and_then(|after| after.to_str().ok()?.parse::<u64>().ok());
    seconds.is_some_and(|seconds| seconds > LONGEST_PEACE)
}

impl<B> Policy<Request<Body>, Response<B>, BoxError> for Careful {
    type Future = Sleep;

    fn retry(
        &mut self,
        request: &mut Request<Body>,
        result: &mut Result<Response<B>, BoxError>,
    ) -> Option<Sleep> {
        let response = result.as_ref().ok()?;
        let not_taken = response.status() == StatusCode::TOO_MANY_REQUESTS;
        if is_too_long(response) || !(not_taken || changes_nothing(request)) {
            return None;
        }
        self.0.retry(request, result)
    }

    fn clone_request(&mut self, request: &Request<Body>) -> Option<Request<Body>> {
        Policy::<_, Response<B>, BoxError>::clone_request(&mut self.0, request)
    }
}

/// Whether a read is worth asking once more: its answer broke off, or the server stumbled. One that
/// nobody answers is told at once, so is silence.
pub(super) fn may_ask_again(verb: Verb, failure: &Failure) -> bool {
    let broke = match failure {
        Failure::Cut(_) | Failure::Refused { code: 500 | 502, .. } => true,
        Failure::Unsent(error) => super::error::broke_off(error),
        _ => false,
    };
    broke && matches!(verb, Verb::Get | Verb::List)
}
