//! Reading a value that has a type already: from an answers file, or as it is stored.

use serde_json::Value as Json;

use super::super::limits::{Limits, StringRule};
use super::super::value::{Value, ValueKind};
use super::read::plain;
use super::{EffectiveParameter, Problem};

impl EffectiveParameter {
    /// The value of an answers file, which has a type already: nothing is coerced.
    ///
    /// # Errors
    /// It is of another type, or the limits do not allow it.
    pub fn parse_typed(&self, value: &Json) -> Result<Value, Problem> {
        let read = match (&self.limits, value) {
            // The words for true and false mean nothing else, quoted or not.
            (Limits::Boolean, Json::String(text)) => self.read(text),
            _ => self.read_typed(value),
        };
        let value = read.map_err(|problem| self.finished(problem))?;
        self.check(&value)?;
        Ok(value)
    }

    /// The value of a number or a word for true or false in an answers file, as it is written
    /// there: only plain decimal numbers and the words of `--set` for true and false are taken,
    /// whatever YAML reads.
    ///
    /// # Errors
    /// It is of another type, written otherwise, or the limits do not allow it.
    pub fn parse_bare(&self, written: &str, read: &Json) -> Result<Value, Problem> {
        let value = self.read_bare(written, read).map_err(|problem| self.finished(problem))?;
        self.check(&value)?;
        Ok(value)
    }

    fn read_bare(&self, written: &str, read: &Json) -> Result<Value, Problem> {
        let kind = self.limits.kind();
        match (&self.limits, read) {
            (Limits::Integer(_), Json::Number(_)) => self.read_integer(written),
            (Limits::Number(_), Json::Number(_)) => match is_decimal(written) {
                true => self.read_typed(read),
                false => Err(self.is_not("a number", written)),
            },
            (Limits::Boolean, Json::Bool(flag)) => {
                self.read(written).map_err(|wrong| wrong.or_nearest(Some(Value::Boolean(*flag))))
            }
            (Limits::Integer(_) | Limits::Number(_) | Limits::Boolean | Limits::List(_), _) => {
                Err(Problem::about(written, format!("is not {}", with_article(kind.word()))))
            }
            (Limits::Quantity(_), Json::Number(_)) => {
                let meant = self.parse(written).ok();
                Err(Problem::form(unquoted(read)).or_nearest(meant))
            }
            (Limits::String(_) | Limits::Quantity(_) | Limits::Duration(_), _) => {
                Err(Problem::form(unquoted(read)))
            }
        }
    }

    /// Whether two values as they are stored mean the same: `1024Mi` is `1Gi`, `60s` is `1m`.
    pub fn same(&self, one: &Json, other: &Json) -> bool {
        match (self.read_stored(one), self.read_stored(other)) {
            (Ok(one), Ok(other)) => one == other,
            _ => one == other,
        }
    }

    /// A stored value, whatever today's limits are.
    ///
    /// # Errors
    /// It is of another kind.
    pub fn read_stored(&self, value: &Json) -> Result<Value, Problem> {
        let read = match (self.limits.kind(), value) {
            (ValueKind::String, Json::String(text)) => Ok(Value::String(text.clone())),
            (ValueKind::List, Json::Array(_)) => entries(
                value,
                &StringRule { multiline: true, allow_template: true, ..StringRule::default() },
            ),
            _ => self.read_typed(value),
        };
        read.map_err(|problem| self.finished(problem))
    }

