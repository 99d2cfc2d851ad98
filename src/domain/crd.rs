//! What `svc class crd` prints: the CustomResourceDefinition made from the types of `class`, and
//! the rights to read and use classes.

mod structural;

use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use super::class::{GROUP, NAME_RULE, ServiceClassSpec, VERSION};

/// The plural, lower case, as it stands in URLs and in RBAC.
pub const PLURAL: &str = "serviceclasses";
/// The kind of a class.
pub const KIND: &str = "ServiceClass";
/// The ClusterRole that lets its holders read and use every class.
pub const CATALOG_ROLE: &str = "svc-catalog";

/// The CustomResourceDefinition of classes.
pub fn crd() -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{PLURAL}.{GROUP}")},
        "spec": {
            "group": GROUP,
            "scope": "Cluster",
            // No category: one called svc would break `kubectl get svc` for the whole cluster.
            "names": {
                "kind": KIND,
                "listKind": format!("{KIND}List"),
                "plural": PLURAL,
                "singular": "serviceclass",
                "shortNames": ["svcclass"],
            },
            "versions": [{
                "name": VERSION,
                "served": true,
                "storage": true,
                "additionalPrinterColumns": printer_columns(),
                "schema": {"openAPIV3Schema": schema()},
            }],
        },
    })
}

/// Everything a catalog needs in a cluster, in the order to apply it: the definition, the role
/// `svc-catalog` (get, list, watch and use), and its binding to everyone who is logged in.
/// Who wants to restrict classes deletes the binding and grants `use` by name (design §7).
pub fn manifests() -> Vec<Value> {
    vec![crd(), catalog_role(), catalog_binding()]
}

/// The manifests as they are checked in: what `svc class crd` prints. A test holds them against
/// [`manifests_yaml`], so that the program need not carry what makes them.
pub const MANIFESTS: &str = include_str!("../../docs/serviceclass-crd.yaml");

/// The schema of a class as it is checked in.
pub(super) fn checked_in_schema() -> Value {
    let crd = MANIFESTS.split("\n---\n").next().unwrap_or_default();
    let crd: Value = serde_yaml::from_str(crd).expect("the checked-in CRD is YAML");
    crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"].clone()
}

/// The manifests as one YAML stream for `kubectl apply --server-side -f -`.
pub fn manifests_yaml() -> String {
    let documents: Vec<String> = manifests().iter().map(yaml).collect();
    documents.join("---\n")
}

fn yaml(manifest: &Value) -> String {
    serde_yaml::to_string(manifest).expect("a JSON value has a YAML form")
}

/// The columns by which svc sees, without reading classes, whether one has changed.
pub const COLUMN_UID: &str = "UID";
/// See [`COLUMN_UID`].
pub const COLUMN_RESOURCE_VERSION: &str = "Resource Version";

fn printer_columns() -> Value {
    json!([
        {"name": "Summary", "type": "string", "jsonPath": ".spec.summary"},
        {"name": "Sharing", "type": "string", "jsonPath": ".spec.sharing"},
        {
            "name": "Deprecated",
            "type": "string",
            "jsonPath": ".spec.deprecated.message",
            "priority": 1,
        },
        column_for_svc(COLUMN_UID, ".metadata.uid"),
        column_for_svc(COLUMN_RESOURCE_VERSION, ".metadata.resourceVersion"),
        {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
    ])
}

/// kubectl shows it with `-o wide` alone.
fn column_for_svc(name: &str, path: &str) -> Value {
    json!({"name": name, "type": "string", "jsonPath": path, "priority": 1})
}

fn schema() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let spec = settings.into_generator().into_root_schema_for::<ServiceClassSpec>();
    let mut spec = spec.to_value();
    structural::structural(&mut spec);
    json!({
        "type": "object",
        "properties": {"spec": spec},
        "required": ["spec"],
        "x-kubernetes-validations": [{
            "rule": "self.metadata.name.size() <= 63 && !self.metadata.name.contains('.')",
            "message": NAME_RULE,
        }],
    })
}

fn catalog_role() -> Value {
    json!({
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {"name": CATALOG_ROLE},
        "rules": [{
            "apiGroups": [GROUP],
            "resources": [PLURAL],
            "verbs": ["get", "list", "watch", "use"],
        }],
    })
}

fn catalog_binding() -> Value {
    json!({
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": CATALOG_ROLE},
        "roleRef": {
            "apiGroup": "rbac.authorization.k8s.io",
            "kind": "ClusterRole",
            "name": CATALOG_ROLE,
        },
        "subjects": [{
            "apiGroup": "rbac.authorization.k8s.io",
            "kind": "Group",
            "name": "system:authenticated",
        }],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every word of every schema below this one.
    fn words<'a>(schema: &'a Value, into: &mut Vec<(&'a str, &'a Value)>) {
        for (word, value) in schema.as_object().into_iter().flatten() {
            into.push((word, value));
            match word.as_str() {
                "properties" => value.as_object().into_iter().flatten().for_each(|(_, inner)| {
                    words(inner, into);
                }),
                "items" | "additionalProperties" => words(value, into),
                _ => {}
            }
        }
    }

    #[test]
    fn the_schema_is_structural() {
        let schema = schema();
        let mut found = Vec::new();
        words(&schema, &mut found);
        for word in ["$ref", "$defs", "anyOf", "oneOf", "allOf", "nullable", "const", "title"] {
            assert!(!found.iter().any(|(other, _)| *other == word), "{word}");
        }
        for (word, value) in found {
            match word {
                "type" => assert!(value.is_string(), "{value}"),
                "default" => assert!(!value.is_null()),
                "format" => assert!(
                    ["int32", "int64", "double"].contains(&value.as_str().unwrap()),
                    "{value}"
                ),
                _ => {}
            }
        }
    }

    #[test]
    fn what_has_a_default_says_it() {
        let spec = &schema()["properties"]["spec"]["properties"];
        assert_eq!(spec["sharing"]["default"], "Dedicated");
        assert_eq!(spec["availability"]["default"], "Open");
        assert_eq!(spec["instanceName"]["properties"]["maxLength"]["default"], 30);
        assert_eq!(spec["parameters"]["items"]["properties"]["change"]["default"], "Allowed");
        assert_eq!(spec["readiness"]["properties"]["timeout"]["default"], "5m");
        assert_eq!(spec["deletion"]["properties"]["protected"]["default"], false);
        assert_eq!(spec["deletion"]["properties"]["data"]["default"], "Keep");
        assert_eq!(spec["binding"]["properties"]["runIn"]["default"], "InstanceNamespace");
    }

    #[test]
    fn everyone_who_is_logged_in_may_use_every_class() {
        let [_, role, binding] = &manifests()[..] else { panic!("three manifests") };
        assert_eq!(role["rules"][0]["verbs"], json!(["get", "list", "watch", "use"]));
        assert_eq!(role["metadata"]["name"], binding["roleRef"]["name"]);
        assert_eq!(binding["subjects"][0]["name"], "system:authenticated");
    }

    #[test]
    fn there_is_no_category_and_no_status() {
        let crd = crd();
        assert!(crd["spec"]["names"].get("categories").is_none());
        assert!(crd["spec"]["versions"][0].get("subresources").is_none());
    }
}
