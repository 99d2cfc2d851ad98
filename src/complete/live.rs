//! Candidates that only the cluster knows: asked for at most a second, and silently.

use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::runtime;

use super::cache::Cache;
use super::line::Line;
use crate::cluster::Cluster;
use crate::error::Result;
use crate::process::Process;

/// The longest that login and all requests may take together: a key takes a second at most, and
/// the program has to start, too.
const LIMIT: Duration = Duration::from_millis(900);

/// Asks the cluster that the line names, unless the same was asked a moment ago. `kind` is what is
/// asked for. Nothing where the answer is an error, late, or would need a login that prompts.
pub fn ask<T, Question>(line: &Line, process: Process, kind: &str, question: Question) -> Option<T>
where
    T: Serialize + DeserializeOwned,
    Question: AsyncFnOnce(&Cluster) -> Result<T>,
{
    let context = line.context(process);
    let cluster = context.cluster().ok()?;
    let target = &cluster.target;
    let key = [&target.server, &target.context, &target.user, &cluster.namespace, kind];
    let cache = context.process.cache_dir().map(|root| Cache::at(&root, &key));
    if let Some(known) = cache.as_ref().and_then(Cache::read) {
        return Some(known);
    }
    if cluster.login_prompts() {
        return None;
    }
    let answer = in_time(question(cluster))?;
    cache.and_then(|cache| cache.write(&answer));
    Some(answer)
}

fn in_time<T>(answer: impl Future<Output = Result<T>>) -> Option<T> {
    let runtime = runtime::Builder::new_current_thread().enable_all().build().ok()?;
    let answered = runtime.block_on(async { tokio::time::timeout(LIMIT, answer).await });
    // A login helper or a name server that does not answer is not waited for.
    runtime.shutdown_background();
    answered.ok()?.ok()
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::error::Error;

    #[test]
    fn an_answer_comes_in_time_or_not_at_all() {
        assert_eq!(in_time(async { Ok(1) }), Some(1));
        assert_eq!(in_time(async { Err::<u8, _>(Error::failed("x")) }), None);
        let begun = Instant::now();
        let blocked = async {
            let sleep = || std::thread::sleep(Duration::from_secs(5));
            tokio::task::spawn_blocking(sleep).await.map_err(|e| Error::failed("x").because(e))
        };
        assert_eq!(in_time(blocked), None);
        assert!(begun.elapsed() < LIMIT + Duration::from_millis(500), "{:?}", begun.elapsed());
    }
}
