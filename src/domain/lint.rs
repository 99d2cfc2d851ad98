//! What is wrong with a class that the API server cannot see (design §3): templates, patterns,
//! the order of `when`, clashes with operations' values.

mod parameters;
mod paths;
mod scope;
mod templates;
mod values;

use std::fmt;

use super::class::Class;

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
    pub place: String,
    /// What: `"pasword" is not defined`.
    pub problem: String,
}

/// Everything that is wrong, in the order of the class's fields.
pub fn findings(class: &Class) -> Vec<Finding> {
    let mut findings = values::nulls(&class.spec);
    findings.extend(paths::computed("computed", &class.spec.computed));
    if let Some(binding) = &class.spec.binding {
        findings.extend(paths::computed("binding computed", &binding.computed));
    }
    findings.extend(parameters::findings(&class.spec));
    findings.extend(paths::when_order(&class.spec));
    findings.extend(templates::findings(&class.spec));
    findings
}

/// Why a class cannot be used: the first reason, as `svc catalog` shows it (interface §3).
pub fn broken(class: &Class) -> Option<String> {
    let broken = |finding: &Finding| finding.severity == Severity::Broken;
    findings(class).into_iter().find(broken).map(|finding| finding.to_string())
}

impl Finding {
    fn broken(place: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { severity: Severity::Broken, place: place.into(), problem: problem.into() }
    }

    fn warning(place: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, place: place.into(), problem: problem.into() }
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
