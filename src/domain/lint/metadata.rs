//! What the API server says of the metadata that every object has.

use std::sync::LazyLock;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::de::value::Error as NoValue;
use serde::de::{Deserialize, Deserializer, Error as _, Visitor};
use serde_json::{Map, Value, json};

use super::schema::{Refused, node};
use super::{Finding, Place};
use crate::domain::labels;
use crate::domain::suggest::nearest;

/// All annotations together, in bytes (k8s.io/apimachinery, `TotalAnnotationSizeLimitB`).
const ANNOTATIONS: usize = 256 * 1024;

/// Labels and annotations: texts by name.
static TEXTS: LazyLock<Value> =
    LazyLock::new(|| json!({"type": "object", "additionalProperties": {"type": "string"}}));

/// Everything in the metadata but the name that the API server would refuse.
pub(super) fn refused(metadata: &Map<String, Value>, refused: &mut Refused) {
    for (name, value) in metadata {
        let path = format!("metadata.{name}");
        match name.as_str() {
            // A null is as good as none.
            _ if value.is_null() => {}
            "labels" => {
                node(&path, value, &TEXTS, refused);
                value.as_object().into_iter().flatten().for_each(|label| of_label(label, refused));
            }
            "annotations" => {
                node(&path, value, &TEXTS, refused);
                value.as_object().into_iter().for_each(|all| of_annotations(all, refused));
            }
            name if !fields().contains(&name) => {
                let near = nearest(name, fields().iter().copied());
                let hint = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
                refused.refuse(&path, format!("no such field{hint}"));
            }
            _ => {
                let alone = Map::from_iter([(name.clone(), value.clone())]);
                if let Err(error) = serde_json::from_value::<ObjectMeta>(Value::Object(alone)) {
                    refused.refuse(&path, format!("has the wrong type: {error}"));
                }
            }
        }
    }
}

/// What the server drops without a word.
pub(super) fn dropped(object: &Value) -> Option<Finding> {
    let namespace = object["metadata"]["namespace"].as_str().filter(|name| !name.is_empty())?;
    let problem = format!("{namespace} is dropped: a class belongs to no namespace");
    Some(Finding::warning(Place::field("metadata.namespace"), problem))
}

fn of_label((name, value): (&String, &Value), refused: &mut Refused) {
    let text = value.as_str().unwrap_or_default();
    let problem = labels::key(name).and_then(|()| labels::value(text));
    if let Err(problem) = problem {
        refused.refuse(&format!("metadata.labels.{name}"), problem);
    }
}

fn of_annotations(annotations: &Map<String, Value>, refused: &mut Refused) {
    // Their names are those of labels, but for capitals in the prefix.
    for name in annotations.keys().filter(|name| labels::key(&name.to_lowercase()).is_err()) {
        let problem = format!("\"{name}\" is not the name of an annotation");
        refused.refuse(&format!("metadata.annotations.{name}"), problem);
    }
    let size = |(name, value): (&String, &Value)| name.len() + value.as_str().map_or(0, str::len);
    let size: usize = annotations.iter().map(size).sum();
    if size > ANNOTATIONS {
        refused.refuse("metadata.annotations", format!("{size} bytes, {ANNOTATIONS} at most"));
    }
}

/// The fields of metadata, as the client library knows them.
fn fields() -> &'static [&'static str] {
    static FIELDS: LazyLock<&[&str]> = LazyLock::new(|| {
        let mut fields: &[&str] = &[];
        // Nothing is read: it only says which fields it wants.
        drop(ObjectMeta::deserialize(Wanted(&mut fields)));
        fields
    });
    &FIELDS
}

/// Hears which fields a struct asks for.
struct Wanted<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Wanted<'_> {
    type Error = NoValue;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, NoValue> {
        Err(NoValue::custom("nothing to read"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, NoValue> {
        *self.0 = fields;
        self.deserialize_any(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::super::of_object;
    use super::*;

    /// `field: problem` of every finding about the metadata.
    fn told(metadata: Value) -> Vec<String> {
        let object = json!({"apiVersion": "svc-cli.dev/v1alpha1", "kind": "ServiceClass",
            "metadata": metadata, "spec": {
                "summary": "x", "chart": {"oci": {"url": "oci://r.example/x", "version": "1.0.0"}},
                "connection": {"details": [{"name": "port", "value": "1"}]}}});
        let found = of_object(&object).into_iter();
        found.map(|one| format!("{} {}", one.place.field, one.problem)).collect()
    }

    #[test]
    fn what_the_server_takes_is_taken() {
        let stored = json!({
            "name": "x", "labels": {"tier": "dev", "a.b/c": ""}, "annotations": {"A.b/c": "any text"},
            "creationTimestamp": null, "generation": 1, "resourceVersion": "1", "uid": "u",
            "finalizers": ["a.b/c"], "managedFields": [], "ownerReferences": [],
        });
        assert_eq!(told(stored), [""; 0]);
    }

    #[test]
    fn what_the_server_refuses_is_told_at_its_place() {
        for (metadata, expected) in [
            (json!({"label": {}}), "metadata.label no such field; did you mean labels?"),
            (json!({"whatever": 1}), "metadata.whatever no such field"),
            (
                json!({"labels": {"a b": "c"}}),
                "metadata.labels.a b \"a b\" is not the name of a label",
            ),
            (
                json!({"labels": {"a": "b c"}}),
                "metadata.labels.a \"b c\" is not the value of a label",
            ),
            (
                json!({"labels": {"a": 1}}),
                "metadata.labels.a has the wrong type: integer, not string; put it in quotes",
            ),
            (
                json!({"annotations": {"a b": "c"}}),
                "metadata.annotations.a b \"a b\" is not the name of an annotation",
            ),
            (
                json!({"annotations": {"a": "x".repeat(ANNOTATIONS)}}),
                "metadata.annotations 262145 bytes, 262144 at most",
            ),
            (
                json!({"namespace": "team-a"}),
                "metadata.namespace team-a is dropped: a class belongs to no namespace",
            ),
        ] {
            let mut metadata = metadata;
            metadata["name"] = json!("x");
            assert_eq!(told(metadata), [expected]);
        }
        let generation = told(json!({"name": "x", "generation": "1"}));
        assert!(generation[0].starts_with("metadata.generation has the wrong type: "));
    }
}
