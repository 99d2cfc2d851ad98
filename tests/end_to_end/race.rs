//! Two at once: one winner, and the others are told.

use crate::support::Said;
use crate::support::space::Space;

#[track_caller]
fn one_won(space: &Space, said: &[Said]) {
    let winners: Vec<_> = said.iter().filter(|said| said.status == 0).collect();
    assert_eq!(winners.len(), 1, "{said:#?}");
    assert!(winners[0].stdout.contains("password  ********"), "{}", winners[0]);
    for loser in said.iter().filter(|said| said.status != 0) {
        assert_eq!(loser.status, 1, "{loser}");
        assert!(loser.stdout.is_empty(), "{loser}");
        let told = ["exists already", "is being", "was made by someone else"];
        assert!(told.iter().any(|words| loser.stderr.contains(words)), "{loser}");
    }
    let records = space.names("secrets --field-selector type=helm.sh/release.v1");
    assert_eq!(records, ["secret/sh.helm.release.v1.mydb.v1"]);
    let shown = space.svc("show mydb -o json").ok().json();
    assert_eq!(shown["revision"], 1);
}

#[test]
fn on_one_machine() {
    let Some(space) = Space::new("race_machine") else { return };
    let class = space.class("config", &[]);
    let create = format!("svc create mydb -c {class}");
    one_won(&space, &space.at_once(&[create.clone(), create.clone(), create]));
}

/// Machines share no lock file: the cluster decides.
#[test]
fn on_several_machines() {
    let Some(space) = Space::new("race_machines") else { return };
    let class = space.class("config", &[]);
    let create = |machine: u8| {
        let cache = space.folder().join(format!("machine{machine}"));
        format!("SVC_CACHE_DIR={} svc create mydb -c {class}", cache.display())
    };
    one_won(&space, &space.at_once(&[create(1), create(2), create(3)]));
}

#[test]
fn different_names_do_not_meet() {
    let Some(space) = Space::new("race_names") else { return };
    let class = space.class("config", &[]);
    let scripts: Vec<_> = (0..3).map(|n| format!("svc create db{n} -c {class}")).collect();
    for said in space.at_once(&scripts) {
        said.ok();
    }
    space.svc("list -o name").ok().answers("db0\ndb1\ndb2\n");
}
