//! How a parameter is read by a person: the catalog's columns, the questions, the notes.

use std::fmt::Display;

use super::super::class::Change;
use super::super::limits::{Limits, ListRule, Range};
use super::super::value::Value;
use super::EffectiveParameter;

impl EffectiveParameter {
    /// The column TYPE: the kind, or `secret` for a sensitive one.
    pub fn type_word(&self) -> &'static str {
        if self.sensitive { "secret" } else { self.limits.kind().word() }
    }

    /// The column DEFAULT: `required`, `generated`, the value, or `-`.
    pub fn default_text(&self) -> String {
        match &self.default {
            Some(value) => value.to_string(),
            None if self.generate.is_some() => "generated".to_owned(),
            None if self.required => "required".to_owned(),
            None => "-".to_owned(),
        }
    }

    /// The column ALLOWED: `1Gi to 100Gi`, `yes, no`, `1-63 of a-z 0-9 _`, `any`.
    pub fn allowed_text(&self) -> String {
        if let (true, Some(value)) = (self.fixed, &self.default) {
            return value.to_string();
        }
        match &self.limits {
            Limits::String(rule) if rule.choices.is_empty() => rule.text.to_string(),
            Limits::Integer(range) if range.choices.is_empty() => range_text(range, Value::Integer),
            Limits::Number(range) if range.choices.is_empty() => range_text(range, Value::Number),
            Limits::Quantity(range) if range.choices.is_empty() => {
                range_text(range, Value::Quantity)
            }
            Limits::Duration(range) if range.choices.is_empty() => {
                range_text(range, Value::Duration)
            }
            Limits::Boolean => "yes, no".to_owned(),
            Limits::List(rule) => list_text(rule),
            limits => joined(limits.choices()),
        }
    }

    /// The column MEANING: the title, else the first line of the description.
    pub fn meaning(&self) -> &str {
        let first_line = || self.description.as_deref()?.lines().next();
        self.title.as_deref().or_else(first_line).unwrap_or_default()
    }

    /// Name and title as a question names them: `Disk size (storage)`.
    pub fn label(&self) -> String {
        match self.title.as_deref() {
            Some(title) => format!("{title} ({})", self.name),
            None => self.name.clone(),
        }
    }

    /// What stands behind the label in a question: `1Gi to 10Gi, cannot change later`.
    pub fn constraint(&self) -> String {
        let ordered = self.limits.minimum().is_some() || self.limits.maximum().is_some();
        let limits = ordered.then(|| self.allowed_text());
        let fixed = (self.change == Change::Never).then(|| "cannot change later".to_owned());
        limits.into_iter().chain(fixed).collect::<Vec<_>>().join(", ")
    }

    /// The whole question: `Disk size (storage), 1Gi to 10Gi, cannot change later [1Gi]: `.
    pub fn question(&self) -> String {
        let mut question = self.label();
        let constraint = self.constraint();
        if !constraint.is_empty() {
            question.push_str(&format!(", {constraint}"));
        }
        question.push_str(&match &self.default {
            Some(Value::Boolean(true)) => " [Y/n]: ".to_owned(),
            Some(Value::Boolean(false)) => " [y/N]: ".to_owned(),
            Some(value) => format!(" [{value}]: "),
            None if matches!(self.limits, Limits::Boolean) => " [y/n]: ".to_owned(),
            None if self.generate.is_some() => ", Enter to generate: ".to_owned(),
            None if self.required => ": ".to_owned(),
            None => ", Enter to leave it out: ".to_owned(),
        });
        question
    }

    /// When it applies, inside a sentence: `mode is replication`.
    pub fn condition(&self) -> Option<String> {
        let when = self.when.as_ref()?;
        Some(format!("{} is {}", when.parameter, when.any_of.join(" or ")))
    }

    /// What is said where a required one is missing: `first database, 1-63 of a-z 0-9 _`.
    pub fn wanted(&self) -> String {
        let allowed = self.allowed_text();
        match self.title.as_deref() {
            Some(title) if allowed == "any" => uncapitalised(title),
            Some(title) => format!("{}, {allowed}", uncapitalised(title)),
            None => allowed,
        }
    }
}

/// What a plan changes of a parameter, below the catalog's table:
/// `storage is 1Gi to 10Gi in plan small, default 1Gi`.
///
/// `class` is the parameter under no plan, `plan` the same one under the plan.
pub fn plan_note(class: &EffectiveParameter, plan: &EffectiveParameter) -> Option<String> {
    let (name, plan_name) = (&plan.name, plan.plan.as_deref()?);
    if plan.fixed {
        return Some(format!("{name} is fixed to {} in plan {plan_name}", plan.default_text()));
    }
    let allowed = plan.allowed_text();
    let default = (plan.default != class.default).then(|| plan.default_text());
    match (allowed != class.allowed_text(), default) {
        (true, Some(default)) => {
            Some(format!("{name} is {allowed} in plan {plan_name}, default {default}"))
        }
        (true, None) => Some(format!("{name} is {allowed} in plan {plan_name}")),
        (false, Some(default)) => {
            Some(format!("{name} has the default {default} in plan {plan_name}"))
        }
        (false, None) => None,
    }
}

/// When a parameter counts at all: `replicas applies when mode is replication`.
pub fn when_note(parameter: &EffectiveParameter) -> Option<String> {
    let condition = parameter.condition()?;
    Some(format!("{} applies when {condition}", parameter.name))
}

/// That a parameter is asked on request only.
pub fn advanced_note(parameter: &EffectiveParameter) -> Option<String> {
    parameter
        .advanced
        .then(|| format!("{} is advanced: asked only with --advanced", parameter.name))
}

