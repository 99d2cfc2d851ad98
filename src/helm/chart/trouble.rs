//! Why a chart could not be pulled, and who can repair it.

use std::sync::LazyLock;

use regex::Regex;

use super::REPAIR;
use super::credentials::host_of;
use crate::error::{Error, ErrorKind};
use crate::helm::redaction::Redaction;
use crate::helm::run::Outcome;
use crate::helm::signal::{Signal, Stop};

/// What stood in the way of a pull.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    None,
    /// No credentials, or refused ones.
    Login,
    Certificate,
    NoSuchChart,
    /// The registry has the chart, perhaps, but not the digest that is asked for.
    NoSuchDigest,
    Digest,
    TooManyPulls,
    /// The name of the registry, or of a server that it leads to, is not known.
    NoSuchHost,
    NoAnswer,
    Other,
}

/// Go's words, with the name and perhaps the name server: `lookup r.example on 10.0.0.2:53: no
/// such host`.
const NO_SUCH_HOST: &str = r"lookup (?<name>[^\s:]+)(?: on \S+)?: no such host";

/// In the order in which they are looked for; the wordings of helm 3 and 4.
static PATTERNS: LazyLock<[(Trouble, Regex); 8]> = LazyLock::new(|| {
    let pattern = |text: &str| Regex::new(&format!("(?i){text}")).expect("a constant pattern");
    [
        // First, as what follows it in helm's words may be anything: `not found` among it.
        (Trouble::NoSuchHost, pattern(NO_SUCH_HOST)),
        (Trouble::Certificate, pattern(r"x509:|failed to verify certificate|tls: .*certificate")),
        (
            Trouble::Digest,
            pattern(
                r"digest mismatch|mismatch(?:ed)? digest|unexpected (?:commit )?digest|failed precondition",
            ),
        ),
        (Trouble::TooManyPulls, pattern(r"\b429\b|toomanyrequests|too many requests")),
        (
            Trouble::Login,
            pattern(
                r"\b401\b|\b403\b|unauthorized|no basic auth credentials|basic credential not found|authorization failed|access denied|\bdenied:|insufficient_scope",
            ),
        ),
        (
            Trouble::NoSuchDigest,
            pattern(r"sha256:[0-9a-f]+[^\n]*(?:not found|\b404\b|manifest unknown)"),
        ),
        (Trouble::NoSuchChart, pattern(r"not found|\b404\b|no chart version found|name unknown")),
        (
            Trouble::NoAnswer,
            pattern(
                r"dial tcp|connection refused|i/o timeout|TLS handshake timeout|cannot be reached|unexpected EOF|: EOF|server gave HTTP response",
            ),
        ),
    ]
});

/// What an outcome of `helm pull` is about.
pub(super) fn of(outcome: &Outcome) -> Trouble {
    if outcome.is_success() {
        return Trouble::None;
    }
    let found = PATTERNS.iter().find(|(_, pattern)| pattern.is_match(&outcome.stderr));
    found.map_or(Trouble::Other, |(trouble, _)| *trouble)
}

/// The error of a failed pull; `chart` is its name and version.
pub(super) fn error(
    outcome: &Outcome,
    redaction: &Redaction,
    chart: &str,
    url: &str,
    had_login: bool,
) -> Error {
    if let Some(error) = stopped(outcome, chart) {
        return error;
    }
    let host = host_of(url);
    let says = outcome.cause(redaction).text;
    match of(outcome) {
        Trouble::Login => login(url, had_login, says),
        Trouble::Certificate => Error::failed(format!("the certificate of {host} is not trusted"))
            .fact("chart", chart)
            .fact("says", says)
            .advise("Its operations team can put ca.crt into the chart's credentials."),
        Trouble::NoSuchChart => Error::failed(format!("there is no chart {chart}"))
            .fact("source", url)
            .fact("says", says)
            .advise(REPAIR),
        Trouble::NoSuchDigest => {
            let message = format!("{host} has no chart {chart} with the digest the class names");
            Error::failed(message).fact("source", url).fact("says", says).advise(REPAIR)
        }
        Trouble::Digest => Error::failed(format!("chart {chart} is not the one the class names"))
            .fact("source", url)
            .fact("says", says)
            .advise(REPAIR),
        Trouble::TooManyPulls => Error::failed(format!("{host} allows no more pulls for now"))
            .fact("chart", chart)
            .fact("says", says),
        Trouble::NoSuchHost => no_such_host(outcome, chart, url),
        Trouble::NoAnswer => {
            Error::failed(format!("{host} does not answer")).fact("chart", chart).fact("says", says)
        }
        Trouble::Other | Trouble::None => {
            Error::failed(format!("helm could not pull chart {chart}: {says}")).fact("source", url)
        }
    }
}

/// The name may be another one than the class's: registries and repositories lead elsewhere.
fn no_such_host(outcome: &Outcome, chart: &str, url: &str) -> Error {
    let pattern = Regex::new(&format!("(?i){NO_SUCH_HOST}")).expect("a constant pattern");
    let found = pattern.captures(&outcome.stderr);
    let name = found.as_ref().and_then(|found| found.name("name"));
    let name = name.map_or_else(|| host_of(url), |name| name.as_str());
    Error::failed(format!("the host name {name} does not resolve"))
        .fact("chart", chart)
        .fact("source", url)
        .advise("Either the class names a wrong host, and its operations team can repair it,")
        .advise("or this machine cannot look it up: is it in the right network?")
}

