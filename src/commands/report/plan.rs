//! What a change would do: `--dry-run -o json`, kind `Plan` (interface §1.2, §15).

use serde::Serialize;
use serde_json::{Map, Value};

use super::API_VERSION;
use crate::domain::answers::Answers;
use crate::domain::difference::{ParameterChange, ValueChange, leaves};
use crate::domain::parameter::EffectiveParameter;
use crate::domain::values::{Values, sensitive_places};
use crate::output::{Page, Report};

/// Parameters, values by path, differences. Sensitive ones are `null`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanReport {
    api_version: &'static str,
    kind: &'static str,
    pub name: String,
    pub namespace: String,
    pub class: String,
    pub plan: Option<String>,
    pub parameters: Map<String, Value>,
    /// What helm would be given, by path.
    pub values: Map<String, Value>,
    pub differences: Vec<Difference>,
    /// Those that an earlier instance left and that are used again.
    pub volumes: Vec<PlannedVolume>,
    /// With `--manifests`: what helm would apply, as one YAML stream.
    pub manifests: Option<String>,
    /// The text of the other formats.
    #[serde(skip)]
    pub text: String,
}

/// A volume that is used again.
#[derive(Debug, Serialize)]
pub struct PlannedVolume {
    pub name: String,
    /// What it has, and keeps.
    pub size: Option<String>,
    /// What the chart asks for, where that is another size.
    pub asked: Option<String>,
}

/// Something that would become something else; `null` where it is not there.
#[derive(Debug, Serialize)]
pub struct Difference {
    /// `parameter`, `path` (of a parameter), `value`, `chart`, `plan` or `object`.
    pub of: &'static str,
    pub name: String,
    pub before: Option<Value>,
    pub after: Option<Value>,
}

impl PlanReport {
    /// The report of one instance; the caller fills the rest.
    pub fn new(name: &str, namespace: &str, class: &str, plan: Option<&str>) -> Self {
        Self {
            api_version: API_VERSION,
            kind: "Plan",
            name: name.to_owned(),
            namespace: namespace.to_owned(),
            class: class.to_owned(),
            plan: plan.map(str::to_owned),
            parameters: Map::new(),
            values: Map::new(),
            differences: Vec::new(),
            volumes: Vec::new(),
            manifests: None,
            text: String::new(),
        }
    }

    /// The same with what helm would apply, which then is the text of the other formats.
    pub fn with_manifests(self, manifests: Option<String>) -> Self {
        let text = manifests.clone().unwrap_or(self.text);
        Self { manifests, text, ..self }
    }

    /// Parameters and values by path.
    pub fn with_values(
        mut self,
        answers: &Answers,
        values: &Values,
        parameters: &[EffectiveParameter],
    ) -> Self {
        let public = answers.iter().map(|answer| (answer.name.clone(), answer.value.public_json()));
        self.parameters = public.collect();
        self.values = leaves(&values.public(parameters, answers)).into_iter().collect();
        let hidden = sensitive_places(parameters, answers);
        for path in hidden.filter(|path| path.get(values.reveal()).is_some()) {
            self.values.insert(path.to_string(), Value::Null);
        }
        self
    }
}

impl From<&ParameterChange> for Difference {
    fn from(change: &ParameterChange) -> Self {
        let ParameterChange { name, before, after, .. } = change.clone();
        Self { of: "parameter", name, before, after }
    }
}

impl From<&ValueChange> for Difference {
    fn from(change: &ValueChange) -> Self {
        let ValueChange { path, before, after } = change.clone();
        Self { of: "value", name: path, before, after }
    }
}

impl Report for PlanReport {
    fn text(&self, _: &Page) -> String {
        self.text.clone()
    }

    fn names(&self) -> Vec<String> {
        vec![self.name.clone()]
    }
}
