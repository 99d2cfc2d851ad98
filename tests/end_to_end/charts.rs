//! Charts that cannot be had, or are not what the class says.

use serde_json::{Value, json};

use crate::support::space::{Space, variable};

const OTHER: &str = "sha256:2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";

/// A class with nothing but a chart, of a space with an empty cache.
fn class_of(space: &Space, chart: Value) -> String {
    space.copy_of("redis", |spec| spec["chart"] = chart)
}

fn oci(registry: &str, chart: &str) -> Value {
    let host = variable(registry).expect("the cluster has a registry");
    json!({"oci": {"url": format!("oci://{host}/charts/{chart}"), "version": "1.0.0"}})
}

/// Refused, and nothing was made.
#[track_caller]
fn refused(space: &Space, chart: Value, status: i32) -> crate::support::Said {
    let class = class_of(space, chart);
    let said = space.svc(&format!("create mydb -c {class}")).ended(status).answers("");
    assert_eq!(space.names("secrets --field-selector type=helm.sh/release.v1"), [""; 0]);
    said
}

#[test]
fn that_are_not_there() {
    let Some(space) = Space::new("charts_missing") else { return };
    let space = space.with_empty_cache();
    let repair = "The class names this chart; its operations team can repair it.\n";
    let said = refused(&space, oci("REGISTRY", "nothing"), 1);
    said.tells("error: there is no chart nothing 1.0.0\n").tells(repair);
    let url = variable("CHARTS_URL").expect("the cluster has charts");
    let repository =
        |name: &str| json!({"repository": {"url": url, "name": name, "version": "1.0.0"}});
    let said = refused(&space, repository("nothing"), 1);
    said.tells("error: there is no chart nothing 1.0.0\n").tells(repair);
    let map = json!({"configMap": {"namespace": space.namespace, "name": "none", "key": "a.tgz", "digest": OTHER}});
    let words = format!("is broken: chart: no ConfigMap none in namespace {}\n", space.namespace);
    refused(&space, map, 1).tells(&words);
    let nowhere =
        json!({"repository": {"url": "http://127.0.0.1:1", "name": "a", "version": "1.0.0"}});
    refused(&space, nowhere, 1).tells("error: 127.0.0.1:1 does not answer\n");
}

#[test]
fn that_are_others() {
    let Some(space) = Space::new("charts_other") else { return };
    let space = space.with_empty_cache();
    let url = variable("CHARTS_URL").expect("the cluster has charts");
    let repository =
        json!({"repository": {"url": url, "name": "redis", "version": "1.0.0", "digest": OTHER}});
    refused(&space, repository, 1)
        .tells("error: chart redis 1.0.0 is not the one that the class names: its digest differs\n")
        .tells(&format!("  expected  {OTHER}\n"));
    let mut chart = oci("REGISTRY", "redis");
    chart["oci"]["digest"] = OTHER.into();
    refused(&space, chart, 1).tells(OTHER);
    space.run("kubectl create configmap charts --from-literal=a.tgz=garbage").ok();
    let sum = space.run("printf garbage | sha256sum | head -c 64").ok().stdout;
    let map = json!({"configMap": {"namespace": space.namespace, "name": "charts", "key": "a.tgz",
        "digest": format!("sha256:{sum}")}});
    refused(&space, map, 1).tells("error: chart a.tgz cannot be used: ");
}

#[test]
fn from_a_registry_that_nobody_trusts() {
    let Some(space) = Space::new("charts_untrusted") else { return };
    let space = space.with_empty_cache();
    let host = variable("REGISTRY_UNTRUSTED").expect("the cluster has such a registry");
    let mut chart = oci("REGISTRY_UNTRUSTED", "redis");
    refused(&space, chart.clone(), 1)
        .tells(&format!("error: the certificate of {host} is not trusted\n"))
        .tells("Its operations team can put ca.crt into the chart's credentials.\n");
    let run = variable("SVC_TEST_RUN").expect("the cluster has a folder");
    space
        .run(&format!(
            "kubectl create secret generic ca --from-file=ca.crt={run}/pki/nobodys-ca.crt"
        ))
        .ok();
    chart["credentials"] = json!({"secret": {"namespace": space.namespace, "name": "ca"}});
    let class = class_of(&space, chart);
    space.svc(&format!("create mydb -c {class} --no-wait")).ok();
}

#[test]
fn from_a_private_registry() {
    let Some(space) = Space::new("charts_private") else { return };
    let space = space.with_empty_cache();
    let host = variable("REGISTRY_PRIVATE").expect("the cluster has such a registry");
    let mut chart = oci("REGISTRY_PRIVATE", "redis");
    refused(&space, chart.clone(), 4)
        .tells(&format!("error: {host} wants a login for the chart\n"))
        .tells(&format!("  helm registry login {host}\n"));
    space
        .run("kubectl create secret generic wrong --from-literal=username=$REGISTRY_USER --from-literal=password=canary22\n\
              kubectl create secret generic right --from-literal=username=$REGISTRY_USER --from-literal=password=$REGISTRY_PASSWORD")
        .ok();
    chart["credentials"] = json!({"secret": {"namespace": space.namespace, "name": "wrong"}});
    let said = refused(&space, chart.clone(), 4);
    assert!(!said.to_string().contains("canary22"), "{said}");
    chart["credentials"]["secret"]["name"] = "right".into();
    let class = class_of(&space, chart);
    space.svc(&format!("create mydb -c {class} --no-wait")).ok();
}

#[test]
fn that_went_from_their_config_map_break_the_class_in_the_cache_too() {
    let Some(space) = Space::new("charts_gone") else { return };
    let template = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"{{ .Release.Name }}\"}\n";
    let class = space.own_class(template, |_| {});
    space.svc(&format!("create mydb -c {class}")).ok();
    let name = space.run("kubectl get configmap -o name | grep chart-").ok().stdout;
    let name = name.trim().trim_start_matches("configmap/");
    let namespace = &space.namespace;
    let broken = |reason: &str| {
        let listed = space.svc("catalog -o json").ok().json();
        let items = listed["items"].as_array().expect("a list");
        let item = items.iter().find(|item| item["name"] == class.as_str()).expect("it is listed");
        assert_eq!(
            (&item["status"], &item["broken"]["reason"]),
            (&json!("broken"), &json!(reason))
        );
        for command in
            [format!("create other -c {class}"), format!("create other -c {class} --dry-run")]
        {
            space.svc(&command).fails(
                1,
                &format!(
                    "error: class {class} is broken: {reason}\n\
                     Only its operations team can repair it: svc class lint\n"
                ),
            );
        }
    };
    let patch = "[{\"op\": \"remove\", \"path\": \"/binaryData/own-0.1.0.tgz\"}]";
    space.run(&format!("kubectl patch configmap {name} --type=json -p '{patch}'")).ok();
    broken(&format!("chart: ConfigMap {name} in namespace {namespace} has no key own-0.1.0.tgz"));
    space.run(&format!("kubectl delete configmap {name}")).ok();
    broken(&format!("chart: no ConfigMap {name} in namespace {namespace}"));
    // What exists lives on.
    space.svc("show mydb host").ok().answers("mydb");
    space.svc("delete mydb --yes").ok();
}
