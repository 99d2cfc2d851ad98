//! Reading a value from the text of a flag or a prompt.

use serde_json::Value as Json;

use super::super::duration::Duration;
use super::super::limits::{Limits, StringRule};
use super::super::quantity::Quantity;
use super::super::value::{Value, ValueKind};
use super::number::{self, Exact};
use super::typed::entries;
use super::{EffectiveParameter, Problem};

impl EffectiveParameter {
    /// The value that a text means, within the limits.
    ///
    /// # Errors
    /// The text is not of this kind, or the limits do not allow it.
    pub fn parse(&self, text: &str) -> Result<Value, Problem> {
        let value = self.read(text).map_err(|problem| self.finished(problem))?;
        self.check(&value)?;
        Ok(value)
    }

    /// One entry of a list, as it is typed on a line of its own.
    ///
    /// # Errors
    /// The limits of entries do not allow it.
    pub fn parse_entry(&self, text: &str) -> Result<String, Problem> {
        let entry = plain(&StringRule::default(), text)?;
        if let Limits::List(rule) = &self.limits
            && let Some(complaint) = rule.entry.complaint(text)
        {
            return Err(Problem::rule(text, complaint));
        }
        Ok(entry)
    }

    pub(super) fn read(&self, text: &str) -> Result<Value, Problem> {
        match &self.limits {
            Limits::String(rule) => plain(rule, text).map(Value::String),
            Limits::Integer(_) => self.read_integer(text),
            Limits::Number(_) => self.read_number(text),
            Limits::Boolean => boolean(text)
                .map(Value::Boolean)
                .ok_or_else(|| Problem::about(text, "is not yes or no")),
            Limits::Quantity(_) => text
                .parse::<Quantity>()
                .map(Value::Quantity)
                .map_err(|error| Problem::about(text, format!("{error}, like {}", self.example()))),
            Limits::Duration(_) => text
                .parse::<Duration>()
                .map(Value::Duration)
                .map_err(|error| Problem::about(text, format!("{error}, like {}", self.example()))),
            Limits::List(_) => match serde_json::from_str::<Json>(text) {
                Ok(list @ Json::Array(_)) => entries(&list, &StringRule::default()),
                _ => Err(Problem::about(text, "is not a list, like [\"a\",\"b\"]")
                    .or_nearest(self.meant_list(text))),
            },
        }
    }

    /// The list that somebody meant who wrote its entries between commas.
    fn meant_list(&self, text: &str) -> Option<Value> {
        let entries = text.split(',').map(str::trim).filter(|entry| !entry.is_empty());
        let entries: Vec<String> =
            entries.map(|entry| self.parse_entry(entry)).collect::<Result<_, _>>().ok()?;
        let list = Some(Value::List(entries)).filter(|list| self.check(list).is_ok());
        list.filter(|list| *list != Value::List(Vec::new()))
    }

    pub(super) fn read_integer(&self, text: &str) -> Result<Value, Problem> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let plain = !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && (digits == "0" || !digits.starts_with('0'));
        if !plain {
            return Err(self.is_not("an integer", text));
        }
        text.parse().map(Value::Integer).map_err(|_| self.out_of_range(text))
    }

    fn read_number(&self, text: &str) -> Result<Value, Problem> {
        match number::exact(text) {
            Some(Exact::Is(number)) => Ok(Value::Number(number)),
            Some(Exact::Near(number)) => {
                let complaint = "has more digits than a number of 64 bits keeps";
                Err(Problem::about(text, complaint).or_nearest(Some(Value::Number(number))))
            }
            None => Err(self.is_not("a number", text)),
        }
    }

    /// An integer of more than 64 bits is beyond every limit.
    fn out_of_range(&self, text: &str) -> Problem {
        let Limits::Integer(range) = &self.limits else { return self.is_not("an integer", text) };
        let (bound, extreme, than, end) = if text.starts_with('-') {
            (&range.minimum, i64::MIN, "less", "the least")
        } else {
            (&range.maximum, i64::MAX, "more", "the most")
        };
        let limit = bound.as_ref().map_or(extreme, |bound| bound.value);
        let by_plan = bound.as_ref().is_some_and(|bound| bound.by_plan);
        let complaint = format!("is {than} than {limit}, {}", self.bound_by(end, by_plan));
        Problem::about(text, complaint).or_nearest(Some(Value::Integer(limit)))
    }

    pub(super) fn is_not(&self, kind: &str, text: &str) -> Problem {
        Problem::about(text, format!("is not {kind}, like {}", self.example()))
    }

    /// Something that would be right, at best the default.
    fn example(&self) -> String {
        let known = self.default.clone().or_else(|| self.limits.choices().into_iter().next());
        let known = known.or_else(|| self.limits.minimum()).or_else(|| self.limits.maximum());
        let usual = match self.limits.kind() {
            ValueKind::Quantity => "10Gi",
            ValueKind::Duration => "5m",
            ValueKind::Number => "0.5",
            _ => "3",
        };
        known.map_or_else(|| usual.to_owned(), |value| value.to_string())
    }
}

