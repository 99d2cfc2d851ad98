//! Questions that never got an answer: names, connections, certificates.

use std::error::Error as StdError;
use std::io;

use kube::client::AuthError;
use rustls::{AlertDescription, CertificateError};

use super::super::target::Target;
use super::watch::WatchTrouble;
use crate::error::Error;

/// What a person reads about a request that did not get through.
pub(in super::super) fn unsent(error: kube::Error, target: &Target) -> Error {
    let chain: &(dyn StdError + 'static) = &error;
    if let Some(auth) = within::<AuthError>(chain) {
        return super::login::explain(auth, target);
    }
    if let kube::Error::InferKubeconfig(cause) = &error {
        return super::kubeconfig::unusable(cause, &target.context);
    }
    if let Some(tls) = within::<rustls::Error>(chain) {
        return tls_failed(tls, target);
    }
    if let kube::Error::RustlsTls(cause) = &error {
        return super::kubeconfig::bad_certificate(&innermost(cause), &target.context);
    }
    if within::<tower::timeout::error::Elapsed>(chain).is_some() {
        let patience = super::super::PATIENCE.as_secs();
        return no_answer(target, &format!("no answer within {patience}s"));
    }
    let says = words(chain);
    no_answer(target, &says)
}

/// Whether a connection that was there went away before the answer.
pub(in super::super) fn broke_off(error: &kube::Error) -> bool {
    if within::<rustls::Error>(error).is_some() {
        return false;
    }
    within::<io::Error>(error).is_some_and(|cause| is_closed(cause.kind()))
        || innermost(error).contains("connection closed before message completed")
}

/// Words for a watch that will be tried again; a login that fails ends it.
pub(super) fn trouble(error: kube::Error, target: &Target) -> Result<WatchTrouble, Error> {
    if within::<AuthError>(&error).is_some() {
        return Err(unsent(error, target));
    }
    Ok(WatchTrouble::Says(words(&error)))
}

/// Interface §14.
pub(super) fn no_answer(target: &Target, says: &str) -> Error {
    let error = Error::failed(format!("cluster of context {} does not answer", target.context))
        .fact("server", &target.server);
    let error = match &target.proxy {
        Some(proxy) => error.fact("proxy", proxy),
        None => error,
    };
    error.fact("says", says).try_("doctor").passing()
}

fn tls_failed(error: &rustls::Error, target: &Target) -> Error {
    let context = &target.context;
    if let rustls::Error::AlertReceived(alert) = error {
        return client_refused(*alert, target);
    }
    let rustls::Error::InvalidCertificate(cause) = error else {
        return no_answer(target, &tls_words(error));
    };
    let (what, says) = match cause {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            ("has expired", "certificate expired, or this machine's clock is wrong")
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            ("is not valid yet", "certificate not valid yet, or this machine's clock is wrong")
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            ("is for another name", "certificate does not name this server")
        }
        CertificateError::Revoked => ("is revoked", "certificate revoked"),
        // Authorities of two clusters often have the same name, and then it is the signature.
        CertificateError::UnknownIssuer | CertificateError::BadSignature => {
            ("is not trusted", "certificate signed by an unknown authority")
        }
        _ => ("is not trusted", "certificate not valid"),
    };
    Error::failed(format!("the certificate of the cluster of context {context} {what}"))
        .fact("server", &target.server)
        .fact("says", says)
        .advise("Get this context's kubeconfig again from where it came.")
}

/// The server looked at the user's certificate and ended the conversation.
fn client_refused(alert: AlertDescription, target: &Target) -> Error {
    use AlertDescription as Alert;
    let context = &target.context;
    match alert {
        Alert::CertificateExpired
        | Alert::CertificateRevoked
        | Alert::CertificateRequired
        | Alert::CertificateUnknown
        | Alert::BadCertificate
        | Alert::UnknownCA
        | Alert::AccessDenied => {
            Error::not_allowed(format!("credentials of context {context} were refused"))
                .fact("server", &target.server)
                .fact("user", format!("{}, {}", target.user, target.credentials))
                .fact("says", format!("TLS alert {alert:?}"))
                .advise("Log in again the way you got this kubeconfig.")
        }
        other => no_answer(target, &format!("TLS alert {other:?}")),
    }
}

fn tls_words(error: &rustls::Error) -> String {
    match error {
        rustls::Error::InvalidMessage(_) => "no TLS is spoken there".to_owned(),
        other => other.to_string(),
    }
}

/// Finds an error in a chain of sources, also inside `io::Error`s.
fn within<'a, T: StdError + 'static>(error: &'a (dyn StdError + 'static)) -> Option<&'a T> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<T>() {
            return Some(found);
        }
        let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        if let Some(found) = inner.and_then(|inner| within::<T>(inner)) {
            return Some(found);
        }
        next = error.source();
    }
    None
}

/// A connection's failure in the words of kubectl's users.
fn words(chain: &(dyn StdError + 'static)) -> String {
    let lookup = chain_text(chain).contains("dns error");
    match within::<io::Error>(chain) {
        _ if lookup => "host name not found".to_owned(),
        Some(cause) => io_words(cause),
        None => innermost(chain),
    }
}

/// An operating system's error without its number.
pub(super) fn io_words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => "connection refused".to_owned(),
        kind if is_closed(kind) => "connection closed".to_owned(),
        io::ErrorKind::TimedOut => "no connection within 10s".to_owned(),
        io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => {
            "no route to host".to_owned()
        }
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => innermost(error),
    }
}

/// Whether the other side went away.
fn is_closed(kind: io::ErrorKind) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    matches!(kind, ConnectionReset | ConnectionAborted | BrokenPipe | UnexpectedEof)
}

fn chain_text(error: &(dyn StdError + 'static)) -> String {
    let sources = std::iter::successors(Some(error), |error| (*error).source());
    sources.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// The first line of the cause of all causes.
pub(in super::super) fn innermost(error: &(dyn StdError + 'static)) -> String {
    let last = std::iter::successors(Some(error), |error| (*error).source()).last();
    let text = last.map(ToString::to_string).unwrap_or_default();
    text.lines().next().unwrap_or_default().to_owned()
}
