//! JSON that helm's YAML reader reads exactly (sigs.k8s.io/yaml over YAML 1.1).
//!
//! Measured on helm 3 and 4: raw DEL and C1 controls are refused, U+0085, U+2028 and U+2029 count
//! as line breaks, `\/` and surrogate escapes are refused, and every number becomes a float.

use std::io;

use serde::Serialize;
use serde_json::Value as Json;
use serde_json::ser::{Formatter, Serializer};

use super::class::Object;
use super::path::{Path, Step};

/// Why values cannot be written for helm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HelmJsonError {
    /// YAML holds neither, not even escaped.
    #[error("a value holds U+FFFE or U+FFFF, which helm cannot read")]
    Noncharacter,
    /// YAML looks for a colon within 1024 characters.
    #[error("a key is longer than 1000 bytes, which helm cannot read")]
    LongKey,
}

/// From here on a float is printed by charts as `1e+06`.
const BIG: u64 = 1_000_000;
/// YAML's own limit is 1024 characters with quotes and escapes.
const LONGEST_KEY: usize = 1_000;
/// Helm's `--set` follows no more names than this into each other (`strvals`).
const DEEPEST_SET: usize = 30;

/// The values as one JSON document.
///
/// # Errors
/// Something that no YAML can hold is in them.
pub fn helm_json(values: &Object) -> Result<Vec<u8>, HelmJsonError> {
    check_object(values)?;
    let mut written = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut written, HelmFormatter);
    values.serialize(&mut serializer).expect("values are written to memory");
    Ok(written)
}

/// Every integer of a million and more, either side of zero, as `path=N` for helm's `--set`,
/// which alone keeps integers. Lists may be entered: helm reads the values files first.
///
/// Left out, and so still a float for helm: integers beyond 64 bits, which `--set` would make
/// text, and paths it cannot follow (more than 30 keys, empty keys).
pub fn big_integers(values: &Object) -> Vec<String> {
    let mut found = Vec::new();
    collect_object(values, &mut Vec::new(), &mut found);
    found
}

struct HelmFormatter;

impl Formatter for HelmFormatter {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut start = 0;
        for (position, character) in fragment.char_indices().filter(|(_, it)| needs_escape(*it)) {
            writer.write_all(&fragment.as_bytes()[start..position])?;
            write!(writer, "\\u{:04X}", u32::from(character))?;
            start = position + character.len_utf8();
        }
        writer.write_all(&fragment.as_bytes()[start..])
    }
}

/// What serde_json writes raw and YAML reads otherwise: DEL and C1, line separators, byte order
/// marks.
fn needs_escape(character: char) -> bool {
    matches!(character, '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}')
}

fn check_object(object: &Object) -> Result<(), HelmJsonError> {
    for (key, value) in object {
        check_text(key)?;
        // Each byte of a key is at most six when escaped.
        let written =
            key.chars().map(|character| if character < ' ' { 6 } else { 1 }).sum::<usize>();
        if written.max(key.len()) > LONGEST_KEY {
            return Err(HelmJsonError::LongKey);
        }
        check(value)?;
    }
    Ok(())
}

fn check(value: &Json) -> Result<(), HelmJsonError> {
    match value {
        Json::String(text) => check_text(text),
        Json::Array(list) => list.iter().try_for_each(check),
        Json::Object(object) => check_object(object),
        Json::Null | Json::Bool(_) | Json::Number(_) => Ok(()),
    }
}

fn check_text(text: &str) -> Result<(), HelmJsonError> {
    if text.contains(['\u{fffe}', '\u{ffff}']) { Err(HelmJsonError::Noncharacter) } else { Ok(()) }
}

fn collect_object(object: &Object, path: &mut Vec<Step>, found: &mut Vec<String>) {
    for (key, value) in object {
        path.push(Step::Key(key.clone()));
        collect(value, path, found);
        path.pop();
    }
}

fn collect(value: &Json, path: &mut Vec<Step>, found: &mut Vec<String>) {
    match value {
        Json::Object(object) => collect_object(object, path, found),
        Json::Array(list) => {
            for (index, entry) in list.iter().enumerate() {
                path.push(Step::Index(index));
                collect(entry, path, found);
                path.pop();
            }
        }
        Json::Number(number) => {
            let big = number.as_i64().filter(|integer| integer.unsigned_abs() >= BIG);
            if let Some(integer) = big.filter(|_| can_be_set(path)) {
                found.push(format!("{}={integer}", Path::from(path.clone()).helm_set()));
            }
        }
        Json::Null | Json::Bool(_) | Json::String(_) => {}
    }
}

fn can_be_set(path: &[Step]) -> bool {
    let named = |step: &Step| match step {
        Step::Key(key) => !key.is_empty(),
        Step::Index(index) => *index <= 65_536,
    };
    path.len() <= DEEPEST_SET && path.iter().all(named)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(value: Json) -> Object {
        value.as_object().unwrap().clone()
    }

    fn written(value: Json) -> String {
        String::from_utf8(helm_json(&object(value)).unwrap()).unwrap()
    }

    #[test]
    fn what_yaml_reads_otherwise_is_escaped() {
        let text = written(json!({"a": "x\u{7f}\u{85}\u{9f}\u{2028}\u{feff}y/\u{1f600}\u{0}\n"}));
        let expected = "{\"a\":\"x\\u007F\\u0085\\u009F\\u2028\\uFEFFy/😀\\u0000\\n\"}";
        assert_eq!(text, expected);
        assert_eq!(written(json!({"\u{85}k": 1})), "{\"\\u0085k\":1}");
    }

    #[test]
    fn what_yaml_cannot_hold_is_refused() {
        for value in [json!({"a": "\u{fffe}"}), json!({"\u{ffff}": 1}), json!({"a": ["\u{ffff}"]})]
        {
            assert_eq!(helm_json(&object(value)), Err(HelmJsonError::Noncharacter));
        }
        let key = "k".repeat(1_001);
        assert_eq!(helm_json(&object(json!({key: 1}))), Err(HelmJsonError::LongKey));
    }

    #[test]
    fn big_integers_are_set_by_path() {
        let values = object(json!({
            "a": {"small": 999_999, "big": 1_000_000, "neg": -1_000_000, "float": 1e9},
            "k.e,y=": {"n": i64::MAX},
            "list": [{"n": 12_345_678}, [9_007_199_254_740_993_i64]],
            "text": "12345678", "beyond": u64::MAX, "": {"n": 5_000_000},
        }));
        assert_eq!(
            big_integers(&values),
            [
                "a.big=1000000",
                "a.neg=-1000000",
                r"k\.e\,y\=.n=9223372036854775807",
                "list[0].n=12345678",
                "list[1][0]=9007199254740993",
            ]
        );
    }
}
