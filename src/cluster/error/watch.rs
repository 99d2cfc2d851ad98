//! What goes wrong with a watch, and what that means for it.

use kube::core::Status;
use kube::runtime::watcher;

use super::super::target::Target;
use crate::error::Error;

/// Trouble that does not end the whole watch.
pub(in super::super) enum WatchTrouble {
    Forbidden,
    /// The cluster does not know the kind.
    NotServed,
    /// Trouble that may pass, in words.
    Says(String),
}

/// Whether asking again is of no use.
pub(in super::super) fn is_refusal(error: &watcher::Error) -> bool {
    status(error).is_some_and(|status| matches!(status.code, 401 | 403 | 404 | 405))
}

/// Tells trouble from the end.
///
/// # Errors
/// Credentials that are not accepted, or a login helper that fails.
pub(in super::super) fn of_watch(
    error: watcher::Error,
    target: &Target,
) -> Result<WatchTrouble, Error> {
    if let Some(status) = status(&error) {
        let says = status.message.lines().next().unwrap_or_default();
        return match status.code {
            401 => Err(super::expired(target)),
            403 => Ok(WatchTrouble::Forbidden),
            404 | 405 => Ok(WatchTrouble::NotServed),
            code => Ok(WatchTrouble::Says(format!("{} answered {code}: {says}", target.server))),
        };
    }
    match error {
        watcher::Error::InitialListFailed(cause)
        | watcher::Error::WatchStartFailed(cause)
        | watcher::Error::WatchFailed(cause) => super::reach::trouble(cause, target),
        other => Ok(WatchTrouble::Says(super::innermost(&other))),
    }
}

fn status(error: &watcher::Error) -> Option<&Status> {
    match error {
        watcher::Error::WatchError(status)
        | watcher::Error::InitialListFailed(kube::Error::Api(status))
        | watcher::Error::WatchStartFailed(kube::Error::Api(status))
        | watcher::Error::WatchFailed(kube::Error::Api(status)) => Some(status),
        _ => None,
    }
}
