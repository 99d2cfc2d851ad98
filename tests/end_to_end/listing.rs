//! `list`: one namespace, all of them, filters, formats.

use serde_json::json;

use crate::support::space::Space;

#[test]
fn all_namespaces_and_filters() {
    let Some(space) = Space::new("listing_one") else { return };
    let Some(other) = Space::new("listing_other") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create a1 -c {class}")).ok();
    space.svc("create cache -c redis").ok();
    other.svc(&format!("create b1 -c {class}")).ok();
    let (here, there) = (&space.namespace, &other.namespace);
    space.svc("list -o name").ok().answers("a1\ncache\n");
    space.svc("list -o name --class redis").ok().answers("cache\n");
    space.svc("list -o name -l svc-cli.dev/class=redis").ok().answers("cache\n");
    space.svc("list -o name --class redis --state ready").ok().answers("cache\n");
    space.svc("list -o name --state failed").ok().answers("");
    let both = format!("{here} a1\n{there} b1\n");
    space.svc(&format!("list -A -o name --class {class}")).ok().answers(&both);
    space.svc("list -o json --class nothing").ok().answers(
        "{\n  \"apiVersion\": \"cli.svc-cli.dev/v1\",\n  \"kind\": \"InstanceList\",\n  \
         \"items\": [],\n  \"skipped\": []\n}\n",
    );
    let wide = space.svc("list -o wide --class redis").ok();
    assert!(wide.stdout.contains("cache  redis  small  ready"), "{wide}");
    assert!(wide.stdout.contains("redis 1.0.0"), "{wide}");
}

#[test]
fn an_empty_namespace() {
    let Some(space) = Space::new("listing_empty") else { return };
    space
        .svc("list")
        .ok()
        .answers("")
        .tells(&format!("no instances in namespace {}, context staging\n", space.namespace));
    space
        .svc("list -n no-such-namespace")
        .fails(3, "error: no namespace no-such-namespace in context staging\ntry: svc list -A\n");
}

#[test]
fn the_json_of_a_list() {
    let Some(space) = Space::new("listing_json") else { return };
    space.svc("create cache -c redis").ok();
    let mut list = space.svc("list -o json").ok().json();
    for time in ["createdAt", "updatedAt"] {
        assert!(list["items"][0][time].take().is_string(), "{time}");
    }
    assert_eq!(
        list,
        json!({
            "apiVersion": "cli.svc-cli.dev/v1", "kind": "InstanceList",
            "items": [{
                "name": "cache", "namespace": space.namespace, "class": "redis", "plan": "small",
                "state": "ready", "note": null, "outdated": false, "revision": 1,
                "chart": {"name": "redis", "version": "1.0.0"},
                "createdAt": null, "updatedAt": null,
            }],
            "skipped": [],
        })
    );
}

#[test]
fn a_class_that_changed_makes_its_instances_outdated() {
    let Some(space) = Space::new("listing_outdated") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class}")).ok();
    space.svc("list --outdated -o name").ok().answers("");
    space
        .run(&format!(
            "kubectl patch serviceclass {class} --type=merge -p '{{\"spec\":{{\"values\":{{\"text\":{{\"new\":\"x\"}}}}}}}}'"
        ))
        .ok();
    space.svc("list --outdated -o name").ok().answers("mydb\n");
    let listed = space.svc("list").ok();
    assert!(listed.stdout.contains("outdated: svc upgrade mydb"), "{listed}");
    let shown = space.svc("show mydb -o json").ok().json();
    assert_eq!(shown["outdated"], true);
}
