//! A class in machine output (interface §15). Fields are added, never renamed, removed or retyped.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::API_VERSION;
use crate::domain::class::{
    BooleanLimits, Change, Class, Kind, Parameter, Plan, PlanParameter, Sharing, When,
};
use crate::domain::connection::sensitive_names;
use crate::domain::plan::choose;
use crate::domain::template::Context;
use crate::ops::catalog::{Entry, Status};

/// `svc catalog -o json`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ClassList {
    api_version: &'static str,
    kind: &'static str,
    items: Vec<ClassItem>,
}

impl ClassList {
    pub fn of(entries: &[Entry]) -> Self {
        let items = entries.iter().map(ClassItem::of).collect();
        Self { api_version: API_VERSION, kind: "ClassList", items }
    }
}

/// `svc catalog CLASS -o json`: the item itself.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OneClass {
    api_version: &'static str,
    kind: &'static str,
    #[serde(flatten)]
    item: ClassItem,
}

impl OneClass {
    pub fn of(entry: &Entry) -> Self {
        Self { api_version: API_VERSION, kind: "Class", item: ClassItem::of(entry) }
    }
}

/// One class.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ClassItem {
    name: String,
    display_name: Option<String>,
    summary: Option<String>,
    description: Option<String>,
    tags: Vec<String>,
    #[serde(rename = "documentationURL")]
    documentation_url: Option<String>,
    status: Option<Status>,
    sharing: Option<Sharing>,
    broken: Option<Broken>,
    deprecated: Option<Deprecation>,
    labels: BTreeMap<String, String>,
    chart: Option<ChartItem>,
    plans: Vec<PlanItem>,
    parameters: Vec<ParameterItem>,
    connection: Option<ConnectionItem>,
    bindable: bool,
}

#[derive(Debug, Serialize)]
struct Broken {
    reason: String,
}

#[derive(Debug, Serialize)]
struct Deprecation {
    message: String,
    replacement: Option<String>,
}

/// Name and version of a chart.
#[derive(Clone, Debug, Serialize)]
pub struct ChartItem {
    pub name: String,
    pub version: String,
}

#[derive(Debug, Serialize)]
struct PlanItem {
    name: String,
    summary: Option<String>,
    default: bool,
    parameters: Vec<Value>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ParameterItem {
    name: String,
    #[serde(rename = "type")]
    kind: &'static str,
    title: Option<String>,
    description: Option<String>,
    default: Value,
    #[serde(rename = "enum")]
    choices: Value,
    minimum: Value,
    maximum: Value,
    min_length: Value,
    max_length: Value,
    pattern: Value,
    required: bool,
    change: Change,
    sensitive: bool,
    generated: bool,
    when: Option<When>,
    group: Option<String>,
    advanced: bool,
}

#[derive(Debug, Serialize)]
struct ConnectionItem {
    #[serde(rename = "type")]
    kind: Option<String>,
    provider: Option<String>,
    details: Vec<DetailItem>,
}

#[derive(Debug, Serialize)]
struct DetailItem {
    name: String,
    sensitive: bool,
}

impl ClassItem {
    fn of(entry: &Entry) -> Self {
        let mut item = Self {
            name: entry.name.clone(),
            summary: entry.summary.clone(),
            status: Some(entry.status),
            broken: entry.broken.clone().map(|reason| Broken { reason }),
            labels: entry.labels.clone(),
            ..Self::default()
        };
        if let Some(class) = &entry.class {
            item.describe(class);
        }
        item
    }

