//! Parameters that cannot be understood, or whose place operations have taken. The rules are those
//! by which values are checked and made.

use serde_json::json;

use super::{Finding, Place};
use crate::domain::class::{Plan, ServiceClassSpec};
use crate::domain::parameter::EffectiveParameter;
use crate::domain::values::{ComputedValue, ValuesError, check_places, operations_values};

pub(super) fn findings(spec: &ServiceClassSpec) -> Vec<Finding> {
    let all = spec.parameters.iter().map(|parameter| EffectiveParameter::new(parameter, None));
    let (known, broken): (Vec<_>, Vec<_>) = all.partition(Result::is_ok);
    let known: Vec<EffectiveParameter> = known.into_iter().flatten().collect();
    let mut findings: Vec<Finding> = broken
        .into_iter()
        .filter_map(Result::err)
        .map(|broken| Finding::broken(parameter(spec, &broken.parameter), broken.reason))
        .collect();
    for (index, plan) in spec.plans.iter().enumerate() {
        findings.extend(narrowed(spec, plan, index));
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
fn narrowed(spec: &ServiceClassSpec, plan: &Plan, index: usize) -> Vec<Finding> {
    let told_under_plan = |(at, name): (usize, &str)| {
        let field = format!("plans[{index}].parameters[{at}]");
        let Some(parameter) = spec.parameters.iter().find(|parameter| parameter.name == name)
        else {
            let problem = format!("names {name}, which is no parameter");
            return Some(Finding::broken(
                Place::new(format!("plan {}", plan.name), field),
                problem,
            ));
        };
        // A parameter that is broken by itself is told once.
        EffectiveParameter::new(parameter, None).ok()?;
        let broken = EffectiveParameter::new(parameter, Some(plan)).err()?;
        Some(Finding::broken(Place::new(format!("parameter {name}"), field), broken.reason))
    };
    let names = plan.parameters.iter().map(|narrower| narrower.name.as_str());
    names.enumerate().filter_map(told_under_plan).collect()
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
        ValuesError::Computed(error) => {
            Some(Finding::broken(Place::new("computed", "computed"), error.to_string()))
        }
        ValuesError::Parameter { parameter: name, error } => {
            Some(Finding::broken(parameter(spec, &name), error.to_string()))
        }
    }
}

fn parameter(spec: &ServiceClassSpec, name: &str) -> Place {
    let index = spec.parameters.iter().position(|parameter| parameter.name == name);
    Place::entry("parameter", name, "parameters", index.unwrap_or_default())
}
