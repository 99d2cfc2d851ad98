//! A connection: its sources, its details, and what these take from those.

use super::{Rule, exactly_one, rule};

/// Of a Secret or ConfigMap as a source.
pub(in super::super) fn named_or_selected() -> Vec<Rule> {
    vec![exactly_one(&["name", "selector"])]
}

/// Of a source.
pub(in super::super) fn source() -> Vec<Rule> {
    vec![exactly_one(&["secret", "configMap", "service", "object"])]
}

/// The names that templates know without any detail (design §3).
const RESERVED: [&str; 7] =
    ["release", "chart", "params", "values", "fullname", "instance", "binding"];

/// Of a detail.
pub(in super::super) fn detail() -> Vec<Rule> {
    let names = RESERVED.map(|name| format!("'{name}'")).join(", ");
    vec![
        exactly_one(&["value", "from"]),
        rule(
            format!("!(self.name in [{names}])"),
            format!("the name is reserved for templates: {}", RESERVED.join(", ")),
        ),
    ]
}

/// Of `from`.
pub(in super::super) fn from() -> Vec<Rule> {
    vec![exactly_one(&["key", "path"])]
}

/// Of a connection.
pub(in super::super) fn connection() -> Vec<Rule> {
    let from = |holds: &str| format!("self.details.all(d, !has(d.from) || {holds})");
    let fits = |field: &str, kinds: [&str; 2]| {
        let kinds = kinds.map(|kind| format!("has(s.{kind})")).join(" || ");
        from(&format!(
            "!has(d.from.{field}) || !has(self.sources) || \
            self.sources.all(s, s.name != d.from.source || {kinds})"
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
