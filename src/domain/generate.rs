//! Values that svc makes: passwords out of injected random bytes.

use super::class::{Alphabet, Generate};
use super::parameter::EffectiveParameter;
use super::value::Value;

const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS: &str = "0123456789";
const HEX: &str = "0123456789abcdef";
/// No quotes, backslash, braces, space or dollar: nothing that a shell, YAML or a template reads.
const SYMBOLS: &str = "!#%&()*+,-./:;<=>?@[]^_|~";

/// A class whose pattern refuses this many values in a row refuses all that matter.
const ATTEMPTS: usize = 1_000;

/// A value for a parameter that is generated, within the parameter's own limits.
///
/// # Errors
/// The limits refuse what the class wants generated: the class is broken.
pub fn generate(
    parameter: &EffectiveParameter,
    random: &mut dyn FnMut(&mut [u8]),
) -> Result<Value, String> {
    let rule = parameter.generate.ok_or_else(|| "is not generated".to_owned())?;
    let complaint = |text: &str| parameter.parse(text).err();
    let mut last = None;
    for _ in 0..ATTEMPTS {
        let text = characters(rule, random);
        match complaint(&text) {
            None => return Ok(Value::String(text)),
            Some(problem) => last = Some(problem.at_prompt()),
        }
    }
    let reason = last.map(|reason| format!(": {reason}")).unwrap_or_default();
    Err(format!("its class generates values that it does not allow{reason}"))
}

/// A text of the wanted length, with at least one character of each part of the alphabet where
/// the length allows it.
fn characters(rule: Generate, random: &mut dyn FnMut(&mut [u8])) -> String {
    let parts: &[&str] = match rule.alphabet {
        Alphabet::Alphanumeric => &[LOWER, UPPER, DIGITS],
        Alphabet::Hex => &[HEX],
        Alphabet::Printable => &[LOWER, UPPER, DIGITS, SYMBOLS],
    };
    let length = usize::from(rule.length);
    let all: Vec<u8> = parts.concat().into_bytes();
    let mut text: Vec<u8> =
        parts.iter().take(length).map(|part| part.as_bytes()[below(part.len(), random)]).collect();
    while text.len() < length {
        text.push(all[below(all.len(), random)]);
    }
    // Fisher and Yates: the sure characters must not stand first.
    for position in (1..text.len()).rev() {
        text.swap(position, below(position + 1, random));
    }
    text.into_iter().map(char::from).collect()
}

/// A number below a small bound; out of 64 bits its bias is less than one in 2^56.
fn below(bound: usize, random: &mut dyn FnMut(&mut [u8])) -> usize {
    let mut bytes = [0; 8];
    random(&mut bytes);
    let bound = u64::try_from(bound).expect("a small bound");
    usize::try_from(u64::from_le_bytes(bytes) % bound).expect("below a small bound")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::class::Parameter;
    use super::*;

    /// SplitMix64: enough for a test, never for a password.
    fn random(mut state: u64) -> impl FnMut(&mut [u8]) {
        move |bytes| {
            for chunk in bytes.chunks_mut(8) {
                state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                chunk.copy_from_slice(&(mixed ^ (mixed >> 31)).to_le_bytes()[..chunk.len()]);
            }
        }
    }

    fn parameter(length: u8, alphabet: &str, limits: serde_json::Value) -> EffectiveParameter {
        let parameter: Parameter = serde_json::from_value(json!({
            "name": "pw", "paths": ["pw"], "sensitive": true, "string": limits,
            "generate": {"length": length, "alphabet": alphabet},
        }))
        .unwrap();
        EffectiveParameter::new(&parameter, None).unwrap()
    }

    fn text(parameter: &EffectiveParameter, seed: u64) -> String {
        generate(parameter, &mut random(seed)).unwrap().to_string()
    }

    #[test]
    fn every_part_of_the_alphabet_is_there_and_nothing_else() {
        for seed in 0..200 {
            let word = text(&parameter(8, "Alphanumeric", json!({})), seed);
            assert_eq!(word.len(), 8);
            for part in [LOWER, UPPER, DIGITS] {
                assert!(word.contains(|character| part.contains(character)), "{word}");
            }
            assert!(word.chars().all(|character| character.is_ascii_alphanumeric()));
            let word = text(&parameter(24, "Hex", json!({})), seed);
            assert!(word.len() == 24 && word.chars().all(|character| HEX.contains(character)));
            let word = text(&parameter(24, "Printable", json!({})), seed);
            assert!(word.contains(|character| SYMBOLS.contains(character)), "{word}");
            assert!(!word.contains(['\'', '"', '`', '\\', '{', '}', ' ', '$']), "{word}");
        }
    }

    #[test]
    fn short_lengths_and_a_stuck_source_still_end() {
        assert_eq!(text(&parameter(1, "Printable", json!({})), 1).len(), 1);
        let stuck =
            generate(&parameter(12, "Alphanumeric", json!({})), &mut |bytes| bytes.fill(255));
        assert!(stuck.is_ok());
    }

    #[test]
    fn sure_characters_stand_anywhere() {
        let parameter = parameter(8, "Alphanumeric", json!({}));
        let firsts: std::collections::BTreeSet<_> = (0..100)
            .filter_map(|seed| text(&parameter, seed).chars().next())
            .map(|first| (first.is_ascii_lowercase(), first.is_ascii_digit()))
            .collect();
        assert_eq!(firsts.len(), 3);
    }

    #[test]
    fn a_pattern_is_met_or_the_class_is_broken() {
        let pattern = json!({"pattern": "[A-Za-z][A-Za-z0-9]*"});
        for seed in 0..50 {
            let word = text(&parameter(16, "Alphanumeric", pattern.clone()), seed);
            assert!(word.starts_with(|first: char| first.is_ascii_alphabetic()));
        }
        let broken = parameter(8, "Hex", json!({"minLength": 12}));
        let message = generate(&broken, &mut random(1)).unwrap_err();
        assert_eq!(
            message,
            "its class generates values that it does not allow: must have at least 12 characters"
        );
    }
}
