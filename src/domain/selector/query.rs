//! A label selector as a person types it (`-l`), checked before the API server would refuse it.
//!
//! The grammar is that of <https://kubernetes.io/docs/concepts/overview/working-with-objects/labels>.

use crate::domain::labels;

/// Why a text is no label selector.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{text}\" is not a label selector: {reason}, like tier=dev,team!=a or tier in (dev, test)"
)]
pub struct QueryError {
    text: String,
    reason: String,
}

/// Passes for a selector that the API server takes; an empty one chooses everything.
///
/// # Errors
/// A part of it is no requirement.
pub fn check(text: &str) -> Result<(), QueryError> {
    if text.trim().is_empty() {
        return Ok(());
    }
    let wrong = requirements(text).into_iter().find_map(|part| requirement(part.trim()).err());
    wrong.map_or(Ok(()), |reason| Err(QueryError { text: text.to_owned(), reason }))
}

/// The parts between commas that stand in no parentheses.
fn requirements(text: &str) -> Vec<&str> {
    let mut depth = 0_u32;
    text.split(|character| {
        depth = match character {
            '(' => depth + 1,
            ')' => depth.saturating_sub(1),
            _ => depth,
        };
        character == ',' && depth == 0
    })
    .collect()
}

fn requirement(part: &str) -> Result<(), String> {
    if part.is_empty() {
        return Err("a part of it is empty".to_owned());
    }
    if let Some(name) = part.strip_prefix('!') {
        return key(name);
    }
    if let Some((name, values)) = set(part) {
        key(name)?;
        return values.split(',').try_for_each(|text| labels::value(text.trim()));
    }
    let Some(at) = part.find(['=', '!', '<', '>']) else { return key(part) };
    let (name, rest) = part.split_at(at);
    key(name)?;
    if let Some(number) = rest.strip_prefix(['<', '>']) {
        let number = number.trim();
        return number.parse::<i64>().map(|_| ()).map_err(|_| format!("\"{number}\" is no number"));
    }
    let text = ["==", "!=", "="].into_iter().find_map(|operator| rest.strip_prefix(operator));
    let text = text.ok_or_else(|| format!("\"{rest}\" is no comparison"))?;
    labels::value(text.trim())
}

/// `tier in (dev, test)`: the name and what stands in the parentheses.
fn set(part: &str) -> Option<(&str, &str)> {
    let (head, values) = part.strip_suffix(')')?.split_once('(')?;
    let (name, operator) = head.trim_end().rsplit_once(' ')?;
    ["in", "notin"].contains(&operator).then_some((name, values))
}

fn key(text: &str) -> Result<(), String> {
    labels::key(text.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_kubernetes_takes_passes() {
        for text in [
            "",
            "tier",
            "!tier",
            "tier=dev",
            "tier==dev, team!=a",
            "tier=",
            "svc-cli.dev/class=postgres",
            "tier in (dev, test),team notin (a,b)",
            "tier in ()",
            "generation>3",
            "generation < 5",
        ] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn what_it_refuses_is_refused_in_words() {
        for (text, reason) in [
            ("!!", "\"!\" is not the name of a label"),
            ("tier=dev,", "a part of it is empty"),
            ("=dev", "\"\" is not the name of a label"),
            ("tier=a b", "\"a b\" is not the value of a label"),
            ("tier in dev", "\"tier in dev\" is not the name of a label"),
            ("tier=(dev", "\"(dev\" is not the value of a label"),
            ("-x", "\"-x\" is not the name of a label"),
            ("UPPER.dev/a=b", "\"UPPER.dev/a\" is not the name of a label"),
            ("tier!dev", "\"!dev\" is no comparison"),
            ("n>many", "\"many\" is no number"),
        ] {
            assert_eq!(check(text).map_err(|error| error.reason), Err(reason.to_owned()), "{text}");
        }
        let long = "x".repeat(64);
        assert!(check(&long).is_err() && check(&format!("a={long}")).is_err());
    }
}
