//! `null` in values: helms differ in what it does (helm#32132), so it is refused.

use serde_json::Value;

use super::{Finding, Place};
use crate::domain::class::{Object, ServiceClassSpec};

pub(super) fn nulls(spec: &ServiceClassSpec) -> Vec<Finding> {
    let mut findings = Vec::new();
    find(&Place::new("values", "values"), &spec.values, &mut findings);
    for (index, plan) in spec.plans.iter().enumerate() {
        let text = format!("plan {}", plan.name);
        let place = Place::new(text, format_args!("plans[{index}].values"));
        find(&place, &plan.values, &mut findings);
    }
    if let Some(binding) = &spec.binding {
        find(&Place::new("values", "values").of_binding(), &binding.values, &mut findings);
    }
    findings
}

fn find(place: &Place, values: &Object, findings: &mut Vec<Finding>) {
    for (key, value) in values {
        if let Some(path) = null_in(key.clone(), value) {
            findings.push(Finding::broken(place.clone(), format!("{path} is null")));
        }
    }
}

/// The path of the first null.
fn null_in(path: String, value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(path),
        Value::Object(map) => {
            map.iter().find_map(|(key, value)| null_in(format!("{path}.{key}"), value))
        }
        Value::Array(list) => {
            list.iter().enumerate().find_map(|(at, value)| null_in(format!("{path}[{at}]"), value))
        }
        _ => None,
    }
}
