//! A class that changes under an instance: what was said before is kept, what is said now is held
//! against today's limits.

use serde_json::Value;

use super::upgrading::patch;
use crate::support::space::Space;

fn data(space: &Space) -> Value {
    space.get("configmap mydb-config")["data"].clone()
}

#[test]
fn what_was_given_outlives_narrower_limits_and_another_name() {
    let Some(space) = Space::new("narrowing") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class} --set greeting=bonjour --set count=50")).ok();
    patch(
        &space,
        &class,
        r#"[{"op": "replace", "path": "/spec/parameters/0/string", "value":
             {"default": "hey", "maxLength": 3}},
            {"op": "add", "path": "/spec/values", "value": {"text": {"site": "north"}}}]"#,
    );
    update_holds_what_changes_alone_against_them(&space);
    upgrade_keeps_it_and_says_so(&space, &class);
}

/// On the values that operations had fixed when it was made.
fn update_holds_what_changes_alone_against_them(space: &Space) {
    let said = space.svc("update mydb --set greeting=salut").ended(2).answers("");
    said.tells("error: 1 parameter to put right for mydb").tells("  greeting  \"salut\" ");
    space.svc("update mydb --set count=7").ok().tells("  count  50 -> 7\n");
    let now = data(space);
    assert_eq!((&now["greeting"], &now["count"]), (&"bonjour".into(), &"7".into()));
    assert_eq!(now["site"], Value::Null);
    let note = "outdated: svc upgrade mydb";
    assert!(space.svc("list").ok().stdout.contains(note));
}

fn upgrade_keeps_it_and_says_so(space: &Space, class: &str) {
    let kept =
        "warning: greeting \"bonjour\" must have at most 3 characters; it is kept as it is\n";
    let rows = "  by operations  text.site = north\n";
    space.svc("upgrade mydb --dry-run").ok().tells(kept).tells(rows);
    assert_eq!(data(space)["site"], Value::Null);
    patch(
        space,
        class,
        r#"[{"op": "replace", "path": "/spec/parameters/1/name", "value": "amount"}]"#,
    );
    space.svc("upgrade mydb --yes").ok().tells(kept).tells("  by operations   text.site = north\n  new parameter   amount = 7\n  parameter gone  count, was 7\n").tells("upgraded, revision 3\n");
    let now = data(space);
    assert_eq!((&now["greeting"], &now["count"]), (&"bonjour".into(), &"7".into()));
    assert_eq!(now["site"], "north");
    let shown = space.svc("show mydb -o json").ok().json();
    assert_eq!(shown["parameters"]["amount"], 7);
    assert_eq!(shown["outdated"], false);
    space.svc("upgrade mydb --yes").ok().tells("mydb is up to date: ");
}
