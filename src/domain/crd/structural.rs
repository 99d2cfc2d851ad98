//! From the JSON Schema of the types to a structural schema as Kubernetes wants it
//! (<https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema>).

use serde_json::{Map, Value, json};

/// Turns a schema with inlined references into a structural one: nothing nullable, no words or
/// formats that the API server does not know, free-form objects kept as they are.
pub(super) fn structural(schema: &mut Value) {
    let Value::Object(schema) = schema else { return };
    without_null(schema);
    words_of_one_type(schema);
    supported_format(schema);
    free_form(schema);
    one_line_description(schema);
    for word in ["$schema", "title"] {
        schema.remove(word);
    }
    if schema.get("default") == Some(&Value::Null) {
        schema.remove("default");
    }
    if schema.get("type") == Some(&json!("array")) {
        schema.entry("x-kubernetes-list-type").or_insert(json!("atomic"));
    }
    for (word, inner) in schema.iter_mut() {
        match word.as_str() {
            "properties" => {
                inner.as_object_mut().into_iter().flatten().for_each(|(_, property)| {
                    structural(property);
                })
            }
            "items" | "additionalProperties" => structural(inner),
            _ => {}
        }
    }
}

/// `["string", "null"]` becomes `string`; so does `anyOf` with `null`, whose own words win.
fn without_null(schema: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = schema.get("type") {
        let kept: Vec<&Value> = types.iter().filter(|kind| *kind != "null").collect();
        if let [one] = kept[..] {
            let one = one.clone();
            schema.insert("type".to_owned(), one);
        }
    }
    let Some(Value::Array(choices)) = schema.remove("anyOf") else { return };
    let null = json!({"type": "null"});
    for choice in choices.into_iter().filter(|choice| *choice != null) {
        let Value::Object(choice) = choice else { continue };
        for (word, value) in choice {
            schema.entry(word).or_insert(value);
        }
    }
}

/// An enum with documented variants (`oneOf` of `const` and `enum`) becomes one list of words.
fn words_of_one_type(schema: &mut Map<String, Value>) {
    let Some(Value::Array(variants)) = schema.remove("oneOf") else { return };
    let words: Vec<Value> = variants
        .into_iter()
        .flat_map(|variant| match (&variant["const"], &variant["enum"]) {
            (word @ Value::String(_), _) => vec![word.clone()],
            (_, Value::Array(words)) => words.clone(),
            _ => Vec::new(),
        })
        .collect();
    schema.insert("type".to_owned(), json!("string"));
    schema.insert("enum".to_owned(), Value::Array(words));
}

fn supported_format(schema: &mut Map<String, Value>) {
    let format = match schema.get("format").and_then(Value::as_str) {
        Some("uint8" | "uint16") => "int32",
        Some("uint32") => "int64",
        _ => return,
    };
    schema.insert("format".to_owned(), json!(format));
}

/// An object of anything keeps its unknown fields.
fn free_form(schema: &mut Map<String, Value>) {
    if schema.get("additionalProperties") == Some(&Value::Bool(true)) {
        schema.remove("additionalProperties");
        schema.insert("x-kubernetes-preserve-unknown-fields".to_owned(), Value::Bool(true));
    }
}

/// A comment's line breaks are where the source was wrapped, not where a reader wants them.
fn one_line_description(schema: &mut Map<String, Value>) {
    if let Some(Value::String(text)) = schema.get_mut("description") {
        *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(mut schema: Value) -> Value {
        structural(&mut schema);
        schema
    }

    #[test]
    fn an_optional_text_is_a_text() {
        let schema = json!({"type": ["string", "null"], "default": null, "maxLength": 3});
        assert_eq!(of(schema), json!({"type": "string", "maxLength": 3}));
    }

    #[test]
    fn an_optional_object_keeps_the_words_of_its_field() {
        let schema = json!({
            "description": "of the field",
            "anyOf": [
                {"type": "object", "description": "of the type", "properties": {}},
                {"type": "null"},
            ],
        });
        let expected = json!({"description": "of the field", "type": "object", "properties": {}});
        assert_eq!(of(schema), expected);
    }

    #[test]
    fn described_variants_are_one_list_of_words() {
        let schema = json!({"oneOf": [
            {"type": "string", "enum": ["A", "B"]},
            {"type": "string", "const": "C", "description": "the third"},
        ]});
        assert_eq!(of(schema), json!({"type": "string", "enum": ["A", "B", "C"]}));
    }

    #[test]
    fn formats_are_those_that_the_api_server_knows() {
        let port = json!({"type": "integer", "format": "uint16", "minimum": 0});
        assert_eq!(of(port)["format"], "int32");
        assert_eq!(of(json!({"type": "integer", "format": "uint32"}))["format"], "int64");
        assert_eq!(of(json!({"type": "number", "format": "double"}))["format"], "double");
    }

    #[test]
    fn anything_is_kept() {
        let schema = json!({"type": "object", "additionalProperties": true});
        let expected = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
        assert_eq!(of(schema), expected);
    }

    #[test]
    fn a_list_is_replaced_as_a_whole_unless_it_says_otherwise() {
        let plain = json!({"type": "array", "items": {"type": ["string", "null"]}});
        let expected = json!({
            "type": "array",
            "items": {"type": "string"},
            "x-kubernetes-list-type": "atomic",
        });
        assert_eq!(of(plain), expected);
        let set = json!({"type": "array", "x-kubernetes-list-type": "set"});
        assert_eq!(of(set)["x-kubernetes-list-type"], "set");
    }
}
