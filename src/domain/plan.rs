//! Choosing a plan of a class: by name, its default, or the only one.

use super::class::{Plan, ServiceClassSpec};
use super::suggest::nearest;

/// Why there is no plan to use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The class has plans, but not this one.
    #[error("no plan {name}; it has {}", plans.join(", "))]
    Unknown { name: String, plans: Vec<String>, suggestion: Option<String> },
    /// The class has no plans at all.
    #[error("no plan {name}; it has no plans")]
    NoPlans { name: String },
    /// There are several and no default: it is asked, or wrong usage.
    #[error("missing: one of {}", plans.join(", "))]
    Open { plans: Vec<String> },
    /// `defaultPlan` names none: the class is broken.
    #[error("default plan {name} does not exist")]
    BrokenDefault { name: String },
}

/// The plan by name, the default one, or the only one; nothing where the class has none.
///
/// # Errors
/// There is no such plan, or it has to be said which.
pub fn choose<'a>(
    spec: &'a ServiceClassSpec,
    name: Option<&str>,
) -> Result<Option<&'a Plan>, PlanError> {
    let find = |name: &str| spec.plans.iter().find(|plan| plan.name == name);
    match (name, spec.default_plan.as_deref(), spec.plans.as_slice()) {
        (Some(name), _, []) => Err(PlanError::NoPlans { name: name.to_owned() }),
        (Some(name), _, _) => find(name).map(Some).ok_or_else(|| unknown(spec, name)),
        (None, Some(default), _) => find(default)
            .map(Some)
            .ok_or_else(|| PlanError::BrokenDefault { name: default.to_owned() }),
        (None, None, []) => Ok(None),
        (None, None, [only]) => Ok(Some(only)),
        (None, None, _) => Err(PlanError::Open { plans: names(spec) }),
    }
}

fn unknown(spec: &ServiceClassSpec, name: &str) -> PlanError {
    let plans = names(spec);
    let suggestion = nearest(name, plans.iter().map(String::as_str)).map(ToOwned::to_owned);
    PlanError::Unknown { name: name.to_owned(), plans, suggestion }
}

fn names(spec: &ServiceClassSpec) -> Vec<String> {
    spec.plans.iter().map(|plan| plan.name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(plans: &[&str], default: Option<&str>) -> ServiceClassSpec {
        let plans: Vec<_> = plans.iter().map(|name| serde_json::json!({"name": name})).collect();
        serde_json::from_value(serde_json::json!({
            "summary": "s", "plans": plans, "defaultPlan": default,
            "connection": {"type": "x", "details": []},
        }))
        .unwrap()
    }

    fn chosen(
        plans: &[&str],
        default: Option<&str>,
        name: Option<&str>,
    ) -> Result<String, PlanError> {
        let spec = spec(plans, default);
        choose(&spec, name).map(|plan| plan.map_or("-".into(), |plan| plan.name.clone()))
    }

    #[test]
    fn a_plan_is_named_or_default_or_the_only_one() {
        let plans = ["small", "large"];
        assert_eq!(chosen(&plans, Some("small"), Some("large")), Ok("large".into()));
        assert_eq!(chosen(&plans, Some("small"), None), Ok("small".into()));
        assert_eq!(chosen(&["one"], None, None), Ok("one".into()));
        assert_eq!(chosen(&[], None, None), Ok("-".into()));
    }

    #[test]
    fn an_unknown_plan_gets_a_suggestion() {
        let error = chosen(&["small", "large"], None, Some("smal")).unwrap_err();
        assert_eq!(error.to_string(), "no plan smal; it has small, large");
        let PlanError::Unknown { suggestion, .. } = error else { panic!("{error}") };
        assert_eq!(suggestion.as_deref(), Some("small"));
        assert!(matches!(chosen(&[], None, Some("x")), Err(PlanError::NoPlans { .. })));
        assert!(matches!(chosen(&["a", "b"], None, None), Err(PlanError::Open { .. })));
        assert!(matches!(chosen(&["a"], Some("b"), None), Err(PlanError::BrokenDefault { .. })));
    }
}
