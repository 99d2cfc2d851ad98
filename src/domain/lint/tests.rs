use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::*;

fn class(change: impl FnOnce(&mut Value)) -> Class {
    let mut spec = json!({
        "summary": "PostgreSQL",
        "chart": {"oci": {"url": "oci://r.example/postgresql", "version": "1.0.0"}},
        "values": {"image": {"repository": "r.example/pg"}, "list": [{"name": "a"}], "empty": {}},
        "computed": [{"paths": ["fullnameOverride"], "value": "{{ release.name }}"}],
        "parameters": [
            {"name": "mode", "paths": ["architecture"],
             "string": {"default": "standalone", "enum": ["standalone", "replication"]}},
            {"name": "replicas", "paths": ["read.count"],
             "when": {"parameter": "mode", "in": ["replication"]}, "integer": {"default": 1}},
            {"name": "password", "paths": ["auth.password"], "sensitive": true,
             "generate": {"length": 24}, "string": {}}
        ],
        "plans": [{"name": "small", "values": {"resources": {"memory": "1Gi"}}}],
        "connection": {
            "sources": [{"name": "auth", "secret": {"name": "{{ fullname }}", "keys": ["password"]}}],
            "details": [
                {"name": "host", "value": "{{ fullname }}.{{ release.namespace }}.svc"},
                {"name": "port", "value": "5432"},
                {"name": "password", "from": {"source": "auth", "key": "password"}},
                {"name": "uri", "value": "pg://{{ password | uri }}@{{ host }}:{{ port }}/app"}
            ],
            "forward": [{"name": "sql", "service": "{{ fullname }}", "port": 5432}],
            "client": {"command": "psql", "args": ["-h", "{{ host }}"],
                       "env": [{"name": "PGPASSWORD", "value": "{{ password }}"}]}
        },
        "readiness": {"pods": {"selector": {"app": "{{ release.name }}"}}},
        "deletion": {"volumes": {"selector": {"app": "{{ release.name }}"}}}
    });
    change(&mut spec);
    Class {
        name: "postgres".into(),
        labels: BTreeMap::new(),
        spec: serde_json::from_value(spec).unwrap(),
    }
}

fn with(pointer: &str, value: Value) -> Option<String> {
    broken(&class(|spec| *spec.pointer_mut(pointer).unwrap() = value))
}

fn reason(pointer: &str, value: Value) -> String {
    with(pointer, value).unwrap_or_else(|| panic!("{pointer} is not found broken"))
}

#[test]
fn a_good_class_is_not_broken() {
    assert_eq!(findings(&class(|_| {})), []);
}

#[test]
fn unknown_names_are_told_where_they_are() {
    let detail = "/connection/details/3/value";
    assert_eq!(
        reason(detail, json!("{{ pasword | uri }}")),
        "detail uri: \"pasword\" is not defined"
    );
    assert_eq!(reason(detail, json!("{{ uri }}")), "detail uri: \"uri\" is not defined");
    assert_eq!(
        reason(detail, json!("{{ release.nam }}")),
        "detail uri: \"release.nam\" is not defined"
    );
    assert_eq!(
        reason(detail, json!("{{ params['x'] }}")),
        "detail uri: \"params.x\" is not defined"
    );
    assert_eq!(with(detail, json!("{{ params.password }}{{ values.auth.password }}")), None);
    assert_eq!(with(detail, json!("{% for x in values.list %}{{ x.name }}{% endfor %}")), None);
}

#[test]
fn filters_and_tests_that_do_not_exist_are_found_before_a_value_gets_to_them() {
    let detail = "/connection/details/3/value";
    let missing = |template: &str| reason(detail, json!(template));
    assert_eq!(missing("{{ password | nosuch }}"), "detail uri: there is no filter nosuch");
    let urlencode = "detail uri: there is no filter urlencode; did you mean uri?";
    assert_eq!(missing("{{ password | urlencode }}"), urlencode);
    let test = "{% if host is nosuch %}a{% endif %}";
    assert_eq!(missing(test), "detail uri: there is no test nosuch");
    for right in ["{{ host | upper }}", "{{ port | default('1') }}", "{{ port is not none }}"] {
        assert_eq!(with(detail, json!(right)), None, "{right}");
    }
}