    fn read_typed(&self, value: &Json) -> Result<Value, Problem> {
        let kind = self.limits.kind();
        match (&self.limits, value) {
            (_, Json::Null) => Err(Problem::form("has no value; leave it out for the default")),
            (Limits::String(_) | Limits::Quantity(_) | Limits::Duration(_), Json::String(text)) => {
                self.read(text)
            }
            (Limits::Quantity(_), Json::Number(number)) => {
                let meant = self.parse(&number.to_string()).ok();
                Err(Problem::form(unquoted(value)).or_nearest(meant))
            }
            (Limits::String(_) | Limits::Quantity(_) | Limits::Duration(_), _) => {
                Err(Problem::form(unquoted(value)))
            }
            (Limits::Boolean, Json::Bool(flag)) => Ok(Value::Boolean(*flag)),
            (Limits::Integer(_), Json::Number(number)) if !number.is_f64() => {
                self.read_integer(&number.to_string())
            }
            (Limits::Number(_), Json::Number(number)) => number
                .as_f64()
                .filter(|number| number.is_finite())
                .map(Value::Number)
                .ok_or_else(|| self.is_not("a number", &number.to_string())),
            (Limits::List(_), Json::Array(_)) => entries(value, &StringRule::default()),
            (Limits::Boolean, Json::String(text)) if !["true", "false"].contains(&&**text) => {
                let problem = Problem::about(text, "is not true or false");
                Err(problem.or_nearest(self.parse(text).ok()))
            }
            (Limits::Boolean | Limits::Integer(_) | Limits::Number(_), Json::String(text))
                if self.read(text).is_ok() =>
            {
                let kind = with_article(kind.word());
                let problem =
                    Problem::about(text, format!("is text, not {kind}: leave the quotes out"));
                Err(problem.or_nearest(self.parse(text).ok()))
            }
            _ => Err(Problem::about(
                &typed_text(value),
                format!("is not {}", with_article(kind.word())),
            )),
        }
    }
}

/// A list of strings; no other kind of entry is taken.
pub(super) fn entries(list: &Json, rule: &StringRule) -> Result<Value, Problem> {
    let entries = list.as_array().map(Vec::as_slice).unwrap_or_default();
    let entry = |entry: &Json| match entry {
        Json::String(text) => plain(rule, text),
        other => Err(Problem::form(format!("has an entry that {}", unquoted(other)))),
    };
    entries.iter().map(entry).collect::<Result<_, _>>().map(Value::List)
}

/// Whether a number is written as JSON writes it (RFC 8259, section 6).
fn is_decimal(text: &str) -> bool {
    serde_json::from_str::<serde_json::Number>(text).is_ok()
}

/// What is said of a bare word or number where a string is wanted. It does not repeat the value,
/// which may be a secret.
fn unquoted(value: &Json) -> &'static str {
    match value {
        Json::Number(_) => "is written as a bare number: quote it",
        Json::Bool(_) => "is written as a bare word for true or false: quote it",
        Json::Null => "has no value: quote it",
        Json::Array(_) => "is a list, not one text",
        Json::Object(_) => "is an object, not one text",
        Json::String(_) => "is text",
    }
}

fn typed_text(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned)
}

