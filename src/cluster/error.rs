//! One table from what went wrong and what was asked to what a person reads (interface §14).
//!
//! `kube::Error` prints the server's whole Status: it is taken apart here and never shown.

use kube::core::Status;

use super::answer::Failure;
use super::ask::{Asked, Verb};
use super::kind::CLASSES;
use super::target::Target;
use crate::error::Error;

pub(super) mod kubeconfig;
pub(super) mod login;
mod reach;
mod watch;

pub(super) use reach::{broke_off, innermost, unsent};
pub(super) use watch::{WatchTrouble, is_refusal, of_watch};

/// What a person reads about a question without a usable answer.
pub(super) fn explain(failure: Failure, asked: &Asked, target: &Target) -> Error {
    match failure {
        Failure::Login(error) => *error,
        Failure::Unsent(error) => unsent(error, target),
        Failure::Silent(patience) => {
            let seconds = patience.as_secs_f32().round();
            reach::no_answer(target, &format!("no answer within {seconds}s"))
        }
        Failure::Cut(says) => reach::no_answer(target, &format!("answer cut off: {says}")),
        Failure::Endless => reach::no_answer(target, "answer cut off: it does not come to its end"),
        Failure::Garbage(says) => not_kubernetes(&says, target),
        Failure::Refused { code, status, text } => {
            let refusal = Refusal { code, status: status.as_deref(), text: &text };
            refused(&refusal, asked, target)
        }
    }
}

/// A status other than 2xx.
struct Refusal<'a> {
    code: u16,
    status: Option<&'a Status>,
    text: &'a str,
}

impl Refusal<'_> {
    /// The first line of the server's own words.
    fn says(&self) -> &str {
        let message = self.status.map_or(self.text, |status| &status.message);
        message.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("nothing")
    }

    fn details_kind(&self) -> &str {
        let details = self.status.and_then(|status| status.details.as_ref());
        details.map_or("", |details| &details.kind)
    }
}

fn refused(refusal: &Refusal<'_>, asked: &Asked, target: &Target) -> Error {
    match refusal.code {
        401 => expired(target),
        403 => forbidden(refusal, asked, target),
        404 if asked.kind == CLASSES && refusal.details_kind() != "namespaces" => {
            no_catalog(target)
        }
        404 => missing(refusal, asked, target),
        409 if matches!(asked.verb, Verb::Patch | Verb::Delete) => {
            Error::failed(format!("could not {}: it changed meanwhile", asked.purpose))
                .fact("says", refusal.says())
        }
        429 => Error::failed(format!("cluster of context {} is overloaded", target.context))
            .fact("server", format!("{} answered 429", target.server))
            .fact("says", refusal.says())
            .try_("doctor")
            .passing(),
        300..=399 => not_kubernetes(&format!("HTTP {}", refusal.code), target),
        code => Error::failed(format!("cluster of context {} failed", target.context))
            .fact("asked", format!("to {}", asked.purpose))
            .fact("server", format!("{} answered {code}", target.server))
            .fact("says", refusal.says())
            .try_("doctor")
            .passing(),
    }
}

fn expired(target: &Target) -> Error {
    let who = [target.user.as_str(), target.credentials.as_str()];
    let who: Vec<_> = who.into_iter().filter(|word| !word.is_empty()).collect();
    Error::not_allowed(format!("credentials of context {} have expired", target.context))
        .fact("server", format!("{} answered 401", target.server))
        .fact("user", who.join(", "))
        .advise("Log in again the way you got this kubeconfig.")
}

/// RBAC names the user; quota and admission have their own words, which are kept.
fn forbidden(refusal: &Refusal<'_>, asked: &Asked, target: &Target) -> Error {
    let error = Error::not_allowed(format!("not allowed to {}", asked.purpose));
    let says = refusal.says();
    if let Some(namespace) = namespace_that_leaves(says) {
        return namespace_leaving(namespace);
    }
    let user = quoted_after(says, "User ").or_else(|| quoted_after(says, "user "));
    if user.is_none() && refusal.status.is_some() {
        return error.fact("says", says).fact("user", user_of(target.user.as_str(), target));
    }
    error
        .fact("missing", right(asked))
        .fact("user", user_of(user.unwrap_or(&target.user), target))
        .try_for("doctor --rbac", "the rules to ask your cluster's admin for")
}

/// The namespace that the server names when it refuses new objects because it is being deleted.
pub(super) fn namespace_that_leaves(says: &str) -> Option<&str> {
    let (namespace, _) = says.split_once(" because it is being terminated")?;
    Some(namespace.rsplit_once(" in namespace ")?.1)
}

fn user_of(user: &str, target: &Target) -> String {
    format!("{user}, context {}", target.context)
}

/// `list serviceclasses.svc-cli.dev, cluster-wide`; `get secrets, in namespace team-a`
fn right(asked: &Asked) -> String {
    let scope = match &asked.scope {
        super::Scope::All => "cluster-wide".to_owned(),
        super::Scope::Namespace(namespace) => format!("in namespace {namespace}"),
    };
    format!("{} {}, {scope}", asked.verb.word(), asked.resource())
}

fn quoted_after<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    text.split_once(word)?.1.strip_prefix('"')?.split_once('"').map(|(name, _)| name)
}

fn no_catalog(target: &Target) -> Error {
    let context = &target.context;
    Error::failed(format!("context {context} has no catalog: {CLASSES} is missing"))
        .advise("An operations team installs it with:")
        .advise("  svc class crd | kubectl apply --server-side -f -")
}

fn missing(refusal: &Refusal<'_>, asked: &Asked, target: &Target) -> Error {
    if let (true, super::Scope::Namespace(name)) =
        (refusal.details_kind() == "namespaces", &asked.scope)
    {
        return no_namespace(name, target);
    }
    let context = &target.context;
    let name = asked.name.as_deref().map(|name| format!("/{name}")).unwrap_or_default();
    Error::not_found(format!("context {context} has no {}{name}", asked.resource()))
        .fact("asked", format!("to {}", asked.purpose))
        .fact("says", refusal.says())
        .try_("doctor")
}

/// Interface §14.
pub(super) fn no_namespace(name: &str, target: &Target) -> Error {
    Error::not_found(format!("no namespace {name} in context {}", target.context)).try_("list -A")
}

pub(super) fn namespace_leaving(name: &str) -> Error {
    Error::failed(format!("namespace {name} is being deleted"))
        .advise("Nothing can be made in it.")
        .try_for("list -A", "what there is elsewhere")
}

/// Something else listens there: a captive portal, a proxy's page, an ingress.
fn not_kubernetes(says: &str, target: &Target) -> Error {
    let context = &target.context;
    let error = Error::failed(format!("server of context {context} does not answer as Kubernetes"))
        .fact("server", &target.server);
    let error = match &target.proxy {
        Some(proxy) => error.fact("proxy", proxy),
        None => error,
    };
    error.fact("says", says).try_("doctor")
}
