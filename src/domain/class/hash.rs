//! The fingerprint of what a class says: two instances with the same one need no upgrade.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::ServiceClassSpec;

/// How much of the SHA-256 is kept, in hex digits: what fits a label.
const LENGTH: usize = 32;

/// The class's hash for the label `svc-cli.dev/class-hash` (design §4): the first 32 hex digits
/// of the SHA-256 of the canonical JSON (sorted keys) of everything that shapes an instance.
/// The texts for people do not count.
pub fn class_hash(spec: &ServiceClassSpec) -> String {
    let mut shape = shape(spec);
    shape.sort_all_objects();
    let digest = Sha256::digest(shape.to_string());
    digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>()[..LENGTH].to_owned()
}

/// What is said of each part that a record keeps, in the order of the class.
const PARTS: [(&str, &str); 8] = [
    ("chart", "the chart's source"),
    ("values", "fixed values"),
    ("computed", "computed values"),
    ("plans", "plans"),
    ("parameters", "parameters"),
    ("connection", "connection"),
    ("readiness", "readiness"),
    ("deletion", "deletion"),
];

/// The parts in which two classes of different hashes differ, in words. A record keeps all of them
/// but the one about bindings.
pub fn differing_parts(one: &ServiceClassSpec, other: &ServiceClassSpec) -> Vec<&'static str> {
    let (one, other) = (shape(one), shape(other));
    let differing = PARTS.iter().filter(|(field, _)| one[field] != other[field]);
    let words: Vec<_> = differing.map(|(_, words)| *words).collect();
    if words.is_empty() { vec!["bindings"] } else { words }
}

fn shape(spec: &ServiceClassSpec) -> Value {
    let mut shape = json!({
        "chart": spec.chart,
        "values": spec.values,
        "computed": spec.computed,
        "plans": spec.plans,
        "parameters": spec.parameters,
        "connection": spec.connection,
        "readiness": spec.readiness,
        "deletion": spec.deletion,
        "binding": spec.binding,
    });
    without(&mut shape["parameters"], &["title", "description", "group"]);
    without(&mut shape["plans"], &["summary"]);
    shape
}

fn without(entries: &mut Value, texts: &[&str]) {
    for entry in entries.as_array_mut().into_iter().flatten() {
        if let Some(entry) = entry.as_object_mut() {
            entry.retain(|key, _| !texts.contains(&key.as_str()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(change: impl FnOnce(&mut Value)) -> ServiceClassSpec {
        let mut spec = json!({
            "summary": "PostgreSQL",
            "chart": {"oci": {"url": "oci://registry.example/pg", "version": "1.0.0"}},
            "values": {"b": 1, "a": {"d": 2, "c": 3}},
            "parameters": [{"name": "size", "paths": ["size"], "quantity": {}}],
            "plans": [{"name": "small", "summary": "1 GiB"}],
            "connection": {"details": [{"name": "host", "value": "{{ fullname }}"}]},
        });
        change(&mut spec);
        serde_json::from_value(spec).unwrap()
    }

    #[test]
    fn the_hash_never_changes_between_versions_of_svc() {
        assert_eq!(class_hash(&spec(|_| ())), "dc60f82985965f18c02a45781e1b313c");
    }

    #[test]
    fn the_order_of_keys_does_not_count() {
        let turned = spec(|spec| spec["values"] = json!({"a": {"c": 3, "d": 2}, "b": 1}));
        assert_eq!(class_hash(&turned), class_hash(&spec(|_| ())));
    }

    #[test]
    fn texts_do_not_count() {
        let worded = spec(|spec| {
            spec["summary"] = json!("Another");
            spec["description"] = json!("Long");
            spec["parameters"][0]["title"] = json!("Disk size");
            spec["parameters"][0]["description"] = json!("Of the volume");
            spec["parameters"][0]["group"] = json!("Storage");
            spec["plans"][0]["summary"] = json!("2 GiB");
        });
        assert_eq!(class_hash(&worded), class_hash(&spec(|_| ())));
    }

    #[test]
    fn what_shapes_an_instance_counts() {
        let plain = class_hash(&spec(|_| ()));
        let changes: [(&str, Value); 8] = [
            ("chart", json!({"oci": {"url": "oci://registry.example/pg", "version": "1.0.1"}})),
            ("values", json!({"b": 1, "a": {"d": 2, "c": 4}})),
            ("computed", json!([{"paths": ["name"], "value": "{{ release.name }}"}])),
            ("plans", json!([{"name": "large"}])),
            ("parameters", json!([{"name": "size", "paths": ["disk"], "quantity": {}}])),
            ("connection", json!({"details": [{"name": "port", "value": "5432"}]})),
            ("readiness", json!({"timeout": "6m"})),
            ("deletion", json!({"data": "Delete"})),
        ];
        for (field, value) in changes {
            let changed = spec(|spec| spec[field] = value);
            assert_ne!(class_hash(&changed), plain, "{field}");
            let words = PARTS.iter().find(|(part, _)| *part == field).map(|(_, words)| *words);
            assert_eq!(differing_parts(&spec(|_| ()), &changed), [words.unwrap_or_default()]);
        }
    }

    #[test]
    fn what_no_record_keeps_is_left_over() {
        let worded = spec(|spec| spec["parameters"][0]["title"] = json!("Disk size"));
        assert_eq!(differing_parts(&spec(|_| ()), &worded), ["bindings"]);
    }
}
