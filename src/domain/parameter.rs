//! A parameter as it stands under a chosen plan: the plan's default, limits and fixed value.

mod check;
mod problem;
mod read;
mod text;
mod typed;

use super::class::{Change, Generate, Parameter, Plan, ServiceClassSpec, When};
use super::limits::Limits;
use super::path::Path;
use super::value::Value;

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

    fn check_default(&self) -> Result<(), String> {
        match &self.default {
            Some(default) => self
                .check(default)
                .map_err(|problem| format!("default {}", problem.on_command_line())),
            None if self.fixed => Err("is fixed without a default".to_owned()),
            None => Ok(()),
        }
    }
}
