//! A plan may only narrow what a parameter allows, and must leave it a default that it allows.
//!
//! Each rule looks at a parameter by its kind with `? :`, whose estimated cost is that of the
//! dearest kind; with `||` it would be the sum of all.

use super::limits::{durations_in_order, quantities_in_order};
use super::{KINDS, Rule, rule};

/// The kinds whose values have an order.
const ORDERED: [&str; 4] = ["integer", "number", "quantity", "duration"];
/// The kinds that may have a list of choices.
const CHOSEN: [&str; 5] = ["string", "integer", "number", "quantity", "duration"];

/// The rules between plans and parameters, at the spec that holds both.
pub(super) fn plans() -> Vec<Rule> {
    vec![
        known(),
        same_kind(),
        no_secret_default(),
        no_less(),
        no_more(),
        no_shorter(),
        no_longer(),
        no_other_choice(),
        default_is_a_choice(),
        same_pattern(),
        no_new_freedom(),
        default_inside(),
    ]
}

/// `o` is what a plan says of a parameter.
fn of_each(holds: &str) -> String {
    format!(
        "!has(self.plans) || self.plans.all(p, !has(p.parameters) || p.parameters.all(o, {holds}))"
    )
}

/// Between the limits of a plan and those of its parameter, by their kind: `O` and `Q` in `holds`.
/// The class's parameters are gone through only where the plan gives one of its `own` fields.
fn by_kind(
    kinds: &[&str],
    own: impl Fn(&str) -> &'static [&'static str],
    holds: impl Fn(&str) -> String,
) -> String {
    let cases: Vec<String> = kinds
        .iter()
        .map(|kind| {
            let given: Vec<String> = own(kind).iter().map(|own| format!("has(O.{own})")).collect();
            let given = given.join(" || ");
            format!(
                "has(o.{kind}) ? !({given}) || \
                self.parameters.all(q, q.name != o.name || !has(q.{kind}) || ({})) : ",
                holds(kind)
            )
            .replace("O.", &format!("o.{kind}."))
            .replace("Q.", &format!("q.{kind}."))
        })
        .collect();
    of_each(&format!("!has(self.parameters) || ({}true)", cases.concat()))
}

/// `low <= high` where both are given.
fn in_order(kind: &str, low: &str, high: &str) -> String {
    let ordered = match kind {
        "quantity" => quantities_in_order(low, high),
        "duration" => durations_in_order(low, high),
        _ => format!("{low} <= {high}"),
    };
    format!("(!has({low}) || !has({high}) || {ordered})")
}

/// The same where one of them is a size of the other's default.
fn sizes_in_order(low: &str, high: &str) -> String {
    let size = |field: &str| {
        if field.ends_with("default") { format!("{field}.size()") } else { field.to_owned() }
    };
    format!("(!has({low}) || !has({high}) || {} <= {})", size(low), size(high))
}

fn known() -> Rule {
    let exists = "has(self.parameters) && self.parameters.exists(q, q.name == o.name)";
    rule(of_each(exists), "a plan names a parameter that the class does not have")
}

fn same_kind() -> Rule {
    let same: Vec<String> =
        KINDS.iter().map(|kind| format!("has(q.{kind}) == has(o.{kind})")).collect();
    rule(
        of_each(&format!(
            "!has(self.parameters) || self.parameters.all(q, q.name != o.name || ({}))",
            same.join(" && ")
        )),
        "a plan gives a parameter another kind than the class does",
    )
}

fn no_secret_default() -> Rule {
    rule(
        by_kind(
            &["string"],
            |_| &["default"],
            |_| "(!has(q.sensitive) || !q.sensitive) && !has(q.generate)".to_owned(),
        ),
        "a plan gives a sensitive or generated parameter a default",
    )
}

fn widened(what: &str) -> String {
    format!("a plan may only narrow a parameter: its {what}")
}

fn no_less() -> Rule {
    let each = |kind: &str| {
        ["O.minimum", "O.maximum", "O.default"]
            .map(|own| in_order(kind, "Q.minimum", own))
            .join(" && ")
    };
    rule(
        by_kind(&ORDERED, |_| &["minimum", "maximum", "default"], each),
        widened("minimum, maximum or default is below the parameter's minimum"),
    )
}

