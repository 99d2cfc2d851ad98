//! The file of `--answers`: class, plan and parameters, YAML or JSON (interface §1.2).

use serde::Deserialize;
use serde_json::{Map, Value};
use serde_yaml::Error as YamlError;

use crate::domain::suggest::nearest;
use crate::domain::yaml;

/// Its keys.
const KEYS: [&str; 3] = ["class", "plan", "parameters"];

/// What it says; unknown keys are errors.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnswersFile {
    pub class: Option<String>,
    pub plan: Option<String>,
    #[serde(default)]
    pub parameters: Map<String, Value>,
}

/// What is wrong with a file, and where: `None` where no place is known.
#[derive(Debug, PartialEq, Eq)]
pub struct Mistake {
    /// `line 2, column 5`
    pub place: Option<String>,
    pub reason: String,
}

impl AnswersFile {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// It is no YAML, or holds something else.
    pub fn parse(text: &str) -> Result<Self, Mistake> {
        serde_yaml::from_str(text).map_err(|error| {
            let place = error.without_snippet().location();
            let place = place.map(|at| format!("line {}, column {}", at.line(), at.column()));
            Mistake { place, reason: reason(error.without_snippet()) }
        })
    }
}

/// The mistake in plain words.
fn reason(error: &YamlError) -> String {
    match error {
        YamlError::SerdeUnknownField { field, .. } => match nearest(field, KEYS) {
            Some(near) => format!("there is no key {field}; did you mean {near}?"),
            None => format!("there is no key {field}; it has {}", KEYS.join(", ")),
        },
        other => yaml::mistake(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_plan_and_parameters_are_read() {
        let file = AnswersFile::parse("class: postgres\nparameters: {storage: 2Gi, metrics: true}");
        let file = file.expect("it is right");
        assert_eq!(file.class.as_deref(), Some("postgres"));
        assert_eq!(file.parameters["metrics"], Value::Bool(true));
        assert!(AnswersFile::parse("").expect("nothing is said").class.is_none());
    }

    #[test]
    fn mistakes_have_a_place_and_plain_words() {
        for (text, place, reason) in [
            ("klass: postgres", "1, column 1", "there is no key klass; did you mean class?"),
            ("size: 1", "1, column 1", "there is no key size; it has class, plan, parameters"),
            ("class: [", "1, column 8", "a text is expected here"),
            ("plan: {a: b}", "1, column 7", "a text is expected here"),
            (
                "class: a\n  plan: b",
                "2, column 7",
                "a second : is not expected here; is the line indented right?",
            ),
            (
                "parameters: [1]",
                "1, column 13",
                "names with their values are expected here, as name: value",
            ),
            ("hello", "1, column 1", "names with their values are expected here, as name: value"),
            ("class: a\nclass: b", "2, column 1", "class is there twice"),
            ("class: a\n---\nclass: b", "3, column 1", "there is more than one document"),
            ("class: *x", "1, column 8", "the anchor of this * is not there"),
            ("class: \"a", "1, column 8", "this is not YAML: unclosed quote"),
            ("{\"class\": \"a\",", "1, column 1", "this is not YAML: unclosed bracket '{'"),
            ("parameters: {a: .nan}", "1, column 17", ".nan is not a number"),
        ] {
            let mistake = AnswersFile::parse(text).expect_err(text);
            assert_eq!(mistake.place, Some(format!("line {place}")), "{text}");
            assert_eq!(mistake.reason, reason, "{text}");
        }
    }
}
