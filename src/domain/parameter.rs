//! A parameter as it stands under a chosen plan: the plan's default, limits and fixed value.

mod change;
mod check;
mod number;
mod problem;
mod read;
mod text;
mod typed;

use super::class::{Change, Generate, Parameter, Plan, ServiceClassSpec, When};
use super::limits::{Limits, StringRule};
use super::path::Path;
use super::value::Value;

pub use change::compared;
pub use problem::Problem;
pub use text::{advanced_note, plan_note, when_note};

/// A parameter of a class under a plan, ready to be asked, checked and sent.
#[derive(Clone, Debug, PartialEq)]
pub struct EffectiveParameter {
    pub name: String,
    /// Where the value lands in the chart's values.
    pub paths: Vec<Path>,
    pub title: Option<String>,
    pub description: Option<String>,
    pub group: Option<String>,
    pub change: Change,
    pub when: Option<When>,
    /// It has to be given: it is required and neither has a default nor is generated.
    pub required: bool,
    pub sensitive: bool,
    pub advanced: bool,
    pub generate: Option<Generate>,
    /// The plan decides: the default is the value, neither asked nor accepted.
    pub fixed: bool,
    /// The plan it stands under.
    pub plan: Option<String>,
    pub limits: Limits,
    pub default: Option<Value>,
    /// The default is the plan's, not the class's.
    pub default_by_plan: bool,
    /// What the instance has, where there is one and the parameter is not sensitive: what
    /// `change` is held against, and what its question offers.
    pub present: Option<Value>,
}

/// Why a class is broken: a parameter that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("parameter {parameter}: {reason}")]
pub struct BrokenParameter {
    pub parameter: String,
    pub reason: String,
}

impl EffectiveParameter {
    /// A parameter under a plan, or under none.
    ///
    /// # Errors
    /// It has no kind, a bad limit, path or pattern, or a default that its own limits forbid.
    pub fn new(parameter: &Parameter, plan: Option<&Plan>) -> Result<Self, BrokenParameter> {
        let broken = |reason: String| BrokenParameter { parameter: parameter.name.clone(), reason };
        let narrower = plan.and_then(|plan| {
            plan.parameters.iter().find(|narrower| narrower.name == parameter.name)
        });
        let kind = parameter.kind().ok_or_else(|| broken("has not exactly one kind".to_owned()))?;
        let in_plan = |reason| match (plan, narrower) {
            (Some(plan), Some(_)) => broken(format!("in plan {}: {reason}", plan.name)),
            _ => broken(reason),
        };
        let (limits, default, default_by_plan) = Limits::merged(kind, narrower).map_err(in_plan)?;
        let paths = parameter.paths.iter().map(|path| path.parse());
        let effective = Self {
            name: parameter.name.clone(),
            paths: paths.collect::<Result<_, _>>().map_err(|error| broken(format!("{error}")))?,
            title: parameter.title.clone(),
            description: parameter.description.clone(),
            group: parameter.group.clone(),
            change: parameter.change,
            when: parameter.when.clone(),
            required: parameter.required && default.is_none() && parameter.generate.is_none(),
            sensitive: parameter.sensitive,
            advanced: parameter.advanced,
            generate: parameter.generate,
            fixed: narrower.is_some_and(|narrower| narrower.fixed),
            plan: plan.map(|plan| plan.name.clone()),
            limits,
            default,
            default_by_plan,
            present: None,
        };
        effective.check_default().map_err(in_plan)?;
        Ok(effective)
    }

    /// All parameters of a class under a plan, in the order of the class.
    ///
    /// # Errors
    /// One of them is broken, or the plan names one that is not there.
    pub fn all(spec: &ServiceClassSpec, plan: Option<&Plan>) -> Result<Vec<Self>, BrokenParameter> {
        let known = |name: &str| spec.parameters.iter().any(|parameter| parameter.name == name);
        let mut named = plan.into_iter().flat_map(|plan| &plan.parameters);
        if let Some(unknown) = named.find(|parameter| !known(&parameter.name)) {
            let plan = plan.map(|plan| plan.name.as_str()).unwrap_or_default();
            return Err(BrokenParameter {
                parameter: unknown.name.clone(),
                reason: format!("plan {plan} names it, the class does not"),
            });
        }
        spec.parameters.iter().map(|parameter| Self::new(parameter, plan)).collect()
    }

