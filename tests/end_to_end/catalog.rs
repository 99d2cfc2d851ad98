//! The catalog as it is now, whatever was known of it before.

use crate::support::space::Space;

#[test]
fn classes_are_read_again_when_one_of_them_changed() {
    let Some(space) = Space::new("catalog_known") else { return };
    let space = space.with_empty_cache();
    let class = space.class("config", &[]);
    space.run(&format!("kubectl label serviceclass {class} known={class}")).ok();
    let catalog = format!("catalog -l known={class} -vv");
    let in_full = format!("GET serviceclasses known={class}: 200");
    let as_table = format!("GET serviceclasses known={class}, as table: 200");

    let first = space.svc(&catalog).ok().tells(&in_full);
    assert!(!first.stderr.contains(&as_table), "{first}");
    space.svc("catalog").ok();
    let known = space.svc(&catalog).ok().tells(&as_table);
    assert!(!known.stderr.contains(&in_full), "{known}");
    assert_eq!(known.stdout, first.stdout);

    let summary = r#"[{"op": "replace", "path": "/spec/summary", "value": "Another"}]"#;
    space.run(&format!("kubectl patch serviceclass {class} --type json -p '{summary}'")).ok();
    let changed = space.svc(&catalog).ok().tells(&as_table).tells(&in_full);
    assert!(changed.stdout.contains("  Another\n"), "{changed}");

    space.run(&format!("kubectl delete serviceclass {class}")).ok();
    space.svc(&catalog).ok().answers("").tells("no such classes in the catalog");
}
