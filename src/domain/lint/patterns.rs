//! Patterns: that they can be read, and that defaults and choices match them.

use std::collections::HashMap;

use regex::Regex;

use super::Finding;
use crate::domain::class::{ListLimits, ServiceClassSpec, StringLimits};

/// Compiled patterns; a plan narrows with the class's own pattern as a rule.
#[derive(Default)]
struct Patterns(HashMap<String, Option<Regex>>);

pub(super) fn findings(spec: &ServiceClassSpec) -> Vec<Finding> {
    let mut patterns = Patterns::default();
    let mut findings = Vec::new();
    for parameter in &spec.parameters {
        let place = format!("parameter {}", parameter.name);
        let problem =
            limits(&mut patterns, parameter.string.as_ref(), parameter.list.as_ref(), None);
        findings.extend(problem.map(|problem| Finding::broken(&place, problem)));
        for plan in &spec.plans {
            let narrowed = plan.parameters.iter().filter(|one| one.name == parameter.name);
            for one in narrowed {
                let outer = parameter.string.as_ref().and_then(|limits| limits.pattern.as_deref());
                let problem = limits(&mut patterns, one.string.as_ref(), one.list.as_ref(), outer);
                let place = format!("plan {}, parameter {}", plan.name, one.name);
                findings.extend(problem.map(|problem| Finding::broken(place, problem)));
            }
        }
    }
    findings
}

/// What is wrong with a string's or a list's pattern, default and choices; `outer` is the pattern
/// of the class where a plan says none.
fn limits(
    patterns: &mut Patterns,
    string: Option<&StringLimits>,
    list: Option<&ListLimits>,
    outer: Option<&str>,
) -> Option<String> {
    if let Some(limits) = string {
        let pattern = limits.pattern.as_deref().or(outer)?;
        let texts = limits.default.iter().chain(&limits.choices);
        return unmatched(patterns, pattern, texts);
    }
    let limits = list?;
    unmatched(patterns, limits.pattern.as_deref()?, limits.default.iter().flatten())
}

fn unmatched<'a>(
    patterns: &mut Patterns,
    pattern: &str,
    texts: impl IntoIterator<Item = &'a String>,
) -> Option<String> {
    let mut texts = texts.into_iter().peekable();
    // Reading is much cheaper than compiling.
    let readable = regex_syntax::parse(pattern).is_ok();
    if readable && texts.peek().is_none() {
        return None;
    }
    let Some(regex) = patterns.compile(pattern) else {
        return Some(format!("its pattern cannot be read: {pattern}"));
    };
    let text = texts.find(|text| !regex.is_match(text))?;
    Some(format!("\"{text}\" does not match its pattern {pattern}"))
}

impl Patterns {
    /// A full match; `None` for what is no pattern.
    fn compile(&mut self, pattern: &str) -> Option<&Regex> {
        let compiled = self
            .0
            .entry(pattern.to_owned())
            .or_insert_with(|| Regex::new(&format!(r"\A(?:{pattern})\z")).ok());
        compiled.as_ref()
    }
}
