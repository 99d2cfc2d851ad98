//! What `svc class crd` prints: the CustomResourceDefinition made from the types of `class`, and
//! the rights to read and use classes.

mod structural;

use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use super::class::{GROUP, ServiceClassSpec, VERSION};

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

/// The manifests as one YAML stream for `kubectl apply --server-side -f -`.
pub fn manifests_yaml() -> String {
    let documents: Vec<String> = manifests().iter().map(yaml).collect();
    documents.join("---\n")
}

fn yaml(manifest: &Value) -> String {
    serde_yaml::to_string(manifest).expect("a JSON value has a YAML form")
}

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
        {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
    ])
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
