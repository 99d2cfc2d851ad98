//! `wait`, `--no-wait` and `--timeout`.

use std::time::{Duration, Instant};

use crate::support::space::Space;

#[test]
fn until_ready_and_until_deleted() {
    let Some(space) = Space::new("waiting_ready") else { return };
    let created = space.svc("create cache -c redis --no-wait").ok().answers("");
    created.tells("cache is installed and starting");
    space.svc("wait cache").ok().answers("").tells("ready");
    space.svc("show cache -o json").ok().json();
    let gone = "sleep 2; svc delete cache --yes";
    let mut deleting = space.shell(gone).spawn().expect("bash starts");
    let started = Instant::now();
    space.svc("wait cache --for deleted").ok().tells("gone");
    assert!(started.elapsed() >= Duration::from_secs(2));
    assert!(deleting.wait().expect("it ends").success());
    assert_eq!(space.names("pods,secrets"), [""; 0]);
    space.svc("wait cache").ended(3).tells("error: no instance cache");
}

#[test]
fn a_deadline_that_is_too_short_tells_what_is_missing() {
    let Some(space) = Space::new("waiting_deadline") else { return };
    let class = space.class("workload", &[]);
    let probe = "--set probe='echo no response; exit 1'";
    let script = "--set script='echo opened with $PASSWORD; echo half done; exec sleep infinity'";
    let started = Instant::now();
    let said = space.svc(&format!("create mydb -c {class} {probe} {script} --timeout 15s"));
    assert!(started.elapsed() < Duration::from_secs(25), "{:?}", started.elapsed());
    let said = said.ended(5).answers("");
    said.tells("error: mydb is not ready after 15s\n")
        .tells("  pod          mydb-workload-0 runs, not ready\n")
        .tells("  probe        readiness: no response\n")
        .tells("  log          opened with ***\n  log          half done\n")
        .tells("  secret       mydb-workload is here\n")
        .tells("It may still come up: nothing was undone.\ntry:\n  svc wait mydb --timeout 45s\n")
        .tells("  svc delete mydb\n");
    space
        .svc("wait mydb --timeout 5s")
        .ended(5)
        .answers("")
        .tells("error: mydb is not ready after 5s\n  pod  mydb-workload-0 runs, not ready\n");
    space.svc("wait mydb --for deleted --timeout 1s").ended(5).tells("mydb is not gone after 1s");
}

#[test]
fn a_change_whose_time_helm_used_up_tells_what_is_missing_too() {
    let Some(space) = Space::new("waiting_used_up") else { return };
    let class = space.class("workload", &[]);
    space.svc(&format!("create mydb -c {class}")).ok();
    let space = space.with_helm(
        "#!/bin/bash\n\"$REAL_HELM\" \"$@\"; status=$?\n\
         case \"$*\" in *--dry-run=*) ;; upgrade\\ *) sleep 6 ;; esac\nexit $status\n",
    );
    for verb in ["update mydb", "upgrade mydb --yes"] {
        let probe = format!("--set probe='echo {} >&2; exit 1' --timeout 5s", verb.len());
        let said = space.svc(&format!("{verb} {probe}")).ended(5).answers("");
        said.tells("error: mydb is not ready after 5s\n  pod ").tells("mydb-workload-0");
    }
}

#[test]
fn an_instance_deleted_by_someone_else_is_not_waited_for() {
    let Some(space) = Space::new("waiting_deleted") else { return };
    let class = space.class("late", &[]);
    let create = format!("sleep 1; svc create mydb -c {class} --set delay=600 --timeout 100s");
    let creating = space.shell(&create).stderr(std::process::Stdio::piped()).spawn();
    let creating = creating.expect("bash starts");
    space.until("svc wait mydb --timeout 1s; [ $? = 5 ]");
    let started = Instant::now();
    space.svc("delete mydb --yes").ok();
    let said: crate::support::Said = creating.wait_with_output().expect("it ends").into();
    assert!(started.elapsed() < Duration::from_secs(30), "{said}");
    let told =
        ["error: mydb is being deleted by someone else", "error: mydb was deleted meanwhile"];
    assert!(said.status == 1 && told.iter().any(|words| said.stderr.contains(words)), "{said}");
}

#[test]
fn delete_waits_for_the_svc_that_still_works() {
    let Some(space) = Space::new("waiting_turn") else { return };
    let chart = space.hooked("sleep 8");
    let creating = space.shell(&format!("svc create mydb -c {chart} >/dev/null 2>&1")).spawn();
    let mut creating = creating.expect("bash starts");
    space.until("kubectl get job mydb-hook");
    space.svc("delete mydb --yes --timeout 1s").ended(5).tells("still being worked on");
    space.svc("delete mydb --yes --timeout 240s").ok().tells("waiting for that");
    drop(creating.wait());
    space.svc("show mydb").ended(3);
    space.run("! kubectl get configmap mydb").ok();
}