fn login(url: &str, had_login: bool, says: String) -> Error {
    let host = host_of(url);
    if had_login {
        return Error::not_allowed(format!("{host} refuses the credentials of the class"))
            .fact("says", says)
            .advise("Its operations team can repair the chart's credentials.");
    }
    let error = Error::not_allowed(format!("{host} wants a login for the chart"))
        .fact("says", says)
        .advise("The operations team of the class can add credentials to its chart.");
    if url.starts_with("oci://") {
        return error.advise("Or log in yourself:").advise(format!("  helm registry login {host}"));
    }
    error
}

fn stopped(outcome: &Outcome, chart: &str) -> Option<Error> {
    let kind = match outcome.stopped? {
        Stop::Interrupted(Signal::Interrupt) | Stop::Killed(Signal::Interrupt) => {
            ErrorKind::Interrupted
        }
        Stop::Interrupted(Signal::Terminate) | Stop::Killed(Signal::Terminate) => {
            ErrorKind::Terminated
        }
        Stop::TooLate => {
            return Some(Error::failed(format!("chart {chart} was not here after five minutes")));
        }
    };
    Some(Error::new(kind, format!("interrupted while chart {chart} was pulled; nothing changed")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::helm::run::End;

    fn failed(stderr: &str) -> Outcome {
        Outcome::of_test(End::Exit(1), None, stderr)
    }

    #[test]
    fn the_wordings_of_both_helms_are_known() {
        let cases = [
            (
                "pull access denied, repository does not exist or may require authorization: \
              authorization failed: no basic auth credentials",
                Trouble::Login,
            ),
            (
                "unexpected status from HEAD request to https://h/v2/x: 403 Forbidden",
                Trouble::Login,
            ),
            (
                "failed to perform \"FetchReference\" on source: GET \"https://h\": basic credential \
              not found",
                Trouble::Login,
            ),
            ("response status code 403: denied: no", Trouble::Login),
            ("failed to fetch https://h/index.yaml : 401 Unauthorized", Trouble::Login),
            ("429: toomanyrequests: slow down", Trouble::TooManyPulls),
            ("h/charts/redis:9.9.9: not found", Trouble::NoSuchChart),
            ("registry.example/charts/redis@sha256:0a1b: not found", Trouble::NoSuchDigest),
            (
                "failed to perform \"FetchReference\" on source: h/charts/redis@sha256:0a1b: not found",
                Trouble::NoSuchDigest,
            ),
            (
                "chart \"redis\" version \"9\" not found in https://h repository",
                Trouble::NoSuchChart,
            ),
            (
                "tls: failed to verify certificate: x509: certificate signed by unknown authority",
                Trouble::Certificate,
            ),
            (
                "looks like \"https://h\" is not a valid chart repository or cannot be reached: Get \
              \"https://h/index.yaml\": dial tcp 10.0.0.1:443: connect: connection refused",
                Trouble::NoAnswer,
            ),
            ("failed to perform \"Push\" on destination: mismatched digest", Trouble::Digest),
            (
                "failed commit on ref \"\": unexpected commit digest sha256:a, expected sha256:b: \
              failed precondition",
                Trouble::Digest,
            ),
            ("something new", Trouble::Other),
        ];
        for (stderr, expected) in cases {
            assert_eq!(of(&failed(&format!("Error: {stderr}\n"))), expected, "{stderr}");
        }
    }

    #[test]
    fn the_error_says_who_can_repair_it() {
        let told = |stderr: &str, had_login| {
            let url = "oci://registry.example/charts/redis";
            error(&failed(stderr), &Redaction::default(), "redis 1.2.3", url, had_login)
        };
        let missing = told("Error: registry.example/charts/redis:1.2.3: not found\n", false);
        assert_eq!(missing.message, "there is no chart redis 1.2.3");
        assert_eq!(missing.facts[1].value, "registry.example/charts/redis:1.2.3: not found");
        let other = told("Error: registry.example/charts/redis@sha256:0a1b: not found\n", false);
        assert_eq!(
            other.message,
            "registry.example has no chart redis 1.2.3 with the digest the class names"
        );
        let refused = told("Error: 401 unauthorized\n", true);
        assert_eq!(refused.message, "registry.example refuses the credentials of the class");
        assert_eq!(refused.kind, ErrorKind::NotAllowed);
        let anonymous = told("Error: 401 unauthorized\n", false);
        assert_eq!(anonymous.message, "registry.example wants a login for the chart");
        assert_eq!(anonymous.advice[2], "  helm registry login registry.example");
    }

    #[test]
    fn a_name_that_does_not_resolve_is_told_as_that() {
        let stderr = "Error: Get \"https://charts.exmaple/x.tgz\": dial tcp: lookup charts.exmaple on \
                      10.0.0.2:53: no such host\n";
        assert_eq!(of(&failed(stderr)), Trouble::NoSuchHost);
        let slow =
            "Error: Get \"https://r.example/v2/\": dial tcp: lookup r.example: i/o timeout\n";
        assert_eq!(of(&failed(slow)), Trouble::NoAnswer);
        let url = "https://registry.example/charts";
        let error = error(&failed(stderr), &Redaction::default(), "redis 1.2.3", url, false);
        assert_eq!(error.message, "the host name charts.exmaple does not resolve");
        let facts: Vec<_> = error.facts.iter().map(|fact| fact.value.as_str()).collect();
        assert_eq!(facts, ["redis 1.2.3", url]);
        assert!(error.tries.is_empty() && error.advice.len() == 2);
    }

    #[test]
    fn an_interrupted_pull_changed_nothing() {
        let mut outcome = failed("");
        outcome.stopped = Some(Stop::Interrupted(Signal::Terminate));
        let error = error(&outcome, &Redaction::default(), "redis 1.2.3", "oci://h/r", false);
        assert_eq!(error.kind, ErrorKind::Terminated);
    }
}
