use serde_json::{Value, json};

use super::super::Severity;
use super::*;

fn spec(change: impl FnOnce(&mut Value)) -> ServiceClassSpec {
    let mut spec = json!({
        "summary": "x",
        "chart": {"oci": {"url": "oci://r.example/x", "version": "1.0.0"}},
        "values": {"list": ["a"], "text": "b"},
        "computed": [{"paths": ["computed"], "value": "{{ release.name }}"}],
        "parameters": [
            {"name": "size", "paths": ["size"], "integer": {"default": 1, "minimum": 0, "maximum": 9}},
            {"name": "shards", "paths": ["shards"], "required": true, "integer": {"minimum": 0, "maximum": 4}},
            {"name": "mode", "paths": ["mode"], "string": {"default": "a", "enum": ["a", "b"]}},
            {"name": "extra", "paths": ["extra"], "when": {"parameter": "mode", "in": ["b"]},
             "integer": {"default": 0}}
        ],
        "plans": [
            {"name": "small", "values": {"memory": "1Gi"}},
            {"name": "large", "values": {"memory": "8Gi"}}
        ],
        "connection": {
            "sources": [{"name": "auth", "secret": {"name": "{{ fullname }}"}}],
            "details": [
                {"name": "port", "from": {"source": "auth", "key": "port"}},
                {"name": "host", "value": "{{ fullname }}"},
                {"name": "uri", "value": "x://{{ host }}:{{ port }}"}
            ],
            "forward": [{"name": "sql", "service": "{{ host }}", "port": 5432}],
            "client": {"command": "psql", "args": ["{{ host }}"],
                       "env": [{"name": "A", "value": "{{ port }}"}]}
        },
        "readiness": {
            "pods": {"selector": {"app": "{{ release.name }}"}},
            "conditions": [{"apiVersion": "a/v1", "kind": "Db", "name": "{{ fullname }}", "type": "Ready"}]
        },
        "deletion": {"volumes": {"selector": {"app": "{{ release.name }}"}}}
    });
    change(&mut spec);
    serde_json::from_value(spec).unwrap()
}

/// `severity place: problem` of everything that fails with this template there.
fn told(pointer: &str, template: &str) -> Vec<String> {
    let spec = spec(|spec| *spec.pointer_mut(pointer).unwrap() = json!(template));
    let word = |severity| if severity == Severity::Broken { "broken" } else { "warning" };
    let found = findings(&spec).into_iter();
    found.map(|finding| format!("{} {finding}", word(finding.severity))).collect()
}

const DETAIL: &str = "/connection/details/1/value";

#[test]
fn a_good_class_is_good_whatever_is_answered() {
    assert_eq!(findings(&spec(|_| {})), []);
    for template in [
        "{{ port | int + 1 }}",
        "{{ (port | split('@') | list)[7] }}",
        "{{ params.extra }}",
        "{{ params.extra | default(3) + 1 }}",
        "{% if params.mode == 'b' %}{{ 1 // (params.extra + 1) }}{% endif %}",
        "{{ values.memory }}",
    ] {
        assert_eq!(told("/connection/details/2/value", template), [""; 0], "{template}");
    }
}

#[test]
fn what_never_gives_anything_is_broken_wherever_it_stands() {
    for (pointer, place) in [
        ("/computed/0/value", "computed computed"),
        ("/connection/sources/0/secret/name", "source auth"),
        (DETAIL, "detail host"),
        ("/connection/forward/0/service", "forward sql"),
        ("/connection/client/args/0", "client args"),
        ("/connection/client/env/0/value", "client env A"),
        ("/readiness/pods/selector/app", "readiness pods"),
        ("/readiness/conditions/0/name", "readiness condition Ready"),
        ("/deletion/volumes/selector/app", "deletion volumes"),
    ] {
        let [told] = &told(pointer, "{{ 1 // 0 }}")[..] else { panic!("one finding: {pointer}") };
        assert!(told.starts_with(&format!("broken {place}: ")), "{told}");
    }
}

#[test]
fn each_way_to_fail_is_found() {
    for template in [
        "{{ 1 / 0 }}",
        "{{ 1 + 'a' + [] }}",
        "{{ host_name.x.y | default(fullname + 1) }}",
        "{% for a in 'x' * 300 %}{% for b in 'x' * 300 %}{{ a }}{% endfor %}{% endfor %}",
        "{{ 'x' * 300000 }}",
        "{{ values.list[3] }}",
        "{{ values.text.more }}",
        "{{ port + 1 }}",
    ] {
        let found = told("/connection/details/2/value", template);
        assert!(
            found.len() == 1 && found[0].starts_with("broken detail uri: "),
            "{template}: {found:?}"
        );
    }
}

#[test]
fn a_plan_that_alone_fails_is_named() {
    let template = "{{ 1 // (values.memory == '1Gi') | int }}";
    let [found] = &told(DETAIL, template)[..] else { panic!("one finding") };
    assert!(found.starts_with("broken detail host: in plan large: "), "{found}");
}

#[test]
fn an_answer_with_which_it_fails_is_a_warning() {
    for (template, begins) in [
        ("{{ 9 // params.size }}", "warning detail host: with size 0: "),
        ("{{ 9 // params.shards }}", "warning detail host: with shards 0: "),
        ("{{ 9 // (9 - values.size) }}", "warning detail host: with size 9: "),
        (
            "{% if params.mode == 'b' %}{{ 1 // params.extra }}{% endif %}",
            "warning detail host: with mode b: ",
        ),
    ] {
        let [found] = &told(DETAIL, template)[..] else { panic!("one finding: {template}") };
        assert!(found.starts_with(begins), "{found}");
    }
}

#[test]
fn a_selector_is_tried_with_its_values() {
    let selector = "/readiness/pods/selector/app";
    assert_eq!(
        told(selector, "{{ release.name }} {{ params.mode }}"),
        ["broken readiness pods: \"mydb a\" is not the value of a label"]
    );
    let long = told(selector, &format!("{{{{ release.name }}}}-{}", "x".repeat(40)));
    assert!(
        long[0].starts_with("warning readiness pods: with a name of 30 characters: "),
        "{long:?}"
    );
}

#[test]
fn a_binding_is_tried_too() {
    let spec = spec(|spec| {
        spec["binding"] = json!({
            "chart": {"oci": {"url": "oci://r.example/role", "version": "1.0.0"}},
            "computed": [{"paths": ["user"], "value": "{{ 1 // 0 }}{{ binding.role }}"}],
            "connection": {"details": [{"name": "host", "value": "{{ instance.details.host }}"}]}
        });
    });
    let [found] = &findings(&spec)[..] else { panic!("one finding") };
    assert!(found.to_string().starts_with("binding computed user: "), "{found}");
    assert_eq!(found.severity, Severity::Broken);
}

#[test]
fn the_catalog_knows_what_lint_finds_broken() {
    for template in ["{{ 1 // 0 }}", "{{ values.list[3] }}", "{{ port + 1 }}"] {
        let spec = spec(|spec| *spec.pointer_mut(DETAIL).unwrap() = json!(template));
        assert_eq!(broken(&spec), findings(&spec), "{template}");
        assert_eq!(broken(&spec).len(), 1, "{template}");
    }
    assert_eq!(broken(&spec(|_| {})), []);
}