#[test]
fn names_as_charts_write_them_are_told_apart() {
    let detail = "/connection/details/0/value";
    let dotted = reason(detail, json!("{{ .Release.Name }}"));
    assert!(dotted.ends_with("; names here have no dot in front and no capitals: release.name"));
    let capital = "detail host: \"Release\" is not defined; did you mean release?";
    assert_eq!(reason(detail, json!("{{ Release.Name }}")), capital);
}

#[test]
fn what_is_never_sent_is_not_among_the_values() {
    let detail = "/connection/details/0/value";
    for sent in ["image.repository", "auth.password", "read", "list[0].name", "resources.memory"] {
        assert_eq!(
            with("/connection/details/3/value", json!(format!("{{{{ values.{sent} }}}}"))),
            None
        );
    }
    for (never, told) in [("image.tag", "image.tag"), ("auth['databse']", "auth.databse")] {
        let template = format!("{{{{ values.{never} }}}}");
        let expected = format!("detail host: \"values.{told}\" is not among what is sent");
        assert_eq!(reason(detail, json!(template)), expected);
    }
    assert_eq!(with(detail, json!("{{ values.image.tag | default('16') }}")), None);
}

#[test]
fn a_chart_has_one_version_and_an_address() {
    let version = "/chart/oci/version";
    for range in ["^16", "~1.2", ">=1 <2", "1.*", "1 - 2", "1 || 2"] {
        let expected = format!("chart: {range} is a range; say one version");
        assert_eq!(reason(version, json!(range)), expected);
    }
    for one in ["16", "1.0.0", "v1.2.3-rc.1+build_7"] {
        assert_eq!(with(version, json!(one)), None);
    }
    for (field, text, word) in
        [("url", "oci://REGISTRY/charts/x", "REGISTRY"), ("version", "VERSION", "VERSION")]
    {
        let unfilled = class(|spec| spec["chart"]["oci"][field] = json!(text));
        let [finding] = &findings(&unfilled)[..] else { panic!("one finding") };
        assert_eq!(finding.severity, Severity::Warning);
        assert_eq!(finding.to_string(), format!("chart: {word} looks like something to fill in"));
        assert_eq!(finding.place.field, format!("spec.chart.oci.{field}"));
    }
}

#[test]
fn every_template_field_is_read() {
    for (pointer, place) in [
        ("/computed/0/value", "computed fullnameOverride"),
        ("/connection/sources/0/secret/name", "source auth"),
        ("/connection/details/0/value", "detail host"),
        ("/connection/forward/0/service", "forward sql"),
        ("/connection/client/args/1", "client args"),
        ("/connection/client/env/0/value", "client env PGPASSWORD"),
        ("/readiness/pods/selector/app", "readiness pods"),
        ("/deletion/volumes/selector/app", "deletion volumes"),
    ] {
        assert_eq!(
            reason(pointer, json!("{{ nope }}")),
            format!("{place}: \"nope\" is not defined")
        );
        let syntax = reason(pointer, json!("{{ fullname"));
        assert!(syntax.starts_with(&format!("{place}: cannot be read: ")), "{syntax}");
    }
    let condition = json!({"conditions": [
        {"apiVersion": "a/v1", "kind": "Cluster", "name": "{{ nope }}", "type": "Ready"}]});
    assert_eq!(
        reason("/readiness", condition),
        "readiness condition Ready: \"nope\" is not defined"
    );
}

