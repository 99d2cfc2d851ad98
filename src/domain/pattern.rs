//! A class's pattern: a full match in the syntax of Rust's `regex`, and how a person reads it.

mod sample;

use std::fmt;
use std::sync::OnceLock;

use regex::Regex;
use regex_syntax::hir::{Class, Hir, HirKind};

use super::charset::{Characters, Shape};

/// States of the machine that a pattern may need to be sure to fit into the size that the regex
/// crate allows; far below it.
const SMALL: usize = 5_000;
/// States that one range of characters takes at most, in UTF-8.
const STATES_OF_RANGE: usize = 8;

/// A pattern that compiles.
#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    /// Compiled when it is first asked: a catalog reads many patterns and asks none.
    whole: OnceLock<Regex>,
    shape: Option<Shape>,
}

/// Why a pattern cannot be used: what the regex crate says of it, on one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("pattern \"{pattern}\": {reason}")]
pub struct PatternError {
    pub pattern: String,
    pub reason: String,
}

impl Pattern {
    /// Compiles a pattern and looks for its plain description.
    ///
    /// # Errors
    /// It is not a regular expression, or too large a one.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        let error = |reason: String| PatternError { pattern: text.to_owned(), reason };
        let hir = regex_syntax::parse(text).map_err(|syntax| error(syntax_reason(&syntax)))?;
        let whole = match states(&hir) {
            ..SMALL => {
                // A comment at its end would swallow what is put around it.
                regex_syntax::parse(&around(text))
                    .map_err(|syntax| error(syntax_reason(&syntax)))?;
                OnceLock::new()
            }
            _ => compile(text).map_err(|regex| error(last_line(&regex.to_string())))?.into(),
        };
        Ok(Self { text: text.to_owned(), whole, shape: Shape::of(&hir) })
    }

    /// Whether the whole text matches.
    pub fn is_match(&self, text: &str) -> bool {
        let compiled = || compile(&self.text).expect("a pattern that parses and is small compiles");
        self.whole.get_or_init(compiled).is_match(text)
    }

    /// The pattern as the class writes it.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

fn compile(text: &str) -> Result<Regex, regex::Error> {
    Regex::new(&around(text))
}

/// The same as a full match.
fn around(text: &str) -> String {
    format!(r"\A(?:{text})\z")
}

/// States of the machine that a pattern needs, at most.
fn states(hir: &Hir) -> usize {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 1,
        HirKind::Literal(literal) => literal.0.len(),
        HirKind::Class(Class::Unicode(class)) => class.ranges().len() * STATES_OF_RANGE,
        HirKind::Class(Class::Bytes(class)) => class.ranges().len(),
        HirKind::Repetition(repetition) => {
            let times = repetition.max.unwrap_or(repetition.min).max(1);
            states(&repetition.sub).saturating_add(1).saturating_mul(times as usize)
        }
        HirKind::Capture(capture) => states(&capture.sub).saturating_add(1),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().map(states).fold(1, usize::saturating_add)
        }
    }
}

fn syntax_reason(error: &regex_syntax::Error) -> String {
    match error {
        regex_syntax::Error::Parse(error) => error.kind().to_string(),
        regex_syntax::Error::Translate(error) => error.kind().to_string(),
        other => last_line(&other.to_string()),
    }
}

fn last_line(text: &str) -> String {
    let line = text.lines().last().unwrap_or_default();
    line.trim_start_matches("error: ").to_owned()
}

/// What a text has to look like: patterns that must all match, and how long it may be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextRule {
    patterns: Vec<Pattern>,
    minimum: Option<u32>,
    maximum: Option<u32>,
}

impl TextRule {
    /// A rule of patterns that must all match, and of lengths in characters.
    pub fn new(patterns: Vec<Pattern>, minimum: Option<u32>, maximum: Option<u32>) -> Self {
        Self { patterns, minimum: minimum.filter(|least| *least > 0), maximum }
    }

    /// Whether nothing is ruled.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty() && self.minimum.is_none() && self.maximum.is_none()
    }

    /// What is wrong with a text, to be read after its name (`must start with a letter: …`).
    pub fn complaint(&self, text: &str) -> Option<String> {
        let length = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        let fits = self.minimum.is_none_or(|least| length >= least)
            && self.maximum.is_none_or(|most| length <= most);
        if fits && self.patterns.iter().all(|pattern| pattern.is_match(text)) {
            return None;
        }
        Some(match self.shape() {
            Some(shape) => match shape.broken_end(text) {
                Some(rule) => format!("must {rule}: {self}"),
                None => format!("must be {self}"),
            },
            None if fits => format!("must be {}", self.likeness()),
            None => format!("must have {}", characters(self.minimum, self.maximum)),
        })
    }

    /// All patterns and lengths as one shape, where they have one.
    fn shape(&self) -> Option<Shape> {
        let mut shapes = self.patterns.iter().map(|pattern| pattern.shape.as_ref());
        let first = shapes.next()??.clone();
        let shape = shapes.try_fold(first, |shape, other| Some(shape.and(other?)))?;
        let shape = shape.and_length(self.minimum.unwrap_or(0), self.maximum);
        shape.is_possible().then_some(shape)
    }

    fn likeness(&self) -> String {
        let patterns: Vec<_> = self.patterns.iter().map(Pattern::as_str).collect();
        format!("like {}", patterns.join(" and like "))
    }
}

