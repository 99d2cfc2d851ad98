use super::*;

const MANIFEST: &str = "\
---
# Source: postgresql/templates/secrets.yaml
apiVersion: v1
kind: Secret
metadata:
  name: mydb-postgresql
  namespace: team-a
data:
  text: |
    ---
    not a document
---
# Source: postgresql/templates/empty.yaml
---
apiVersion: v1
kind: Service
metadata: {name: mydb-postgresql}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: mydb-postgresql}
";

fn objects(kinds: &[(&str, &str, &str)]) -> Vec<ManifestObject> {
    let object = |(api_version, kind, name): &(&str, &str, &str)| ManifestObject {
        api_version: (*api_version).into(),
        kind: (*kind).into(),
        name: (*name).into(),
        namespace: None,
        body: Value::Null,
    };
    kinds.iter().map(object).collect()
}

#[test]
fn hooks_are_told_from_objects() {
    let hook = "# Source: a/hook.yaml\napiVersion: batch/v1\nkind: Job\nmetadata:\n  name: before\n  \
                annotations: {helm.sh/hook: pre-upgrade}\n";
    let map = "# Source: a/map.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\n";
    let (objects, hooks) = without_hooks(&format!("---\n{hook}---\n{map}\n"));
    assert_eq!((objects, hooks), (format!("---\n{map}\n"), vec![hook.to_owned()]));
}

#[test]
fn objects_are_read_in_order() {
    let objects = parse(MANIFEST).unwrap();
    let shown: Vec<_> = objects.iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        ["Secret mydb-postgresql", "Service mydb-postgresql", "StatefulSet mydb-postgresql"]
    );
    assert_eq!(objects[0].namespace.as_deref(), Some("team-a"));
    assert_eq!(objects[0].body["data"]["text"], "---\nnot a document\n");
    assert_eq!(
        summary("mydb", 2, &objects),
        "release mydb, 2 pods, Service and Secret mydb-postgresql"
    );
}

#[test]
fn lists_are_opened_and_nothing_is_skipped() {
    let list =
        "kind: List\napiVersion: v1\nitems:\n- {kind: A, apiVersion: v1, metadata: {name: x}}";
    assert_eq!(parse(list).unwrap()[0].to_string(), "A x");
    assert_eq!(parse("").unwrap(), []);
    assert_eq!(parse("kind: A\nmetadata: {}").unwrap_err().reason, "it has no apiVersion");
    let error = parse("---\n{}\n").unwrap_err();
    assert_eq!(error.to_string(), "document 1 of the manifest: it has no kind");
    assert!(parse("a: [").is_err());
}

#[test]
fn inner_life_is_counted_and_volumes_are_not() {
    let objects = objects(&[
        ("v1", "ServiceAccount", "a"),
        ("v1", "PersistentVolumeClaim", "data"),
        ("policy/v1", "PodDisruptionBudget", "a"),
        ("postgresql.cnpg.io/v1", "Cluster", "mydb"),
        ("v1", "ConfigMap", "mydb"),
    ]);
    assert_eq!(
        summary("mydb", 1, &objects),
        "release mydb, 1 pod, ConfigMap and Cluster mydb, 2 more objects"
    );
    assert_eq!(summary("mydb", 0, &[]), "release mydb");
}

#[test]
fn scalars_read_as_helm_reads_them() {
    let manifest = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  a: 0755\n  b: \"0755\"\n  \
                    c: 1000000\n  d: yes\n  e: \"yes\"\n  f: ~\n  g: 2030-01-01\n  h: 9007199254740993\n  \
                    i: 1\n  i: 2\n";
    let spec = &parse(manifest).unwrap()[0].body["spec"];
    assert_eq!(
        *spec,
        serde_json::json!({"a": 493, "b": "0755", "c": 1_000_000, "d": true, "e": "yes",
            "f": null, "g": "2030-01-01", "h": 9_007_199_254_740_993_i64, "i": 2})
    );
}