#[test]
fn a_selector_holds_labels() {
    let place = |finding: &Finding| finding.place.field.clone();
    for (pointer, field, place_of) in [
        ("/readiness/pods/selector", "readiness.pods.selector", "readiness pods"),
        ("/deletion/volumes/selector", "deletion.volumes.selector", "deletion volumes"),
        ("/connection/sources/0/secret", "connection.sources[0].secret.selector", "source auth"),
        ("/connection/sources/0", "connection.sources[0].configMap.selector", "source auth"),
    ] {
        let found = |labels: Value| {
            let kind = match field.contains("configMap") {
                true => json!({"name": "auth", "configMap": {"selector": labels}}),
                false if field.contains("secret") => json!({"selector": labels}),
                false => labels,
            };
            findings(&class(|spec| *spec.pointer_mut(pointer).unwrap() = kind))
        };
        assert_eq!(found(json!({"app": "x", "a.b/c": "", "d": "{{ release.name }}"})), []);
        let key = found(json!({"a b": "c"}));
        let told = format!("{place_of}: \"a b\" is not the name of a label");
        assert_eq!((key[0].to_string(), place(&key[0])), (told, format!("spec.{field}.a b")));
        let value = found(json!({"a": "b c"}));
        let told = format!("{place_of}: \"b c\" is not the value of a label");
        assert_eq!((value[0].to_string(), place(&value[0])), (told, format!("spec.{field}.a")));
    }
}

#[test]
fn a_deadline_at_once_is_worth_a_warning() {
    let class = |text: &str| class(|spec| spec["readiness"]["timeout"] = json!(text));
    let none = "readiness timeout: 0s leaves no time: nothing works without --timeout";
    let found = findings(&class("0s"));
    assert!(found.iter().any(|one| one.severity == Severity::Warning && one.to_string() == none));
    assert!(findings(&class("5m")).iter().all(|one| !one.to_string().contains("no time")));
}

#[test]
fn sensitive_values_stay_in_details() {
    let computed = "/computed/0/value";
    assert_eq!(
        reason(computed, json!("{{ params.password }}")),
        "computed fullnameOverride: \"params.password\" is sensitive: it can be used in details only"
    );
    assert!(reason(computed, json!("{{ values.auth.password }}")).contains("is sensitive"));
    assert_eq!(
        reason("/connection/client/args/1", json!("{{ uri }}")),
        "client args: \"uri\" is sensitive: it can be used in the client's env only"
    );
    assert!(reason("/connection/forward/0/service", json!("{{ password }}")).contains("sensitive"));
    assert_eq!(
        reason(computed, json!("{{ host }}")),
        "computed fullnameOverride: \"host\" is not defined"
    );
}

#[test]
fn patterns_must_compile_and_match() {
    let pattern = |pattern: &str, default: &str| {
        with("/parameters/0/string", json!({"pattern": pattern, "default": default}))
    };
    assert_eq!(pattern("[a-z]+", "abc"), None);
    assert_eq!(pattern("replication|b", "b"), None);
    let unread = pattern("[a-z", "abc").unwrap();
    assert!(unread.starts_with("parameter mode: pattern \"[a-z\": "), "{unread}");
    let unmatched = pattern("[a-z]+", "abc1").unwrap();
    assert!(unmatched.starts_with("parameter mode: default \"abc1\" "), "{unmatched}");
    let list =
        json!({"name": "l", "paths": ["l"], "list": {"pattern": "a", "default": ["a", "b"]}});
    assert!(reason("/parameters/2", list).starts_with("parameter l: default "));
}

#[test]
fn defaults_could_be_typed_and_generated_values_are_allowed() {
    let default = |text: &str| with("/parameters/0/string", json!({"default": text}));
    let unspeakable = default("{{ x }}").unwrap();
    assert!(unspeakable.starts_with("parameter mode: default \"{{ x }}\" must not have {{"));
    assert!(default("a\nb").unwrap().contains("must be one line"));
    let generated = |limits: Value| with("/parameters/2/string", limits);
    assert_eq!(generated(json!({"maxLength": 24, "pattern": "[A-Za-z0-9]+"})), None);
    for limits in [json!({"maxLength": 8}), json!({"pattern": "[0-9]+"})] {
        let refused = generated(limits).unwrap();
        let begins = "parameter password: its class generates values that it does not allow";
        assert!(refused.starts_with(begins), "{refused}");
    }
}

#[test]
fn a_condition_waits_for_what_can_be() {
    let when = json!({"parameter": "mode", "in": ["replication", "cluster"]});
    let never = "parameter replicas: when waits for cluster, which mode cannot be";
    assert_eq!(reason("/parameters/1/when", when), never);
}

