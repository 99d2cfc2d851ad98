//! Login helpers and other ways to credentials.

use kube::client::AuthError;

use super::super::target::Target;
use super::reach::innermost;
use crate::error::Error;

/// What a person reads when there are no credentials to show.
pub(super) fn explain(error: &AuthError, target: &Target) -> Error {
    let context = &target.context;
    match error {
        AuthError::AuthExecStart(start) if start.kind() == std::io::ErrorKind::NotFound => {
            not_installed(target)
        }
        AuthError::AuthExecRun { out, .. } => {
            let error = failed(target);
            let error = match first_line(&out.stderr).or_else(|| first_line(&out.stdout)) {
                Some(says) => error.fact("says", says),
                None => error,
            };
            match out.status.code() {
                Some(code) => error.fact("exit", code.to_string()),
                None => error.fact("exit", "ended by a signal"),
            }
        }
        AuthError::ReadTokenFile(cause, path) => {
            Error::failed(format!("the token of context {context} cannot be read"))
                .fact("file", path.display().to_string())
                .fact("says", super::reach::io_words(cause))
        }
        AuthError::InvalidBasicAuth(_) | AuthError::InvalidBearerToken(_) => {
            Error::failed(format!("the credentials of context {context} hold control characters"))
        }
        AuthError::AuthExecParse(_) | AuthError::ExecPluginFailed => {
            failed(target).fact("says", "nothing that is a credential")
        }
        other => failed(target).fact("says", innermost(other)),
    }
}

/// A helper with `interactiveMode: Always` where no question may be asked.
pub(in super::super) fn asks(target: &Target) -> Error {
    let error = Error::failed(format!(
        "the login helper of context {} always asks, and nobody may be asked here",
        target.context
    ));
    let error = match &target.helper {
        Some(line) => error.fact("runs", line),
        None => error,
    };
    error.advise("It needs a terminal, without --no-input and SVC_NO_INPUT.")
}

fn failed(target: &Target) -> Error {
    let error = Error::failed(format!("the login helper of context {} failed", target.context));
    match &target.helper {
        Some(line) => error.fact("runs", line),
        None => error,
    }
}

fn not_installed(target: &Target) -> Error {
    let (context, program) = (&target.context, target.helper_program());
    let message = format!("the login helper of context {context} is not installed: {program}");
    let hint = target.helper_hint.as_deref().unwrap_or_default();
    hint.lines()
        .map(str::trim_end)
        .skip_while(|line| line.is_empty())
        .take(5)
        .fold(Error::failed(message), Error::advise)
}

fn first_line(output: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(output);
    text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
}