fn range_text<T: Clone + PartialEq>(range: &Range<T>, wrap: fn(T) -> Value) -> String {
    let text = |value: &T| wrap(value.clone()).to_string();
    let minimum = range.minimum.as_ref().map(|bound| &bound.value);
    let maximum = range.maximum.as_ref().map(|bound| &bound.value);
    match (minimum, maximum) {
        (Some(least), Some(most)) if least == most => text(most),
        (Some(least), Some(most)) => format!("{} to {}", text(least), text(most)),
        (Some(least), None) => format!("at least {}", text(least)),
        (None, Some(most)) => format!("at most {}", text(most)),
        (None, None) => "any".to_owned(),
    }
}

fn list_text(rule: &ListRule) -> String {
    let entries = |most: u32| if most == 1 { "entry" } else { "entries" };
    match (rule.max_items, rule.entry.is_empty()) {
        (None, true) => "any".to_owned(),
        (Some(most), true) => format!("at most {most} {}", entries(most)),
        (None, false) => format!("each {}", rule.entry),
        (Some(most), false) => format!("at most {most}, each {}", rule.entry),
    }
}

fn joined(values: Vec<impl Display>) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// A title inside a sentence: `First database` becomes `first database`, `TLS mode` stays.
fn uncapitalised(title: &str) -> String {
    let mut characters = title.chars();
    match (characters.next(), characters.next()) {
        (Some(first), second) if second.is_none_or(|second| !second.is_uppercase()) => {
            first.to_lowercase().chain(title.chars().skip(1)).collect()
        }
        _ => title.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::super::{class::Parameter, example};
    use super::*;

    fn of_kind(kind: &str, limits: serde_json::Value) -> EffectiveParameter {
        let parameter: Parameter =
            serde_json::from_value(json!({"name": "x", "paths": ["x"], kind: limits})).unwrap();
        EffectiveParameter::new(&parameter, None).unwrap()
    }

    #[test]
    fn the_catalog_reads_as_the_interface_says() {
        let rows: Vec<_> = EffectiveParameter::all(&example::postgres(), None)
            .unwrap()
            .iter()
            .map(|parameter| {
                [
                    parameter.name.clone(),
                    parameter.type_word().to_owned(),
                    parameter.default_text(),
                    parameter.allowed_text(),
                ]
            })
            .collect();
        let expected = [
            ["database", "string", "required", "1-63 of a-z 0-9 _"],
            ["storage", "quantity", "8Gi", "1Gi to 100Gi"],
            ["mode", "string", "standalone", "standalone, replication"],
            ["replicas", "integer", "2", "2 to 5"],
            ["metrics", "boolean", "no", "yes, no"],
            ["admin-password", "secret", "generated", "12-64 characters"],
            ["max-connections", "integer", "100", "20 to 1000"],
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn notes_say_what_the_table_cannot() {
        let class = EffectiveParameter::all(&example::postgres(), None).unwrap();
        let notes = |plan: &str| -> Vec<_> {
            let under = example::parameters(plan);
            class.iter().zip(&under).filter_map(|(class, plan)| plan_note(class, plan)).collect()
        };
        assert_eq!(notes("small"), ["storage is 1Gi to 10Gi in plan small, default 1Gi"]);
        assert_eq!(notes("medium"), [""; 0]);
        assert_eq!(notes("large"), ["mode is fixed to replication in plan large"]);
        assert_eq!(
            class.iter().filter_map(when_note).collect::<Vec<_>>(),
            ["replicas applies when mode is replication"]
        );
        assert_eq!(
            class.iter().filter_map(advanced_note).collect::<Vec<_>>(),
            ["max-connections is advanced: asked only with --advanced"]
        );
    }

    #[test]
    fn questions_read_as_the_interface_says() {
        let questions: Vec<_> =
            example::parameters("small").iter().map(EffectiveParameter::question).collect();
        let expected = [
            "First database (database): ",
            "Disk size (storage), 1Gi to 10Gi, cannot change later [1Gi]: ",
            "Topology (mode) [standalone]: ",
            "Read replicas (replicas), 2 to 5 [2]: ",
            "Export metrics (metrics) [y/N]: ",
            "Administrator password (admin-password), Enter to generate: ",
            "Connections (max-connections), 20 to 1000 [100]: ",
        ];
        assert_eq!(questions, expected);
    }

    #[test]
    fn limits_of_every_form_have_words() {
        for (kind, limits, text) in [
            ("quantity", json!({"minimum": "1Gi"}), "at least 1Gi"),
            ("duration", json!({"maximum": "5m"}), "at most 5m"),
            ("integer", json!({"minimum": 3, "maximum": 3}), "3"),
            ("number", json!({"minimum": 0.5, "maximum": 2.0}), "0.5 to 2"),
            ("number", json!({}), "any"),
            ("integer", json!({"enum": [1, 3, 5], "maximum": 4}), "1, 3"),
            ("string", json!({}), "any"),
            ("list", json!({}), "any"),
            ("list", json!({"maxItems": 5}), "at most 5 entries"),
            ("list", json!({"maxItems": 5, "pattern": "[a-z]{1,9}"}), "at most 5, each 1-9 of a-z"),
        ] {
            assert_eq!(of_kind(kind, limits).allowed_text(), text);
        }
    }

    #[test]
    fn titles_keep_their_abbreviations() {
        assert_eq!(uncapitalised("First database"), "first database");
        assert_eq!(uncapitalised("TLS mode"), "TLS mode");
        assert_eq!(uncapitalised(""), "");
    }
}
