//! Computed paths that meet one another, and `when` that looks ahead.

use super::{Finding, Place};
use crate::domain::class::{Computed, ServiceClassSpec};
use crate::domain::path::{Path, Step};

/// Each place may be computed once.
pub(super) fn computed(computed: &[Computed]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut seen: Vec<Path> = Vec::new();
    let paths = computed.iter().enumerate().flat_map(|(index, one)| {
        one.paths
            .iter()
            .enumerate()
            .map(move |(at, path)| (format!("computed[{index}].paths[{at}]"), path))
    });
    for (field, path) in paths {
        let problem = match path.parse::<Path>() {
            Err(error) => Some(error.to_string()),
            Ok(path) => {
                let met = seen.iter().find(|other| contain(other.steps(), path.steps()));
                let problem = met.map(|other| format!("{path} is set twice, with {other}"));
                seen.push(path);
                problem
            }
        };
        findings
            .extend(problem.map(|problem| Finding::broken(Place::new("computed", field), problem)));
    }
    findings
}

/// Whether one path leads through the other.
fn contain(one: &[Step], other: &[Step]) -> bool {
    one.starts_with(other) || other.starts_with(one)
}

/// `when` may only name a parameter that was asked before.
pub(super) fn when_order(spec: &ServiceClassSpec) -> Vec<Finding> {
    let mut earlier: Vec<&str> = Vec::new();
    let mut findings = Vec::new();
    for (index, parameter) in spec.parameters.iter().enumerate() {
        if let Some(when) = &parameter.when
            && !earlier.contains(&when.parameter.as_str())
        {
            let problem = format!("when names {}, which does not come before it", when.parameter);
            findings.push(Finding::broken(self::when(index, &parameter.name), problem));
        }
        earlier.push(&parameter.name);
    }
    findings
}

/// The place of a parameter's condition.
pub(super) fn when(index: usize, parameter: &str) -> Place {
    Place::new(format!("parameter {parameter}"), format_args!("parameters[{index}].when"))
}
