//! What users of classes must be able to read outside their own namespace (design §7).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::{Chart, Class};

/// Objects of one namespace, by plural.
type Objects = BTreeMap<&'static str, BTreeSet<String>>;

/// A Role and its RoleBinding for each namespace that holds charts or credentials of these
/// classes; `None` where there is no such namespace.
pub fn readers<'a>(classes: impl Iterator<Item = &'a Class>) -> Option<Vec<Value>> {
    let mut namespaces: BTreeMap<String, Objects> = BTreeMap::new();
    let charts = classes.flat_map(|class| {
        let binding = class.spec.binding.as_ref().map(|binding| &binding.chart);
        class.spec.chart.iter().chain(binding)
    });
    for (namespace, plural, name) in charts.flat_map(objects) {
        let objects = namespaces.entry(namespace).or_default();
        objects.entry(plural).or_default().insert(name);
    }
    let roles = namespaces.iter().flat_map(|(namespace, objects)| role(namespace, objects));
    let roles: Vec<Value> = roles.collect();
    (!roles.is_empty()).then_some(roles)
}

fn objects(chart: &Chart) -> impl Iterator<Item = (String, &'static str, String)> {
    let map = chart.config_map.iter();
    let map = map.map(|map| (map.namespace.clone(), "configmaps", map.name.clone()));
    let secret = chart.credentials.iter().map(|credentials| &credentials.secret);
    map.chain(secret.map(|secret| (secret.namespace.clone(), "secrets", secret.name.clone())))
}

fn role(namespace: &str, objects: &Objects) -> [Value; 2] {
    let rules: Vec<Value> = objects
        .iter()
        .map(|(plural, names)| {
            json!({"apiGroups": [""], "resources": [plural], "resourceNames": names, "verbs": ["get"]})
        })
        .collect();
    let metadata = json!({"name": "svc-charts", "namespace": namespace});
    let group = "rbac.authorization.k8s.io";
    let version = format!("{group}/v1");
    [
        json!({"apiVersion": version, "kind": "Role", "metadata": metadata, "rules": rules}),
        json!({
            "apiVersion": version, "kind": "RoleBinding", "metadata": metadata,
            "roleRef": {"apiGroup": group, "kind": "Role", "name": "svc-charts"},
            "subjects": [{"apiGroup": group, "kind": "Group", "name": "system:authenticated"}],
        }),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::class::ServiceClassSpec;

    fn class(chart: Value) -> Class {
        let spec = json!({"summary": "x", "chart": chart, "connection": {"details": []}});
        let spec: ServiceClassSpec = serde_json::from_value(spec).unwrap();
        Class { name: "x".into(), labels: BTreeMap::new(), spec }
    }

    #[test]
    fn each_namespace_gets_one_role_for_the_named_objects() {
        let map = |name: &str| json!({"configMap": {"namespace": "charts", "name": name, "key": "a-1.tgz", "digest": "d"}});
        let oci = json!({
            "oci": {"url": "oci://r/x", "version": "1"},
            "credentials": {"secret": {"namespace": "charts", "name": "login"}},
        });
        let classes = [class(map("one")), class(map("two")), class(map("one")), class(oci)];
        let roles = readers(classes.iter()).unwrap();
        assert_eq!(roles.len(), 2);
        assert_eq!(roles[0]["metadata"]["namespace"], "charts");
        assert_eq!(roles[0]["rules"][0]["resourceNames"], json!(["one", "two"]));
        assert_eq!(roles[0]["rules"][1]["resourceNames"], json!(["login"]));
        assert_eq!(roles[1]["kind"], "RoleBinding");
    }

    #[test]
    fn most_classes_need_none() {
        let class = class(json!({"oci": {"url": "oci://r/x", "version": "1"}}));
        assert_eq!(readers([class].iter()), None);
    }
}
