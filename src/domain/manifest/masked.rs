//! A manifest for people: nothing that is sensitive is in it.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use regex::Regex;
use serde_json::{Map, Value};

use super::derived::{shows, without_words};
use super::{documents, read};

/// A plain scalar that begins with the mask, which YAML reads as an alias.
static BARE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?m)^(\s*(?:- )*(?:[^\s:#"']+: +)?)(\*\*\*[^\n"]*)$"#)
        .expect("it is an expression")
});

/// The manifest with every Secret's content masked as a whole, and everything else as `redact`
/// gives it back, also where it stands in a form that leads back to it.
pub fn masked(manifest: &str, mask: &str, redact: &dyn Fn(&str) -> String) -> String {
    documents(manifest)
        .iter()
        .map(|text| format!("---\n{}", document(text, mask, redact)))
        .collect()
}

/// Every text that the Secrets of a manifest hold, to be hidden elsewhere.
pub fn secret_texts(manifest: &str) -> Vec<String> {
    let mut texts = Vec::new();
    for body in documents(manifest).iter().filter_map(|text| read(text).ok()) {
        gather(&body, &mut texts);
    }
    texts
}

fn gather(body: &Value, texts: &mut Vec<String>) {
    if body["kind"] == "Secret" {
        let plain = body["stringData"].as_object().into_iter().flat_map(Map::values);
        texts.extend(plain.filter_map(Value::as_str).map(str::to_owned));
        let encoded = body["data"].as_object().into_iter().flat_map(Map::values);
        let bytes = encoded.filter_map(|value| STANDARD.decode(value.as_str()?).ok());
        texts.extend(bytes.filter_map(|bytes| String::from_utf8(bytes).ok()));
    }
    body["items"].as_array().into_iter().flatten().for_each(|item| gather(item, texts));
}

fn document(text: &str, mask: &str, redact: &dyn Fn(&str) -> String) -> String {
    let plain = BARE.replace_all(&without_words(text, redact), "$1\"$2\"").into_owned();
    let Ok(mut body) = read(text) else { return plain };
    let has_secret = hide(&mut body, mask);
    // As it is written where that is enough: YAML has many ways to write a text.
    let is_clean = |body: &Value| !conceals(&mut body.clone(), redact);
    if !has_secret && read(&plain).is_ok_and(|body| is_clean(&body)) {
        return plain;
    }
    conceals(&mut body, redact);
    let comments = text.lines().take_while(|line| line.starts_with('#'));
    let comments: String =
        comments.map(|line| format!("{}\n", without_words(line, redact))).collect();
    let yaml = serde_yaml::to_string(&body).unwrap_or_default();
    let end = if yaml.ends_with('\n') { "" } else { "\n" };
    format!("{comments}{yaml}{end}")
}

/// Hides what is sensitive in every text of a document, the names of keys too; whether there was
/// something to hide.
fn conceals(body: &mut Value, redact: &dyn Fn(&str) -> String) -> bool {
    match body {
        Value::String(text) => conceals_text(text, redact),
        Value::Array(entries) => {
            entries.iter_mut().fold(false, |found, entry| conceals(entry, redact) | found)
        }
        Value::Object(keys) => {
            let mut found = false;
            for (mut name, mut value) in std::mem::take(keys) {
                found |= conceals(&mut value, redact) | conceals_text(&mut name, redact);
                keys.insert(name, value);
            }
            found
        }
        Value::Number(number) if shows(&number.to_string(), redact) => {
            *body = Value::from("***");
            true
        }
        Value::Number(_) | Value::Bool(_) | Value::Null => false,
    }
}

/// Word by word where that is enough, else as a whole.
fn conceals_text(text: &mut String, redact: &dyn Fn(&str) -> String) -> bool {
    if !shows(text, redact) {
        return false;
    }
    let words = without_words(text, redact);
    *text = if shows(&words, redact) { "***".to_owned() } else { words };
    true
}

/// Masks the Secrets of a document, those in lists too; whether there was one.
fn hide(body: &mut Value, mask: &str) -> bool {
    if body["kind"] == "Secret" {
        for part in ["data", "stringData"] {
            if let Some(Value::Object(keys)) = body.get_mut(part) {
                cover(keys, mask);
            }
        }
        return true;
    }
    let Some(Value::Array(items)) = body.get_mut("items") else { return false };
    items.iter_mut().filter_map(|item| hide(item, mask).then_some(())).count() > 0
}

fn cover(keys: &mut Map<String, Value>, mask: &str) {
    keys.values_mut().for_each(|value| *value = Value::from(mask));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_masked_whole_and_the_rest_is_as_it_was() {
        let manifest = "---\n# Source: a/secret.yaml\napiVersion: v1\nkind: Secret\nmetadata:\n  \
                        name: mydb\ndata:\n  password: aHVudGVyMg==\nstringData: {user: app}\n---\n\
                        # Source: a/map.yaml\nkind: ConfigMap\ndata:\n  uri: app:hunter2@host # kept\n";
        let text = masked(manifest, "********", &|text| text.replace("hunter2", "***"));
        assert_eq!(
            text,
            "---\n# Source: a/secret.yaml\napiVersion: v1\nkind: Secret\nmetadata:\n  name: mydb\n\
             data:\n  password: \"********\"\nstringData:\n  user: \"********\"\n---\n\
             # Source: a/map.yaml\nkind: ConfigMap\ndata:\n  uri: app:***@host # kept\n"
        );
    }

    #[test]
    fn what_is_masked_is_still_yaml_and_base64_hides_nothing() {
        let redact = |text: &str| text.replace("hunter2", "***");
        let auth = STANDARD.encode("user:hunter2");
        let map = format!(
            "kind: ConfigMap\ndata:\n  plain: hunter2\n  list:\n  - hunter2 a\n  quoted: \"hunter2\"\n  \
             auth: {auth}\n  other: {}\n",
            STANDARD.encode("nothing to hide")
        );
        let text = masked(&map, "********", &redact);
        assert_eq!(
            text,
            "---\nkind: ConfigMap\ndata:\n  plain: \"***\"\n  list:\n  - \"*** a\"\n  quoted: \"***\"\n  \
             auth: \"***\"\n  other: bm90aGluZyB0byBoaWRl\n"
        );
        assert!(read(&text).is_ok(), "{text}");
    }

    #[test]
    fn a_text_is_found_however_yaml_writes_it() {
        let redact = |text: &str| text.replace("it's a long\tone", "***");
        for written in [
            "'it''s a long\tone'",
            r#""it's a long\tone""#,
            "\"it's\n  a\n  long\\tone\"",
            "'u:it%27s+a+long%09one'",
        ] {
            let map = format!("# kept\nkind: ConfigMap\ndata:\n  a: {written}\n  b: c\n");
            let text = masked(&map, "********", &redact);
            assert!(text.starts_with("---\n# kept\nkind: ConfigMap\n"), "{text}");
            assert_eq!(
                read(&text).expect("YAML")["data"],
                serde_json::json!({"a": "***", "b": "c"})
            );
        }
    }

    #[test]
    fn the_texts_of_secrets_are_known() {
        let manifest = "kind: List\nitems:\n- {kind: Secret, data: {a: aHVudGVyMg==}}\n---\n\
                        kind: Secret\nstringData: {b: plain}\n---\nkind: ConfigMap\ndata: {c: d}\n";
        assert_eq!(secret_texts(manifest), ["hunter2", "plain"]);
    }

    #[test]
    fn a_secret_in_a_list_is_found() {
        let list = "kind: List\nitems:\n- {kind: ConfigMap, data: {a: b}}\n- {kind: Secret, data: {a: c}}\n";
        let text = masked(list, "********", &str::to_owned);
        assert!(text.contains("********") && !text.contains("a: c"), "{text}");
    }
}
