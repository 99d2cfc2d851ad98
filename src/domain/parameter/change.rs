//! What may become of a value after create (`change` of a parameter).

use std::cmp::Ordering;

use super::super::class::Change;
use super::super::value::Value;
use super::{EffectiveParameter, Problem};

impl EffectiveParameter {
    /// Whether the present value may change to this one.
    pub(super) fn check_change(&self, value: &Value) -> Result<(), Problem> {
        let Some(present) = &self.present else { return Ok(()) };
        let refused = match self.change {
            Change::Allowed => None,
            Change::Never => Some(self.cannot_change()),
            Change::IncreaseOnly => (compared(value, present) == Some(Ordering::Less))
                .then(|| format!("is less than {present}; it can only grow")),
        };
        match refused {
            None => Ok(()),
            Some(complaint) if self.change == Change::Never => {
                Err(Problem::form(complaint).or_nearest(Some(present.clone())))
            }
            Some(complaint) => {
                Err(Problem::about(&value.to_string(), complaint).or_nearest(Some(present.clone())))
            }
        }
    }

    /// What its question offers: what the instance has, else the default.
    pub fn offered(&self) -> Option<&Value> {
        self.present.as_ref().or(self.default.as_ref())
    }

    /// `cannot change after create; it is 10Gi`
    pub fn cannot_change(&self) -> String {
        match &self.present {
            Some(present) => format!("cannot change after create; it is {present}"),
            None => "cannot change after create".to_owned(),
        }
    }

    /// Whether the present value may move to the default of the class or the plan.
    pub fn may_follow_default(&self) -> bool {
        match (&self.default, &self.present) {
            (Some(default), Some(present)) if default != present => match self.change {
                Change::Allowed => true,
                Change::IncreaseOnly => compared(default, present) == Some(Ordering::Greater),
                Change::Never => false,
            },
            (Some(_), _) => true,
            (None, _) => false,
        }
    }
}

/// The order of two values of a kind that has one.
pub fn compared(one: &Value, other: &Value) -> Option<Ordering> {
    match (one, other) {
        (Value::Integer(one), Value::Integer(other)) => one.partial_cmp(other),
        (Value::Number(one), Value::Number(other)) => one.partial_cmp(other),
        (Value::Quantity(one), Value::Quantity(other)) => one.partial_cmp(other),
        (Value::Duration(one), Value::Duration(other)) => one.partial_cmp(other),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::super::class::Parameter;
    use super::*;

    fn storage(change: &str, default: &str, present: &str) -> EffectiveParameter {
        let parameter: Parameter = serde_json::from_value(json!({"name": "storage",
            "paths": ["size"], "change": change,
            "quantity": {"default": default, "minimum": "1Gi", "maximum": "20Gi"}}))
        .unwrap();
        let mut parameter = EffectiveParameter::new(&parameter, None).unwrap();
        parameter.present = Some(Value::Quantity(present.parse().unwrap()));
        parameter
    }

    fn complaint(parameter: &EffectiveParameter, text: &str) -> Option<String> {
        parameter.parse(text).err().map(|problem| problem.on_command_line())
    }

    #[test]
    fn what_never_changes_may_be_said_again() {
        let storage = storage("Never", "8Gi", "10Gi");
        assert_eq!(complaint(&storage, "10Gi"), None);
        assert_eq!(complaint(&storage, "10240Mi"), None);
        let never = "cannot change after create; it is 10Gi";
        assert_eq!(complaint(&storage, "12Gi").as_deref(), Some(never));
        assert_eq!(complaint(&storage, "50Gi").as_deref(), Some(never));
    }

    #[test]
    fn what_only_grows_does_not_shrink() {
        let storage = storage("IncreaseOnly", "8Gi", "10Gi");
        assert_eq!(complaint(&storage, "12Gi"), None);
        let less = "\"8Gi\" is less than 10Gi; it can only grow";
        assert_eq!(complaint(&storage, "8Gi").as_deref(), Some(less));
        let more = "\"50Gi\" is more than 20Gi, the most allowed";
        assert_eq!(complaint(&storage, "50Gi").as_deref(), Some(more));
    }

    #[test]
    fn only_what_changes_is_held_against_the_limits() {
        let storage = storage("Allowed", "8Gi", "50Gi");
        assert_eq!(complaint(&storage, "50Gi"), None);
        assert!(complaint(&storage, "51Gi").is_some());
    }

    #[test]
    fn a_default_is_followed_where_the_value_may_go_there() {
        assert!(storage("Allowed", "8Gi", "10Gi").may_follow_default());
        assert!(storage("IncreaseOnly", "12Gi", "10Gi").may_follow_default());
        assert!(!storage("IncreaseOnly", "8Gi", "10Gi").may_follow_default());
        assert!(!storage("Never", "8Gi", "10Gi").may_follow_default());
        assert!(storage("Never", "8Gi", "8Gi").may_follow_default());
    }
}