#[test]
fn a_plan_keeps_to_the_pattern_of_the_class() {
    let under_plan = |parameters: Value| {
        broken(&class(|spec| {
            spec["parameters"][0]["string"] = json!({"pattern": "[a-z]+", "default": "a"});
            spec["plans"][0]["parameters"] = parameters;
        }))
    };
    assert_eq!(under_plan(json!([{"name": "mode", "string": {"default": "b"}}])), None);
    let reason = under_plan(json!([{"name": "mode", "string": {"default": "A"}}])).unwrap();
    assert!(reason.starts_with("parameter mode: in plan small: default \"A\" "), "{reason}");
    assert_eq!(
        under_plan(json!([{"name": "nope"}])).unwrap(),
        "plan small: names nope, which is no parameter"
    );
}

#[test]
fn when_names_an_earlier_parameter() {
    assert_eq!(
        reason("/parameters/1/when/parameter", json!("password")),
        "parameter replicas: when names password, which does not come before it"
    );
    assert!(with("/parameters/1/when/parameter", json!("replicas")).is_some());
}

#[test]
fn operations_and_parameters_do_not_set_the_same() {
    let path = |path: &str| with("/parameters/0/paths/0", json!(path));
    assert_eq!(path("image.tag"), None);
    assert_eq!(path("empty.x"), None);
    for taken in ["image", "image.repository", "resources.memory", "fullnameOverride"] {
        let reason = path(taken).unwrap();
        assert_eq!(reason, format!("parameter mode: {taken} is also set by operations"));
    }
    let shared = "parameter replicas: read.count is or contains a path of another parameter";
    assert_eq!(path("read.count").unwrap(), shared);
    assert!(path("image.repository.x").is_some(), "a text is in the way");
    assert!(path("fullnameOverride.x").is_some(), "what is computed is in the way");
    assert!(path("a..b").unwrap().contains("is not a path"));
    for own in [json!(["a", "a.b"]), json!(["a.b", "a"]), json!(["a", "a"])] {
        let last = own[1].as_str().unwrap().to_owned();
        let own = class(|spec| spec["parameters"][0]["paths"] = own);
        let [found] = &findings(&own)[..] else { panic!("one finding") };
        let told =
            format!("parameter mode: {last} is or contains another path of the same parameter");
        assert_eq!(found.to_string(), told);
        assert_eq!(found.place.field, "spec.parameters[0].paths");
    }
    let twice = json!([{"paths": ["a.b", "a"], "value": "x"}]);
    assert_eq!(reason("/computed", twice), "computed: a is set twice, with a.b");
}

#[test]
fn the_same_problem_is_told_once() {
    let class = class(|spec| {
        spec["parameters"][0]["paths"] = json!(["image.repository"]);
        spec["plans"] = json!([{"name": "small"}, {"name": "large"}]);
    });
    assert_eq!(findings(&class).len(), 1);
}

#[test]
fn an_index_needs_its_list() {
    let path = |path: &str| with("/parameters/0/paths/0", json!(path));
    assert_eq!(path("list[0].size"), None);
    let reason = "parameter mode: list[1].size: list[1] is not in a list fixed in values";
    assert_eq!(path("list[1].size").unwrap(), reason);
    assert!(path("none[0]").is_some());
}

#[test]
fn null_is_refused_wherever_it_hides() {
    assert_eq!(reason("/values/image/repository", json!(null)), "values: image.repository is null");
    assert_eq!(reason("/values/list/0/name", json!(null)), "values: list[0].name is null");
    assert_eq!(
        reason("/plans/0/values/resources", json!({"x": null})),
        "plan small: resources.x is null"
    );
}

#[test]
fn details_name_what_is_there() {
    let from = "/connection/details/2/from";
    assert_eq!(
        reason(from, json!({"source": "none", "key": "a"})),
        "detail password: there is no source none"
    );
    assert_eq!(
        reason(from, json!({"source": "auth", "path": "a"})),
        "detail password: needs a key of source auth, and no path"
    );
    assert!(reason("/connection/details/3/name", json!("HOST")).contains("same name as host"));
}

