//! From an object of the API to a class: one that cannot be read is broken, and says why.

use std::collections::BTreeMap;

use serde_ignored::Path;
use serde_json::Value;
use thiserror::Error;

use super::{Class, ServiceClassSpec};

/// A class that this svc cannot read; the catalog still lists it with its reason.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("class {name} is broken: {reason}")]
pub struct Unreadable {
    /// `metadata.name`, empty where the object has none.
    pub name: String,
    /// `metadata.labels`
    pub labels: BTreeMap<String, String>,
    /// `spec.summary`, where that much can be read.
    pub summary: Option<String>,
    /// Short and in the words of the class: `spec.chart.oci.url is missing`.
    pub reason: String,
}

/// Reads a class from an object of the API server.
///
/// # Errors
/// A field that this svc does not know makes the class broken ("needs a newer svc"), never
/// ignored; so do a missing field and one of the wrong type.
pub fn read(object: &Value) -> Result<Class, Unreadable> {
    match read_spec(object) {
        Ok(spec) => Ok(Class { name: name(object), labels: labels(object), spec }),
        Err(reason) => Err(Unreadable {
            name: name(object),
            labels: labels(object),
            summary: object["spec"]["summary"].as_str().map(str::to_owned),
            reason,
        }),
    }
}

fn name(object: &Value) -> String {
    object["metadata"]["name"].as_str().unwrap_or_default().to_owned()
}

fn labels(object: &Value) -> BTreeMap<String, String> {
    let labels = object["metadata"]["labels"].as_object().into_iter().flatten();
    labels.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned()))).collect()
}

fn read_spec(object: &Value) -> Result<ServiceClassSpec, String> {
    let Some(spec) = object.get("spec") else {
        return Err("spec is missing".to_owned());
    };
    let mut unknown = Vec::new();
    let mut track = serde_path_to_error::Track::new();
    let spec = serde_ignored::deserialize(
        serde_path_to_error::Deserializer::new(spec, &mut track),
        |path| unknown.push(written(&path)),
    );
    // What is unknown comes first: a newer class may also lack what this svc asks for.
    if let Some(path) = unknown.first() {
        return Err(format!("needs a newer svc: {path} is not known here"));
    }
    spec.map_err(|error| reason(&track.path(), &error))
}

/// The path of an ignored field as people write it: `spec.parameters[2].foo`.
fn written(path: &Path<'_>) -> String {
    match path {
        Path::Root => "spec".to_owned(),
        Path::Seq { parent, index } => format!("{}[{index}]", written(parent)),
        Path::Map { parent, key } => format!("{}.{key}", written(parent)),
        Path::Some { parent }
        | Path::NewtypeStruct { parent }
        | Path::NewtypeVariant { parent } => written(parent),
    }
}

fn reason(path: &serde_path_to_error::Path, error: &serde_json::Error) -> String {
    let path = match path.to_string().as_str() {
        "." => "spec".to_owned(),
        inner => format!("spec.{inner}"),
    };
    let message = error.to_string();
    let quoted = || message.split('`').nth(1).unwrap_or_default().to_owned();
    let found = |rest: &str| rest.split(", expected").next().unwrap_or_default().to_owned();
    if message.starts_with("missing field") {
        format!("{path}.{} is missing", quoted())
    } else if message.starts_with("unknown variant") {
        format!("needs a newer svc: {path}: {} is not known here", quoted())
    } else if let Some(rest) = message.strip_prefix("invalid type: ") {
        format!("{path} has the wrong type: {}", found(rest))
    } else if let Some(rest) = message.strip_prefix("invalid value: ") {
        format!("{path} has a value out of range: {}", found(rest))
    } else {
        format!("{path}: {message}")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn class() -> Value {
        json!({
            "apiVersion": "svc-cli.dev/v1alpha1",
            "kind": "ServiceClass",
            "metadata": {"name": "postgres", "labels": {"tier": "dev"}, "uid": "1"},
            "spec": {
                "summary": "PostgreSQL",
                "chart": {"oci": {"url": "oci://registry.example/pg", "version": "1.0.0"}},
                "parameters": [
                    {"name": "storage", "paths": ["size"], "quantity": {"default": "1Gi"}},
                ],
                "connection": {"details": [{"name": "host", "value": "{{ fullname }}"}]},
            },
        })
    }

    fn reason_of(object: &Value) -> String {
        read(object).unwrap_err().reason
    }

    #[test]
    fn a_class_is_read_with_its_defaults() {
        let class = read(&class()).unwrap();
        assert_eq!(class.name, "postgres");
        assert_eq!(class.labels["tier"], "dev");
        assert_eq!(class.spec.readiness.timeout, "5m");
        assert_eq!(class.spec.instance_name.max_length, 30);
    }

    #[test]
    fn an_unknown_field_needs_a_newer_svc() {
        let mut object = class();
        object["spec"]["parameters"][0]["quantity"]["step"] = json!("1Gi");
        assert_eq!(
            reason_of(&object),
            "needs a newer svc: spec.parameters[0].quantity.step is not known here"
        );
    }

    #[test]
    fn an_unknown_field_comes_before_what_is_missing() {
        let mut object = class();
        object["spec"]["connection"] = json!({"from": "operator"});
        assert_eq!(reason_of(&object), "needs a newer svc: spec.connection.from is not known here");
    }

    #[test]
    fn an_unknown_word_needs_a_newer_svc() {
        let mut object = class();
        object["spec"]["parameters"][0]["change"] = json!("Weekly");
        assert_eq!(
            reason_of(&object),
            "needs a newer svc: spec.parameters[0].change: Weekly is not known here"
        );
    }

    #[test]
    fn a_missing_field_is_named_with_its_path() {
        let mut object = class();
        object["spec"]["chart"]["oci"].as_object_mut().unwrap().remove("url");
        assert_eq!(reason_of(&object), "spec.chart.oci.url is missing");
        object["spec"].as_object_mut().unwrap().remove("summary");
        object["spec"]["chart"]["oci"]["url"] = json!("oci://registry.example/pg");
        assert_eq!(reason_of(&object), "spec.summary is missing");
    }

    #[test]
    fn a_wrong_type_is_named_with_its_path() {
        let mut object = class();
        object["spec"]["parameters"][0]["paths"] = json!("size");
        assert_eq!(
            reason_of(&object),
            "spec.parameters[0].paths has the wrong type: string \"size\""
        );
        object["spec"]["parameters"][0]["paths"] = json!(["size"]);
        object["spec"]["instanceName"] = json!({"maxLength": 300});
        assert_eq!(
            reason_of(&object),
            "spec.instanceName.maxLength has a value out of range: integer `300`"
        );
    }

    #[test]
    fn what_can_be_read_of_a_broken_class_is_kept() {
        let mut object = class();
        object["spec"]["future"] = json!(1);
        let broken = read(&object).unwrap_err();
        assert_eq!(broken.summary.as_deref(), Some("PostgreSQL"));
        assert_eq!(broken.labels["tier"], "dev");
        assert_eq!(
            broken.to_string(),
            "class postgres is broken: needs a newer svc: spec.future is not known here"
        );
    }

    #[test]
    fn what_is_no_class_at_all_is_unreadable() {
        for object in [json!(null), json!([]), json!({"metadata": 3}), json!({"spec": null})] {
            let broken = read(&object).unwrap_err();
            assert_eq!(broken.name, "");
            assert!(broken.reason.starts_with("spec "), "{}", broken.reason);
        }
    }
}