    /// Why nobody could type the default: `default must be one line`.
    pub fn unspeakable_default(&self) -> Option<String> {
        let problem = match (&self.limits, self.default.as_ref()?) {
            (Limits::String(rule), Value::String(text)) => read::plain(rule, text).err(),
            (Limits::List(_), Value::List(entries)) => {
                let rule = StringRule::default();
                entries.iter().find_map(|entry| read::plain(&rule, entry).err())
            }
            _ => None,
        };
        problem.map(|problem| format!("default {}", problem.on_command_line()))
    }

    fn check_default(&self) -> Result<(), String> {
        match &self.default {
            Some(default) => self
                .check_limits(default)
                .map_err(|problem| format!("default {}", problem.on_command_line())),
            None if self.fixed => Err("is fixed without a default".to_owned()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::super::example;
    use super::*;

    fn broken(kind: &str, class: Json, plan: Json) -> String {
        let parameter: Parameter =
            serde_json::from_value(json!({"name": "x", "paths": ["x"], kind: class})).unwrap();
        let plan: Plan =
            serde_json::from_value(json!({"name": "small", "parameters": [plan]})).unwrap();
        EffectiveParameter::new(&parameter, Some(&plan)).unwrap_err().to_string()
    }

    #[test]
    fn a_class_that_cannot_be_understood_says_where() {
        for (kind, class, message) in [
            ("quantity", json!({"maximum": "1GB"}), "maximum \"1GB\" is not a quantity"),
            ("duration", json!({"default": "5"}), "default \"5\" is not a duration"),
            (
                "integer",
                json!({"minimum": 5, "maximum": 1}),
                "allows no value: its minimum is above its maximum",
            ),
            (
                "integer",
                json!({"default": 9, "maximum": 5}),
                "default \"9\" is more than 5, the most allowed",
            ),
            ("string", json!({"pattern": "["}), "pattern \"[\": unclosed character class"),
        ] {
            let other = json!({"name": "other"});
            assert_eq!(broken(kind, class, other), format!("parameter x: {message}"));
        }
    }

    #[test]
    fn a_plan_that_cannot_be_understood_says_where() {
        for (kind, class, plan, message) in [
            (
                "quantity",
                json!({"default": "8Gi"}),
                json!({"name": "x", "quantity": {"maximum": "4Gi"}}),
                "default \"8Gi\" is more than 4Gi, the most in plan small",
            ),
            (
                "quantity",
                json!({}),
                json!({"name": "x", "integer": {}}),
                "is quantity in the class, integer here",
            ),
            (
                "string",
                json!({"enum": ["a", "b"]}),
                json!({"name": "x", "string": {"enum": ["c"]}}),
                "allows no value: no choice is left",
            ),
            (
                "boolean",
                json!({}),
                json!({"name": "x", "fixed": true}),
                "is fixed without a default",
            ),
        ] {
            let broken = broken(kind, class, plan);
            assert_eq!(broken, format!("parameter x: in plan small: {message}"));
        }
    }

    #[test]
    fn exactly_one_kind_and_readable_paths_are_needed() {
        let new = |parameter: Json| {
            let parameter: Parameter = serde_json::from_value(parameter).unwrap();
            EffectiveParameter::new(&parameter, None).map(drop).map_err(|error| error.to_string())
        };
        let two = json!({"name": "x", "paths": ["x"], "string": {}, "boolean": {}});
        assert_eq!(new(two), Err("parameter x: has not exactly one kind".into()));
        let path = json!({"name": "x", "paths": ["a..b"], "string": {}});
        assert_eq!(
            new(path),
            Err("parameter x: \"a..b\" is not a path, like primary.persistence.size".into())
        );
    }

    #[test]
    fn a_plan_names_parameters_of_its_class_only() {
        let mut plan = example::plan("small");
        plan.parameters[0].name = "strage".to_owned();
        let error = EffectiveParameter::all(&example::postgres(), Some(&plan)).unwrap_err();
        assert_eq!(error.to_string(), "parameter strage: plan small names it, the class does not");
    }
}
