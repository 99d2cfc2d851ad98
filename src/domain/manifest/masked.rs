//! A manifest for people: nothing that is sensitive is in it.

use serde_json::{Map, Value};

use super::{documents, read};

/// The manifest with every Secret's content masked as a whole, and everything else as `redact`
/// gives it back.
pub fn masked(manifest: &str, mask: &str, redact: &dyn Fn(&str) -> String) -> String {
    documents(manifest)
        .iter()
        .map(|text| format!("---\n{}", document(text, mask, redact)))
        .collect()
}

fn document(text: &str, mask: &str, redact: &dyn Fn(&str) -> String) -> String {
    let Ok(mut body) = read(text) else { return redact(text) };
    if !hide(&mut body, mask) {
        return redact(text);
    }
    let comments = text.lines().take_while(|line| line.starts_with('#'));
    let comments: String = comments.map(|line| format!("{line}\n")).collect();
    let yaml = serde_yaml::to_string(&body).unwrap_or_default();
    let end = if yaml.ends_with('\n') { "" } else { "\n" };
    redact(&format!("{comments}{yaml}{end}"))
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
    fn a_secret_in_a_list_is_found() {
        let list = "kind: List\nitems:\n- {kind: ConfigMap, data: {a: b}}\n- {kind: Secret, data: {a: c}}\n";
        let text = masked(list, "********", &str::to_owned);
        assert!(text.contains("********") && !text.contains("a: c"), "{text}");
    }
}
