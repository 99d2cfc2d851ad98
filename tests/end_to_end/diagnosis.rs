//! Causes that waiting cannot heal end it, some 30 seconds after they were seen.

use std::time::{Duration, Instant};

use crate::support::Said;
use crate::support::space::{Space, variable};

/// The 30 seconds of the rule, and what a busy machine adds to an install.
const AT_ONCE: std::ops::Range<Duration> = Duration::from_secs(30)..Duration::from_secs(55);

/// Creates what cannot start.
#[track_caller]
fn fails(space: &Space, arguments: &str) -> Said {
    let started = Instant::now();
    let said = space.svc(&format!("create mydb {arguments} --timeout 100s"));
    assert!(AT_ONCE.contains(&started.elapsed()), "{:?}: {said}", started.elapsed());
    // What was installed stays, so that the cause can be looked at.
    space.svc("list -o name").ok().answers("mydb\n");
    said.answers("")
}

#[test]
fn an_image_that_does_not_exist() {
    let Some(space) = Space::new("diagnosis_image") else { return };
    let class = space.class("workload", &[]);
    fails(&space, &format!("-c {class} --set image=$REGISTRY/nothing:1"))
        .ended(1)
        .tells("error: mydb cannot start: the image of Pod mydb-workload-0 does not exist\n")
        .tells("  image   registry.svc.test:5000/nothing:1\n")
        .tells("  says    not found (")
        .tells(&format!("  class   {class}, chart workload 0.1.0\n"))
        .tells("The class names this image; its operations team can repair it. mydb stays.\n")
        .tells("try:\n  svc wait mydb       when it is repaired\n")
        .tells("  svc upgrade mydb    when its class names another\n  svc delete mydb     give it up\n");
}

#[test]
fn a_repaired_class_does_not_replace_a_pod_that_never_was_ready() {
    let Some(space) = Space::new("diagnosis_stuck") else { return };
    let class = space.class("workload", &[]);
    let registry = variable("REGISTRY").expect("the cluster has a registry");
    let image = |image: &str| {
        let path = "/spec/parameters/0/string/default";
        let patch =
            format!("[{{\"op\": \"replace\", \"path\": \"{path}\", \"value\": \"{image}\"}}]");
        super::upgrading::patch(&space, &class, &patch);
    };
    image(&format!("{registry}/nothing:1"));
    fails(&space, &format!("-c {class}")).ended(1).tells("  svc upgrade mydb    when its class ");
    image("svc.test/redis:7");
    let said = space.svc("upgrade mydb --yes --timeout 100s").ended(1);
    said.tells(
        "error: mydb cannot start: Pod mydb-workload-0 is of an older revision and not replaced\n",
    )
    .tells("  revision  older than StatefulSet mydb-workload wants now\n");
    let place = format!("-n {} --context staging", space.namespace);
    let command = format!("kubectl delete pod mydb-workload-0 {place}");
    let again = space.svc("wait mydb --timeout 100s").ended(1);
    again.tells(&format!("  {command}    a new one is made\n  svc wait mydb  "));
    space.run(&command).ok();
    space.svc("wait mydb --timeout 100s").ok();
}

#[test]
fn no_such_storage_class() {
    let Some(space) = Space::new("diagnosis_storage") else { return };
    let class = space.class("workload", &[]);
    fails(&space, &format!("-c {class} --set storage-class=fast-ssd"))
        .ended(1)
        .tells("error: mydb cannot start: no storage class fast-ssd for its volume\n")
        .tells("  volume  data-mydb-workload-0, 16Mi, pending for ")
        .tells("  says    storageclass.storage.k8s.io \"fast-ssd\" not found\n")
        .tells("  pod     mydb-workload-0 waits for the volume\n")
        .tells("The class names this storage class; its operations team can repair it.\n");
}

#[test]
fn a_quota_that_is_used_up() {
    let Some(space) = Space::new("diagnosis_quota") else { return };
    let class = space.class("workload", &[]);
    space.run("kubectl create quota team --hard=requests.memory=8Mi").ok();
    fails(&space, &format!("-c {class} --set memory=16Mi"))
        .ended(4)
        .tells(&format!(
            "error: mydb cannot start: quota team of namespace {} is used up\n",
            space.namespace
        ))
        .tells("  needs   requests.memory 16Mi\n")
        .tells("of 8Mi\n  object  StatefulSet mydb-workload cannot make its pod\n")
        .tells("svc wait mydb      after making room\n");
}
