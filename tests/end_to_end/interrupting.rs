//! Ctrl-C when helm has done its work, and before anything is watched: it counts all the same.

use crate::support::Said;
use crate::support::space::Space;

/// A helm after which something happens; dry runs and all else pass.
fn with_end(space: Space, verb: &str, last: &str) -> Space {
    let script = format!(
        "#!/bin/bash\ncase \"$*\" in *--dry-run=*) ;; {verb}\\ *)\n  \
         trap '' INT; svc=$PPID; \"$REAL_HELM\" \"$@\"; status=$?; {last}\n  exit $status ;;\nesac\n\
         exec \"$REAL_HELM\" \"$@\"\n"
    );
    space.with_helm(&script)
}

/// While helm comes to its end, and once it is gone.
const MOMENTS: [&str; 2] = [
    "kill -INT $svc; sleep 0.3",
    "(trap - INT; while kill -0 $$; do :; done; kill -INT $svc) >/dev/null 2>&1 &",
];

#[track_caller]
fn is_told(said: Said, name: &str, words: &str, space: &Space) {
    said.ended(130)
        .answers("")
        .tells(&format!("stopped waiting; {name} is {words} in {}", space.namespace))
        .tells(&format!("  svc wait {name}    "));
    let shown = space.svc(&format!("show {name} -o json")).ok().json();
    assert_eq!(shown["state"], "ready", "{shown}");
}

#[test]
fn at_the_end_of_an_install() {
    for (number, moment) in MOMENTS.iter().enumerate() {
        let Some(space) = Space::new(&format!("interrupting_{number}")) else { return };
        let class = space.class("config", &[]);
        let space = with_end(space, "install", moment);
        let said = space.svc(&format!("create mydb -c {class} -o json"));
        is_told(said, "mydb", "installed", &space);
    }
}

#[test]
fn at_the_end_of_a_change() {
    for (number, moment) in MOMENTS.iter().enumerate() {
        let Some(space) = Space::new(&format!("interrupting_change_{number}")) else { return };
        let class = space.class("config", &[]);
        space.svc(&format!("create mydb -c {class}")).ok();
        let space = with_end(space, "upgrade", moment);
        for (count, verb) in ["update", "upgrade --yes"].iter().enumerate() {
            let said = space.svc(&format!("{verb} mydb --set count=1{count} -o json"));
            is_told(said, "mydb", "changed", &space);
            assert_eq!(
                space.get("configmap mydb-config")["data"]["count"],
                format!("1{count}"),
                "{verb}"
            );
        }
    }
}
