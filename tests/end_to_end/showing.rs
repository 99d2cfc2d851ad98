//! The formats of `show`, and that no form but `show` tells what is sensitive.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use crate::support::space::Space;

#[test]
fn every_format() {
    let Some(space) = Space::new("showing_formats") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create my-db -c {class} --set greeting=\"it's\"")).ok();
    let host = format!("my-db-config.{}.svc", space.namespace);
    let password = space.svc("show my-db password").ok().stdout;
    space.svc("show my-db host password").ok().answers(&format!("{host}\n{password}\n"));
    space.svc("show my-db -o env").ok().answers(&format!(
        "export MY_DB_HOST='{host}'\nexport MY_DB_GREETING='it'\\''s'\n\
         export MY_DB_PASSWORD='{password}'\n"
    ));
    space
        .svc("show my-db -o dotenv --prefix ''")
        .ok()
        .answers(&format!("HOST={host}\nGREETING=\"it's\"\nPASSWORD={password}\n"));
    space.svc("show my-db -o name").ok().answers("my-db\n");
    space
        .run("eval \"$(svc show my-db -o env)\"; echo $MY_DB_PASSWORD")
        .ok()
        .answers(&format!("{password}\n"));
    let from_yaml: Value =
        serde_yaml::from_str(&space.svc("show my-db -o yaml").ok().stdout).expect("YAML");
    assert_eq!(from_yaml, space.svc("show my-db -o json").ok().json());
    let secret = "show my-db -o secret";
    space.run(&format!("svc {secret} | kubectl apply -f -")).ok();
    let applied = space.get("secret my-db-connection");
    let known = applied["data"].as_object().expect("data");
    assert_eq!(known["password"], BASE64_STANDARD.encode(&password));
    assert_eq!(known["host"], BASE64_STANDARD.encode(&host));
    let masked = space.svc(&format!("{secret} --mask")).ok().stdout;
    assert!(masked.contains("stringData:") && !masked.contains(&password), "{masked}");
    space
        .svc("show my-db -o uri")
        .fails(3, "error: my-db has no detail uri; it has host, greeting, password\n");
    space
        .svc("show my-db pasword")
        .fails(3, "error: my-db has no detail pasword; it has host, greeting, password\n");
    space.svc("show nodb").fails(
        3,
        &format!(
            "error: no instance nodb in namespace {}, context staging\ntry: svc list -A\n",
            space.namespace
        ),
    );
}

#[test]
fn the_json_of_an_instance() {
    let Some(space) = Space::new("showing_json") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class}")).ok();
    let mut shown = space.svc("show mydb -o json").ok().json();
    let password = shown["connection"]["details"]["password"].take();
    assert_eq!(password.as_str().map(str::len), Some(16));
    for time in ["createdAt", "updatedAt"] {
        let text = shown[time].take();
        assert!(text.as_str().is_some_and(|text| text.ends_with('Z')), "{text}");
    }
    let namespace = &space.namespace;
    assert_eq!(
        shown,
        json!({
            "apiVersion": "cli.svc-cli.dev/v1", "kind": "Instance", "name": "mydb",
            "namespace": namespace, "context": "staging", "class": class, "plan": null,
            "state": "ready", "note": null, "outdated": false, "revision": 1,
            "chart": {"name": "config", "version": "0.1.0"},
            "createdAt": null, "updatedAt": null, "masked": false, "bindingOf": null,
            "connection": {
                "type": "config", "provider": "svc-examples",
                "secret": {"namespace": namespace, "name": "mydb-config"},
                "details": {
                    "host": format!("mydb-config.{namespace}.svc"), "greeting": "hello",
                    "password": null,
                },
                "sensitive": ["password"], "encoding": {},
            },
            "parameters": {"greeting": "hello", "count": 1, "password": null},
            "volumes": [], "bindings": [],
        })
    );
}

#[test]
fn only_show_tells_a_password() {
    let Some(space) = Space::new("showing_masks") else { return };
    let class = space.class("config", &[]);
    let space = space.with("PW", "canary-of-this-test");
    let canary = "canary-of-this-test";
    let create = format!("create mydb -c {class} --set-env password=PW");
    for command in [
        create.as_str(),
        &format!("{create} --if-not-exists -o json"),
        "show mydb --mask",
        "show mydb --mask -o json",
        "show mydb --mask -o env",
        "wait mydb -v",
        "list -o json",
        "delete mydb --yes -v",
    ] {
        let said = space.svc(command).ok();
        assert!(!said.to_string().contains(canary), "{command}: {said}");
    }
    let verbose = space.svc(&format!("{create} -vv -o json")).ok();
    assert!(!verbose.to_string().contains(canary), "{verbose}");
    assert_eq!(verbose.json()["connection"]["details"]["password"], Value::Null);
    assert_eq!(verbose.json()["masked"], true);
    space.svc("show mydb password").ok().answers(canary);
}
