//! The CRD's rules between plans and parameters stand at the spec that holds both: here each gets
//! the place of the plan's entry that it refuses.

use serde_json::{Value, json};

use super::{Finding, Place, cel};

/// How the words of these rules begin.
const BEGINS: &str = "a plan ";

/// The same findings; one about plans once for each entry that it refuses.
pub(super) fn placed(object: &Value, findings: Vec<Finding>) -> Vec<Finding> {
    let (of_plans, mut others): (Vec<_>, Vec<_>) = findings.into_iter().partition(is_of_plans);
    if of_plans.is_empty() {
        return others;
    }
    let refused = refused(object);
    for rule in of_plans {
        let places = refused.iter().filter(|(_, problems)| problems.contains(&rule.problem));
        let found: Vec<_> =
            places.map(|(place, _)| Finding { place: place.clone(), ..rule.clone() }).collect();
        others.extend(if found.is_empty() { vec![rule] } else { found });
    }
    others
}

fn is_of_plans(finding: &Finding) -> bool {
    finding.place.field == "spec" && finding.problem.starts_with(BEGINS)
}

/// Every entry of every plan with what the rules say of it alone.
fn refused(object: &Value) -> Vec<(Place, Vec<String>)> {
    let spec = &object["spec"];
    let plans = spec["plans"].as_array().into_iter().flatten().enumerate();
    plans
        .flat_map(|(at, plan)| {
            let name = plan["name"].as_str().unwrap_or_default();
            let entries = plan["parameters"].as_array().into_iter().flatten().enumerate();
            entries.map(move |(index, entry)| {
                let parameter = entry["name"].as_str().unwrap_or_default();
                let field = format!("plans[{at}].parameters[{index}]");
                let place = Place::new(format!("plan {name}, parameter {parameter}"), field);
                (place, problems(&alone(spec, name, entry)))
            })
        })
        .collect()
}

/// A class of one plan with one entry, and the parameter of that name.
fn alone(spec: &Value, plan: &str, entry: &Value) -> Value {
    let parameters = spec["parameters"].as_array().into_iter().flatten();
    let named: Vec<&Value> =
        parameters.filter(|parameter| parameter["name"] == entry["name"]).collect();
    json!({"spec": {"parameters": named, "plans": [{"name": plan, "parameters": [entry]}]}})
}

fn problems(class: &Value) -> Vec<String> {
    let of_plans = cel::findings(class).into_iter().filter(is_of_plans);
    of_plans.map(|finding| finding.problem).collect()
}
