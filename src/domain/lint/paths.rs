//! Paths: that they can be read, meet no other, and lead into lists that are there; and `when`.

use serde_json::Value;

use super::Finding;
use crate::domain::class::{Computed, Object, ServiceClassSpec};
use crate::domain::field_path::{self, Step};

pub(super) fn findings(spec: &ServiceClassSpec) -> Vec<Finding> {
    let mut findings = computed("computed", &spec.computed, &spec.values);
    if let Some(binding) = &spec.binding {
        findings.extend(computed("binding computed", &binding.computed, &binding.values));
    }
    for parameter in &spec.parameters {
        let place = format!("parameter {}", parameter.name);
        for path in &parameter.paths {
            let problem = parameter_path(path, spec);
            findings.extend(problem.map(|problem| Finding::broken(&place, problem)));
        }
    }
    findings.extend(when_order(spec));
    findings
}

fn computed(place: &str, computed: &[Computed], values: &Object) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut seen: Vec<(Vec<Step>, &str)> = Vec::new();
    for path in computed.iter().flat_map(|one| &one.paths) {
        let Some(steps) = field_path::parse(path) else {
            findings.push(Finding::broken(place, format!("\"{path}\" is not a path")));
            continue;
        };
        if let Some((_, other)) = seen.iter().find(|(other, _)| contain(other, &steps)) {
            findings.push(Finding::broken(place, format!("{path} is set twice, with {other}")));
        }
        findings.extend(list_lacks(&steps, path, values).map(|why| Finding::broken(place, why)));
        seen.push((steps, path));
    }
    findings
}

/// What is wrong with a path of a parameter.
fn parameter_path(path: &str, spec: &ServiceClassSpec) -> Option<String> {
    let Some(steps) = field_path::parse(path) else {
        return Some(format!("\"{path}\" is not a path"));
    };
    if is_set(&spec.values, &steps) {
        return Some(format!("{path} is set by values too"));
    }
    let plan = spec.plans.iter().find(|plan| is_set(&plan.values, &steps));
    if let Some(plan) = plan {
        return Some(format!("{path} is set by plan {} too", plan.name));
    }
    let computed = spec.computed.iter().flat_map(|one| &one.paths);
    let mut computed = computed.filter_map(|path| field_path::parse(path));
    if computed.any(|other| contain(&other, &steps)) {
        return Some(format!("{path} is set by computed too"));
    }
    list_lacks(&steps, path, &spec.values)
}

/// Whether one path leads through the other.
fn contain(one: &[Step], other: &[Step]) -> bool {
    one.starts_with(other) || other.starts_with(one)
}

/// Whether values hold something at a path, or something on the way that is not a map or a list.
/// An empty map on the way is no value: the parameter goes into it.
fn is_set(values: &Object, steps: &[Step]) -> bool {
    let Some((Step::Key(first), rest)) = steps.split_first() else { return false };
    let Some(mut place) = values.get(first) else { return false };
    for step in rest {
        let next = match (step, place) {
            (Step::Key(key), Value::Object(map)) => map.get(key),
            (Step::Index(at), Value::Array(list)) => list.get(*at),
            // Another shape is in the way.
            _ => return true,
        };
        match next {
            Some(next) => place = next,
            None => return false,
        }
    }
    !place.as_object().is_some_and(Object::is_empty)
}

/// An index must lead into a list that is fixed in `values`: helm replaces lists whole.
fn list_lacks(steps: &[Step], path: &str, values: &Object) -> Option<String> {
    let root = Value::Object(values.clone());
    let at = steps.iter().rposition(|step| matches!(step, Step::Index(_)))?;
    let inside = field_path::lookup(&root, &steps[..=at]);
    inside.is_none().then(|| format!("{path} leads into a list that values does not have"))
}

fn when_order(spec: &ServiceClassSpec) -> Vec<Finding> {
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
