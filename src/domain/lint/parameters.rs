//! Parameters that cannot be understood, or whose place operations have taken. The rules are those
//! by which values are checked and made.

use serde_json::json;

use super::Finding;
use crate::domain::class::{Plan, ServiceClassSpec};
use crate::domain::parameter::{BrokenParameter, EffectiveParameter};
use crate::domain::values::{ComputedValue, ValuesError, check_places, operations_values};

pub(super) fn findings(spec: &ServiceClassSpec) -> Vec<Finding> {
    let all = spec.parameters.iter().map(|parameter| EffectiveParameter::new(parameter, None));
    let (known, broken): (Vec<_>, Vec<_>) = all.partition(Result::is_ok);
    let known: Vec<EffectiveParameter> = known.into_iter().flatten().collect();
    let mut findings: Vec<Finding> = broken.into_iter().filter_map(Result::err).map(told).collect();
    for plan in &spec.plans {
        findings.extend(narrowed(spec, plan));
    }
    // Every instance is made under a plan where there is one.
    let plans = spec.plans.iter().map(Some).chain(spec.plans.is_empty().then_some(None));
    for plan in plans {
        let taken = taken(spec, plan, &known);
        findings.extend(taken.filter(|finding| !findings.contains(finding)));
    }
    findings
}

/// What a plan makes of the parameters it names.
fn narrowed(spec: &ServiceClassSpec, plan: &Plan) -> Vec<Finding> {
    let told_under_plan = |name: &str| {
        let Some(parameter) = spec.parameters.iter().find(|parameter| parameter.name == name)
        else {
            let problem = format!("names {name}, which is no parameter");
            return Some(Finding::broken(format!("plan {}", plan.name), problem));
        };
        // A parameter that is broken by itself is told once.
        EffectiveParameter::new(parameter, None).ok()?;
        EffectiveParameter::new(parameter, Some(plan)).err().map(told)
    };
    plan.parameters.iter().filter_map(|narrower| told_under_plan(&narrower.name)).collect()
}

/// The first place under a plan that is set twice or cannot be reached.
fn taken(
    spec: &ServiceClassSpec,
    plan: Option<&Plan>,
    parameters: &[EffectiveParameter],
) -> Option<Finding> {
    let computed: Vec<ComputedValue> = spec
        .computed
        .iter()
        .map(|one| ComputedValue { paths: one.paths.clone(), value: json!("") })
        .collect();
    let operations = operations_values(&spec.values, plan.map(|plan| &plan.values), &computed);
    match operations.and_then(|operations| check_places(&operations, parameters)).err()? {
        ValuesError::Computed(error) => Some(Finding::broken("computed", error.to_string())),
        ValuesError::Parameter { parameter, error } => {
            Some(Finding::broken(format!("parameter {parameter}"), error.to_string()))
        }
    }
}

fn told(broken: BrokenParameter) -> Finding {
    Finding::broken(format!("parameter {}", broken.parameter), broken.reason)
}
