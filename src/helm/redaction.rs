//! Secrets do not leave svc in helm's words.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use secrecy::{ExposeSecret, SecretString};

const MASK: &str = "***";

/// Shorter secrets are masked only as a whole word: `a` would mask half of every sentence.
const SHORT: usize = 4;

/// What a URI need not encode: <https://www.rfc-editor.org/rfc/rfc3986#section-2.3>
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The texts that must not be shown, in every form in which helm or a server prints them.
#[derive(Clone, Debug, Default)]
pub struct Redaction {
    /// The longest first, so that no part of one is left over.
    forms: Vec<SecretString>,
}

impl Redaction {
    /// Masks these values: as they are, escaped as in JSON and Go (which writes `<`, `>` and `&` as
    /// `\u003c` there), in base64, percent-encoded as for a URI or a form, and each line of a
    /// longer text.
    pub fn new<'a>(secrets: impl IntoIterator<Item = &'a SecretString>) -> Self {
        let mut forms: Vec<String> =
            secrets.into_iter().flat_map(|secret| forms(secret.expose_secret())).collect();
        forms.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        forms.dedup();
        Self { forms: forms.into_iter().map(SecretString::from).collect() }
    }

    /// The text with `***` in place of every secret.
    pub fn apply(&self, text: &str) -> String {
        self.forms.iter().map(ExposeSecret::expose_secret).fold(text.to_owned(), mask)
    }
}

fn forms(secret: &str) -> Vec<String> {
    let json = serde_json::Value::from(secret).to_string();
    let escaped = json.trim_start_matches('"').strip_suffix('"').unwrap_or_default();
    let of_go = [('<', "\\u003c"), ('>', "\\u003e"), ('&', "\\u0026")];
    let of_go = of_go.iter().fold(escaped.to_owned(), |text, (from, to)| text.replace(*from, to));
    let encoded = |set| utf8_percent_encode(secret, set).to_string();
    let lines = secret.lines().filter(|line| line.len() >= SHORT).map(str::to_owned);
    [
        secret.to_owned(),
        escaped.to_owned(),
        of_go,
        STANDARD.encode(secret),
        encoded(NON_ALPHANUMERIC),
        encoded(RESERVED),
        encoded(RESERVED).replace("%20", "+"),
    ]
    .into_iter()
    .chain(lines)
    .filter(|form| !form.is_empty())
    .collect()
}

fn mask(text: String, secret: &str) -> String {
    if secret.len() >= SHORT {
        return text.replace(secret, MASK);
    }
    let mut result = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find(secret) {
        let (before, after) = (&rest[..at], &rest[at + secret.len()..]);
        let is_word = !result_ends_in_word(&result, before) && !starts_in_word(after);
        result.push_str(before);
        result.push_str(if is_word { MASK } else { secret });
        rest = after;
    }
    result.push_str(rest);
    result
}

fn result_ends_in_word(result: &str, before: &str) -> bool {
    before.chars().next_back().or_else(|| result.chars().next_back()).is_some_and(is_word_character)
}

fn starts_in_word(text: &str) -> bool {
    text.chars().next().is_some_and(is_word_character)
}

fn is_word_character(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redact(secrets: &[&str], text: &str) -> String {
        let secrets: Vec<SecretString> = secrets.iter().map(|text| (*text).into()).collect();
        Redaction::new(&secrets).apply(text)
    }

    #[test]
    fn every_form_of_a_secret_is_masked() {
        let secret = "p\"ä w/1\\";
        let go = "value \"p\\\"ä w/1\\\\\" refused";
        let base64 = format!("data: {}", STANDARD.encode(secret));
        assert_eq!(redact(&[secret], &format!("x {secret} y")), "x *** y");
        assert_eq!(redact(&[secret], go), "value \"***\" refused");
        assert_eq!(redact(&[secret], &base64), "data: ***");
        assert_eq!(redact(&[secret], "u:p%22%C3%A4%20w%2F1%5C@h"), "u:***@h");
        assert_eq!(
            redact(&["a-b <c>"], "a-b%20%3Cc%3E a-b+%3Cc%3E a-b \\u003cc\\u003e"),
            "*** *** ***"
        );
    }

    #[test]
    fn a_secret_in_a_secret_leaves_nothing_over() {
        assert_eq!(redact(&["hunter", "hunter2hunter"], "hunter2hunter hunter"), "*** ***");
    }

    #[test]
    fn each_line_of_a_key_is_masked() {
        assert_eq!(redact(&["-----BEGIN\nabcdef\n"], "bad line abcdef here"), "bad line *** here");
    }

    #[test]
    fn a_short_secret_is_masked_as_a_word_alone() {
        assert_eq!(
            redact(&["no"], "no, not \"no\"; piano no_o no"),
            "***, not \"***\"; piano no_o ***"
        );
        assert_eq!(redact(&["a"], "aa a"), "aa ***");
        assert_eq!(redact(&[""], "text"), "text");
    }
}