fn no_more() -> Rule {
    let each = |kind: &str| {
        ["O.minimum", "O.maximum", "O.default"]
            .map(|own| in_order(kind, own, "Q.maximum"))
            .join(" && ")
    };
    rule(
        by_kind(&ORDERED, |_| &["minimum", "maximum", "default"], each),
        widened("minimum, maximum or default is above the parameter's maximum"),
    )
}

fn no_shorter() -> Rule {
    let own = ["O.minLength", "O.maxLength", "O.default"];
    let each = own.map(|own| sizes_in_order("Q.minLength", own)).join(" && ");
    rule(
        by_kind(&["string"], |_| &["minLength", "maxLength", "default"], |_| each.clone()),
        widened("minLength, maxLength or default is below the parameter's minLength"),
    )
}

fn no_longer() -> Rule {
    let own = |kind: &str| -> &[&str] {
        match kind {
            "string" => &["minLength", "maxLength", "default"],
            _ => &["maxItems", "default"],
        }
    };
    let each = |kind: &str| {
        let most = if kind == "string" { "Q.maxLength" } else { "Q.maxItems" };
        let each = own(kind).iter().map(|own| sizes_in_order(&format!("O.{own}"), most));
        each.collect::<Vec<_>>().join(" && ")
    };
    rule(
        by_kind(&["string", "list"], own, each),
        widened("length or default is above the parameter's maxLength or maxItems"),
    )
}

fn no_other_choice() -> Rule {
    let subset = "!has(Q.enum) || Q.enum.size() == 0 || !has(O.enum) || O.enum.all(e, e in Q.enum)";
    rule(
        by_kind(&CHOSEN, |_| &["enum"], |_| subset.to_owned()),
        widened("enum holds what the parameter's does not"),
    )
}

fn default_is_a_choice() -> Rule {
    let chosen = "!has(Q.enum) || Q.enum.size() == 0 || !has(O.default) || O.default in Q.enum";
    rule(
        by_kind(&CHOSEN, |_| &["default"], |_| chosen.to_owned()),
        widened("default is not one of the parameter's enum"),
    )
}

/// Whether one pattern is narrower than another cannot be said.
fn same_pattern() -> Rule {
    let same = "!has(O.pattern) || !has(Q.pattern) || O.pattern == Q.pattern";
    rule(
        by_kind(&["string", "list"], |_| &["pattern"], |_| same.to_owned()),
        widened("pattern is another than the parameter's"),
    )
}

fn no_new_freedom() -> Rule {
    let flags = ["multiline", "allowTemplate"]
        .map(|flag| format!("(!has(O.{flag}) || !O.{flag} || (has(Q.{flag}) && Q.{flag}))"));
    rule(
        by_kind(&["string"], |_| &["multiline", "allowTemplate"], |_| flags.join(" && ")),
        widened("multiline or allowTemplate is not the parameter's"),
    )
}

/// The class's default must fit a plan that has none of its own.
fn default_inside() -> Rule {
    let limits = |kind: &str| -> &[&str] {
        match kind {
            "string" => &["minLength", "maxLength", "enum"],
            "list" => &["maxItems"],
            _ => &["minimum", "maximum", "enum"],
        }
    };
    let chosen = "(!has(O.enum) || O.enum.size() == 0 || Q.default in O.enum)";
    let inside = |kind: &str| match kind {
        "string" => format!(
            "{} && {} && {chosen}",
            sizes_in_order("O.minLength", "Q.default"),
            sizes_in_order("Q.default", "O.maxLength"),
        ),
        "list" => sizes_in_order("Q.default", "O.maxItems"),
        _ => format!(
            "{} && {} && {chosen}",
            in_order(kind, "O.minimum", "Q.default"),
            in_order(kind, "Q.default", "O.maximum"),
        ),
    };
    let each = |kind: &str| format!("has(O.default) || !has(Q.default) || ({})", inside(kind));
    rule(
        by_kind(&["string", "integer", "number", "quantity", "duration", "list"], limits, each),
        "a plan narrows a parameter so that the class's default is outside: \
        the plan needs a default of its own",
    )
}
