//! Commands to paste: a real shell reads every one of them as it was meant.

#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![expect(clippy::disallowed_methods, reason = "the shell that reads is a program")]

use std::process::Command;

use proptest::prelude::*;
use serde_json::json;
use svc::domain::answers::{Answers, Given, How, Kept, Problems, resolve};
use svc::domain::class::Parameter;
use svc::domain::command_line::{CommandLine, quote};
use svc::domain::parameter::EffectiveParameter;
use svc::output::{Caller, fold};

/// The words after the program's name, as bash hands them to it; the locale knows only ASCII, as
/// the strictest of those that a person may have.
fn pasted(command: &str) -> Vec<String> {
    let script = format!("svc() {{ printf '%s\\0' \"$@\"; }}\n{command}\n");
    let read = Command::new("bash").args(["-c", &script]).env("LC_ALL", "C").output().unwrap();
    assert!(read.status.success() && read.stderr.is_empty(), "{read:?}");
    let words = String::from_utf8(read.stdout).unwrap();
    words.split_terminator('\0').map(str::to_owned).collect()
}

/// Any text that an argument can hold, often with characters that nobody sees.
fn word() -> impl Strategy<Value = String> {
    let character = prop_oneof![
        4 => any::<char>(),
        2 => prop::char::range('\u{1}', '\u{a0}'),
        1 => prop::sample::select(vec!['\u{2028}', '\u{202e}', '\u{2061}', '\u{feff}', '\'', '\\', '$']),
    ];
    let character = character.prop_filter("no argument holds it", |character| *character != '\0');
    prop::collection::vec(character, 0..12).prop_map(|text| text.into_iter().collect())
}

fn parameters() -> Vec<EffectiveParameter> {
    let parameters: Vec<Parameter> = serde_json::from_value(json!([
        {"name": "note", "paths": ["note"], "string": {"default": "none", "maxLength": 20}},
        {"name": "size", "paths": ["size"],
         "quantity": {"default": "8Gi", "minimum": "1Gi", "maximum": "100Gi"}},
        {"name": "count", "paths": ["count"], "integer": {"default": 1, "minimum": 0, "maximum": 9}},
        {"name": "mode", "paths": ["mode"], "string": {"enum": ["one", "two"], "default": "one"}},
        {"name": "extra", "paths": ["extra"], "when": {"parameter": "mode", "in": ["two"]},
         "boolean": {"default": false}},
        {"name": "hosts", "paths": ["hosts"], "list": {"default": [], "maxItems": 3}},
    ]))
    .unwrap();
    parameters.iter().map(|parameter| EffectiveParameter::new(parameter, None).unwrap()).collect()
}

fn answer(given: &[Given]) -> Result<Answers, Problems> {
    resolve(&parameters(), given, &Kept::default(), &mut |bytes| bytes.fill(0))
}

/// What a shell and `--set` make of a command.
fn given_by(command: &str) -> Vec<Given> {
    let words = pasted(command);
    let flags = words.iter().skip_while(|word| *word != "--set");
    let values = flags.filter(|word| *word != "--set");
    values
        .map(|word| {
            let (name, value) = word.split_once('=').unwrap();
            Given::text(name, value, How::Set)
        })
        .collect()
}

fn given_values() -> impl Strategy<Value = Vec<Given>> {
    let text = prop_oneof![
        word(),
        "[ -~]{0,25}",
        "[0-9]{1,3}Gi",
        "-?[0-9]{1,2}",
        Just("two".to_owned()),
        Just("yes".to_owned()),
        Just(r#"["a","b c"]"#.to_owned()),
    ];
    let names = vec!["note", "size", "count", "mode", "extra", "hosts", "nots", "unknown"];
    prop::collection::vec((prop::sample::select(names), text), 0..8).prop_map(|given| {
        given.into_iter().map(|(name, text)| Given::text(name, text, How::Set)).collect()
    })
}

proptest! {
    #[test]
    fn a_shell_reads_the_words_that_were_quoted(words in prop::collection::vec(word(), 1..20)) {
        let line: Vec<_> = words.iter().map(|word| quote(word)).collect();
        prop_assert_eq!(pasted(&format!("svc {}", line.join(" "))), words);
    }

    #[test]
    fn a_pasted_command_gives_the_same_answers(given in given_values()) {
        let base = CommandLine::new("create mydb").flag("--class", "example");
        let (command, expected) = match answer(&given) {
            Ok(answers) => (answers.command(base.clone()), Some(answers.public_params())),
            Err(problems) => (problems.command(base.clone()), None),
        };
        let pasted = answer(&given_by(&fold(&format!("svc {}", command.line()), 80).join("\n")));
        let pasted = pasted.map_err(|problems| TestCaseError::fail(format!("{problems:?}")))?;
        if let Some(expected) = expected {
            prop_assert_eq!(pasted.public_params(), expected);
        }
        prop_assert_eq!(pasted.command(base), command);
    }

    #[test]
    fn a_pasted_command_acts_where_the_first_one_did(values in prop::collection::vec(word(), 0..4)) {
        let base = CommandLine::new("create mydb");
        let command = values.iter().fold(base, |line, value| line.flag("--set", value)).line();
        let written = Caller::new("svc").in_namespace("team b").text(&format!("svc {command}"));
        let mut words = pasted(&written);
        prop_assert_eq!(words.drain(2..4).collect::<Vec<_>>(), ["-n", "team b"]);
        prop_assert_eq!(words, pasted(&format!("svc {command}")));
    }
}
