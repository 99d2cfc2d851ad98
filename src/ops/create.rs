//! Making an instance: the class, what is there already, the chart, helm, the watch.

pub mod existing;
pub mod install;
pub mod outcome;
pub mod retry;
pub mod same;

use std::time::Duration;

use futures::future::{join, join4};
use jiff::Timestamp;

use super::catalog;
use crate::cluster::{Claim, Cluster, Found, NamespaceState, Right};
use crate::domain::class::{Availability, Class, Deprecated, Plan, Sharing};
use crate::domain::instance::Revision;
use crate::domain::leaving::Leaving;
use crate::domain::name::InstanceName;
use crate::domain::parameter::EffectiveParameter;
use crate::domain::plan::{self, PlanError};
use crate::domain::{duration, selector};
use crate::error::{Error, Result};

/// A class that instances can be made of.
#[derive(Debug)]
pub struct Offer {
    pub class: Class,
    /// To be told before anything is asked.
    pub deprecated: Option<Deprecated>,
}

/// Reads the class that is to be used; whether the user may use it is asked beside it.
///
/// # Errors
/// There is none, or it is broken, shared, closed or not allowed.
pub async fn offer(cluster: &Cluster, name: &str) -> Result<Offer> {
    let right = Right::use_of_class(name);
    let (entry, may_use) = join(catalog::one_to_use(cluster, name), cluster.may(&right)).await;
    let entry = entry?;
    if let Some(reason) = &entry.broken {
        return Err(Error::failed(format!("class {name} is broken: {reason}"))
            .advise("Only its operations team can repair it: svc class lint"));
    }
    let class = entry.class.ok_or_else(|| Error::failed(format!("class {name} is broken")))?;
    if class.spec.sharing == Sharing::Shared {
        return Err(Error::usage(format!("{name} is shared and cannot be created")).advise(
            format!("Shared: it runs already; get credentials with: svc bind {name} api"),
        ));
    }
    if !may_use? {
        return Err(not_allowed(cluster, name));
    }
    if class.spec.availability == Availability::NoNewInstances {
        return Err(closed(&class));
    }
    let deprecated = class.spec.deprecated.clone();
    Ok(Offer { class, deprecated })
}

fn closed(class: &Class) -> Error {
    let error = Error::failed(format!("class {} takes no new instances", class.name))
        .advise("Instances that exist live on.");
    match &class.spec.deprecated {
        Some(deprecated) => {
            let error = error.advise(format!("It is deprecated: {}.", deprecated.advice()));
            match &deprecated.replacement {
                Some(other) => error.try_(format!("catalog {other}")),
                None => error.try_for("catalog", "what can be had"),
            }
        }
        None => error.try_for("catalog", "what can be had"),
    }
}

fn not_allowed(cluster: &Cluster, class: &str) -> Error {
    let target = &cluster.target;
    Error::not_allowed(format!("not allowed to use class {class}"))
        .fact("missing", format!("use serviceclasses.svc-cli.dev {class}, cluster-wide"))
        .fact("user", format!("{}, context {}", target.user, target.context))
        .try_for("catalog", "what can be had")
}

/// What is there already under the name that is wanted.
#[derive(Debug)]
pub struct Ground {
    /// Stored revisions of a release of that name, the newest first.
    pub revisions: Vec<Revision>,
    /// Volumes that an earlier instance of that name left.
    pub volumes: Vec<Claim>,
    /// Whether they could be looked for.
    pub volumes_readable: bool,
    /// Those of them that are being deleted: nothing can be made of their data any more.
    pub leaving: Vec<Leaving>,
}

/// Looks at the ground before anything is asked: the namespace, the name, volumes, rights.
///
/// # Errors
/// No such namespace, one that is being deleted, rights that are missing.
pub async fn ground(cluster: &Cluster, name: &InstanceName) -> Result<Ground> {
    let namespace = &cluster.namespace;
    let left = selector::standard(name.as_str());
    let rights = ["create", "get", "update"].map(|verb| Right::new(verb, "", "secrets", namespace));
    let (revisions, state, claims, missing) = join4(
        cluster.revisions_of(namespace, name.as_str()),
        cluster.namespace_state(namespace),
        cluster.claims(namespace, &left),
        cluster.missing(namespace, &rights),
    )
    .await;
    match state? {
        Found::Missing => return Err(cluster.no_namespace(namespace)),
        Found::Here(NamespaceState::Terminating) => {
            return Err(Cluster::namespace_leaving(namespace));
        }
        Found::Here(NamespaceState::Active) | Found::Forbidden(_) => {}
    }
    let revisions = revisions?;
    let missing = missing?;
    if !missing.is_empty() {
        return Err(no_rights(cluster, &missing));
    }
    let (volumes, volumes_readable) = match claims? {
        Found::Here(claims) => (claims, true),
        Found::Missing | Found::Forbidden(_) => (Vec::new(), false),
    };
    let (doomed, volumes): (Vec<_>, Vec<_>) =
        volumes.into_iter().partition(|volume: &Claim| volume.deleting);
    let leaving = doomed.into_iter().map(|volume| Leaving {
        object: format!("Volume {}", volume.name),
        since: None,
        finalizers: Vec::new(),
    });
    let leaving = leaving.collect();
    Ok(Ground { revisions, volumes, volumes_readable, leaving })
}

