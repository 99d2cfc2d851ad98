//! The rules of the CRD in CEL, as the API server runs them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use kube_cel::{CompiledSchema, Validator, compile_schema};
use serde_json::Value;

use super::{Finding, Place, schema};

/// The rules, read once.
static RULES: LazyLock<CompiledSchema> = LazyLock::new(|| compile_schema(schema::schema()));

/// What the rules refuse of an object that the schema accepts.
pub(super) fn findings(object: &Value) -> Vec<Finding> {
    let mut stand_ins = StandIns::default();
    let object = stand_ins.in_ascii(object);
    let refused = Validator::new().validate_compiled(&RULES, &object, None).err();
    let refused = refused.into_iter().flat_map(kube_cel::ValidationErrors::into_vec);
    refused.map(|error| Finding::broken(Place::field(error.field_path), error.message)).collect()
}

/// Characters that CEL's `size` would count as several: here it counts bytes, on the API server
/// characters. Each gets an ASCII control character of its own, which no valid class holds.
#[derive(Default)]
struct StandIns(BTreeMap<char, char>);

impl StandIns {
    fn in_ascii(&mut self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.of_text(text)),
            Value::Array(list) => list.iter().map(|value| self.in_ascii(value)).collect(),
            Value::Object(map) => {
                let fields = map.iter();
                fields.map(|(key, value)| (self.of_text(key), self.in_ascii(value))).collect()
            }
            other => other.clone(),
        }
    }

    fn of_text(&mut self, text: &str) -> String {
        text.chars().map(|one| if one.is_ascii() { one } else { self.of(one) }).collect()
    }

    fn of(&mut self, character: char) -> char {
        let next = u8::try_from(self.0.len() % 31 + 1).unwrap_or(1);
        *self.0.entry(character).or_insert(char::from(next))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn characters_are_counted_not_bytes() {
        let mut stand_ins = StandIns::default();
        let text = stand_ins.in_ascii(&json!({"ä": ["äöä", "plain"]}));
        assert_eq!(text, json!({"\u{1}": ["\u{1}\u{2}\u{1}", "plain"]}));
    }
}
