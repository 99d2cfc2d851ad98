//! Every template evaluated with values that may come, plan by plan: what only then gives nothing
//! (a division by zero, too many steps, a value of another type, a label that is none).

mod case;
mod choice;
mod plain;

use std::collections::BTreeMap;

use super::Finding;
use crate::domain::class::{Plan, ServiceClassSpec};
use crate::domain::parameter::EffectiveParameter;
use crate::domain::value::Value;
use case::{Case, Failure, NAME};

/// What may stand where only a running instance has a value: what fails with each of them fails.
const TEXTS: [&str; 3] = ["1", "a.example", "https://a:b@c.example:1/d?e=f"];

/// Instances that are tried at most beside one for each plan: a class at every bound of the API
/// would make thousands.
const MOST: usize = 256;

/// A plan with its parameters, and what fails under it whatever is answered.
struct Planned<'a> {
    plan: Option<&'a Plan>,
    parameters: Vec<EffectiveParameter>,
    broken: Vec<Failure>,
}

/// The templates that give nothing under a plan, whatever is answered.
pub(super) fn broken(spec: &ServiceClassSpec) -> Vec<Finding> {
    if plain::is_plain(spec) {
        return Vec::new();
    }
    told(&planned(spec))
}

/// The same, and those that give nothing for some answers.
pub(super) fn findings(spec: &ServiceClassSpec) -> Vec<Finding> {
    let plans = planned(spec);
    let mut findings = told(&plans);
    let others = plans.iter().flat_map(|planned| planned.others(spec));
    for (words, case) in others.take(MOST) {
        for Failure { place, reason } in everywhere(&case) {
            if findings.iter().all(|known| known.place != place) {
                findings.push(Finding::warning(place, format!("with {words}: {reason}")));
            }
        }
    }
    findings
}

fn planned(spec: &ServiceClassSpec) -> Vec<Planned<'_>> {
    // Every instance is made under a plan where there is one.
    let plans = spec.plans.iter().map(Some).chain(spec.plans.is_empty().then_some(None));
    let planned = plans.filter_map(|plan| {
        // A parameter that is broken is told where it is.
        let parameters = EffectiveParameter::all(spec, plan).ok()?;
        let mut planned = Planned { plan, parameters, broken: Vec::new() };
        planned.broken = planned.whatever_is_answered(spec);
        Some(planned)
    });
    planned.collect()
}

/// Each failure once, with its plan where other plans are without it.
fn told(plans: &[Planned<'_>]) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for Planned { plan, broken, .. } in plans {
        for failure in broken {
            let Failure { place, reason } = failure;
            if findings.iter().any(|known| known.place == *place) {
                continue;
            }
            let always = plans.iter().all(|other| other.broken.contains(failure));
            let problem = match plan.filter(|_| !always) {
                Some(plan) => format!("in plan {}: {reason}", plan.name),
                None => reason.clone(),
            };
            findings.push(Finding::broken(place.clone(), problem));
        }
    }
    findings
}

/// What fails with each of the texts.
fn everywhere(case: &Case<'_>) -> Vec<Failure> {
    let with = |text| Case { text, ..case.clone() }.failures();
    let [first, others @ ..] = TEXTS;
    let mut failures = with(first);
    for text in others {
        if failures.is_empty() {
            break;
        }
        let also = with(text);
        failures.retain(|failure| also.iter().any(|other| other.place == failure.place));
    }
    failures
}

impl<'p> Planned<'p> {
    fn usual<'a>(&'a self, spec: &'a ServiceClassSpec) -> Case<'a> {
        Case {
            spec,
            plan: self.plan,
            parameters: &self.parameters,
            chosen: BTreeMap::new(),
            release: NAME.to_owned(),
            text: TEXTS[0],
        }
    }

    /// What fails with the defaults, and with every answer where there is no default.
    fn whatever_is_answered(&self, spec: &ServiceClassSpec) -> Vec<Failure> {
        let mut failures = everywhere(&self.usual(spec));
        for parameter in self.parameters.iter().filter(|parameter| parameter.default.is_none()) {
            for (_, case) in self.with_others(parameter, spec) {
                if failures.is_empty() {
                    return failures;
                }
                let also = everywhere(&case);
                failures.retain(|failure| also.iter().any(|other| other.place == failure.place));
            }
        }
        failures
    }

    /// Every other answer that a limit names, one at a time, and the longest name.
    fn others<'a>(&'a self, spec: &'a ServiceClassSpec) -> Vec<(String, Case<'a>)> {
        let usual = self.parameters.iter().filter(|parameter| parameter.default.is_none());
        let usual = usual.map(|parameter| {
            let value = choice::usual(parameter);
            (words(parameter, &value), self.usual(spec))
        });
        let others = self.parameters.iter().flat_map(|parameter| self.with_others(parameter, spec));
        let longest = usize::from(spec.instance_name.max_length);
        let long = Case { release: "a".repeat(longest), ..self.usual(spec) };
        let long = (format!("a name of {longest} characters"), long);
        usual.chain(others).chain([long]).collect()
    }

    fn with_others<'a>(
        &'a self,
        parameter: &'a EffectiveParameter,
        spec: &'a ServiceClassSpec,
    ) -> Vec<(String, Case<'a>)> {
        let values = choice::others(parameter).into_iter();
        let values = values.chain(parameter.when.is_some().then(|| choice::usual(parameter)));
        let case = |value: Value| {
            let told = words(parameter, &value);
            let mut chosen = self.so_that_it_applies(parameter)?;
            chosen.insert(&parameter.name, value);
            Some((told, Case { chosen, ..self.usual(spec) }))
        };
        values.filter_map(case).collect()
    }

    /// The answers by which a parameter applies; `None` where there are none.
    fn so_that_it_applies<'a>(
        &'a self,
        parameter: &'a EffectiveParameter,
    ) -> Option<BTreeMap<&'a str, Value>> {
        let mut chosen = BTreeMap::new();
        let mut next = parameter;
        while let Some(when) = &next.when {
            let earlier = self.parameters.iter().take_while(|known| known.name != next.name);
            let other = earlier.into_iter().find(|known| known.name == when.parameter)?;
            let value = match &other.default {
                Some(default) if when.any_of.contains(&default.set_text()) => default.clone(),
                _ => when.any_of.iter().find_map(|text| other.parse(text).ok())?,
            };
            chosen.insert(other.name.as_str(), value);
            next = other;
        }
        Some(chosen)
    }
}

fn words(parameter: &EffectiveParameter, value: &Value) -> String {
    format!("{} {}", parameter.name, value.set_text())
}

#[cfg(test)]
mod tests;
