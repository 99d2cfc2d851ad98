//! One line per request, for `-vv`, and how many there were.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Instant;

use futures::future::BoxFuture;
use http::{Request, Response};
use tower::{Layer, Service};

mod line;

type Write = dyn Fn(&str) + Send + Sync;

/// Where lines about requests go.
#[derive(Clone, Default)]
pub struct RequestLog {
    write: Option<Arc<Write>>,
    count: Arc<AtomicUsize>,
}

impl RequestLog {
    /// Counts only.
    pub fn silent() -> Self {
        Self::default()
    }

    /// Hands each line, without a line break, to `write`.
    pub fn new(write: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self { write: Some(Arc::new(write)), count: Arc::default() }
    }

    /// Requests sent so far.
    pub fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for RequestLog {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "RequestLog({})", self.count())
    }
}

impl<S> Layer<S> for RequestLog {
    type Service = Logged<S>;

    fn layer(&self, inner: S) -> Logged<S> {
        Logged { inner, log: self.clone() }
    }
}

/// A service whose requests are logged.
#[derive(Clone)]
pub struct Logged<S> {
    inner: S,
    log: RequestLog,
}

impl<S, A, B> Service<Request<A>> for Logged<S>
where
    S: Service<Request<A>, Response = Response<B>>,
    S::Future: Send + 'static,
{
    type Response = Response<B>;
    type Error = S::Error;
    type Future = BoxFuture<'static, Result<Response<B>, S::Error>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<A>) -> Self::Future {
        self.log.count.fetch_add(1, Ordering::Relaxed);
        let Some(write) = self.log.write.clone() else {
            return Box::pin(self.inner.call(request));
        };
        let line = line::describe(&request);
        let begun = Instant::now();
        let answer = self.inner.call(request);
        Box::pin(async move {
            let answer = answer.await;
            let took = begun.elapsed().as_millis();
            match &answer {
                Ok(response) => {
                    write(&format!("{line}: {} in {took}ms", response.status().as_u16()))
                }
                Err(_) => write(&format!("{line}: no answer after {took}ms")),
            }
            answer
        })
    }
}