    fn describe(&mut self, class: &Class) {
        let spec = &class.spec;
        self.display_name.clone_from(&spec.display_name);
        self.description.clone_from(&spec.description);
        self.tags.clone_from(&spec.tags);
        self.documentation_url.clone_from(&spec.documentation_url);
        self.sharing = Some(spec.sharing);
        self.deprecated = spec.deprecated.as_ref().map(|deprecated| Deprecation {
            message: deprecated.message.clone(),
            replacement: deprecated.replacement.clone(),
        });
        self.chart = spec.chart.as_ref().and_then(|chart| {
            let (name, version) = chart.name_and_version()?;
            Some(ChartItem { name: name.to_owned(), version: version.to_owned() })
        });
        let default = choose(spec, None).ok().flatten().map(|plan| plan.name.as_str());
        self.plans = spec.plans.iter().map(|plan| PlanItem::of(plan, default)).collect();
        self.parameters = spec.parameters.iter().map(ParameterItem::of).collect();
        self.connection = Some(ConnectionItem::of(class));
        self.bindable = spec.binding.is_some();
    }
}

impl PlanItem {
    fn of(plan: &Plan, default: Option<&str>) -> Self {
        Self {
            name: plan.name.clone(),
            summary: plan.summary.clone(),
            default: default == Some(plan.name.as_str()),
            parameters: plan.parameters.iter().map(narrowed).collect(),
        }
    }
}

/// What a plan says of a parameter: its name and the limits that are there.
fn narrowed(parameter: &PlanParameter) -> Value {
    let Ok(Value::Object(fields)) = serde_json::to_value(parameter) else { return Value::Null };
    let mut flat = serde_json::Map::new();
    for (name, value) in fields {
        match value {
            Value::Object(limits) => flat.extend(limits),
            other => drop(flat.insert(name, other)),
        }
    }
    Value::Object(flat)
}

impl ParameterItem {
    fn of(parameter: &Parameter) -> Self {
        let limits = limits(parameter);
        let limit = |name: &str| limits.get(name).cloned().unwrap_or_default();
        Self {
            name: parameter.name.clone(),
            kind: kind_word(parameter),
            title: parameter.title.clone(),
            description: parameter.description.clone(),
            default: limit("default"),
            choices: limits.get("enum").cloned().unwrap_or_else(|| Value::Array(Vec::new())),
            minimum: limit("minimum"),
            maximum: limit("maximum"),
            min_length: limit("minLength"),
            max_length: limit("maxLength"),
            pattern: limit("pattern"),
            required: parameter.required,
            change: parameter.change,
            sensitive: parameter.sensitive,
            generated: parameter.generate.is_some(),
            when: parameter.when.clone(),
            group: parameter.group.clone(),
            advanced: parameter.advanced,
        }
    }
}

fn kind_word(parameter: &Parameter) -> &'static str {
    match parameter.kind() {
        Some(Kind::String(_)) | None => "string",
        Some(Kind::Integer(_)) => "integer",
        Some(Kind::Number(_)) => "number",
        Some(Kind::Boolean(_)) => "boolean",
        Some(Kind::Quantity(_)) => "quantity",
        Some(Kind::Duration(_)) => "duration",
        Some(Kind::List(_)) => "list",
    }
}

fn limits(parameter: &Parameter) -> Value {
    let limits = match parameter.kind() {
        Some(Kind::String(limits)) => serde_json::to_value(limits),
        Some(Kind::Integer(limits)) => serde_json::to_value(limits),
        Some(Kind::Number(limits)) => serde_json::to_value(limits),
        Some(Kind::Boolean(limits)) => serde_json::to_value(limits),
        Some(Kind::Quantity(limits) | Kind::Duration(limits)) => serde_json::to_value(limits),
        Some(Kind::List(limits)) => serde_json::to_value(limits),
        None => serde_json::to_value(BooleanLimits::default()),
    };
    limits.unwrap_or_default()
}

impl ConnectionItem {
    fn of(class: &Class) -> Self {
        let connection = &class.spec.connection;
        let sensitive = sensitive_names(connection, &Context::default());
        let details = connection.details.iter().map(|detail| DetailItem {
            name: detail.name.clone(),
            sensitive: sensitive.contains(detail.name.as_str()),
        });
        Self {
            kind: connection.kind.clone(),
            provider: connection.provider.clone(),
            details: details.collect(),
        }
    }
}
