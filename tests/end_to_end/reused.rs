//! A volume that is used again keeps its size, and svc says so.

use serde_json::json;

use crate::support::space::Space;

#[test]
fn a_volume_that_is_used_again_keeps_its_size() {
    let Some(space) = Space::new("reused") else { return };
    let create = "create mydb -c postgres --set database=orders";
    space.svc(&format!("{create} --set storage=2Gi")).ok();
    space.svc("delete mydb --yes").ok();
    let again = format!("{create} --reuse-data");
    named_otherwise(&space, &format!("{again} --set storage=1Gi"));
    by_default(&space, &again);
    space.svc(&again).ok().tells("volume data-mydb-postgresql-0, 2Gi is used again");
    later(&space);
}

/// What somebody has named is sent as it is; what will be is said.
fn named_otherwise(space: &Space, command: &str) {
    let row = "  storage         2Gi, of volume data-mydb-postgresql-0, not 1Gi\n";
    let summary = space.svc(&format!("{command} --dry-run")).ok().stdout;
    assert!(summary.contains(row), "{summary}");
    let plan = space.svc(&format!("{command} --dry-run -o json")).ok().json();
    let volume = json!({"name": "data-mydb-postgresql-0", "size": "2Gi", "asked": "1Gi"});
    assert_eq!(plan["volumes"], json!([volume]));
    assert_eq!(plan["values"]["primary.persistence.size"], "1Gi");
}

/// A default gives way to what is there.
fn by_default(space: &Space, command: &str) {
    let row = "  storage         2Gi, of volume data-mydb-postgresql-0\n";
    let summary = space.svc(&format!("{command} --dry-run")).ok().stdout;
    assert!(summary.contains(row), "{summary}");
    let plan = space.svc(&format!("{command} --dry-run -o json")).ok().json();
    let volume = json!({"name": "data-mydb-postgresql-0", "size": "2Gi", "asked": null});
    assert_eq!(plan["volumes"], json!([volume]));
    assert_eq!(plan["parameters"]["storage"], "2Gi");
    assert_eq!(plan["values"]["primary.persistence.size"], "2Gi");
}

/// The record, the chart and the volume say the same, and so does what changes it.
fn later(space: &Space) {
    let shown = space.svc("show mydb -o json").ok().json();
    assert_eq!(shown["parameters"]["storage"], "2Gi");
    let volume = json!({"name": "data-mydb-postgresql-0", "size": "2Gi"});
    assert_eq!(shown["volumes"], json!([volume]));
    let refused = "storage of mydb cannot change after create; it is 2Gi";
    space.svc("update mydb --set storage=1Gi").ended(2).tells(refused);
    space.svc("update mydb --set max-connections=50").ok();
    space.svc("upgrade mydb --yes").ok();
    assert_eq!(space.svc("show mydb -o json").ok().json()["parameters"]["storage"], "2Gi");
}
