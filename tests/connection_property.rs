//! Promises of connection details, for any value: masks hide it, shells and files read it back.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::json;
use svc::domain::class::Connection;
use svc::domain::connection::{Content, Details, Found, SourceState, Sources, evaluate};
use svc::domain::connection_format::{dotenv_quoted, env, lines, report, shell_quoted};
use svc::domain::template::{Context, MASKS, render};

fn connection() -> Connection {
    serde_json::from_value(json!({
        "type": "postgresql",
        "sources": [{"name": "auth", "secret": {"name": "{{ fullname }}"}}],
        "details": [
            {"name": "host", "value": "{{ fullname }}"},
            {"name": "password", "from": {"source": "auth", "key": "password"}},
            {"name": "uri", "value": "pg://app:{{ password | uri }}@{{ host }}/app"},
            {"name": "raw", "value": "{{ password }}"},
            {"name": "piece", "value": "{{ password[:3] }}"},
            {"name": "shout", "value": "{{ password | upper | replace('A', 'B') }}"},
            {"name": "size", "value": "{% if password | length > 9 %}long{% else %}short{% endif %}"}
        ]
    }))
    .expect("the connection is well formed")
}

fn evaluated(password: &[u8], mask: &str) -> Details {
    let keys = BTreeMap::from([("password".to_owned(), password.to_vec())]);
    let found =
        Found { object: "Secret f".to_owned(), content: Content::Keys(keys), leaving: None };
    let sources = Sources::from([("auth".to_owned(), SourceState::Here(found))]);
    let context = Context::new("mydb", "team-a", "pg", "f");
    evaluate(&connection(), &context, &sources, &BTreeMap::new(), mask)
}

/// What POSIX shells and fish make of runs in single quotes and characters behind a backslash.
fn read_by_shell(quoted: &str) -> Option<String> {
    let mut value = String::new();
    let mut characters = quoted.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => value.push(characters.next()?),
            '\'' => loop {
                match characters.next()? {
                    '\'' => break,
                    // fish reads these two as escapes inside quotes.
                    '\\' => return None,
                    other => value.push(other),
                }
            },
            _ => return None,
        }
    }
    Some(value)
}

fn read_from_dotenv(quoted: &str) -> Option<String> {
    if let Some(inner) = quoted.strip_prefix('\'') {
        let inner = inner.strip_suffix('\'')?;
        return (!inner.contains(['\'', '\n'])).then(|| inner.to_owned());
    }
    let Some(inner) = quoted.strip_prefix('"') else {
        return (!quoted.contains([' ', '#', '$', '"', '\\', '\n'])).then(|| quoted.to_owned());
    };
    let mut value = String::new();
    let mut characters = inner.strip_suffix('"')?.chars();
    while let Some(character) = characters.next() {
        value.push(match character {
            '\\' => match characters.next()? {
                'n' => '\n',
                'r' => '\r',
                other => other,
            },
            '"' | '$' | '\n' | '\r' => return None,
            other => other,
        });
    }
    Some(value)
}

