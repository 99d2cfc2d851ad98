//! What `create`, `update` and `upgrade` share: from a class and answers to what helm is handed.

pub mod chart;
mod connection;
mod tree;

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;
use secrecy::SecretString;
use tokio::time::Instant;

use crate::cluster::Cluster;
use crate::domain::answers::{Answer, AnswerValue, Answers};
use crate::domain::class::{Class, Plan};
use crate::domain::fullname::fullname;
use crate::domain::instance::label;
use crate::domain::parameter::EffectiveParameter;
use crate::domain::record::{Record, RecordedChart};
use crate::domain::selector;
use crate::domain::template::Context;
use crate::domain::values::Values;
use crate::error::{Error, Result};
use crate::helm::chart::{PreparedChart, PulledChart};
use crate::helm::{Deployment, Helm, MachineId, Target, Until, longest_life};

/// Everything that was decided.
pub struct Order<'a> {
    pub name: &'a str,
    /// What shapes the instance: the class of today, or as it is recorded.
    pub class: &'a Class,
    /// The fingerprint of that class when it was read.
    pub class_hash: &'a str,
    pub plan: Option<&'a Plan>,
    pub parameters: &'a [EffectiveParameter],
    pub answers: &'a Answers,
    /// For hooks and readiness together, and when the clock began.
    pub timeout: Duration,
    pub started: Instant,
    pub machine: &'a MachineId,
    /// The label `created` of the first revision; `None` where this is the first.
    pub created: Option<&'a str>,
    /// What `helm history` shows.
    pub description: String,
}

/// Who does the work, and who hears helm's words.
#[derive(Clone, Copy)]
pub struct Engine<'a> {
    pub cluster: &'a Cluster,
    pub helm: &'a Helm,
    pub say: &'a dyn Fn(&str),
}

/// A release that is ready to be made or changed.
pub struct Prepared {
    pub target: Target,
    pub values: Values,
    pub record: Record,
    helm_values: SecretString,
    labels: BTreeMap<String, String>,
    chart: PreparedChart,
}

impl Prepared {
    /// Values, record, labels, and the archive with `svc-class.json` in it.
    ///
    /// # Errors
    /// The class is broken: a template gives nothing, or a value has no place.
    pub fn new(
        cluster: &Cluster,
        helm: &Helm,
        order: &Order<'_>,
        chart: &PulledChart,
    ) -> Result<Self> {
        let values = tree::values(cluster, order, chart)?;
        let record = record(order, chart);
        let class_file = serde_json::to_vec(&record).map_err(|error| {
            Error::failed("the record of the class cannot be written").because(error)
        })?;
        Ok(Self {
            target: target(cluster),
            helm_values: helm_values(&values)?,
            labels: labels(cluster, order, chart, &values),
            chart: chart.prepare(helm.cache(), &class_file)?,
            values,
            record,
        })
    }

    /// The same, where the class can also say how to connect.
    ///
    /// # Errors
    /// The class is broken.
    pub fn checked(
        cluster: &Cluster,
        helm: &Helm,
        order: &Order<'_>,
        chart: &PulledChart,
    ) -> Result<Self> {
        let prepared = Self::new(cluster, helm, order, chart)?;
        prepared.check_connection(cluster, order)?;
        Ok(prepared)
    }

    /// Passes when the class can say how to connect, as far as that is known before anything is
    /// made.
    ///
    /// # Errors
    /// The class is broken, for these answers at least.
    pub fn check_connection(&self, cluster: &Cluster, order: &Order<'_>) -> Result<()> {
        let (chart, values) = (&self.record.chart.name, self.values.reveal());
        let fullname = fullname(order.name, chart, values);
        let context = Context::new(order.name, &cluster.namespace, chart, &fullname)
            .with_params(order.answers.revealed_params())
            .with_values(values.clone())
            .hiding(&order.class.spec.parameters);
        connection::check(order, &context)
    }

    /// What helm is handed now: the label `until` begins to count.
    pub fn deployment(&self, order: &Order<'_>) -> Deployment {
        let mut labels = self.labels.clone();
        labels.insert(label::UNTIL.to_owned(), until(order).to_label());
        Deployment {
            release: order.name.to_owned(),
            chart: self.chart.path().to_owned(),
            values: self.helm_values.clone(),
            integers: self.values.big_integers(),
            labels,
            description: order.description.clone(),
            timeout: order.timeout.saturating_sub(order.started.elapsed()),
        }
    }
}

/// The sensitive answers, to keep them out of helm's words.
pub fn secrets(answers: &Answers) -> Vec<SecretString> {
    let secret = |answer: &Answer| match &answer.value {
        AnswerValue::Secret(secret) => Some(secret.clone()),
        AnswerValue::Plain(_) => None,
    };
    answers.iter().filter_map(secret).collect()
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
        ..Record::of(order.class, order.class_hash.to_owned(), recorded)
    }
}

fn until(order: &Order<'_>) -> Until {
    let now = Timestamp::now().as_second();
    let left = order.timeout.saturating_sub(order.started.elapsed());
    Until::after(now, longest_life(left), order.machine.clone())
}

fn labels(
    cluster: &Cluster,
    order: &Order<'_>,
    chart: &PulledChart,
    values: &Values,
) -> BTreeMap<String, String> {
    let class = order.class;
    // A release of plain helm has no such label.
    let created = order.created.filter(|created| !created.is_empty()).map(str::to_owned);
    let created = created.unwrap_or_else(|| Timestamp::now().as_second().to_string());
    let mut labels = BTreeMap::from([
        (label::CLASS.to_owned(), class.name.clone()),
        (label::CHART.to_owned(), format!("{}_{}", chart.name(), chart.version())),
        (label::CLASS_HASH.to_owned(), order.class_hash.to_owned()),
        (label::CREATED.to_owned(), created),
    ]);
    if order.created.is_some() {
        // helm merges labels, and this word takes one away.
        labels.extend([label::PLAN, label::PODS].map(|name| (name.to_owned(), "null".to_owned())));
    }
    if let Some(plan) = order.plan {
        labels.insert(label::PLAN.to_owned(), plan.name.clone());
    }
    if class.spec.readiness.pods.is_some() {
        let public = values.public(order.parameters, order.answers);
        let context = tree::context(cluster, order, chart, &public);
        let pods = selector::pods(&class.spec.readiness, order.name, &context);
        if let Some(label) = pods.ok().and_then(|pods| selector::to_label(&pods)) {
            labels.insert(label::PODS.to_owned(), label);
        }
    }
    labels
}
