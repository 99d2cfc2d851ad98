//! The rules of the CRD in CEL, each with the sentence that refuses a class.
//!
//! Only what a 1.29 server has: no `sets`, no `format`, no comprehension over two variables. An
//! empty `enum` counts as none, as it does where it is read.

mod connection;
mod limits;
mod narrowing;

use serde::Serialize;

pub(super) use connection::{connection, detail, from, named_or_selected, source};
pub(super) use limits::{duration, list, number, quantity, string};

/// One entry of `x-kubernetes-validations`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Rule {
    rule: String,
    message: String,
}

fn rule(rule: impl Into<String>, message: impl Into<String>) -> Rule {
    Rule { rule: rule.into(), message: message.into() }
}

/// The kinds of a parameter, as its fields are called.
const KINDS: [&str; 7] = ["string", "integer", "number", "boolean", "quantity", "duration", "list"];

/// Whether path `a` is or contains path `b`: `a.b` contains `a.b.c` and `a.b[0]`, not `a.bc`.
/// Most pairs end at the first comparison, which keeps a class at its bounds within the limit
/// of what one rule may cost.
const CONTAINS: &str =
    "(b.startsWith(a) && (b == a || b.startsWith(a + '.') || b.startsWith(a + '[')))";

fn exactly_one(fields: &[&str]) -> Rule {
    let given: Vec<String> = fields.iter().map(|field| format!("has(self.{field})")).collect();
    rule(
        format!("[{}].filter(given, given).size() == 1", given.join(", ")),
        format!("exactly one of {}", fields.join(", ")),
    )
}

/// Whether a parameter of any kind has a default.
fn has_default() -> String {
    let defaults: Vec<String> = KINDS
        .iter()
        .map(|kind| format!("(has(self.{kind}) && has(self.{kind}.default))"))
        .collect();
    format!("({})", defaults.join(" || "))
}

/// Of `sharing`.
pub(super) fn sharing() -> Vec<Rule> {
    vec![rule("self == oldSelf", "sharing cannot change")]
}

/// Of `chart`.
pub(super) fn chart() -> Vec<Rule> {
    vec![
        exactly_one(&["oci", "repository", "configMap"]),
        rule(
            "!has(self.configMap) || !has(self.credentials)",
            "a chart in a ConfigMap takes no credentials",
        ),
    ]
}

/// Of a parameter.
pub(super) fn parameter() -> Vec<Rule> {
    let default = has_default();
    let ordered =
        ["integer", "number", "quantity", "duration"].map(|kind| format!("has(self.{kind})"));
    vec![
        exactly_one(&KINDS),
        rule(
            format!("!has(self.required) || !self.required || !{default}"),
            "required and default exclude each other",
        ),
        rule(
            "!has(self.sensitive) || !self.sensitive || \
            (has(self.string) && !has(self.string.default))",
            "sensitive needs a string without default",
        ),
        rule(
            "!has(self.generate) || (has(self.string) && !has(self.string.default))",
            "generate needs a string without default",
        ),
        rule(
            format!("self.change != 'IncreaseOnly' || {}", ordered.join(" || ")),
            "IncreaseOnly needs an integer, a number, a quantity or a duration",
        ),
        rule(
            format!("self.paths.all(a, self.paths.filter(b, {CONTAINS}).size() == 1)"),
            "one of the paths contains another",
        ),
    ]
}

/// Of a plan's parameter.
pub(super) fn plan_parameter() -> Vec<Rule> {
    vec![
        exactly_one(&KINDS),
        rule(
            format!("!has(self.fixed) || !self.fixed || {}", has_default()),
            "fixed needs a default",
        ),
    ]
}

/// Of the whole spec.
pub(super) fn spec() -> Vec<Rule> {
    [of_sharing(), of_parameters(), narrowing::plans()].concat()
}

fn of_sharing() -> Vec<Rule> {
    let not_shared = ["chart", "values", "computed", "parameters", "plans", "defaultPlan"]
        .map(|field| format!("!has(self.{field})"))
        .join(" && ");
    vec![
        rule(
            "self.sharing != 'Dedicated' || (has(self.chart) && !has(self.shared))",
            "a Dedicated class needs chart and takes no shared",
        ),
        rule(
            format!("self.sharing != 'Shared' || (has(self.shared) && {not_shared})"),
            "a Shared class needs shared and takes no chart, values, computed, parameters, plans \
            or defaultPlan",
        ),
        rule(
            "!has(self.binding) || !has(self.instanceName) || self.instanceName.maxLength <= 31",
            "instanceName.maxLength is at most 31 in a class with a binding",
        ),
        rule(
            "!has(self.defaultPlan) || \
            (has(self.plans) && self.plans.exists(p, p.name == self.defaultPlan))",
            "defaultPlan names no plan",
        ),
    ]
}

fn of_parameters() -> Vec<Rule> {
    vec![
        rule(
            "!has(self.parameters) || self.parameters.all(p, !has(p.when) || \
            (p.when.parameter != p.name && \
            self.parameters.exists(q, q.name == p.when.parameter)))",
            "when names no other parameter",
        ),
        rule(
            format!(
                "!has(self.parameters) || self.parameters.all(p, \
                self.parameters.all(q, p.name == q.name || \
                p.paths.all(a, q.paths.all(b, !{CONTAINS}))))"
            ),
            "a path of one parameter is or contains a path of another",
        ),
    ]
}