/// `1-63 of a-z 0-9 _`, `12-64 characters`, `like PATTERN`, `any`.
impl fmt::Display for TextRule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lengths = self.minimum.is_some() || self.maximum.is_some();
        if let Some(shape) = self.shape() {
            return write!(formatter, "{shape}");
        }
        match (lengths, self.patterns.is_empty()) {
            (false, true) => formatter.write_str("any"),
            (true, true) => formatter.write_str(&characters(self.minimum, self.maximum)),
            (false, false) => formatter.write_str(&self.likeness()),
            (true, false) => {
                let length = characters(self.minimum, self.maximum);
                write!(formatter, "{length} {}", self.likeness())
            }
        }
    }
}

fn characters(minimum: Option<u32>, maximum: Option<u32>) -> String {
    let unit = |count| if count == 1 { "character" } else { "characters" };
    match (minimum, maximum) {
        (Some(least), Some(most)) if least == most => format!("{most} {}", unit(most)),
        (Some(least), Some(most)) => format!("{least}-{most} characters"),
        (Some(least), None) => format!("at least {least} {}", unit(least)),
        (None, Some(most)) => format!("at most {most} {}", unit(most)),
        (None, None) => "any number of characters".to_owned(),
    }
}

/// A set of characters, as charts and messages write them.
impl fmt::Display for Characters {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.ranges().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(pattern: &str, minimum: Option<u32>, maximum: Option<u32>) -> TextRule {
        TextRule::new(vec![Pattern::parse(pattern).unwrap()], minimum, maximum)
    }

    #[test]
    fn patterns_match_the_whole_text() {
        let pattern = Pattern::parse("a|ab").unwrap();
        assert!(pattern.is_match("ab"));
        assert!(!pattern.is_match("abc"));
        assert!(!pattern.is_match("a\n"));
    }

    #[test]
    fn a_bad_pattern_says_why() {
        let error = Pattern::parse("[a-").unwrap_err();
        assert_eq!(error.to_string(), "pattern \"[a-\": unclosed character class");
        assert!(Pattern::parse("(?x)a # comment").is_err());
        assert!(Pattern::parse("(a{1000}){1000}").is_err());
    }

    #[test]
    fn plain_patterns_are_described() {
        for (pattern, minimum, maximum, text) in [
            ("[a-z][a-z0-9_]*", Some(1), Some(63), "1-63 of a-z 0-9 _"),
            ("[a-z][a-z0-9_]{0,62}", None, None, "1-63 of a-z 0-9 _"),
            ("^[a-z][a-z0-9_]{0,62}$", None, None, "1-63 of a-z 0-9 _"),
            ("[a-z-]+", None, Some(20), "1-20 of a-z -"),
            ("[a-z]([-a-z0-9]*[a-z0-9])?", None, Some(30), "1-30 of a-z 0-9 -"),
            ("[A-Za-z0-9]{8}", None, None, "8 of a-z A-Z 0-9"),
            ("[0-9a-f]+", None, None, "1 or more of a-f 0-9"),
            ("[a-z]*", None, None, "any number of a-z"),
            ("[a-z]*", None, Some(5), "at most 5 of a-z"),
            (r"\w+@\w+", None, None, r"like \w+@\w+"),
            (r"\w+@\w+", Some(5), None, r"at least 5 characters like \w+@\w+"),
            ("(dev|prod)-[a-z]+", None, None, "like (dev|prod)-[a-z]+"),
            (".*", Some(12), Some(64), "12-64 characters like .*"),
        ] {
            assert_eq!(rule(pattern, minimum, maximum).to_string(), text, "{pattern}");
        }
        let only = |least, most| TextRule::new(Vec::new(), least, most).to_string();
        assert_eq!(only(Some(12), Some(64)), "12-64 characters");
        assert_eq!(only(None, Some(1)), "at most 1 character");
        assert_eq!(only(None, None), "any");
    }

    #[test]
    fn both_patterns_count() {
        let patterns = ["[a-z][a-z0-9_]{0,62}", "[a-m][a-z]*"];
        let patterns = patterns.map(|text| Pattern::parse(text).unwrap()).to_vec();
        let rule = TextRule::new(patterns, None, Some(20));
        assert_eq!(rule.to_string(), "1-20 of a-z");
        assert!(rule.complaint("abc").is_none());
        assert!(rule.complaint("a_c").is_some());
        assert_eq!(rule.complaint("zzz").unwrap(), "must start with one of a-m: 1-20 of a-z");
    }

    #[test]
    fn a_complaint_names_the_rule_that_is_broken() {
        let database = rule("[a-z][a-z0-9_]*", Some(1), Some(63));
        let complaint = |text: &str| database.complaint(text);
        assert_eq!(complaint("orders"), None);
        assert_eq!(
            complaint("9lives").as_deref(),
            Some("must start with a letter: 1-63 of a-z 0-9 _")
        );
        assert_eq!(complaint("or ders").as_deref(), Some("must be 1-63 of a-z 0-9 _"));
        assert_eq!(complaint("").as_deref(), Some("must be 1-63 of a-z 0-9 _"));
        assert_eq!(complaint(&"a".repeat(64)).as_deref(), Some("must be 1-63 of a-z 0-9 _"));
        let label = rule("[a-z]([-a-z0-9]*[a-z0-9])?", None, Some(30));
        assert_eq!(
            label.complaint("ab-").as_deref(),
            Some("must end with a letter or digit: 1-30 of a-z 0-9 -")
        );
        let password = TextRule::new(Vec::new(), Some(12), Some(64));
        assert_eq!(password.complaint("short").as_deref(), Some("must have 12-64 characters"));
        assert_eq!(password.complaint(&"ü".repeat(12)), None);
        let email = rule(r"\w+@\w+", None, None);
        assert_eq!(email.complaint("x").as_deref(), Some(r"must be like \w+@\w+"));
    }
}