#[test]
fn a_parameter_that_may_be_missing_is_a_warning() {
    let class = class(|spec| {
        spec["connection"]["details"][3]["value"] = json!("{{ params.replicas }}");
    });
    assert_eq!(broken(&class), None);
    let found = findings(&class);
    assert_eq!(found[0].severity, Severity::Warning);
    assert_eq!(found[0].to_string(), "detail uri: needs params.replicas, which mode decides on");
    let guarded = "{{ params.replicas | default(1) }}";
    assert_eq!(with("/connection/details/3/value", json!(guarded)), None);
}

#[test]
fn a_binding_has_its_own_names() {
    let binding = |computed: &str| {
        broken(&class(|spec| {
            spec["binding"] = json!({
                "chart": {"oci": {"url": "oci://r.example/role", "version": "1.0.0"}},
                "computed": [{"paths": ["user"], "value": computed}],
                "connection": {"details": [{"name": "host", "value": "{{ instance.name }}"}]}
            });
        }))
    };
    assert_eq!(binding("{{ instance.details.password }}-{{ binding.role }}"), None);
    assert_eq!(binding("{{ consumer.namespace }}"), None);
    assert_eq!(
        binding("{{ binding.rule }}").unwrap(),
        "binding computed user: \"binding.rule\" is not defined"
    );
}

#[test]
fn what_is_there_twice_is_told_once() {
    let object = json!({"apiVersion": "svc-cli.dev/v1alpha1", "kind": "ServiceClass",
        "metadata": {"name": "x"}, "spec": {
            "summary": "x", "chart": {"oci": {"url": "oci://r.example/x", "version": "1.0.0"}},
            "parameters": [{"name": "a", "paths": ["b", "b.c"], "string": {}}],
            "connection": {"details": [
                {"name": "port", "value": "1"}, {"name": "port", "value": "2"}]}}});
    let told: Vec<_> = of_object(&object).iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "spec.connection.details[1]: \"port\" is there twice",
            "parameter a: b.c is or contains another path of the same parameter",
        ]
    );
}

/// `field: problem` of every finding about a class whose plans are these.
fn of_plans(plans: Value) -> Vec<String> {
    let object = json!({"apiVersion": "svc-cli.dev/v1alpha1", "kind": "ServiceClass",
        "metadata": {"name": "postgres"}, "spec": {
            "summary": "PostgreSQL",
            "chart": {"oci": {"url": "oci://r.example/postgresql", "version": "1.0.0"}},
            "parameters": [
                {"name": "mode", "paths": ["mode"],
                 "string": {"default": "a", "enum": ["a", "b"]}},
                {"name": "size", "paths": ["size"], "quantity": {"default": "2Gi", "maximum": "8Gi"}}
            ],
            "plans": plans,
            "connection": {"details": [{"name": "port", "value": "5432"}]}}});
    let told = |finding: Finding| format!("{} {finding}", finding.place.field);
    of_object(&object).into_iter().map(told).collect()
}

#[test]
fn a_rule_about_plans_is_told_at_the_entry_it_refuses() {
    let wider = json!([
        {"name": "small", "parameters": [{"name": "size", "quantity": {"maximum": "4Gi"}}]},
        {"name": "large", "parameters": [
            {"name": "mode", "string": {"default": "b"}},
            {"name": "size", "quantity": {"maximum": "16Gi"}}]},
        {"name": "huge", "parameters": [{"name": "size", "quantity": {"maximum": "32Gi"}}]},
    ]);
    let problem = "a plan may only narrow a parameter: its minimum, maximum or default is above \
                   the parameter's maximum";
    assert_eq!(
        of_plans(wider),
        [
            format!("spec.plans[1].parameters[1] plan large, parameter size: {problem}"),
            format!("spec.plans[2].parameters[0] plan huge, parameter size: {problem}"),
        ]
    );
}

#[test]
fn what_one_plan_is_told_in_better_words_hides_nothing_of_another() {
    let plans = json!([
        {"name": "small", "parameters": [{"name": "sise", "quantity": {"maximum": "4Gi"}}]},
        {"name": "large", "parameters": [{"name": "size", "quantity": {"maximum": "16Gi"}}]},
    ]);
    let told = of_plans(plans);
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].starts_with("spec.plans[1].parameters[0] plan large, parameter size"));
    assert!(told[1].starts_with("spec.plans[0].parameters[0] plan small: names sise"));
}
