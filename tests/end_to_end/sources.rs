//! Where details come from: not there yet, there, gone, not allowed.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::space::Space;

#[test]
fn a_secret_that_comes_20_seconds_late_is_waited_for() {
    let Some(space) = Space::new("sources_late") else { return };
    let class = space.class("late", &[]);
    let started = Instant::now();
    let created = space
        .svc(&format!("create mydb -c {class} --set delay=20"))
        .ok()
        .answers("username  app\npassword  ********\n")
        .tells("not there yet");
    assert!(started.elapsed() >= Duration::from_secs(20), "{created}");
    let password = space.svc("show mydb password").ok().stdout;
    let secret = space.get("secret -l app.kubernetes.io/instance=mydb");
    let encoded = secret["items"][0]["data"]["password"].as_str().expect("a password");
    space.run(&format!("printf %s {encoded} | base64 -d")).ok().answers(&password);
}

#[test]
fn until_it_is_there_exact_formats_fail() {
    let Some(space) = Space::new("sources_not_yet") else { return };
    let class = space.class("late", &[]);
    space.svc(&format!("create mydb -c {class} --set delay=600 --no-wait")).ok().answers("");
    let shown = space.svc("show mydb").ok().tells("mydb is starting");
    assert!(shown.stdout.contains("\nusername  app\npassword  (not there yet)\n"), "{shown}");
    let json = space.svc("show mydb -o json").ok().json();
    assert_eq!(json["connection"]["details"]["password"], Value::Null);
    assert_eq!(json["connection"]["details"]["username"], "app");
    assert_eq!(json["state"], "starting");
    for asked in ["-o env", "-o dotenv", "password", "username password"] {
        let said = space.svc(&format!("show mydb {asked}")).ended(5).answers("");
        said.tells("error: mydb has no password yet: Secret")
            .tells(&format!("try: svc wait mydb && svc show mydb {asked}\n"));
    }
    space.svc("show mydb username").ok().answers("app");
}

#[test]
fn a_secret_that_was_deleted_is_gone() {
    let Some(space) = Space::new("sources_gone") else { return };
    space.svc("create mydb -c redis").ok();
    space.run("kubectl delete secret mydb-redis").ok();
    let shown = space.svc("show mydb").ok().tells("mydb is degraded: Secret mydb-redis is gone");
    assert!(shown.stdout.contains("password  (Secret is gone)"), "{shown}");
    let words = format!(
        "error: Secret mydb-redis of mydb is gone from namespace {}\n\
         The service still has its old password; only a copy of the Secret or the \
         operations team can bring it back.\n",
        space.namespace
    );
    for asked in ["-o uri", "-o env", "password"] {
        space.svc(&format!("show mydb {asked}")).fails(1, &words);
    }
    space.svc("wait mydb --timeout 100s").ended(1).tells(&words).tells("Secret mydb-redis: gone");
    space.svc("wait mydb --timeout 3s").ended(5).tells("  secret  mydb-redis: gone\n");
    let json = space.svc("show mydb -o json").ok().json();
    assert_eq!(json["state"], "degraded");
}

#[test]
fn a_secret_by_selector_and_a_config_map() {
    let Some(space) = Space::new("sources_kinds") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class} --set greeting=hi")).ok();
    let secret = space.get("secret mydb-config");
    let host = format!("mydb-config.{}.svc", space.namespace);
    space.svc("show mydb host").ok().answers(&host);
    space.svc("show mydb greeting").ok().answers("hi");
    let encoded = secret["data"]["password"].as_str().expect("a password").to_owned();
    space.run("svc show mydb password | base64 -w0").ok().answers(&encoded);
    space.run("kubectl delete configmap mydb-config").ok();
    space.svc("show mydb host").ended(1).tells("ConfigMap mydb-config of mydb is gone");
}

#[test]
fn two_secrets_for_one_selector_are_not_guessed_at() {
    let Some(space) = Space::new("sources_two") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class}")).ok();
    space
        .run(
            "kubectl create secret generic other --from-literal=password=x\n\
              kubectl label secret other app.kubernetes.io/instance=mydb",
        )
        .ok();
    let said = space.svc("show mydb password");
    assert_ne!(said.status, 0, "{said}");
    assert!(said.stdout.is_empty(), "{said}");
}

#[test]
fn a_service_and_any_other_object() {
    let Some(space) = Space::new("sources_objects") else { return };
    let class = space.copy_of("redis", |spec| {
        let set = json!({"apiVersion": "apps/v1", "kind": "Deployment", "name": "{{ fullname }}"});
        let sources = json!([{"name": "front", "service": {"name": "{{ fullname }}"}},
            {"name": "set", "object": set}]);
        let details = json!([
            {"name": "ip", "from": {"source": "front", "path": "clusterIP"}},
            {"name": "port", "from": {"source": "front", "path": "spec.ports[0].port"}},
            {"name": "replicas", "from": {"source": "set", "path": "spec.replicas"}},
            {"name": "outside", "optional": true, "from": {"source": "front", "path": "loadBalancer"}},
            {"name": "url", "value": "redis://{{ ip }}:{{ port }}"},
        ]);
        let connection = &mut spec["connection"];
        *connection = json!({"type": "redis", "provider": "svc-tests", "sources": sources, "details": details});
    });
    space.svc(&format!("create mydb -c {class}")).ok();
    let service = space.get("service mydb-redis");
    let ip = service["spec"]["clusterIP"].as_str().expect("an address");
    space.svc("show mydb ip").ok().answers(ip);
    space.svc("show mydb port replicas").ok().answers("6379\n1\n");
    space.svc("show mydb url").ok().answers(&format!("redis://{ip}:6379"));
    let json = space.svc("show mydb -o json").ok().json();
    assert_eq!(
        (&json["state"], &json["connection"]["details"]["outside"]),
        (&json!("ready"), &Value::Null)
    );
    space.run("kubectl delete service mydb-redis").ok();
    space.svc("show mydb").ok().tells("mydb is degraded: Service mydb-redis is gone");
    space.svc("wait mydb --timeout 1s").ended(5).tells("service  mydb-redis: gone");
}
