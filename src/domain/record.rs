//! `svc-class.json`: what the class said when a revision was made, kept in the chart that helm
//! stores (design §4). No sensitive value is in it.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::class::{
    Class, Computed, Connection, Deletion, Object, Parameter, Plan, Readiness, ServiceClassSpec,
    class_hash,
};
use super::parameter::EffectiveParameter;
use super::path::Path;

/// The file's name inside the chart archive.
pub const FILE_NAME: &str = "svc-class.json";

/// What a revision remembers of its class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    /// The form of this file.
    pub version: u32,
    pub class: String,
    pub class_hash: String,
    pub chart: RecordedChart,
    #[serde(default)]
    pub plan: Option<String>,
    /// The answers in the order of the class; sensitive ones without their value.
    pub answers: IndexMap<String, RecordedAnswer>,
    #[serde(default)]
    pub values: Object,
    #[serde(default)]
    pub computed: Vec<Computed>,
    pub parameters: Vec<Parameter>,
    pub plans: Vec<Plan>,
    pub connection: Connection,
    pub readiness: Readiness,
    pub deletion: Deletion,
}

/// The chart that was installed, and the digest of its archive as it was pulled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordedChart {
    pub name: String,
    pub version: String,
    #[serde(default)]
    pub source: Option<super::class::Chart>,
    /// `sha256:…` of the .tgz.
    pub digest: String,
}

/// One answer, and where it came from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordedAnswer {
    /// `null` for a sensitive one.
    pub value: Value,
    pub origin: Origin,
}

/// Where an answer came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Origin {
    /// By flag, file or at the prompt.
    Given,
    PlanDefault,
    ClassDefault,
    Generated,
}

/// The version of the file that this svc writes.
pub const RECORD_VERSION: u32 = 1;

impl Record {
    /// The parts of the class that are kept, without the answers.
    pub fn of(class: &Class, class_hash: String, chart: RecordedChart) -> Self {
        let spec = &class.spec;
        Self {
            version: RECORD_VERSION,
            class: class.name.clone(),
            class_hash,
            chart,
            plan: None,
            answers: IndexMap::new(),
            values: spec.values.clone(),
            computed: spec.computed.clone(),
            parameters: spec.parameters.clone(),
            plans: spec.plans.clone(),
            connection: spec.connection.clone(),
            readiness: spec.readiness.clone(),
            deletion: spec.deletion.clone(),
        }
    }

    /// What today's class says of a release that remembers none: the answers are what its values
    /// hold where the parameters land, and the plan is the one of its label, where the class has it.
    pub fn of_today(
        class: &Class,
        plan: Option<&str>,
        chart: RecordedChart,
        config: &Object,
    ) -> Self {
        let plan = class.spec.plans.iter().find(|known| Some(known.name.as_str()) == plan);
        let answers = class.spec.parameters.iter().filter_map(|parameter| {
            let path: Path = parameter.paths.first()?.parse().ok()?;
            let value = path.get(config)?.clone();
            let value = if parameter.sensitive { Value::Null } else { value };
            Some((parameter.name.clone(), RecordedAnswer { value, origin: Origin::Given }))
        });
        let answers = answers.collect();
        let plan = plan.map(|plan| plan.name.clone());
        Self { answers, plan, ..Self::of(class, class_hash(&class.spec), chart) }
    }

    /// What is known of a release whose class is gone and that remembers none: what holds for any
    /// class, so that its data stays.
    pub fn unknown(class: &str, chart: RecordedChart) -> Self {
        let spec = ServiceClassSpec::bare(Connection::default());
        let class = Class { name: class.to_owned(), labels: BTreeMap::new(), spec };
        Self::of(&class, String::new(), chart)
    }

    /// What templates see of parameters that a release without a record has no value for: the
    /// class's default, and nothing where svc would never have made it without one. One that is
    /// optional, or applies to some answers only, is not there for instances of svc's own either.
    pub fn stand_ins(&self, answered: &Object) -> Object {
        let open = self.parameters.iter().filter(|parameter| {
            parameter.when.is_none() && !answered.contains_key(&parameter.name)
        });
        let stand_in = |parameter: &Parameter| {
            let value = match EffectiveParameter::new(parameter, None).ok()? {
                EffectiveParameter { default: Some(default), .. } => default.to_json(),
                known if known.required || known.generate.is_some() => Value::from(""),
                _ => return None,
            };
            Some((parameter.name.clone(), value))
        };
        open.filter_map(stand_in).collect()
    }

    /// Whether what a parameter was answered with is hidden: its class says so, or said so when it
    /// was given.
    pub fn hides(&self, name: &str) -> bool {
        let sensitive = |known: &Parameter| known.name == name && known.sensitive;
        self.answers.get(name).is_some_and(|answer| answer.value.is_null())
            || self.parameters.iter().any(sensitive)
    }

    /// The class as it was then, as far as it shapes an instance.
    pub fn as_class(&self) -> Class {
        let spec = ServiceClassSpec {
            chart: self.chart.source.clone(),
            values: self.values.clone(),
            computed: self.computed.clone(),
            parameters: self.parameters.clone(),
            plans: self.plans.clone(),
            readiness: self.readiness.clone(),
            deletion: self.deletion.clone(),
            ..ServiceClassSpec::bare(self.connection.clone())
        };
        Class { name: self.class.clone(), labels: BTreeMap::new(), spec }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::example;
    use super::*;

    #[test]
    fn what_a_release_does_not_set_is_the_default_of_the_class() {
        let chart = RecordedChart {
            name: "postgresql".to_owned(),
            version: "1".to_owned(),
            source: None,
            digest: String::new(),
        };
        let record = Record::of_today(&example::class(), None, chart, &Object::new());
        assert!(record.answers.is_empty(), "the release has none of them");
        let answered = Object::from_iter([("metrics".to_owned(), json!(true))]);
        let expected = json!({
            "database": "", "storage": "8Gi", "mode": "standalone", "admin-password": "",
            "max-connections": 100,
        });
        assert_eq!(Value::Object(record.stand_ins(&answered)), expected);
    }
}
