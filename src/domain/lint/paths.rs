//! Computed paths that meet one another, and `when` that looks ahead.

use super::Finding;
use crate::domain::class::{Computed, ServiceClassSpec};
use crate::domain::path::{Path, Step};

/// Each place may be computed once.
pub(super) fn computed(place: &str, computed: &[Computed]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut seen: Vec<Path> = Vec::new();
    for path in computed.iter().flat_map(|one| &one.paths) {
        let path: Path = match path.parse() {
            Ok(path) => path,
            Err(error) => {
                findings.push(Finding::broken(place, error.to_string()));
                continue;
            }
        };
        if let Some(other) = seen.iter().find(|other| contain(other.steps(), path.steps())) {
            findings.push(Finding::broken(place, format!("{path} is set twice, with {other}")));
        }
        seen.push(path);
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
    for parameter in &spec.parameters {
        if let Some(when) = &parameter.when
            && !earlier.contains(&when.parameter.as_str())
        {
            let problem = format!("when names {}, which does not come before it", when.parameter);
            findings.push(Finding::broken(format!("parameter {}", parameter.name), problem));
        }
        earlier.push(&parameter.name);
    }
    findings
}
