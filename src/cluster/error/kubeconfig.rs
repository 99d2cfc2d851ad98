//! Kubeconfigs that cannot be used.

use std::path::{Path, PathBuf};

use kube::config::{InClusterError, KubeconfigError, LoadDataError};

use super::reach::{innermost, io_words};
use crate::error::Error;

/// Interface §14.
pub(in super::super) fn none_at_home() -> Error {
    Error::failed("no kubeconfig: ~/.kube/config does not exist and KUBECONFIG is not set")
        .try_("list --kubeconfig FILE")
}

pub(in super::super) fn none_at(paths: &[PathBuf]) -> Error {
    if paths.is_empty() {
        return Error::failed("no kubeconfig: KUBECONFIG is set and names no file")
            .try_("list --kubeconfig FILE");
    }
    let names: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
    let verb = if names.len() == 1 { "does" } else { "do" };
    Error::failed(format!("no kubeconfig: {} {verb} not exist", names.join(" and ")))
        .try_("list --kubeconfig FILE")
}

/// Interface §14.
pub(in super::super) fn unknown_context(name: &str, known: &[String]) -> Error {
    if known.is_empty() {
        return Error::usage(format!("no context {name} in the kubeconfig; it has none"));
    }
    let known = known.join(", ");
    Error::usage(format!("no context {name} in the kubeconfig; it has {known}"))
}

pub(in super::super) fn no_current_context(known: &[String]) -> Error {
    if known.is_empty() {
        return Error::failed("the kubeconfig has no contexts").try_("list --kubeconfig FILE");
    }
    let error = format!("no context is chosen in the kubeconfig; it has {}", known.join(", "));
    Error::usage(error).try_("list --context NAME")
}

pub(in super::super) fn unreadable(error: &KubeconfigError, path: &Path) -> Error {
    let says = match error {
        KubeconfigError::ReadConfig(cause, _) => io_words(cause),
        // The parser quotes the text around the mistake, and a token may stand there.
        KubeconfigError::Parse(cause) => match cause.without_snippet().location() {
            Some(at) => format!("not a kubeconfig: line {}, column {}", at.line(), at.column()),
            None => "not a kubeconfig".to_owned(),
        },
        other => other.to_string(),
    };
    Error::failed("the kubeconfig cannot be read")
        .fact("file", path.display().to_string())
        .fact("says", says)
}

/// The context is there, but what it names is not, or cannot be used.
pub(in super::super) fn unusable(error: &KubeconfigError, context: &str) -> Error {
    let says = match error {
        KubeconfigError::LoadClusterOfContext(name) => format!("no cluster {name}"),
        KubeconfigError::MissingClusterUrl => "the cluster has no server".to_owned(),
        KubeconfigError::ParseClusterUrl(_) => "the server is not a URL".to_owned(),
        KubeconfigError::ParseProxyUrl(_) => "the proxy is not a URL".to_owned(),
        KubeconfigError::ParseNoProxy(_) => "NO_PROXY is not a list of hosts".to_owned(),
        KubeconfigError::ParseCertificates(_) => "the certificate is not PEM".to_owned(),
        KubeconfigError::LoadCertificateAuthority(cause)
        | KubeconfigError::LoadClientCertificate(cause)
        | KubeconfigError::LoadClientKey(cause) => load(cause),
        other => innermost(other),
    };
    Error::failed(format!("context {context} of the kubeconfig cannot be used")).fact("says", says)
}

fn load(cause: &LoadDataError) -> String {
    match cause {
        LoadDataError::ReadFile(cause, path) => format!("{}: {}", path.display(), io_words(cause)),
        LoadDataError::DecodeBase64(_) => "a certificate or key is not base64".to_owned(),
        LoadDataError::NoBase64DataOrFile => "a certificate has no key".to_owned(),
    }
}

pub(in super::super) fn no_service_account(error: &InClusterError) -> Error {
    Error::failed("no kubeconfig, and no service account in this pod")
        .fact("says", innermost(error))
        .try_("list --kubeconfig FILE")
}

/// Certificates or keys that TLS cannot read.
pub(super) fn bad_certificate(says: &str, context: &str) -> Error {
    Error::failed(format!("a certificate or key of context {context} cannot be used"))
        .fact("says", says)
}
