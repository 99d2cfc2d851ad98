use serde_json::json;

use super::*;
use crate::domain::connection::{Content, Found};
use crate::domain::template::MASKS;

const PASSWORD: &str = "p@ss/w\"'$ rd";

fn connection() -> Connection {
    serde_json::from_value(json!({
        "sources": [{"name": "auth", "secret": {"name": "{{ fullname }}", "keys": ["password"]}}],
        "details": [
            {"name": "host", "value": "{{ fullname }}.{{ release.namespace }}.svc"},
            {"name": "port", "value": "5432"},
            {"name": "username", "from": {"source": "auth", "key": "user"}, "sensitive": false},
            {"name": "password", "from": {"source": "auth", "key": "password"}},
            {"name": "ca.crt", "from": {"source": "auth", "key": "ca"}, "optional": true},
            {"name": "uri",
             "value": "pg://{{ username | uri }}:{{ password | uri }}@{{ host }}:{{ port }}/app"},
            {"name": "jdbc", "value": "jdbc:{{ uri }}"}
        ]
    }))
    .unwrap()
}

fn context() -> Context {
    Context::new("mydb", "team-a", "postgresql", "mydb-postgresql")
}

fn here(keys: &[(&str, &[u8])]) -> Sources {
    let keys = keys.iter().map(|(key, value)| ((*key).to_owned(), value.to_vec())).collect();
    let found = Found {
        object: "Secret mydb-postgresql".to_owned(),
        content: Content::Keys(keys),
        leaving: None,
    };
    Sources::from([("auth".to_owned(), SourceState::Here(found))])
}

fn evaluated(sources: &Sources) -> Details {
    evaluate(&connection(), &context(), sources, &BTreeMap::new(), MASKS[0])
}

fn text(details: &Details, name: &str) -> String {
    details.get(name).unwrap().known().unwrap().reveal_text().unwrap().to_owned()
}

fn masked(details: &Details, name: &str) -> String {
    details.get(name).unwrap().known().unwrap().masked().to_owned()
}

#[test]
fn values_come_through_and_masks_hide_them() {
    let details = evaluated(&here(&[("user", b"app"), ("password", PASSWORD.as_bytes())]));
    assert_eq!(text(&details, "password"), PASSWORD);
    assert_eq!(
        text(&details, "uri"),
        "pg://app:p%40ss%2Fw%22%27%24%20rd@mydb-postgresql.team-a.svc:5432/app"
    );
    assert_eq!(masked(&details, "password"), "••••••••");
    assert_eq!(masked(&details, "uri"), "pg://app:••••••••@mydb-postgresql.team-a.svc:5432/app");
    assert_eq!(masked(&details, "jdbc"), "jdbc:••••••••");
    let sensitive: Vec<_> =
        details.0.iter().filter(|d| d.sensitive).map(|d| d.name.as_str()).collect();
    assert_eq!(sensitive, ["password", "ca.crt", "uri", "jdbc"]);
    assert!(matches!(details.get("ca.crt").unwrap().state, DetailState::Absent));
    assert!(details.complete());
}

#[test]
fn sensitive_names_are_known_without_a_cluster() {
    let connection = connection();
    let names: Vec<_> = sensitive_names(&connection, &context()).into_iter().collect();
    assert_eq!(names, ["ca.crt", "jdbc", "password", "uri"]);
}

#[test]
fn what_is_missing_is_missing_below_too() {
    let object = "Secret mydb-postgresql".to_owned();
    let state = |ever_here| {
        let missing = SourceState::Missing { object: object.clone(), ever_here };
        evaluated(&Sources::from([("auth".to_owned(), missing)]))
    };
    let starting = state(false);
    let DetailState::NotThereYet(lack) = &starting.get("uri").unwrap().state else { panic!() };
    assert_eq!(lack.says, "Secret mydb-postgresql does not exist");
    assert_eq!(starting.get("uri").unwrap().placeholder().unwrap(), "(not there yet)");
    assert!(starting.get("uri").unwrap().sensitive, "known from the class");
    assert_eq!(text(&starting, "host"), "mydb-postgresql.team-a.svc");
    assert_eq!(state(true).get("jdbc").unwrap().placeholder().unwrap(), "(Secret is gone)");
    assert!(!starting.complete());
}

#[test]
fn a_missing_key_is_named() {
    let details = evaluated(&here(&[("user", b"app")]));
    let DetailState::NotThereYet(lack) = &details.get("password").unwrap().state else { panic!() };
    assert_eq!(lack.says, "Secret mydb-postgresql has no key password");
}

