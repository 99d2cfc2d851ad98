//! The name of an instance (interface §16): also the name of its helm release.

use std::fmt;

/// A name that may be given to an instance: letters, digits and single hyphens, a letter first.
///
/// Helm stops at 53 characters and charts add suffixes, so a class allows at most 40.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstanceName(String);

/// Why a text is not a name; its Display is the whole sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{}\" is not a name: 1-{max_length} of a-z 0-9 -, letter first, {rule}", super::value::shown(.text))]
pub struct NameError {
    /// What was given.
    pub text: String,
    /// The longest name of the class, in characters.
    pub max_length: u8,
    rule: &'static str,
    /// A name made from what was given, where one can be made.
    pub suggestion: Option<InstanceName>,
}

impl InstanceName {
    /// The longest name where the class says nothing, in characters.
    pub const DEFAULT_MAX_LENGTH: u8 = 30;

    /// Reads a name; the limit is the class's own, at most 40.
    ///
    /// # Errors
    /// The text is empty, too long, or breaks a rule of the notation.
    pub fn parse(text: &str, max_length: u8) -> Result<Self, NameError> {
        if is_name(text, max_length) {
            return Ok(Self(text.to_owned()));
        }
        let rule = if text.ends_with('-') { "no - at the end" } else { "no -- inside" };
        let suggestion = Self::suggest(text, max_length);
        Err(NameError { text: text.to_owned(), max_length, rule, suggestion })
    }

    /// The nearest name to a text that is none: `My_Db` gives `my-db`.
    pub fn suggest(text: &str, max_length: u8) -> Option<Self> {
        let lower = text.to_lowercase();
        let words = lower.split(|character: char| !character.is_ascii_alphanumeric());
        let joined = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
        let letters = joined.trim_start_matches(|character: char| !character.is_ascii_lowercase());
        Self::cut(letters, usize::from(max_length))
    }

    /// The first of `base`, `base-2`, `base-3`… that is not taken.
    ///
    /// `base` is a class's name or an instance's: it is cut where the number needs its place.
    pub fn first_free(base: &str, max_length: u8, taken: impl Fn(&str) -> bool) -> Option<Self> {
        let base = Self::suggest(base, max_length)?;
        if !taken(base.as_str()) {
            return Some(base);
        }
        (2..1_000_000_u32).find_map(|number| {
            let name = base.with_suffix(&number.to_string(), max_length)?;
            (!taken(name.as_str())).then_some(name)
        })
    }

    /// The name with `-suffix`, cut so that both fit: `mydb` and `redis` give `mydb-redis`.
    pub fn with_suffix(&self, suffix: &str, max_length: u8) -> Option<Self> {
        let room = usize::from(max_length).checked_sub(suffix.len() + 1)?;
        let stem = Self::cut(&self.0, room)?;
        Self::parse(&format!("{stem}-{suffix}"), max_length).ok()
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn cut(text: &str, length: usize) -> Option<Self> {
        let cut = text.get(..length).unwrap_or(text).trim_end_matches('-');
        (!cut.is_empty()).then(|| Self(cut.to_owned()))
    }
}

impl fmt::Display for InstanceName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.0)
    }
}

fn is_name(text: &str, max_length: u8) -> bool {
    (1..=usize::from(max_length)).contains(&text.len())
        && text.starts_with(|first: char| first.is_ascii_lowercase())
        && !text.ends_with('-')
        && !text.contains("--")
        && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<InstanceName, NameError> {
        InstanceName::parse(text, InstanceName::DEFAULT_MAX_LENGTH)
    }

    fn suggestion(text: &str) -> Option<String> {
        InstanceName::suggest(text, 30).map(|name| name.to_string())
    }

    #[test]
    fn names_of_the_documents_are_names() {
        for text in ["mydb", "api-db", "a", "postgres-17", &"a".repeat(30)] {
            assert_eq!(parse(text).unwrap().as_str(), text);
        }
    }

    #[test]
    fn what_helm_or_kubernetes_would_refuse_is_no_name() {
        let long = "a".repeat(31);
        for text in ["", "My_Db", "9lives", "-a", "a-", "a--b", "a.b", "a b", "ä", &long, "a\n"] {
            assert!(parse(text).is_err(), "{text:?}");
        }
        assert!(InstanceName::parse(&long, 40).is_ok());
    }

    #[test]
    fn the_sentence_is_that_of_the_interface() {
        let error = parse("My_Db").unwrap_err();
        assert_eq!(
            error.to_string(),
            r#""My_Db" is not a name: 1-30 of a-z 0-9 -, letter first, no -- inside"#
        );
        assert_eq!(error.suggestion.unwrap().as_str(), "my-db");
        assert!(parse("db-").unwrap_err().to_string().ends_with("letter first, no - at the end"));
    }

    #[test]
    fn a_suggestion_is_always_a_name() {
        assert_eq!(suggestion("My_Db"), Some("my-db".into()));
        assert_eq!(suggestion("9 Lives!"), Some("lives".into()));
        assert_eq!(suggestion("a--b-"), Some("a-b".into()));
        assert_eq!(suggestion("Größe"), Some("gr-e".into()));
        assert_eq!(suggestion("123"), None);
        assert_eq!(suggestion(&format!("{}-bc", "a".repeat(29))), Some("a".repeat(29)));
    }

    #[test]
    fn the_first_free_name_counts_up_and_fits() {
        let free = |base: &str, taken: &[&str]| {
            InstanceName::first_free(base, 30, |name| taken.contains(&name)).unwrap().to_string()
        };
        assert_eq!(free("postgres", &[]), "postgres");
        assert_eq!(free("postgres", &["postgres"]), "postgres-2");
        assert_eq!(free("postgres", &["postgres", "postgres-2"]), "postgres-3");
        let long = "b".repeat(30);
        assert_eq!(free(&long, &[&long]), format!("{}-2", "b".repeat(28)));
    }
}
