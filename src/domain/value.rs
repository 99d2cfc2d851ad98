//! A value of a parameter, of one of the seven kinds.

use std::fmt;

use serde_json::Value as Json;

use super::duration::Duration;
use super::quantity::Quantity;

/// The kind of a value, without its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    String,
    Integer,
    Number,
    Boolean,
    Quantity,
    Duration,
    List,
}

/// A value that has its kind; whether a parameter allows it is not said here.
///
/// It is never a sensitive one: those are `secrecy::SecretString`.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    String(String),
    Integer(i64),
    /// Finite.
    Number(f64),
    Boolean(bool),
    Quantity(Quantity),
    Duration(Duration),
    List(Vec<String>),
}

/// Up to this, every whole number is exact in a float: 2^53.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl ValueKind {
    /// The word of the column TYPE.
    pub fn word(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Quantity => "quantity",
            Self::Duration => "duration",
            Self::List => "list",
        }
    }
}

impl Value {
    /// Which kind it is.
    pub fn kind(&self) -> ValueKind {
        match self {
            Self::String(_) => ValueKind::String,
            Self::Integer(_) => ValueKind::Integer,
            Self::Number(_) => ValueKind::Number,
            Self::Boolean(_) => ValueKind::Boolean,
            Self::Quantity(_) => ValueKind::Quantity,
            Self::Duration(_) => ValueKind::Duration,
            Self::List(_) => ValueKind::List,
        }
    }

    /// What the chart and machine output get: quantities and durations are strings.
    ///
    /// A whole number is written without a point, as a chart would expect of `12`.
    pub fn to_json(&self) -> Json {
        match self {
            Self::String(text) => Json::from(text.as_str()),
            Self::Integer(integer) => Json::from(*integer),
            Self::Number(number) => number_json(*number),
            Self::Boolean(flag) => Json::from(*flag),
            Self::Quantity(quantity) => Json::from(quantity.as_str()),
            Self::Duration(duration) => Json::from(duration.as_str()),
            Self::List(entries) => Json::from(entries.clone()),
        }
    }

    /// What stands after `NAME=` in `--set`; a list is a JSON array. Not quoted for a shell.
    pub fn set_text(&self) -> String {
        match self {
            Self::Boolean(flag) => flag.to_string(),
            Self::List(_) => self.to_json().to_string(),
            other => other.to_string(),
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "whole and at most 2^53")]
fn number_json(number: f64) -> Json {
    if number.fract() == 0.0 && number.abs() <= EXACT {
        Json::from(number as i64)
    } else {
        Json::from(number)
    }
}

/// The value as a person reads it: `yes`, `10Gi`, `a, b`.
impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::String(text) => formatter.write_str(text),
            Self::Integer(integer) => write!(formatter, "{integer}"),
            Self::Number(number) => formatter.write_str(&number_text(*number)),
            Self::Boolean(flag) => formatter.write_str(if *flag { "yes" } else { "no" }),
            Self::Quantity(quantity) => write!(formatter, "{quantity}"),
            Self::Duration(duration) => write!(formatter, "{duration}"),
            Self::List(entries) if entries.is_empty() => formatter.write_str("none"),
            Self::List(entries) => formatter.write_str(&entries.join(", ")),
        }
    }
}

/// The shortest text that reads back as the same number, without a tail of zeros.
pub(super) fn number_text(number: f64) -> String {
    if number == 0.0 || (1e-5..1e16).contains(&number.abs()) {
        format!("{number}")
    } else {
        format!("{number:e}")
    }
}

/// A given text as messages show it: cut after 40 characters, control characters as `\x1b`.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut shown = String::new();
    for (position, character) in text.chars().enumerate() {
        if position == LONGEST {
            shown.push('…');
            break;
        }
        if character.is_control() {
            shown.push_str(&format!("\\x{:02x}", u32::from(character)));
        } else {
            shown.push(character);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn charts_get_native_types_and_quoted_quantities() {
        let quantity = Value::Quantity("10Gi".parse().unwrap());
        let duration = Value::Duration("5m".parse().unwrap());
        for (value, expected) in [
            (Value::String("0123".into()), json!("0123")),
            (Value::Integer(9_007_199_254_740_993), json!(9_007_199_254_740_993_i64)),
            (Value::Number(1.5), json!(1.5)),
            (Value::Number(12.0), json!(12)),
            (Value::Number(1e300), json!(1e300)),
            (Value::Boolean(true), json!(true)),
            (quantity, json!("10Gi")),
            (duration, json!("5m")),
            (Value::List(vec!["a".into()]), json!(["a"])),
        ] {
            assert_eq!(value.to_json(), expected);
        }
    }

    #[test]
    fn people_read_yes_and_flags_read_true() {
        let value = Value::Boolean(true);
        assert_eq!((value.to_string(), value.set_text()), ("yes".into(), "true".into()));
        let value = Value::List(vec!["a".into(), "b c".into()]);
        assert_eq!(value.to_string(), "a, b c");
        assert_eq!(value.set_text(), r#"["a","b c"]"#);
    }

    #[test]
    fn numbers_have_a_short_text_that_reads_back() {
        for (number, text) in
            [(12.0, "12"), (0.1, "0.1"), (1e300, "1e300"), (-2.5e-9, "-2.5e-9"), (0.0, "0")]
        {
            assert_eq!(number_text(number), text);
            assert_eq!(text.parse::<f64>(), Ok(number));
        }
    }

    #[test]
    fn shown_text_is_short_and_plain() {
        assert_eq!(shown("a\nb\u{1b}"), "a\\x0ab\\x1b");
        assert_eq!(shown(&"x".repeat(50)).chars().count(), 41);
    }
}