/// Text of the kind that breaks things: quotes, dollars, backslashes, breaks, masks, braces.
fn nasty() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        Just("'".to_owned()),
        Just("\"".to_owned()),
        Just("\\".to_owned()),
        Just("$(x)".to_owned()),
        Just("`x`".to_owned()),
        Just("\n".to_owned()),
        Just("{{ password }}".to_owned()),
        Just("••••••••".to_owned()),
        Just("%2F@/:?#".to_owned()),
        "[a-zA-Z0-9 ]{1,6}",
        "\\PC{1,4}",
    ];
    prop::collection::vec(pieces, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn a_password_is_never_in_the_masked_form(password in "[a-z0-9@/:'\"$%•]{6,30}") {
        for mask in MASKS {
            let details = evaluated(password.as_bytes(), mask);
            for detail in &details.0 {
                let known = detail.known().unwrap();
                prop_assert!(!known.masked().contains(&password), "{}", known.masked());
                let shown = format!("{detail:?}");
                prop_assert!(!shown.contains(&password), "{shown}");
            }
            let expected = format!("pg://app:{mask}@f/app");
            prop_assert_eq!(details.get("uri").unwrap().known().unwrap().masked(), expected);
        }
    }

    #[test]
    fn what_a_password_went_into_is_sensitive(password in nasty()) {
        let details = evaluated(password.as_bytes(), MASKS[0]);
        let open: Vec<_> =
            details.0.iter().filter(|detail| !detail.sensitive).map(|d| d.name.as_str()).collect();
        prop_assert_eq!(open, vec!["host"]);
        let masked = report(&connection(), &details, None, true);
        prop_assert!(masked.sensitive.iter().all(|name| masked.details[name].is_none()));
    }

    #[test]
    fn the_masked_form_does_not_depend_on_the_password(one in "[a-z]{4,12}", two in nasty()) {
        let masked = |password: &str| -> Vec<String> {
            let details = evaluated(password.as_bytes(), MASKS[0]);
            let names = ["password", "uri", "raw"];
            names.map(|name| details.get(name).unwrap().known().unwrap().masked().to_owned()).into()
        };
        prop_assert_eq!(masked(&one), masked(&two));
    }

    #[test]
    fn a_value_is_text_and_never_a_template(password in nasty()) {
        let details = evaluated(password.as_bytes(), MASKS[0]);
        let raw = details.get("raw").unwrap().known().unwrap();
        prop_assert_eq!(raw.reveal_text(), Some(password.as_str()));
    }

    #[test]
    fn bytes_come_through_exactly(password in prop::collection::vec(any::<u8>(), 0..40)) {
        let details = evaluated(&password, MASKS[0]);
        prop_assert_eq!(details.get("password").unwrap().known().unwrap().reveal(), &password[..]);
    }

    #[test]
    fn shells_read_back_what_was_quoted(value in nasty()) {
        prop_assert_eq!(read_by_shell(&shell_quoted(&value)), Some(value));
    }

    #[test]
    fn files_read_back_what_was_quoted(value in nasty()) {
        prop_assert_eq!(read_from_dotenv(&dotenv_quoted(&value)), Some(value));
    }

    #[test]
    fn a_line_holds_one_assignment(password in "[^\0]{0,20}") {
        let details = evaluated(password.as_bytes(), MASKS[0]);
        let assignments = env(&details, "mydb_").unwrap();
        prop_assert_eq!(assignments.len(), details.0.len());
        for line in &assignments {
            let (name, value) = line.strip_prefix("export ").unwrap().split_once('=').unwrap();
            prop_assert!(name.starts_with("MYDB_"));
            prop_assert!(name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_'), "{name}");
            prop_assert!(read_by_shell(value).is_some(), "{value}");
        }
    }

    #[test]
    fn several_details_are_a_line_each_or_refused(password in nasty()) {
        let details = evaluated(password.as_bytes(), MASKS[0]);
        let asked: Vec<_> = details.0.iter().take(2).collect();
        match lines(&asked) {
            Ok(lines) => prop_assert_eq!(lines.join("\n").lines().count().max(1) <= 2, true),
            Err(_) => prop_assert!(password.contains(['\n', '\r'])),
        }
    }

    #[test]
    fn uri_leaves_only_unreserved_characters(value in any::<String>()) {
        let context = Context::default().with("value", json!(value));
        let encoded = render("{{ value | uri }}", &context).unwrap();
        prop_assert!(encoded.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~%".contains(&b)));
        let decoded = percent_encoding::percent_decode_str(&encoded).decode_utf8().unwrap();
        prop_assert_eq!(decoded, value);
    }

    #[test]
    fn no_template_panics_or_runs_for_ever(template in "(\\{\\{|\\}\\}|\\{%|%\\}|[a-z |.()'\\[\\]:0-9*~]){0,30}") {
        let context = Context::new("mydb", "team-a", "pg", "f");
        let _ = render(&template, &context);
        let _ = svc::domain::template::evaluate(&template, &context);
        let _ = svc::domain::template::mentions(&template);
    }
}
