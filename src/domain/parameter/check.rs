//! Whether a value of the right kind is within a parameter's limits.

use super::super::limits::{Bound, Limits, ListRule, Range, StringRule};
use super::super::suggest::nearest;
use super::super::value::Value;
use super::{EffectiveParameter, Problem};

impl EffectiveParameter {
    /// Whether a value may be given: what the instance has already is not held against limits.
    ///
    /// # Errors
    /// The value is of another kind, out of its limits, none of the choices, or not one that the
    /// present value may change to.
    pub fn check(&self, value: &Value) -> Result<(), Problem> {
        if self.present.as_ref() == Some(value) {
            return Ok(());
        }
        self.check_change(value)?;
        self.check_limits(value)
    }

    /// Whether the limits allow a value.
    ///
    /// # Errors
    /// The value is of another kind, out of its limits, or none of the choices.
    pub fn check_limits(&self, value: &Value) -> Result<(), Problem> {
        let checked = match (&self.limits, value) {
            (Limits::String(rule), Value::String(text)) => check_string(rule, text),
            (Limits::Integer(range), Value::Integer(value)) => {
                self.check_range(range, value, Value::Integer)
            }
            (Limits::Number(range), Value::Number(value)) => {
                self.check_range(range, value, Value::Number)
            }
            (Limits::Boolean, Value::Boolean(_)) => Ok(()),
            (Limits::Quantity(range), Value::Quantity(value)) => {
                self.check_range(range, value, Value::Quantity)
            }
            (Limits::Duration(range), Value::Duration(value)) => {
                self.check_range(range, value, Value::Duration)
            }
            (Limits::List(rule), Value::List(entries)) => check_list(rule, entries),
            (limits, value) => Err(Problem::about(
                &value.to_string(),
                format!("is {}, not {}", value.kind().word(), limits.kind().word()),
            )),
        };
        checked.map_err(|problem| self.finished(problem))
    }

    /// The problem with something to put in place, and without what must not be shown.
    pub(super) fn finished(&self, problem: Problem) -> Problem {
        if self.sensitive {
            return problem.secret();
        }
        problem
            .or_nearest(self.present.clone())
            .or_nearest(self.default.clone())
            .or_nearest(self.limits.choices().into_iter().next())
    }

    fn check_range<T: PartialOrd + Clone>(
        &self,
        range: &Range<T>,
        value: &T,
        wrap: fn(T) -> Value,
    ) -> Result<(), Problem> {
        let given = wrap(value.clone()).to_string();
        let beyond = |than: &str, bound: &Bound<T>, end: &str| {
            let limit = wrap(bound.value.clone());
            let complaint =
                format!("is {than} than {limit}, {}", self.bound_by(end, bound.by_plan));
            Problem::about(&given, complaint).or_nearest(Some(limit))
        };
        if !range.choices.is_empty() {
            return check_choices(range, value, &given, wrap);
        }
        match (&range.minimum, &range.maximum) {
            (Some(least), _) if *value < least.value => Err(beyond("less", least, "the least")),
            (_, Some(most)) if *value > most.value => Err(beyond("more", most, "the most")),
            _ => Ok(()),
        }
    }

    pub(super) fn bound_by(&self, end: &str, by_plan: bool) -> String {
        match &self.plan {
            Some(plan) if by_plan => format!("{end} in plan {plan}"),
            _ => format!("{end} allowed"),
        }
    }
}

/// The nearest choice is the smallest that is not below, else the largest.
fn check_choices<T: PartialOrd + Clone>(
    range: &Range<T>,
    value: &T,
    given: &str,
    wrap: fn(T) -> Value,
) -> Result<(), Problem> {
    if range.choices.contains(value) {
        return Ok(());
    }
    let above = range.choices.iter().filter(|choice| *choice > value);
    let smallest = above.reduce(|one, other| if other < one { other } else { one });
    let largest = range.choices.iter().reduce(|one, other| if other > one { other } else { one });
    let choices: Vec<_> =
        range.choices.iter().map(|choice| wrap(choice.clone()).to_string()).collect();
    let near = smallest.or(largest).cloned().map(wrap);
    Err(Problem::about(given, format!("is not one of {}", choices.join(", "))).or_nearest(near))
}

fn check_string(rule: &StringRule, text: &str) -> Result<(), Problem> {
    if !rule.choices.is_empty() {
        if rule.choices.iter().any(|choice| choice == text) {
            return Ok(());
        }
        let near = nearest(text, rule.choices.iter().map(String::as_str));
        let complaint = format!("is not one of {}", rule.choices.join(", "));
        return Err(Problem::about(text, complaint)
            .or_nearest(near.map(|choice| Value::String(choice.to_owned()))));
    }
    rule.text.complaint(text).map_or(Ok(()), |complaint| Err(Problem::rule(text, complaint)))
}

fn check_list(rule: &ListRule, entries: &[String]) -> Result<(), Problem> {
    unlike_list(rule, entries).map_err(|problem| problem.or_nearest(nearest_list(rule, entries)))
}

/// The entries that are allowed, as many as may be.
fn nearest_list(rule: &ListRule, entries: &[String]) -> Option<Value> {
    let most = rule.max_items.map_or(usize::MAX, |most| most as usize);
    let allowed = entries.iter().filter(|entry| rule.entry.complaint(entry).is_none());
    let allowed: Vec<String> = allowed.take(most).cloned().collect();
    (!allowed.is_empty()).then_some(Value::List(allowed))
}

