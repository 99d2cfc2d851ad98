//! The limits of each kind, and the default within them.

use super::super::bounds::DURATION;
use super::{Rule, rule};

fn default_is_a_choice() -> Rule {
    rule(
        "!has(self.enum) || self.enum.size() == 0 || !has(self.default) || \
        self.default in self.enum",
        "default is not one of enum",
    )
}

/// Of the limits of a string.
pub(in super::super) fn string() -> Vec<Rule> {
    vec![
        rule(
            "!has(self.minLength) || !has(self.maxLength) || self.minLength <= self.maxLength",
            "minLength is above maxLength",
        ),
        rule(
            "!has(self.default) || !has(self.minLength) || self.default.size() >= self.minLength",
            "default is shorter than minLength",
        ),
        rule(
            "!has(self.default) || !has(self.maxLength) || self.default.size() <= self.maxLength",
            "default is longer than maxLength",
        ),
        default_is_a_choice(),
    ]
}

/// Of the limits of an integer or a number.
pub(in super::super) fn number() -> Vec<Rule> {
    ordered(|a, b| format!("{a} <= {b}"))
}

/// Of the limits of a quantity.
pub(in super::super) fn quantity() -> Vec<Rule> {
    let mut rules = notation(|text| format!("isQuantity({text})"), "a quantity");
    rules.extend(ordered(quantities_in_order));
    rules
}

/// Of the limits of a duration.
pub(in super::super) fn duration() -> Vec<Rule> {
    let mut rules = notation(|text| format!("{text}.matches('{DURATION}')"), "a duration");
    rules.extend(ordered(durations_in_order));
    rules
}

/// Of the limits of a list.
pub(in super::super) fn list() -> Vec<Rule> {
    vec![rule(
        "!has(self.default) || !has(self.maxItems) || self.default.size() <= self.maxItems",
        "default has more than maxItems entries",
    )]
}

fn notation(is_one: impl Fn(&str) -> String, kind: &str) -> Vec<Rule> {
    let mut rules: Vec<Rule> = ["default", "minimum", "maximum"]
        .iter()
        .map(|field| {
            let right = is_one(&format!("self.{field}"));
            rule(format!("!has(self.{field}) || {right}"), format!("{field} is not {kind}"))
        })
        .collect();
    let right = is_one("choice");
    rules.push(rule(
        format!("!has(self.enum) || self.enum.all(choice, {right})"),
        format!("an entry of enum is not {kind}"),
    ));
    rules
}

fn ordered(in_order: impl Fn(&str, &str) -> String) -> Vec<Rule> {
    let pair = |low: &str, high: &str, message: &str| {
        let right = in_order(&format!("self.{low}"), &format!("self.{high}"));
        rule(format!("!has(self.{low}) || !has(self.{high}) || {right}"), message)
    };
    vec![
        pair("minimum", "maximum", "minimum is above maximum"),
        pair("minimum", "default", "default is below minimum"),
        pair("default", "maximum", "default is above maximum"),
        default_is_a_choice(),
    ]
}

/// What is no quantity is refused by its own rule, not here once more.
pub(super) fn quantities_in_order(low: &str, high: &str) -> String {
    format!(
        "(!isQuantity({low}) || !isQuantity({high}) || \
        quantity({low}).compareTo(quantity({high})) <= 0)"
    )
}

/// What is no duration is refused by its own rule, not here once more.
pub(super) fn durations_in_order(low: &str, high: &str) -> String {
    format!(
        "(!{low}.matches('{DURATION}') || !{high}.matches('{DURATION}') || \
        duration({low}) <= duration({high}))"
    )
}
