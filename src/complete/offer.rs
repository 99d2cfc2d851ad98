//! What a class offers to who creates an instance: plans, parameters, and values worth trying.

use serde::{Deserialize, Serialize};

use super::choice::Choice;
use crate::domain::class::{Change, Class, Plan, ServiceClassSpec};
use crate::domain::limits::Limits;
use crate::domain::parameter::EffectiveParameter;
use crate::domain::plan;
use crate::domain::value::Value;

/// A class under a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// The default one first.
    pub plans: Vec<Choice>,
    /// Those that the plan leaves open.
    pub parameters: Vec<Parameter>,
}

/// A parameter that can be set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    pub name: String,
    /// Title, default, limits.
    pub about: String,
    pub sensitive: bool,
    /// Whether it may be another one after create.
    pub changes: bool,
    pub values: Vec<Choice>,
}

impl Offer {
    /// The class under the named plan, its default one, or none where that is open.
    pub fn of(class: &Class, plan: Option<&str>) -> Self {
        let spec = &class.spec;
        let chosen = plan::choose(spec, plan).ok().flatten();
        let parameters = EffectiveParameter::all(spec, chosen).unwrap_or_default();
        let open = parameters.iter().filter(|parameter| !parameter.fixed);
        Self { plans: plans(spec), parameters: open.map(Parameter::of).collect() }
    }
}

fn plans(spec: &ServiceClassSpec) -> Vec<Choice> {
    let default = plan::choose(spec, None).ok().flatten();
    let is_default = |plan: &&Plan| default.is_some_and(|default| default.name == plan.name);
    let (first, others): (Vec<_>, Vec<_>) = spec.plans.iter().partition(is_default);
    let choice = |plan: &Plan| Choice::new(&plan.name, plan.summary.clone().unwrap_or_default());
    first.into_iter().chain(others).map(choice).collect()
}

impl Parameter {
    fn of(parameter: &EffectiveParameter) -> Self {
        Self {
            name: parameter.name.clone(),
            about: about(parameter),
            sensitive: parameter.sensitive,
            changes: parameter.change != Change::Never,
            values: if parameter.sensitive { Vec::new() } else { values(parameter) },
        }
    }
}

/// `Disk size, default 1Gi, 1Gi to 10Gi`
fn about(parameter: &EffectiveParameter) -> String {
    let default = match (&parameter.default, parameter.default_text()) {
        (Some(_), text) => format!("default {text}"),
        (None, text) if text == "-" => String::new(),
        (None, text) => text,
    };
    let allowed = match parameter.allowed_text() {
        text if text == "any" || matches!(parameter.limits, Limits::Boolean) => String::new(),
        text => text,
    };
    let parts = [parameter.meaning().to_owned(), default, allowed];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// Each value once, with all that it is.
fn values(parameter: &EffectiveParameter) -> Vec<Choice> {
    let default = parameter.default.clone();
    let limits = &parameter.limits;
    let choices = limits.choices();
    let (worth, extremes) = match limits {
        Limits::Boolean => (vec![Value::Boolean(true), Value::Boolean(false)], false),
        _ if !choices.is_empty() => (choices, false),
        Limits::Integer(_) | Limits::Number(_) | Limits::Quantity(_) => {
            let ends = [default.clone(), limits.minimum(), limits.maximum()];
            (ends.into_iter().flatten().collect(), true)
        }
        Limits::String(_) | Limits::Duration(_) | Limits::List(_) => {
            (default.clone().into_iter().collect(), false)
        }
    };
    let mut distinct: Vec<Value> = Vec::new();
    for value in worth {
        if !distinct.contains(&value) {
            distinct.push(value);
        }
    }
    let words = |value: &Value| {
        let is = |other: Option<Value>, word| (other.as_ref() == Some(value)).then_some(word);
        let ends = |other: Option<Value>, word| is(other.filter(|_| extremes), word);
        let words = [
            is(default.clone(), "default"),
            ends(limits.minimum(), "smallest"),
            ends(limits.maximum(), "largest"),
        ];
        words.into_iter().flatten().collect::<Vec<_>>().join(", ")
    };
    distinct.iter().map(|value| Choice::new(value.set_text(), words(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::example;

    fn offer(plan: Option<&str>) -> Offer {
        Offer::of(&example::class(), plan)
    }

    fn values(offer: &Offer, name: &str) -> Vec<String> {
        let parameter = offer.parameters.iter().find(|parameter| parameter.name == name).unwrap();
        let said = |choice: &Choice| format!("{} {}", choice.value, choice.about).trim().to_owned();
        parameter.values.iter().map(said).collect()
    }

    #[test]
    fn the_default_plan_comes_first() {
        let mut class = example::class();
        class.spec.default_plan = Some("large".to_owned());
        let names: Vec<_> = Offer::of(&class, None).plans.into_iter().map(|c| c.value).collect();
        assert_eq!(names, ["large", "small", "medium"]);
        assert_eq!(offer(None).plans[0], Choice::new("small", "1 GiB memory, no backups"));
    }

    #[test]
    fn a_parameter_says_title_default_and_limits() {
        let offer = offer(None);
        let about = |name: &str| {
            offer.parameters.iter().find(|p| p.name == name).map(|p| p.about.clone()).unwrap()
        };
        assert_eq!(about("storage"), "Disk size, default 1Gi, 1Gi to 10Gi");
        assert_eq!(about("database"), "First database, required, 1-63 of a-z 0-9 _");
        assert_eq!(about("metrics"), "Export metrics, default no");
        assert_eq!(about("admin-password"), "Administrator password, generated, 12-64 characters");
    }

    #[test]
    fn values_are_worth_trying_and_each_stands_once() {
        let small = offer(Some("small"));
        assert_eq!(values(&small, "storage"), ["1Gi default, smallest", "10Gi largest"]);
        assert_eq!(values(&small, "mode"), ["standalone default", "replication"]);
        assert_eq!(values(&small, "metrics"), ["true", "false default"]);
        assert_eq!(values(&small, "replicas"), ["2 default, smallest", "5 largest"]);
        let medium = offer(Some("medium"));
        assert_eq!(values(&medium, "storage"), ["8Gi default", "1Gi smallest", "100Gi largest"]);
        assert!(values(&small, "database").is_empty());
        assert!(values(&small, "admin-password").is_empty());
    }

    #[test]
    fn what_the_plan_fixes_is_not_offered() {
        assert!(offer(Some("large")).parameters.iter().all(|parameter| parameter.name != "mode"));
        assert_eq!(offer(Some("no-such")).parameters.len(), 7);
    }
}
