//! An instance as `show` and the changes print it (interface §4, §9, §15).

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::commands::report::class::ChartItem;
use crate::commands::report::instance::{Instance, Volume};
use crate::domain::connection::Details;
use crate::domain::connection_format;
use crate::domain::instance::label;
use crate::domain::state;
use crate::domain::summary;
use crate::error::{Error, Result};
use crate::ops::show::Shown;
use crate::output::{Format, Page, Pairs, Report};

/// An instance with its details.
#[derive(Debug, Serialize)]
pub struct InstanceReport {
    #[serde(flatten)]
    instance: Instance,
    #[serde(skip)]
    pub shown: Shown,
    #[serde(skip)]
    age: Option<String>,
    #[serde(skip)]
    masked: bool,
}

impl InstanceReport {
    /// The report; `masked` hides sensitive values in every form.
    pub fn new(shown: Shown, context: String, masked: bool, now: Timestamp) -> Self {
        let age = state::instance_age(&shown.stored.revisions, now);
        let instance = machine(&shown, context, masked);
        Self { instance, shown, age, masked }
    }

    /// The details alone, masked: what `create` answers.
    pub fn masked_details(&self, page: &Page) -> String {
        details_text(&self.shown.details, true, page)
    }
}

fn machine(shown: &Shown, context: String, masked: bool) -> Instance {
    let newest = shown.stored.newest();
    let release = &shown.stored.release;
    let label = |name: &str| newest.labels.get(name).cloned();
    let connection = &shown.stored.record.connection;
    Instance {
        api_version: crate::commands::report::API_VERSION,
        kind: "Instance",
        name: release.name.clone(),
        namespace: release.namespace.clone(),
        context,
        class: label(label::CLASS),
        plan: label(label::PLAN),
        state: shown.state,
        note: shown.note.clone(),
        outdated: shown.outdated,
        revision: newest.number,
        chart: Some(ChartItem {
            name: release.chart_name.clone(),
            version: release.chart_version.clone(),
        }),
        created_at: state::created(&shown.stored.revisions).map(|time| time.to_string()),
        updated_at: newest.created.to_string(),
        masked,
        binding_of: label(label::BINDING_OF),
        connection: connection_format::report(
            connection,
            &shown.details,
            shown.secret.clone(),
            masked,
        ),
        parameters: parameters(shown),
        volumes: shown
            .volumes
            .iter()
            .map(|volume| Volume { name: volume.name.clone(), size: volume.size.clone() })
            .collect(),
        bindings: Vec::new(),
    }
}

/// Sensitive ones are `null`, always: the details are what connects.
fn parameters(shown: &Shown) -> Map<String, Value> {
    let answers = shown.stored.record.answers.iter();
    answers.map(|(name, answer)| (name.clone(), answer.value.clone())).collect()
}

impl Report for InstanceReport {
    fn text(&self, page: &Page) -> String {
        let mut text = self.head();
        text.push('\n');
        text.push_str(&details_text(&self.shown.details, self.masked, page));
        let parameters = self.parameter_pairs(page);
        if !parameters.is_empty() {
            text.push('\n');
            text.push_str(&parameters.render(page));
        }
        text
    }

    fn names(&self) -> Vec<String> {
        vec![self.instance.name.clone()]
    }

    fn exact(&self, format: Format) -> Result<String> {
        Err(Error::usage(format!("-o {} is a format of show only", format.word())))
    }
}

impl InstanceReport {
    fn head(&self) -> String {
        let instance = &self.instance;
        let class = instance.class.as_deref().unwrap_or("-");
        let plan = instance.plan.as_deref().map(|plan| format!(", plan {plan}"));
        let age = self.age.as_deref().map(|age| format!(", {age} old"));
        let name = &instance.name;
        let indent = " ".repeat(name.chars().count() + 2);
        format!(
            "{name}  {class}{}, {}{}\n{indent}namespace {}, context {}\n",
            plan.unwrap_or_default(),
            instance.state,
            age.unwrap_or_default(),
            instance.namespace,
            instance.context
        )
    }

    fn parameter_pairs(&self, page: &Page) -> Pairs {
        let mut pairs = Pairs::new();
        let record = &self.shown.stored.record;
        for row in summary::of_instance(&record.parameters, &record.answers) {
            pairs.row(&row.name, row.text(page.mask()));
        }
        pairs
    }
}

/// The details as lines.
pub fn details_text(details: &Details, masked: bool, page: &Page) -> String {
    let mut pairs = Pairs::new();
    for detail in &details.0 {
        pairs.row(&detail.name, connection_format::shown(detail, masked));
    }
    pairs.render(page)
}
