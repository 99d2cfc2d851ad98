//! An install that was cut off and left a volume: on it, or without it.

use super::retrying::cut_off;
use crate::support::space::Space;

const VOLUME: &str = "pvc data-mydb-postgresql-0";

/// An instance as an install that was cut off leaves it, with a file in its volume's place: gives
/// the volume's identity.
fn half_made(space: &Space) -> String {
    space.until(&format!("kubectl get {VOLUME}"));
    let script = cut_off(1, "pending-install");
    space.run(&script).ok();
    space.get(VOLUME)["metadata"]["uid"].to_string()
}

fn password(space: &Space) -> String {
    space.get("secret mydb-postgresql")["data"]["postgres-password"].to_string()
}

/// Finishes it in this way.
fn finish(space: &Space, data: &str, words: &str) {
    space
        .svc(&format!("create mydb --retry {data}"))
        .ok()
        .tells(&format!("warning: volume data-mydb-postgresql-0, 2Gi {words}"))
        .tells("installed, revision 1\n")
        .tells("ready\n");
    let shown = space.svc("show mydb -o json").ok().json();
    assert_eq!(shown["state"], "ready", "{shown}");
    let (parameters, given) = (&shown["parameters"], ["orders", "2Gi"]);
    assert_eq!([&parameters["database"], &parameters["storage"]], given);
}

#[test]
fn the_volume_is_used_again_or_goes() {
    let Some(space) = Space::new("half_made_volume") else { return };
    space.svc("create mydb -c postgres --set database=orders --set storage=2Gi --no-wait").ok();
    let volume = half_made(&space);
    let head = format!("error: mydb is half made in namespace {}: its install", space.namespace);
    let commands = "try:\n  \
        svc create mydb --retry --reuse-data     on the same volume\n  \
        svc create mydb --retry --delete-data    start again, empty\n  \
        svc delete mydb                          remove it, keep the volume\n";
    for command in ["create mydb -c postgres", "create mydb --retry"] {
        let said = space.svc(command).ended(1).answers("").tells(&head).tells(commands);
        said.tells("  release  pending-install, revision 1, postgres, plan small\n")
            .tells("  volume   data-mydb-postgresql-0, 2Gi, made by it\n");
    }
    let identity = || space.get(VOLUME)["metadata"]["uid"].to_string();
    let secret = password(&space);
    for data in ["--reuse-data", "--delete-data"] {
        space.svc(&format!("create mydb --retry {data} --dry-run")).ok();
        assert_eq!((identity(), password(&space)), (volume.clone(), secret.clone()), "{data}");
    }
    finish(&space, "--reuse-data", "is used again; its data keeps the passwords");
    assert_eq!((identity(), password(&space)), (volume.clone(), secret.clone()));
    half_made(&space);
    finish(&space, "--delete-data", "goes, AND THE DATA IN IT\n");
    assert!(identity() != volume && password(&space) != secret);
}
