//! The file of `--answers`: class, plan and parameters, YAML or JSON (interface §1.2).

mod mistake;

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;
use serde_yaml::Spanned;

use crate::domain::answers::Given;
pub use mistake::Mistake;

/// Its keys.
const KEYS: [&str; 3] = ["class", "plan", "parameters"];

/// What it says.
#[derive(Debug, Default)]
pub struct AnswersFile {
    pub class: Option<String>,
    pub plan: Option<String>,
    pub parameters: Vec<Given>,
}

/// The same as it is written; unknown keys are errors.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    class: Option<String>,
    plan: Option<String>,
    #[serde(default)]
    parameters: IndexMap<String, Spanned<Value>>,
}

impl AnswersFile {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// It is empty, no YAML, or holds something else: all of it.
    pub fn parse(text: &str) -> Result<Self, Vec<Mistake>> {
        if let Ok(None) = serde_yaml::from_str::<Option<Value>>(text) {
            return Err(vec![Mistake::empty()]);
        }
        let file: Written =
            serde_yaml::from_str(text).map_err(|error| mistake::all(text, &error))?;
        let parameters = file.parameters.into_iter().map(|(name, value)| given(name, value, text));
        Ok(Self { class: file.class, plan: file.plan, parameters: parameters.collect() })
    }
}

/// A parameter with its number or bare word as the file has it: YAML reads `0x64` as 100 and `on`
/// as true.
fn given(name: String, spanned: Spanned<Value>, text: &str) -> Given {
    let written = written(&spanned, text).map(str::to_owned);
    match (spanned.value, written) {
        (value @ (Value::Number(_) | Value::Bool(_)), Some(written)) => {
            Given::bare(name, written, value)
        }
        (value, _) => Given::typed(name, value),
    }
}

/// What stands in the file where a value is defined: behind an anchor, where it has one.
fn written<'t>(spanned: &Spanned<Value>, text: &'t str) -> Option<&'t str> {
    let span = spanned.defined.span();
    let (start, length) = (span.byte_offset()?, span.byte_len()?);
    let start = usize::try_from(start).ok()?;
    let written = text.get(start..start + usize::try_from(length).ok()?)?.trim();
    (!written.is_empty()).then_some(written)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::answers::Raw;

    #[test]
    fn class_plan_and_parameters_are_read() {
        let file = AnswersFile::parse("class: postgres\nparameters: {storage: 2Gi, metrics: true}");
        let file = file.expect("it is right");
        assert_eq!(file.class.as_deref(), Some("postgres"));
        let names: Vec<&str> = file.parameters.iter().map(|given| given.name.as_str()).collect();
        assert_eq!(names, ["storage", "metrics"]);
        assert!(AnswersFile::parse("{}").expect("nothing is said").class.is_none());
    }

    /// The one mistake in a text.
    #[track_caller]
    fn mistake(text: &str) -> Mistake {
        let mistakes = AnswersFile::parse(text).expect_err(text);
        let [mistake] = <[Mistake; 1]>::try_from(mistakes).expect("one mistake");
        mistake
    }

    #[test]
    fn a_file_in_which_nothing_stands_is_none() {
        for text in ["", "\n \n", "# to be filled in\n", "---\n", "null"] {
            let mistake = mistake(text);
            assert_eq!((mistake.place, mistake.reason.as_str()), (None, "it is empty"), "{text:?}");
        }
    }

    #[test]
    fn all_mistakes_come_at_once() {
        let text = "klass: a\nplan: [b]\nsize: 1\nparameters: 7\n";
        let mistakes = AnswersFile::parse(text).expect_err(text);
        let told = mistakes.iter().map(|one| (one.place.as_deref(), one.reason.as_str()));
        let names = "names with their values are expected here, as name: value";
        assert_eq!(
            told.collect::<Vec<_>>(),
            [
                (Some("line 1, column 1"), "there is no key klass; did you mean class?"),
                (Some("line 2, column 7"), "a text is expected here"),
                (Some("line 3, column 1"), "there is no key size; it has class, plan, parameters"),
                (Some("line 4, column 13"), names),
            ]
        );
    }

    #[test]
    fn numbers_and_bare_words_stay_as_they_are_written() {
        for (text, written) in [
            ("0123", Some("0123")),
            ("0x64", Some("0x64")),
            ("1_00 # many", Some("1_00")),
            ("on", Some("on")),
            ("TRUE", Some("TRUE")),
            ("&a 0o7", Some("0o7")),
            ("!!int 17", Some("17")),
            ("-0.50", Some("-0.50")),
            ("\"0123\"", None),
            ("word", None),
            ("[0x1]", None),
        ] {
            for text in
                [format!("# é\nparameters:\n  a: {text}\n"), format!("parameters: {{a: {text}\n}}")]
            {
                let file = AnswersFile::parse(&text).expect(&text);
                let found = match &file.parameters[0].raw {
                    Raw::Bare { written, .. } => Some(written.as_str()),
                    _ => None,
                };
                assert_eq!(found, written, "{text}");
            }
        }
        let aliased = AnswersFile::parse("parameters: {a: &x 0x1, b: *x}").expect("it is right");
        let Raw::Bare { written, .. } = &aliased.parameters[1].raw else { panic!("a number") };
        assert_eq!(written, "0x1");
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
            let mistake = mistake(text);
            assert_eq!(mistake.place, Some(format!("line {place}")), "{text}");
            assert_eq!(mistake.reason, reason, "{text}");
        }
    }

    #[test]
    fn a_file_without_end_is_told_in_plain_words() {
        let deep = format!("parameters: {{a: {}{}}}", "[".repeat(100), "]".repeat(100));
        let mistake = mistake(&deep);
        let words = "it is nested too deep, or has more in it than is read";
        assert_eq!(mistake.reason, words);
    }

    #[test]
    fn a_file_of_json_is_no_yaml() {
        let mistake = mistake("{\"class\": \"a\",");
        assert_eq!(mistake.in_json().reason, "this is not JSON: unclosed bracket '{'");
    }
}