fn unlike_list(rule: &ListRule, entries: &[String]) -> Result<(), Problem> {
    let count = u32::try_from(entries.len()).unwrap_or(u32::MAX);
    if let Some(most) = rule.max_items.filter(|most| count > *most) {
        let entries = if most == 1 { "entry" } else { "entries" };
        return Err(Problem::form(format!("has {count} entries; at most {most} {entries}")));
    }
    let complaint = entries
        .iter()
        .find_map(|entry| rule.entry.complaint(entry).map(|complaint| (entry, complaint)));
    complaint.map_or(Ok(()), |(entry, complaint)| Err(Problem::rule(entry, complaint)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::super::class::{Parameter, Plan};
    use super::*;

    #[test]
    fn what_is_right_in_a_list_is_kept_in_what_is_suggested() {
        let list = parameter(json!({"name": "extensions", "paths": ["x"],
            "list": {"maxItems": 2, "pattern": "[a-z]+", "default": ["hstore"]}}));
        let nearest = |entries: &[&str]| {
            let entries = entries.iter().map(|entry| (*entry).to_owned()).collect();
            let problem = list.check(&Value::List(entries)).unwrap_err();
            problem.nearest().map(ToString::to_string)
        };
        let suggested = |entries: &[&str]| {
            Some(Value::List(entries.iter().map(|entry| (*entry).to_owned()).collect()).to_string())
        };
        assert_eq!(nearest(&["a", "b", "c"]), suggested(&["a", "b"]));
        assert_eq!(nearest(&["a", "B", "c"]), suggested(&["a", "c"]));
        assert_eq!(nearest(&["A"]), suggested(&["hstore"]));
    }

    fn parameter(yaml: serde_json::Value) -> EffectiveParameter {
        let parameter: Parameter = serde_json::from_value(yaml).unwrap();
        EffectiveParameter::new(&parameter, None).unwrap()
    }

    fn small(kind: &str, class: serde_json::Value, plan: serde_json::Value) -> EffectiveParameter {
        let parameter: Parameter =
            serde_json::from_value(json!({"name": "x", "paths": ["x"], kind: class})).unwrap();
        let plan: Plan = serde_json::from_value(
            json!({"name": "small", "parameters": [{"name": "x", kind: plan}]}),
        )
        .unwrap();
        EffectiveParameter::new(&parameter, Some(&plan)).unwrap()
    }

    fn problem(parameter: &EffectiveParameter, text: &str) -> (String, Option<String>) {
        let problem = parameter.parse(text).unwrap_err();
        (problem.on_command_line(), problem.nearest().map(ToString::to_string))
    }

    #[test]
    fn a_plan_narrows_and_is_named() {
        let storage = small(
            "quantity",
            json!({"default": "8Gi", "minimum": "1Gi", "maximum": "100Gi"}),
            json!({"default": "1Gi", "maximum": "10Gi"}),
        );
        let problem = storage.parse("50Gi").unwrap_err();
        assert_eq!(problem.at_prompt(), "50Gi is more than 10Gi, the most in plan small");
        assert_eq!(problem.on_command_line(), "\"50Gi\" is more than 10Gi, the most in plan small");
        assert_eq!(problem.nearest(), Some(&Value::Quantity("10Gi".parse().unwrap())));
        assert_eq!(
            storage.parse("1Mi").unwrap_err().at_prompt(),
            "1Mi is less than 1Gi, the least allowed"
        );
        assert!(storage.parse("10240Mi").is_ok());
    }

    #[test]
    fn a_plan_cannot_widen() {
        let replicas = small(
            "integer",
            json!({"minimum": 2, "maximum": 5}),
            json!({"minimum": 0, "maximum": 9, "default": 3}),
        );
        assert!(replicas.parse("1").is_err());
        let problem = replicas.parse("6").unwrap_err();
        assert_eq!(problem.at_prompt(), "6 is more than 5, the most allowed");
    }

    #[test]
    fn choices_are_named_and_the_nearest_is_proposed() {
        let mode = parameter(json!({"name": "mode", "paths": ["m"],
            "string": {"default": "standalone", "enum": ["standalone", "replication"]}}));
        assert_eq!(
            problem(&mode, "cluster"),
            ("\"cluster\" is not one of standalone, replication".into(), Some("standalone".into()))
        );
        assert_eq!(problem(&mode, "replicaton").1, Some("replication".into()));
        let size = parameter(json!({"name": "size", "paths": ["s"],
            "quantity": {"enum": ["1Gi", "4Gi", "16Gi"]}}));
        assert_eq!(problem(&size, "2Gi").1, Some("4Gi".into()));
        assert_eq!(problem(&size, "20Gi").1, Some("16Gi".into()));
        assert_eq!(problem(&size, "large").1, Some("1Gi".into()));
        assert!(size.parse("4096Mi").is_ok());
    }

    #[test]
    fn lists_are_checked_as_a_whole_and_entry_by_entry() {
        let hosts = parameter(json!({"name": "hosts", "paths": ["h"],
            "list": {"maxItems": 2, "pattern": "[a-z]+"}}));
        assert!(hosts.parse(r#"["a","b"]"#).is_ok());
        assert!(hosts.parse("[]").is_ok());
        assert_eq!(problem(&hosts, r#"["a","b","c"]"#).0, "has 3 entries; at most 2 entries");
        assert_eq!(problem(&hosts, r#"["a","B"]"#).0, "\"B\" must be 1 or more of a-z");
    }

    #[test]
    fn a_secret_is_never_repeated() {
        let secret = parameter(json!({"name": "pw", "paths": ["p"], "sensitive": true,
            "string": {"minLength": 12, "maxLength": 64}}));
        let problem = secret.parse("hunter2").unwrap_err();
        assert_eq!(problem.on_command_line(), "must have 12-64 characters");
        assert_eq!(problem.nearest(), None);
        assert!(!format!("{problem:?}").contains("hunter2"));
    }
}
