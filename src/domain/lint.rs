//! What is wrong with a class that the API server cannot see (design §3): templates, patterns,
//! the order of `when`, clashes with operations' values.

mod cel;
mod chart;
mod document;
mod metadata;
mod parameters;
mod paths;
mod place;
mod plans;
mod schema;
mod scope;
mod sent;
mod templates;
mod trial;
mod unfilled;
mod values;

use std::fmt;

use serde_json::Value;

use super::class::{self, Class};
use super::duration::Duration;

pub use document::{Document, NotYaml, documents};
pub use place::Place;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The class cannot be used.
    Broken,
    /// It works, but not as its writers may think.
    Warning,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub severity: Severity,
    /// Where: `detail uri`, `parameter storage`.
    pub place: Place,
    /// What: `"pasword" is not defined`.
    pub problem: String,
}

/// Everything that is wrong, in the order of the class's fields.
pub fn findings(class: &Class) -> Vec<Finding> {
    let findings = read_findings(class);
    with_new(findings, trial::findings(&class.spec))
}

/// What was tried is told where reading has found nothing.
fn with_new(mut findings: Vec<Finding>, tried: Vec<Finding>) -> Vec<Finding> {
    let is_new = |one: &Finding| findings.iter().all(|known| known.place != one.place);
    let tried: Vec<Finding> = tried.into_iter().filter(is_new).collect();
    findings.extend(tried);
    findings
}

/// What can be seen by reading, without evaluating anything.
fn read_findings(class: &Class) -> Vec<Finding> {
    let mut findings = unfilled::texts(&class.spec);
    findings.extend(class.spec.chart.iter().flat_map(chart::findings));
    findings.extend(values::nulls(&class.spec));
    findings.extend(paths::computed(&class.spec.computed));
    if let Some(binding) = &class.spec.binding {
        findings.extend(chart::findings(&binding.chart).into_iter().map(Finding::of_binding));
        findings.extend(paths::computed(&binding.computed).into_iter().map(Finding::of_binding));
    }
    findings.extend(parameters::findings(&class.spec));
    findings.extend(paths::when_order(&class.spec));
    findings.extend(templates::findings(&class.spec));
    findings.extend(no_time(&class.spec.readiness.timeout));
    findings
}

fn no_time(timeout: &str) -> Option<Finding> {
    let time = timeout.parse::<Duration>().ok()?.to_std()?;
    let problem = format!("{timeout} leaves no time: nothing works without --timeout");
    let place = Place::new("readiness timeout", "readiness.timeout");
    time.is_zero().then(|| Finding::warning(place, problem))
}

/// Everything that is wrong with an object before the API server has seen it: what the schema and
/// the CEL rules of the CRD refuse, and then what they cannot see.
pub fn of_object(object: &Value) -> Vec<Finding> {
    let schema::Refused { mut findings, is_no_class } = schema::refused(object);
    findings.extend(metadata::dropped(object));
    if is_no_class {
        return findings;
    }
    let rules = plans::placed(object, cel::findings(object));
    let own = match class::read(object) {
        Ok(class) => self::findings(&class),
        Err(unreadable) if findings.is_empty() => {
            vec![Finding::broken(Place::field("spec"), unreadable.reason)]
        }
        Err(_) => Vec::new(),
    };
    let is_told = |rule: &Finding| own.iter().any(|finding| tells(finding, rule));
    let is_new = |rule: &Finding| !is_told(rule) && rule.problem != class::NAME_RULE;
    findings.extend(rules.into_iter().filter(is_new));
    findings.extend(own);
    findings
}

/// What the API server would refuse: by the schema, and by the rules over it, which are asked
/// where the object has the form of a class.
pub fn refused_by_crd(object: &Value) -> (Vec<Finding>, Vec<Finding>) {
    let schema::Refused { findings, is_no_class } = schema::refused(object);
    let rules = if is_no_class { Vec::new() } else { cel::findings(object) };
    (findings, rules)
}

/// Where a rule over the whole spec says less than a finding about one of its parts.
const PARTS: [(&str, &str); 2] = [("when ", "spec.parameters"), ("a path", "spec.parameters")];

/// Whether a finding says what a rule of the CRD says, and where exactly.
fn tells(finding: &Finding, rule: &Finding) -> bool {
    let part = PARTS.iter().find(|(begins, _)| rule.problem.starts_with(begins));
    match (rule.place.field.as_str(), part) {
        ("spec", Some((_, part))) => finding.place.field.starts_with(part),
        ("spec", None) => false,
        _ => finding.place.holds(&rule.place) || rule.place.holds(&finding.place),
    }
}

/// Why a class cannot be used: the first reason, as `svc catalog` shows it (interface §3).
pub fn broken(class: &Class) -> Option<String> {
    let broken = |finding: &Finding| finding.severity == Severity::Broken;
    let read = read_findings(class).into_iter().find(broken);
    let first = read.or_else(|| trial::broken(&class.spec).into_iter().next());
    first.map(|finding| finding.to_string())
}

impl Finding {
    fn broken(place: Place, problem: impl Into<String>) -> Self {
        Self { severity: Severity::Broken, place, problem: problem.into() }
    }

    fn warning(place: Place, problem: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, place, problem: problem.into() }
    }

    /// What the catalog says of a class: `chart: no ConfigMap charts in namespace svc-system`.
    pub fn of_reason(reason: &str) -> Self {
        let (place, problem) = reason.split_once(": ").unwrap_or(("class", reason));
        Self::broken(Place::new(place, place), problem)
    }

    fn of_binding(self) -> Self {
        Self { place: self.place.of_binding(), ..self }
    }
}

/// `detail uri: "pasword" is not defined`
impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.place, self.problem)
    }
}

#[cfg(test)]
mod tests;
