//! The rules of the CRD in CEL, each with the sentence that refuses a class.
//!
//! Only what a 1.29 server has: no `sets`, no `format`, no comprehension over two variables. An
//! empty `enum` counts as none, as it does where it is read.

mod narrowing;

use serde::Serialize;

pub(super) use narrowing::plans;

use super::bounds::DURATION;

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
            "!has(self.sensitive) || !self.sensitive || (has(self.string) && !has(self.string.default))",
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

fn default_is_a_choice() -> Rule {
    rule(
        "!has(self.enum) || self.enum.size() == 0 || !has(self.default) || self.default in self.enum",
        "default is not one of enum",
    )
}

/// Of the limits of a string.
pub(super) fn string() -> Vec<Rule> {
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
pub(super) fn number() -> Vec<Rule> {
    ordered(|a, b| format!("{a} <= {b}"))
}

/// Of the limits of a quantity.
pub(super) fn quantity() -> Vec<Rule> {
    let mut rules = notation(|text| format!("isQuantity({text})"), "a quantity");
    rules.extend(ordered(quantities_in_order));
    rules
}

/// Of the limits of a duration.
pub(super) fn duration() -> Vec<Rule> {
    let mut rules = notation(|text| format!("{text}.matches('{DURATION}')"), "a duration");
    rules.extend(ordered(durations_in_order));
    rules
}

/// Of the limits of a list.
pub(super) fn list() -> Vec<Rule> {
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
fn quantities_in_order(low: &str, high: &str) -> String {
    format!(
        "(!isQuantity({low}) || !isQuantity({high}) || quantity({low}).compareTo(quantity({high})) <= 0)"
    )
}

/// What is no duration is refused by its own rule, not here once more.
fn durations_in_order(low: &str, high: &str) -> String {
    format!(
        "(!{low}.matches('{DURATION}') || !{high}.matches('{DURATION}') || duration({low}) <= duration({high}))"
    )
}

/// Of a Secret or ConfigMap as a source.
pub(super) fn named_or_selected() -> Vec<Rule> {
    vec![exactly_one(&["name", "selector"])]
}

/// Of a source.
pub(super) fn source() -> Vec<Rule> {
    vec![exactly_one(&["secret", "configMap", "service", "object"])]
}

/// Of a detail.
pub(super) fn detail() -> Vec<Rule> {
    vec![
        exactly_one(&["value", "from"]),
        rule(
            "!(self.name in ['release', 'chart', 'params', 'values', 'fullname', 'instance', 'binding'])",
            "the name is reserved for templates: release, chart, params, values, fullname, instance, binding",
        ),
    ]
}

/// Of `from`.
pub(super) fn from() -> Vec<Rule> {
    vec![exactly_one(&["key", "path"])]
}

/// Of a connection.
pub(super) fn connection() -> Vec<Rule> {
    let from = |holds: &str| format!("self.details.all(d, !has(d.from) || {holds})");
    let fits = |field: &str, kinds: [&str; 2]| {
        let kinds = kinds.map(|kind| format!("has(s.{kind})")).join(" || ");
        from(&format!(
            "!has(d.from.{field}) || !has(self.sources) || self.sources.all(s, s.name != d.from.source || {kinds})"
        ))
    };
    vec![
        rule(
            from("(has(self.sources) && self.sources.exists(s, s.name == d.from.source))"),
            "from.source of a detail names no source",
        ),
        rule(
            fits("key", ["secret", "configMap"]),
            "from.key is for a Secret or a ConfigMap; a Service or an object has a path",
        ),
        rule(
            fits("path", ["service", "object"]),
            "from.path is for a Service or an object; a Secret or a ConfigMap has keys",
        ),
    ]
}

/// Of the whole spec, without those of its plans.
pub(super) fn spec() -> Vec<Rule> {
    let mut rules = vec![
        rule(
            "self.sharing != 'Dedicated' || (has(self.chart) && !has(self.shared))",
            "a Dedicated class needs chart and takes no shared",
        ),
        rule(
            "self.sharing != 'Shared' || (has(self.shared) && !has(self.chart) && !has(self.values) && !has(self.computed) && !has(self.parameters) && !has(self.plans) && !has(self.defaultPlan))",
            "a Shared class needs shared and takes no chart, values, computed, parameters, plans or defaultPlan",
        ),
        rule(
            "!has(self.binding) || !has(self.instanceName) || self.instanceName.maxLength <= 31",
            "instanceName.maxLength is at most 31 in a class with a binding",
        ),
        rule(
            "!has(self.defaultPlan) || (has(self.plans) && self.plans.exists(p, p.name == self.defaultPlan))",
            "defaultPlan names no plan",
        ),
        rule(
            "!has(self.parameters) || self.parameters.all(p, !has(p.when) || (p.when.parameter != p.name && self.parameters.exists(q, q.name == p.when.parameter)))",
            "when names no other parameter",
        ),
        rule(
            format!(
                "!has(self.parameters) || self.parameters.all(p, self.parameters.all(q, p.name == q.name || p.paths.all(a, q.paths.all(b, !{CONTAINS}))))"
            ),
            "a path of one parameter is or contains a path of another",
        ),
    ];
    rules.extend(plans());
    rules
}
