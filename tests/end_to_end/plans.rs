//! A plan that its class has no more.

use super::upgrading::patch;
use crate::support::space::Space;

fn class(space: &Space) -> String {
    space.class_like("config", |spec| {
        spec["plans"] = serde_json::json!([
            {"name": "small", "values": {"text": {"size": "s"}}},
            {"name": "medium", "values": {"text": {"size": "m"}}},
            {"name": "large", "values": {"text": {"size": "l"}}},
        ]);
    })
}

const NO_SMALL: &str = r#"[{"op": "remove", "path": "/spec/plans/0"}]"#;

#[test]
fn an_upgrade_names_the_plans_that_there_are() {
    let Some(space) = Space::new("plans_gone") else { return };
    let class = class(&space);
    space.svc(&format!("create mydb -c {class} -p small --set greeting=hey")).ok();
    let password = space.svc("show mydb password").ok().stdout;
    patch(&space, &class, NO_SMALL);
    let gone = format!("error: class {class} has no plan small any more; it has medium, large\n");
    space.svc("upgrade mydb --yes --set count=3 --no-wait").fails(
        3,
        &format!("{gone}try: svc upgrade mydb --plan medium --yes --set count=3 --no-wait\n"),
    );
    space
        .svc("upgrade mydb --dry-run")
        .fails(3, &format!("{gone}try: svc upgrade mydb --plan medium --dry-run\n"));
    space.svc("upgrade mydb --yes -p huge").fails(
        3,
        &format!(
            "error: class {class} has no plan huge; it has medium, large\n\
             try: svc upgrade mydb --plan medium --yes\n"
        ),
    );
    assert_eq!(space.svc("show mydb -o json").ok().json()["revision"], 1);
    space
        .svc("upgrade mydb --plan medium --yes --set count=3")
        .ok()
        .tells("  plan           small -> medium\n")
        .tells("  by operations  text.size s -> m\n");
    let data = space.get("configmap mydb-config")["data"].clone();
    assert_eq!((&data["size"], &data["greeting"]), (&"m".into(), &"hey".into()));
    assert_eq!(space.svc("show mydb password").ok().stdout, password);
    assert_eq!(space.svc("show mydb -o json").ok().json()["plan"], "medium");
}

#[test]
fn an_update_goes_on_with_it_and_another_may_be_chosen() {
    let Some(space) = Space::new("plans_update") else { return };
    let class = class(&space);
    space.svc(&format!("create mydb -c {class} -p small")).ok();
    patch(&space, &class, NO_SMALL);
    space.svc("update mydb --set count=4").ok();
    assert_eq!(space.svc("show mydb -o json").ok().json()["plan"], "small");
    space.svc("update mydb --plan large").ok().tells("  plan           small -> large\n");
    space.svc("upgrade mydb --yes").ok();
    let data = space.get("configmap mydb-config")["data"].clone();
    assert_eq!((&data["size"], &data["count"]), (&"l".into(), &"4".into()));
}

#[test]
fn a_class_that_has_plans_since() {
    let Some(space) = Space::new("plans_since") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class}")).ok();
    let plans = r#"[{"op": "add", "path": "/spec/plans", "value": [{"name": "small"}, {"name": "large"}]},
                    {"op": "add", "path": "/spec/defaultPlan", "value": "large"}]"#;
    patch(&space, &class, plans);
    space.svc("upgrade mydb --yes").fails(
        2,
        &format!(
            "error: class {class} has plans now; it has small, large\n\
             try: svc upgrade mydb --plan large --yes\n"
        ),
    );
    space.svc("upgrade mydb --plan large --yes").ok();
    assert_eq!(space.svc("show mydb -o json").ok().json()["plan"], "large");
}

#[test]
fn a_release_of_plain_helm_keeps_the_plan_of_its_label() {
    let Some(space) = Space::new("plans_plain") else { return };
    let class = class(&space);
    let install = format!(
        "\"${{SVC_HELM:-helm}}\" install mydb \"$CHARTS_DIR/config-0.1.0.tgz\" \
         --labels svc-cli.dev/class={class},svc-cli.dev/plan=small"
    );
    space.run(&install).ok();
    space.svc("update mydb --set greeting=hi").ok();
    let listed = space.svc("list -o json").ok().json();
    assert_eq!(listed["items"][0]["plan"], "small");
    space.svc("upgrade mydb --dry-run").ok();
}
