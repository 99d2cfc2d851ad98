//! Forms that charts derive from a value, and that lead back to it: base64 of a text that holds
//! it, percent-encoding, the escapes of JSON and Go, one inside the other.

use std::borrow::Cow;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;
use regex::{Captures, Regex};

/// One inside the other: a URI in base64 inside JSON that is quoted.
const DEPTH: usize = 4;

/// Parts of a path before base64 that are tried as such.
const PARTS: usize = 8;

static BASE64: LazyLock<Regex> = LazyLock::new(|| expression("[A-Za-z0-9+/_-]{6,}={0,2}"));
static PERCENT: LazyLock<Regex> =
    LazyLock::new(|| expression("[^\\s\"'<>]*%[0-9A-Fa-f]{2}[^\\s\"'<>]*"));
static ESCAPE: LazyLock<Regex> =
    LazyLock::new(|| expression(r#"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(["\\/bfnrt]))"#));

fn expression(pattern: &str) -> Regex {
    Regex::new(pattern).expect("it is an expression")
}

/// Whether something that `redact` hides is in a text, or in what it can be decoded to.
pub(super) fn shows(text: &str, redact: &dyn Fn(&str) -> String) -> bool {
    within(text, redact, DEPTH)
}

/// The text with everything hidden that has a place in it: what `redact` finds, and words that
/// can be decoded to something that holds it.
pub(super) fn without_words(text: &str, redact: &dyn Fn(&str) -> String) -> String {
    let hide = |found: &Captures<'_>, is_hidden: bool| match is_hidden {
        true => "***".to_owned(),
        false => found[0].to_owned(),
    };
    let text = redact(text);
    let text = BASE64.replace_all(&text, |found: &Captures<'_>| {
        hide(found, from_base64(&found[0]).any(|text| within(&text, redact, DEPTH - 1)))
    });
    PERCENT
        .replace_all(&text, |found: &Captures<'_>| {
            hide(found, from_percent(&found[0]).any(|text| within(&text, redact, DEPTH - 1)))
        })
        .into_owned()
}

fn within(text: &str, redact: &dyn Fn(&str) -> String, depth: usize) -> bool {
    if redact(text) != text {
        return true;
    }
    let Some(depth) = depth.checked_sub(1) else { return false };
    let mut decoded = BASE64
        .find_iter(text)
        .flat_map(|word| from_base64(word.as_str()))
        .chain(from_percent(text))
        .chain(from_escapes(text));
    decoded.any(|text| within(&text, redact, depth))
}

/// What a word is as base64, padded or not, of either alphabet; also behind a path, whose slashes
/// belong to the alphabet too.
fn from_base64(word: &str) -> impl Iterator<Item = String> + '_ {
    let config = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    let engines = [&STANDARD, &URL_SAFE].map(|alphabet| GeneralPurpose::new(alphabet, config));
    let behind = word.match_indices('/').map(|(at, _)| &word[at + 1..]);
    std::iter::once(word).chain(behind.take(PARTS)).flat_map(move |word| {
        let decoded = engines.each_ref().map(|engine| engine.decode(word).ok());
        decoded.into_iter().flatten().filter_map(|bytes| String::from_utf8(bytes).ok())
    })
}

/// With a plus as itself and, as in forms, as a space.
fn from_percent(text: &str) -> impl Iterator<Item = String> {
    let encoded = PERCENT.is_match(text);
    let decode = |text: Cow<'_, str>| percent_decode_str(&text).decode_utf8_lossy().into_owned();
    let both = encoded.then(|| [decode(text.into()), decode(text.replace('+', " ").into())]);
    both.into_iter().flatten()
}

fn from_escapes(text: &str) -> Option<String> {
    let plain = ESCAPE.replace_all(text, |found: &Captures<'_>| {
        let code = found.get(1).or_else(|| found.get(2)).map(|code| code.as_str());
        if let Some(code) = code {
            let code = u32::from_str_radix(code, 16).ok().and_then(char::from_u32);
            return code.unwrap_or(char::REPLACEMENT_CHARACTER).to_string();
        }
        match &found[3] {
            "b" => "\u{8}",
            "f" => "\u{c}",
            "n" => "\n",
            "r" => "\r",
            "t" => "\t",
            itself => itself,
        }
        .to_owned()
    });
    match plain {
        Cow::Borrowed(_) => None,
        Cow::Owned(plain) => Some(plain),
    }
}

#[cfg(test)]
mod tests {
    use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};

    use super::*;

    const SECRET: &str = "p<ä \"x/1\\";

    fn redact(text: &str) -> String {
        text.replace(SECRET, "***")
    }

    #[test]
    fn what_leads_back_to_it_shows_it() {
        let uri = format!("postgres://u:{SECRET}@h");
        let json = serde_json::json!({ "auth": uri }).to_string();
        let encoded = BASE64_STANDARD.encode(&json);
        for text in [
            uri.clone(),
            json.clone(),
            serde_json::json!(json).to_string(),
            encoded.clone(),
            format!("https://host/path/{encoded}?a=b"),
            BASE64_URL_SAFE_NO_PAD.encode(&uri),
            BASE64_STANDARD.encode(&encoded),
            "u:p%3C%C3%A4+%22x%2F1%5C@h".to_owned(),
            "u:p%3c%c3%a4%20%22x/1%5c@h".to_owned(),
            r#"{"a":"p\u003cä \"x/1\\"}"#.to_owned(),
            r#""{\"a\":\"p\\u003cä \\\"x/1\\\\\"}""#.to_owned(),
        ] {
            assert!(shows(&text, &redact), "{text}");
        }
        for text in ["p<ä x/1", "bm90aGluZyB0byBoaWRl", "50%25 \\u003c", "/usr/local/bin/psql", ""]
        {
            assert!(!shows(text, &redact), "{text}");
        }
    }

    #[test]
    fn words_are_hidden_in_their_place() {
        let uri = BASE64_STANDARD.encode(format!("postgres://u:{SECRET}@h"));
        let text = format!("a: {uri} b\nc: u:p%3C%C3%A4+%22x%2F1%5C@h d\n");
        assert_eq!(without_words(&text, &redact), "a: *** b\nc: *** d\n");
    }
}
