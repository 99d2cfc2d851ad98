//! From answers to a release: chart, values, record, helm, and what helm stored.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;
use secrecy::SecretString;
use tokio::time::Instant;

use super::existing;
use super::outcome::{judge, secrets};
use crate::cluster::{Cluster, Found, Pick};
use crate::domain::answers::Answers;
use crate::domain::class::{Class, ConfigMapChart, Object, Plan, SecretRef, class_hash};
use crate::domain::fullname::fullname;
use crate::domain::instance::{Revision, label};
use crate::domain::name::InstanceName;
use crate::domain::parameter::EffectiveParameter;
use crate::domain::record::{Record, RecordedChart};
use crate::domain::selector;
use crate::domain::template::{self, Context};
use crate::domain::values::{ComputedValue, Values, operations_values};
use crate::error::{Error, Result};
use crate::helm::chart::{PulledChart, RegistryCredentials, WantedChart};
use crate::helm::{
    Deployment, Helm, InstallRequest, Lock, LockState, MachineId, Redaction, Signals, Target,
    Until, longest_life,
};

/// Everything that was decided.
pub struct Order<'a> {
    pub name: &'a InstanceName,
    pub class: &'a Class,
    pub plan: Option<&'a Plan>,
    pub parameters: &'a [EffectiveParameter],
    pub answers: &'a Answers,
    /// For hooks and readiness together.
    pub timeout: Duration,
    pub machine: &'a MachineId,
}

/// Pulls the chart of a class, or takes it from the cache.
///
/// # Errors
/// It cannot be had, or is not what the class says.
pub async fn chart(
    cluster: &Cluster,
    helm: &Helm,
    class: &Class,
    signals: &mut Signals,
) -> Result<PulledChart> {
    let chart = class.spec.chart.as_ref().ok_or_else(|| {
        Error::failed(format!("class {} is broken: it names no chart", class.name))
    })?;
    let wanted = WantedChart::of_class(chart)?;
    helm.obtain_chart(
        &wanted,
        async |secret: &SecretRef| credentials(cluster, secret).await,
        async |map: &ConfigMapChart| archive(cluster, map).await,
        signals,
    )
    .await
}

/// A Secret that may not be read leaves the user's own login.
async fn credentials(cluster: &Cluster, secret: &SecretRef) -> Result<Option<RegistryCredentials>> {
    let found = cluster.secret(&secret.namespace, &Pick::Name(secret.name.clone())).await?;
    let Found::Here(keyed) = found else { return Ok(None) };
    let parts = keyed
        .keys()
        .filter_map(|key| Some((key.to_owned(), keyed.reveal(key)?.to_vec())))
        .collect::<Vec<_>>();
    let place = format!("Secret {} in namespace {}", secret.name, secret.namespace);
    RegistryCredentials::from_secret(parts).map(Some).map_err(|error| {
        Error::failed(format!("the credentials of the chart cannot be used: {error}"))
            .fact("secret", place)
            .advise("The class names this Secret; its operations team can repair it.")
    })
}

async fn archive(cluster: &Cluster, map: &ConfigMapChart) -> Result<Vec<u8>> {
    let place = format!("ConfigMap {} in namespace {}", map.name, map.namespace);
    let broken = |why: String| {
        Error::failed(why).advise("The class names this chart; its operations team can repair it.")
    };
    match cluster.config_map(&map.namespace, &Pick::Name(map.name.clone())).await? {
        Found::Here(keyed) => match keyed.reveal(&map.key) {
            Some(bytes) => Ok(bytes.to_vec()),
            None => Err(broken(format!("the chart is not there: {place} has no key {}", map.key))),
        },
        Found::Missing => Err(broken(format!("the chart is not there: no {place}"))),
        Found::Forbidden(error) => Err(*error),
    }
}

/// Installs and gives the stored revision.
///
/// # Errors
/// Someone else works on it, helm failed or was interrupted, or stored something else than
/// `deployed`.
pub async fn install(
    cluster: &Cluster,
    helm: &Helm,
    order: &Order<'_>,
    chart: &PulledChart,
    signals: &mut Signals,
    say: &dyn Fn(&str),
) -> Result<Vec<Revision>> {
    let started = Instant::now();
    let values = values(cluster, order, chart)?;
    let record = record(order, chart);
    let class_file = serde_json::to_vec(&record).map_err(|error| {
        Error::failed("the record of the class cannot be written").because(error)
    })?;
    let prepared = chart.prepare(helm.cache(), &class_file)?;
    let namespace = &cluster.namespace;
    let name = order.name.as_str();
    let server = &cluster.target.server;
    let lock = match Lock::take(helm.cache(), server, namespace, name)? {
        LockState::Taken(lock) => lock,
        LockState::HeldByOther => return Err(existing::locked(order.name, namespace)),
    };
    let request = InstallRequest {
        target: target(cluster),
        deployment: Deployment {
            release: name.to_owned(),
            chart: prepared.path().to_owned(),
            values: helm_values(&values)?,
            integers: values.big_integers(),
            labels: labels(cluster, order, chart, &values),
            description: format!("svc create {name} --class {}", order.class.name),
            timeout: order.timeout.saturating_sub(started.elapsed()),
        },
    };
    let outcome = helm.install(&request, &lock, signals).await?;
    say(&outcome.command_line);
    say(&outcome.words(&Redaction::new(&secrets(order.answers))));
    let revisions = cluster.revisions_of(namespace, name).await?;
    judge(cluster, order, &outcome, revisions)
}

