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
    let space = space.with("COLUMNS", "80");
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
    for wrong in [
        "--set database=a --set storage=11Gi",
        "--set database=a --set storage=1023Mi",
        "--set database=a --set max-connections=1001",
        "--set database=a --set mode=replication --set replicas=1",
        "--set database=9lives",
    ] {
        let said = space.svc(&format!("create mydb -c postgres {wrong}")).ended(2).answers("");
        said.tells("error: 1 parameter to put right for mydb (postgres, plan small)\n");
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
        .tells("note: nothing changed: this was a dry run\n")
        .answers(&format!(
            "  mydb      {class}, chart config 0.1.0\n  greeting  hello\n  count     3\n  \
             password  generated\n"
        ));
    nothing_exists(&space);
    space.svc(&format!("create mydb -c {class}")).ok();
    let before = space.names(EVERYTHING);
    let said = space.svc("delete mydb --dry-run").ok();
    assert!(said.stdout.contains("  goes   release mydb, "), "{said}");
    assert_eq!(space.names(EVERYTHING), before);
}