#[test]
fn forbidden_and_ambiguous_say_so() {
    let forbidden = SourceState::Forbidden {
        object: "Secret mydb-postgresql".to_owned(),
        verb: "get secrets".to_owned(),
    };
    let details = evaluated(&Sources::from([("auth".to_owned(), forbidden)]));
    let DetailState::Forbidden(lack) = &details.get("uri").unwrap().state else { panic!() };
    assert_eq!(lack.verb.as_deref(), Some("get secrets"));
    let names = vec!["a".to_owned(), "b".to_owned()];
    let ambiguous = SourceState::Ambiguous { selector: "app=x".to_owned(), names };
    let details = evaluated(&Sources::from([("auth".to_owned(), ambiguous)]));
    let DetailState::NotThereYet(lack) = &details.get("uri").unwrap().state else { panic!() };
    assert_eq!(lack.says, "2 match app=x, where one must: a, b");
}

#[test]
fn bytes_that_are_no_text_stay_bytes() {
    let details = evaluated(&here(&[("user", b"app"), ("password", &[0xff, 0x00]), ("ca", b"c")]));
    let password = details.get("password").unwrap().known().unwrap();
    assert_eq!(password.reveal(), [0xff, 0x00]);
    assert!(matches!(&details.get("uri").unwrap().state,
        DetailState::NotText(lack) if lack.says == "password in Secret mydb-postgresql is not text"));
}

#[test]
fn a_tunnel_replaces_host_and_port() {
    let replaced = BTreeMap::from([
        ("host".to_owned(), "127.0.0.1".to_owned()),
        ("port".to_owned(), "49731".to_owned()),
    ]);
    let sources = here(&[("user", b"app"), ("password", b"x")]);
    let details = evaluate(&connection(), &context(), &sources, &replaced, MASKS[1]);
    assert_eq!(masked(&details, "uri"), "pg://app:********@127.0.0.1:49731/app");
}

#[test]
fn what_the_class_calls_sensitive_is_hidden_whole() {
    let connection: Connection = serde_json::from_value(json!({"details": [
        {"name": "token", "value": "abc", "sensitive": true},
        {"name": "has", "value": "{% if token %}yes{% endif %}"},
        {"name": "open", "value": "{{ token }}!", "sensitive": false},
        {"name": "below", "value": "{{ open }}"}
    ]}))
    .unwrap();
    let details = evaluate(&connection, &context(), &Sources::new(), &BTreeMap::new(), MASKS[0]);
    assert_eq!(masked(&details, "token"), MASKS[0]);
    assert_eq!(masked(&details, "has"), MASKS[0]);
    assert_eq!(masked(&details, "open"), "••••••••!");
    assert!(!details.get("open").unwrap().sensitive);
    assert!(details.get("below").unwrap().sensitive, "it may hold the token");
}

#[test]
fn sensitive_parameters_hide_too() {
    let connection: Connection = serde_json::from_value(json!({"details": [
        {"name": "a", "value": "{{ params['admin-password'] }}"},
        {"name": "b", "value": "{{ values.auth.password }}"}
    ]}))
    .unwrap();
    let values = json!({"auth": {"password": "hunter2"}});
    let context = context()
        .with_params(json!({"admin-password": "hunter2"}).as_object().unwrap().clone())
        .with_values(values.as_object().unwrap().clone())
        .sensitive(["params", "admin-password"])
        .sensitive(["values", "auth", "password"]);
    let details = evaluate(&connection, &context, &Sources::new(), &BTreeMap::new(), MASKS[0]);
    assert!(details.0.iter().all(|detail| detail.sensitive));
    assert_eq!(masked(&details, "b"), MASKS[0]);
    assert!(!format!("{details:?}").contains("hunter2"));
}

#[test]
fn a_filter_is_not_the_detail_of_that_name() {
    let connection: Connection = serde_json::from_value(json!({
        "sources": [{"name": "auth", "secret": {"name": "{{ fullname }}"}}],
        "details": [
            {"name": "uri", "from": {"source": "auth", "key": "uri"}},
            {"name": "page", "value": "http://{{ fullname | uri }}/"}
        ]
    }))
    .unwrap();
    let details = evaluate(&connection, &context(), &Sources::new(), &BTreeMap::new(), MASKS[0]);
    assert_eq!(text(&details, "page"), "http://mydb-postgresql/");
    assert!(!details.get("page").unwrap().sensitive);
}