/// What helm needs to reach the same cluster as the same user.
pub fn target(cluster: &Cluster) -> Target {
    Target {
        kubeconfig: cluster.helm.kubeconfig.clone(),
        context: cluster.helm.context.clone(),
        namespace: cluster.namespace.clone(),
    }
}

fn helm_values(values: &Values) -> Result<SecretString> {
    let bytes = values
        .to_helm_json()
        .map_err(|error| Error::failed(format!("the values cannot be handed to helm: {error}")))?;
    let text = String::from_utf8(bytes).expect("JSON is text");
    Ok(SecretString::from(text))
}

/// The tree of values: class ← plan ← computed ← answers.
fn values(cluster: &Cluster, order: &Order<'_>, chart: &PulledChart) -> Result<Values> {
    let spec = &order.class.spec;
    let broken = |reason: String| {
        Error::failed(format!("class {} is broken: {reason}", order.class.name))
            .advise("Only its operations team can repair it: svc class lint")
    };
    let plan = order.plan.map(|plan| &plan.values);
    let fixed =
        operations_values(&spec.values, plan, &[]).map_err(|error| broken(error.to_string()))?;
    let context = context(cluster, order, chart, &fixed);
    let mut computed = Vec::new();
    for one in &spec.computed {
        let value = template::evaluate(&one.value, &context).map_err(|error| {
            broken(format!("computed {}: {}", one.paths.join(", "), error.reason))
        })?;
        computed.push(ComputedValue { paths: one.paths.clone(), value });
    }
    let fixed = operations_values(&spec.values, plan, &computed)
        .map_err(|error| broken(error.to_string()))?;
    Values::new(fixed, order.parameters, order.answers).map_err(|error| broken(error.to_string()))
}

fn context(cluster: &Cluster, order: &Order<'_>, chart: &PulledChart, fixed: &Object) -> Context {
    let name = order.name.as_str();
    let fullname = fullname(name, chart.name(), fixed);
    Context::new(name, &cluster.namespace, chart.name(), &fullname)
        .with_params(order.answers.public_params())
        .with_values(fixed.clone())
}

fn record(order: &Order<'_>, chart: &PulledChart) -> Record {
    let recorded = RecordedChart {
        name: chart.name().to_owned(),
        version: chart.version().to_owned(),
        source: order.class.spec.chart.clone(),
        digest: chart.digest().to_owned(),
    };
    Record {
        plan: order.plan.map(|plan| plan.name.clone()),
        answers: order.answers.recorded(),
        ..Record::of(order.class, class_hash(&order.class.spec), recorded)
    }
}

fn labels(
    cluster: &Cluster,
    order: &Order<'_>,
    chart: &PulledChart,
    values: &Values,
) -> BTreeMap<String, String> {
    let now = Timestamp::now().as_second();
    let until = Until::after(now, longest_life(order.timeout), order.machine.clone());
    let class = order.class;
    let mut labels = BTreeMap::from([
        (label::CLASS.to_owned(), class.name.clone()),
        (label::CHART.to_owned(), format!("{}_{}", chart.name(), chart.version())),
        (label::CLASS_HASH.to_owned(), class_hash(&class.spec)),
        (label::CREATED.to_owned(), now.to_string()),
        (label::UNTIL.to_owned(), until.to_label()),
    ]);
    if let Some(plan) = order.plan {
        labels.insert(label::PLAN.to_owned(), plan.name.clone());
    }
    if class.spec.readiness.pods.is_some() {
        let context = context(cluster, order, chart, &values.public(order.parameters));
        let pods = selector::pods(&class.spec.readiness, order.name.as_str(), &context);
        if let Some(label) = pods.ok().and_then(|pods| selector::to_label(&pods)) {
            labels.insert(label::PODS.to_owned(), label);
        }
    }
    labels
}
