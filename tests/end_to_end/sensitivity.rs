//! A parameter that becomes sensitive, or is no more: what was or is a secret is never shown.

use serde_json::{Value, json};

use super::upgrading::patch;
use crate::support::space::Space;

const HIDDEN: &str = "hidden-7f3c9a";

/// Everything that a look ahead says, which must not hold the secret.
#[track_caller]
fn look(space: &Space, command: &str) -> Value {
    for more in ["", " --manifests", " -o yaml", " -o json --manifests"] {
        let said = space.svc(&format!("{command} --dry-run{more} -vv")).ok();
        assert!(!format!("{said}").contains(HIDDEN), "{command}{more}: {said}");
    }
    let said = space.svc(&format!("{command} --dry-run -o json")).ok();
    assert!(!format!("{said}").contains(HIDDEN), "{said}");
    let plan = said.json();
    assert_eq!(plan["kind"], "Plan");
    plan
}

#[test]
fn a_secret_stays_one_when_its_class_calls_it_plain() {
    let Some(space) = Space::new("sensitivity_plain") else { return };
    let class = space.class("config", &[]);
    let create = format!("PW={HIDDEN} svc create mydb -c {class} --set-env password=PW");
    space.run(&create).ok();
    patch(
        &space,
        &class,
        r#"[{"op": "replace", "path": "/spec/parameters/2", "value":
             {"name": "password", "paths": ["password"], "string": {"maxLength": 5}}},
            {"op": "replace", "path": "/spec/parameters/1/integer/default", "value": 2}]"#,
    );
    let plan = look(&space, "upgrade mydb");
    assert_eq!(plan["parameters"]["password"], Value::Null);
    assert_eq!(plan["values"]["password"], Value::Null);
    let said = space.svc("upgrade mydb --yes -o json").ok();
    said.json();
    assert!(!format!("{said}").contains(HIDDEN), "{said}");
    assert_eq!(space.svc("show mydb password").ok().stdout, HIDDEN);
    for quiet in ["show mydb --mask", "show mydb -o answers", "update mydb --set count=9"] {
        let said = space.svc(quiet).ok();
        assert!(!format!("{said}").contains(HIDDEN), "{said}");
    }
    let said = space.svc(&format!("create mydb -c {class} --if-not-exists --set password=other"));
    assert!(!format!("{said}").contains(HIDDEN), "{said}");
    assert_eq!(space.svc("show mydb password").ok().stdout, HIDDEN);
}

#[test]
fn what_a_class_calls_sensitive_now_is_hidden() {
    let Some(space) = Space::new("sensitivity_now") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class} --set greeting={HIDDEN}")).ok();
    patch(
        &space,
        &class,
        r#"[{"op": "replace", "path": "/spec/parameters/0", "value":
             {"name": "greeting", "paths": ["text.greeting"], "sensitive": true, "string": {}}},
            {"op": "replace", "path": "/spec/parameters/1/integer/default", "value": 2}]"#,
    );
    let plan = look(&space, "upgrade mydb");
    assert_eq!(plan["parameters"], json!({"greeting": null, "count": 2, "password": null}));
    assert_eq!(plan["values"]["text.greeting"], Value::Null);
    assert_eq!(plan["differences"].as_array().expect("a list").len(), 1, "{plan}");
}

#[test]
fn a_secret_whose_parameter_is_gone_is_not_shown() {
    let Some(space) = Space::new("sensitivity_gone") else { return };
    let class = space.class("config", &[]);
    let create = format!("PW={HIDDEN} svc create mydb -c {class} --set-env password=PW");
    space.run(&create).ok();
    patch(&space, &class, r#"[{"op": "remove", "path": "/spec/parameters/2"}]"#);
    let plan = look(&space, "upgrade mydb");
    let gone = json!({"of": "parameter", "name": "password", "before": null, "after": null});
    assert_eq!(plan["differences"], json!([gone]));
}
