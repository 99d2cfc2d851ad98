//! Text from the cluster, made harmless (interface §1.3).

use std::borrow::Cow;
use std::fmt::Write;

use crate::domain::charset::is_hidden;

/// The text with control characters as `\x1b` and bidi marks, line separators and invisible
/// operators as `\u202e`.
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        let code = u32::from(character);
        let written = match (is_hidden(character), code < 0x100) {
            (false, _) => shown.write_char(character),
            (true, true) => write!(shown, "\\x{code:02x}"),
            (true, false) => write!(shown, "\\u{code:04x}"),
        };
        written.expect("writing to a string does not fail");
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_become_visible() {
        assert_eq!(escape("a\x1b[31mb"), "a\\x1b[31mb");
        assert_eq!(escape("x\u{202e}y\u{2066}z"), "x\\u202ey\\u2066z");
        assert_eq!(escape("one\ntwo\t\u{9b}\x7f"), "one\\x0atwo\\x09\\x9b\\x7f");
    }

    #[test]
    fn other_text_stays() {
        assert!(matches!(escape("Größe … 漢字 \\x1b"), Cow::Borrowed(_)));
    }
}