fn no_rights(cluster: &Cluster, missing: &[Right]) -> Error {
    let namespace = &cluster.namespace;
    let target = &cluster.target;
    let rights: Vec<String> = missing.iter().map(ToString::to_string).collect();
    Error::not_allowed(format!("not allowed to make instances in namespace {namespace}"))
        .fact("missing", rights.join(", "))
        .fact("user", format!("{}, context {}", target.user, target.context))
        .try_for("doctor --rbac", "the rules to ask your cluster's admin for")
}

/// The plan and the parameters under it.
///
/// # Errors
/// No such plan, or one that has to be said; a parameter that breaks the class.
pub fn choose(
    class: &Class,
    plan: Option<&str>,
) -> Result<(Option<Plan>, Vec<EffectiveParameter>)> {
    let plan = plan::choose(&class.spec, plan).map_err(|error| no_plan(class, &error))?;
    let parameters = EffectiveParameter::all(&class.spec, plan)
        .map_err(|error| Error::failed(format!("class {} is broken: {error}", class.name)))?;
    Ok((plan.cloned(), parameters))
}

fn no_plan(class: &Class, error: &PlanError) -> Error {
    let name = &class.name;
    match error {
        PlanError::Unknown { name: plan, plans, .. } => {
            let plans = plans.join(", ");
            Error::not_found(format!("class {name} has no plan {plan}; it has {plans}"))
        }
        PlanError::NoPlans { name: plan } => {
            Error::not_found(format!("class {name} has no plan {plan}; it has no plans"))
        }
        PlanError::Open { plans } => {
            Error::usage(format!("class {name} has several plans: {}", plans.join(", ")))
        }
        PlanError::BrokenDefault { .. } => {
            Error::failed(format!("class {name} is broken: {error}"))
        }
    }
}

/// What to say instead of a plan that [`choose`] refuses: `Some(None)` where the class has none,
/// `None` where nothing helps.
pub fn better_plan(class: &Class, plan: Option<&str>) -> Option<Option<String>> {
    match plan::choose(&class.spec, plan).err()? {
        PlanError::Unknown { plans, suggestion, .. } => {
            Some(suggestion.or_else(|| plans.into_iter().next()))
        }
        PlanError::Open { plans } => Some(plans.into_iter().next()),
        PlanError::NoPlans { .. } => Some(None),
        PlanError::BrokenDefault { .. } => None,
    }
}

/// The deadline that was asked for, or the one of a class.
///
/// # Errors
/// A text that is no duration, or leaves no time: who wrote it is said.
pub fn timeout(asked: Option<&str>, of_class: &str) -> Result<Duration> {
    let read = |text: &str| Some(text.parse::<duration::Duration>().ok()?.to_std());
    let lasting = |time: Option<Duration>| time.filter(|time| !time.is_zero());
    let Some(text) = asked else {
        return read(of_class).and_then(lasting).ok_or_else(|| no_time_of_class(of_class));
    };
    let time = read(text).ok_or_else(|| {
        Error::usage(format!("\"{text}\" is not a duration for --timeout, like 90s or 5m"))
    })?;
    lasting(time).ok_or_else(|| Error::usage(format!("--timeout {text} leaves no time")))
}

fn no_time_of_class(text: &str) -> Error {
    Error::failed(format!("readiness.timeout {text} of the class leaves no time")).advise(
        "Its operations team can repair it; until then, --timeout says how long, like --timeout 5m",
    )
}

/// Names that are taken in the namespace, for the first free one.
///
/// # Errors
/// What keeps an answer away.
pub async fn taken_names(cluster: &Cluster) -> Result<Vec<String>> {
    let scope = crate::cluster::Scope::namespace(&cluster.namespace);
    let revisions = cluster.revisions(scope, "").await?;
    Ok(revisions.items.into_iter().map(|revision| revision.name).collect())
}

/// How old something is, `3d`.
pub(super) fn age(since: Timestamp, now: Timestamp) -> String {
    crate::domain::age::age(since, now)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::example;

    #[test]
    fn who_left_no_time_is_said() {
        let told = |asked, of_class| timeout(asked, of_class).map_err(|error| error.message);
        assert_eq!(told(Some("90s"), "0s"), Ok(Duration::from_secs(90)));
        assert_eq!(told(None, "5m"), Ok(Duration::from_secs(300)));
        assert_eq!(told(Some("-5m"), "5m"), Err("--timeout -5m leaves no time".to_owned()));
        assert_eq!(told(Some("0s"), "5m"), Err("--timeout 0s leaves no time".to_owned()));
        let class = "readiness.timeout 0s of the class leaves no time".to_owned();
        assert_eq!(told(None, "0s"), Err(class));
        assert_eq!(timeout(None, "0s").unwrap_err().kind, crate::error::ErrorKind::Failed);
    }

    #[test]
    fn a_closed_class_names_what_stands_for_it() {
        let mut class = example::class();
        assert_eq!(closed(&class).tries[0].command, "catalog");
        class.spec.deprecated = Some(Deprecated {
            message: "security fixes have ended".to_owned(),
            replacement: Some("postgres-17".to_owned()),
        });
        let error = closed(&class);
        assert_eq!(error.tries[0].command, "catalog postgres-17");
        let advice = "It is deprecated: use postgres-17: security fixes have ended.";
        assert_eq!(error.advice[1], advice);
    }
}
