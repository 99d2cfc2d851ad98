//! Parameters that cannot be understood, or whose place operations have taken. The rules are those
//! by which values are checked and made.

use serde_json::json;

use super::{Finding, Place, paths};
use crate::domain::class::{Plan, ServiceClassSpec};
use crate::domain::generate::generate;
use crate::domain::parameter::EffectiveParameter;
use crate::domain::path::PathError;
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
    for known in &known {
        let place = || parameter(spec, &known.name);
        findings.extend(unusable(known).map(|problem| Finding::broken(place(), problem)));
    }
    findings.extend(never_asked(spec, &known));
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

/// A default that could not be given, or a generated value that is refused.
fn unusable(known: &EffectiveParameter) -> Option<String> {
    let generated = || {
        known.generate?;
        // Any bytes will do: those that are refused are drawn again.
        let mut last = 0_u8;
        let mut bytes = |buffer: &mut [u8]| {
            for byte in buffer {
                last = last.wrapping_mul(141).wrapping_add(3);
                *byte = last;
            }
        };
        generate(known, &mut bytes).err()
    };
    known.unspeakable_default().or_else(generated)
}

/// Conditions on values that the other parameter cannot have.
fn never_asked(spec: &ServiceClassSpec, known: &[EffectiveParameter]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, parameter) in spec.parameters.iter().enumerate() {
        let Some(when) = &parameter.when else { continue };
        let Some(other) = known.iter().find(|known| known.name == when.parameter) else { continue };
        for value in when.any_of.iter().filter(|value| other.parse(value).is_err()) {
            let problem = format!("when waits for {value}, which {} cannot be", other.name);
            findings.push(Finding::broken(paths::when(index, &parameter.name), problem));
        }
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
        let problem = match EffectiveParameter::new(parameter, Some(plan)) {
            Err(broken) => broken.reason,
            Ok(effective) => effective.unspeakable_default()?,
        };
        Some(Finding::broken(Place::new(format!("parameter {name}"), field), problem))
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
            let place = parameter(spec, &name);
            let place =
                if let PathError::Own { .. } = error { place.below("paths") } else { place };
            Some(Finding::broken(place, error.to_string()))
        }
    }
}

fn parameter(spec: &ServiceClassSpec, name: &str) -> Place {
    let index = spec.parameters.iter().position(|parameter| parameter.name == name);
    Place::entry("parameter", name, "parameters", index.unwrap_or_default())
}
