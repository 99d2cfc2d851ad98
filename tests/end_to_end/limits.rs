//! What the class does not allow is refused before anything exists.

use crate::support::space::Space;

const EVERYTHING: &str = "all,secrets,configmaps,persistentvolumeclaims,serviceaccounts";

/// Nothing but what the cluster itself puts into a namespace.
#[track_caller]
fn nothing_exists(space: &Space) {
    let names = space.names(EVERYTHING);
    assert!(names.iter().all(|name| name == "serviceaccount/default"), "{names:?}");
}

#[test]
fn all_problems_come_at_once() {
    let Some(space) = Space::new("limits_all") else { return };
    space
        .svc("create mydb -c postgres -p small --set storage=50Gi --set mode=cluster \
              --set strage=1Gi --set admin-password=hunter2")
        .fails(
            2,
            "error: 5 parameters to put right for mydb (postgres, plan small)\n  \
             database        missing: first database, 1-63 of a-z 0-9 _\n  \
             storage         \"50Gi\" is more than 10Gi, the most in plan small\n  \
             mode            \"cluster\" is not one of standalone, replication\n  \
             strage          no such parameter; did you mean storage?\n  \
             admin-password  sensitive: not on the command line; leave it out to\n                  \
             have it generated, or use --set-env or --set-file\n\
             try:\n  \
             svc create mydb --class postgres --plan small --set database=DATABASE \\\n    \
             --set storage=10Gi --set mode=standalone\n\
             All parameters: svc catalog postgres\n",
        );
    nothing_exists(&space);
}

#[test]
fn a_value_outside_the_limits_makes_nothing() {
    let Some(space) = Space::new("limits_one") else { return };
    for wrong in ["storage=11Gi", "storage=1023Mi", "max-connections=1001", "database=9lives"] {
        let said = space.svc(&format!("create mydb -c postgres --set database=a --set {wrong}"));
        let given_twice = wrong.starts_with("database");
        let count = if given_twice { "given 2 times" } else { "1 parameter to put right" };
        drop(said.ended(2).tells(if given_twice { "database" } else { count }));
    }
    nothing_exists(&space);
}

#[test]
fn a_dry_run_changes_nothing() {
    let Some(space) = Space::new("limits_dry_run") else { return };
    let class = space.class("config", &[]);
    space
        .svc(&format!("create mydb -c {class} --set count=3 --dry-run"))
        .ok()
        .answers("")
        .tells("  count     3\n")
        .tells("nothing changed");
    nothing_exists(&space);
    space.svc(&format!("create mydb -c {class}")).ok();
    let before = space.names(EVERYTHING);
    space.svc("delete mydb --dry-run").ok().answers("").tells("  goes  release mydb");
    assert_eq!(space.names(EVERYTHING), before);
}