fn with_article(word: &str) -> String {
    if word == "integer" { format!("an {word}") } else { format!("a {word}") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::super::class::Parameter;
    use super::*;

    fn of_kind(kind: &str, limits: Json) -> EffectiveParameter {
        let parameter: Parameter =
            serde_json::from_value(json!({"name": "x", "paths": ["x"], kind: limits})).unwrap();
        EffectiveParameter::new(&parameter, None).unwrap()
    }

    #[test]
    fn an_answers_file_is_taken_at_its_word() {
        let typed = |kind: &str, value: Json| {
            of_kind(kind, json!({}))
                .parse_typed(&value)
                .map_err(|problem| problem.on_command_line())
        };
        assert_eq!(typed("string", json!("0123")), Ok(Value::String("0123".into())));
        assert_eq!(typed("string", json!(83)), Err("is written as a bare number: quote it".into()));
        assert_eq!(
            typed("string", json!(false)),
            Err("is written as a bare word for true or false: quote it".into())
        );
        assert_eq!(
            typed("integer", json!("5")),
            Err("\"5\" is text, not an integer: leave the quotes out".into())
        );
        assert_eq!(typed("integer", json!(5.0)), Err("\"5.0\" is not an integer".into()));
        assert!(typed("integer", json!(u64::MAX)).is_err());
        assert_eq!(typed("number", json!(5)), Ok(Value::Number(5.0)));
        for (text, flag) in [("yes", true), ("true", true), ("no", false), ("false", false)] {
            assert_eq!(typed("boolean", json!(text)), Ok(Value::Boolean(flag)));
        }
        assert_eq!(typed("boolean", json!("on")), Err("\"on\" is not yes or no".into()));
        assert!(of_kind("boolean", json!({})).read_stored(&json!("yes")).is_err());
        assert!(typed("quantity", json!(10)).is_err());
        assert_eq!(typed("list", json!(["a"])), Ok(Value::List(vec!["a".into()])));
        assert_eq!(
            typed("list", json!(["a", 1])),
            Err("has an entry that is written as a bare number: quote it".into())
        );
        assert_eq!(
            typed("boolean", json!(null)),
            Err("has no value; leave it out for the default".into())
        );
    }

    #[test]
    fn numbers_and_bare_words_are_taken_as_they_are_written() {
        let bare = |kind: &str, written: &str, read: Json| {
            of_kind(kind, json!({}))
                .parse_bare(written, &read)
                .map_err(|problem| problem.on_command_line())
        };
        let refused = |words: &str| Err(words.to_owned());
        assert_eq!(bare("integer", "100", json!(100)), Ok(Value::Integer(100)));
        for (written, read) in [
            ("0x64", json!(100)),
            ("1_00", json!(100)),
            ("0123", json!(123.0)),
            ("0o7", json!(7)),
            ("5.0", json!(5.0)),
        ] {
            let words = format!("\"{written}\" is not an integer, like 3");
            assert_eq!(bare("integer", written, read.clone()), refused(&words));
            let quote = "is written as a bare number: quote it";
            assert_eq!(bare("string", written, read.clone()), refused(quote));
            assert_eq!(bare("quantity", written, read), refused(quote));
        }
        assert_eq!(bare("integer", "on", json!(true)), refused("\"on\" is not an integer"));
        assert_eq!(bare("number", "-1.5e3", json!(-1500.0)), Ok(Value::Number(-1500.0)));
        for (written, read) in [("0x64", 100.0), ("012", 12.0), (".5", 0.5), ("1_0", 10.0)] {
            let words = format!("\"{written}\" is not a number, like 0.5");
            assert_eq!(bare("number", written, json!(read)), refused(&words));
        }
        for written in ["true", "yes", "TRUE"] {
            assert_eq!(bare("boolean", written, json!(true)), Ok(Value::Boolean(true)));
        }
        for written in ["on", "y"] {
            let words = format!("\"{written}\" is not yes or no");
            assert_eq!(bare("boolean", written, json!(true)), refused(&words));
        }
        let word = "is written as a bare word for true or false: quote it";
        assert_eq!(bare("string", "no", json!(false)), refused(word));
        assert_eq!(bare("list", "0x1", json!(1)), refused("\"0x1\" is not a list"));
    }

    #[test]
    fn stored_values_are_compared_by_what_they_mean() {
        let quantity = of_kind("quantity", json!({}));
        assert!(quantity.same(&json!("1024Mi"), &json!("1Gi")));
        assert!(!quantity.same(&json!("1G"), &json!("1Gi")));
        let duration = of_kind("duration", json!({}));
        assert!(duration.same(&json!("60s"), &json!("1m")));
        let string = of_kind("string", json!({}));
        assert!(!string.same(&json!("1024Mi"), &json!("1Gi")));
        assert!(of_kind("number", json!({})).same(&json!(5), &json!(5.0)));
        assert!(!quantity.same(&json!(null), &json!("1Gi")));
    }

    #[test]
    fn a_stored_value_is_read_outside_todays_limits() {
        let storage = of_kind("quantity", json!({"maximum": "10Gi"}));
        assert!(storage.read_stored(&json!("50Gi")).is_ok());
        assert!(storage.read_stored(&json!(true)).is_err());
        assert!(of_kind("string", json!({})).read_stored(&json!("{{ x }}")).is_ok());
    }
}