/// A string that a chart may get: no control characters, no template, nothing YAML cannot hold.
pub(super) fn plain(rule: &StringRule, text: &str) -> Result<String, Problem> {
    let breaks = |character| matches!(character, '\n' | '\r');
    let allowed = |character| rule.multiline && matches!(character, '\n' | '\r' | '\t');
    let complaint = if !rule.multiline && text.contains(breaks) {
        "must be one line"
    } else if text.contains(|character: char| character.is_control() && !allowed(character)) {
        "must have no control characters"
    } else if text.contains(['\u{fffe}', '\u{ffff}']) {
        "must have neither U+FFFE nor U+FFFF"
    } else if !rule.allow_template && text.contains("{{") {
        "must not have {{ in it: charts would run it as a template"
    } else {
        return Ok(text.to_owned());
    };
    Err(Problem::rule(text, complaint))
}

fn boolean(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" => Some(true),
        "false" | "no" => Some(false),
        _ => None,
    }
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

    fn complaint(kind: &str, limits: Json, text: &str) -> String {
        of_kind(kind, limits).parse(text).unwrap_err().on_command_line()
    }

    #[test]
    fn integers_keep_every_digit() {
        let integer = of_kind("integer", json!({}));
        for number in [0, -1, 9_007_199_254_740_993, i64::MAX, i64::MIN] {
            assert_eq!(integer.parse(&number.to_string()), Ok(Value::Integer(number)));
        }
        for text in ["", "1.0", "1e3", "0123", "+1", "-", "0x1F", "1_000", " 1", "١"] {
            assert!(integer.parse(text).is_err(), "{text:?}");
        }
        assert_eq!(
            complaint("integer", json!({"default": 100}), "many"),
            "\"many\" is not an integer, like 100"
        );
        assert_eq!(
            complaint("integer", json!({"maximum": 1000}), "9223372036854775808"),
            "\"9223372036854775808\" is more than 1000, the most allowed"
        );
    }

    #[test]
    fn each_kind_says_what_would_be_right() {
        let plain = json!({});
        assert_eq!(complaint("boolean", plain.clone(), "on"), "\"on\" is not yes or no");
        assert_eq!(
            complaint("quantity", json!({"default": "8Gi"}), "1GB"),
            "\"1GB\" is not a quantity, like 8Gi"
        );
        assert_eq!(complaint("duration", plain.clone(), "5"), "\"5\" is not a duration, like 5m");
        assert_eq!(complaint("number", plain.clone(), "inf"), "\"inf\" is not a number, like 0.5");
        assert_eq!(
            complaint("number", plain.clone(), "1e999"),
            "\"1e999\" is not a number, like 0.5"
        );
        assert_eq!(
            complaint("number", plain.clone(), "9007199254740993"),
            "\"9007199254740993\" has more digits than a number of 64 bits keeps"
        );
        assert_eq!(complaint("list", plain, "a,b"), "\"a,b\" is not a list, like [\"a\",\"b\"]");
    }

    #[test]
    fn a_list_without_brackets_is_near_to_one() {
        let nearest = |limits, text: &str| {
            of_kind("list", limits).parse(text).unwrap_err().nearest().map(Value::set_text)
        };
        assert_eq!(nearest(json!({}), "a"), Some(r#"["a"]"#.to_owned()));
        assert_eq!(nearest(json!({}), "a, b"), Some(r#"["a","b"]"#.to_owned()));
        assert_eq!(nearest(json!({"maxItems": 1}), "a,b"), None);
        assert_eq!(nearest(json!({}), ""), None);
    }

    #[test]
    fn booleans_are_read_in_four_words() {
        let boolean = of_kind("boolean", json!({}));
        for (text, flag) in [("true", true), ("Yes", true), ("FALSE", false), ("no", false)] {
            assert_eq!(boolean.parse(text), Ok(Value::Boolean(flag)));
        }
        assert!(boolean.parse("y").is_err());
    }

    #[test]
    fn hostile_strings_are_refused_unless_the_class_wants_them() {
        for (text, rule) in [
            ("a\nb", "must be one line"),
            ("a\rb", "must be one line"),
            ("a\tb", "must have no control characters"),
            ("a\0b", "must have no control characters"),
            ("a\u{9b}b", "must have no control characters"),
            ("a\u{7f}", "must have no control characters"),
            ("a\u{ffff}", "must have neither U+FFFE nor U+FFFF"),
            ("{{ .Values }}", "must not have {{ in it: charts would run it as a template"),
        ] {
            let problem = of_kind("string", json!({})).parse(text).unwrap_err();
            assert_eq!(problem.at_prompt(), rule);
        }
        assert!(of_kind("string", json!({"multiline": true})).parse("a\r\n\tb").is_ok());
        assert!(of_kind("string", json!({"multiline": true})).parse("a\0").is_err());
        assert!(of_kind("string", json!({"allowTemplate": true})).parse("{{ x }}").is_ok());
        assert!(of_kind("list", json!({})).parse(r#"["{{ x }}"]"#).is_err());
        assert!(of_kind("string", json!({})).parse("naïve ☂ text, \"quoted\"").is_ok());
    }
}
