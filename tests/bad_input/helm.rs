//! Helms that are missing, too old, or hidden behind wrappers.

use crate::place::Place;

const CREATE: &str = "create mydb -c kinds --dry-run";

#[test]
fn missing() {
    let place = Place::with_catalog().with("SVC_HELM", "");
    let svc = crate::support::svc();
    place.run(&format!("PATH=/nowhere {} {CREATE}", svc.display())).fails(
        1,
        "error: helm is not installed: not found in PATH; 3.13 or newer is needed\n\
         try: svc doctor\n",
    );
    let named = Place::with_catalog().with("SVC_HELM", "/nowhere/helm");
    named.svc(CREATE).fails(
        1,
        "error: helm is not installed: SVC_HELM names /nowhere/helm, which does not exist; 3.13 \
         or newer is needed\ntry: svc doctor\n",
    );
}

#[test]
fn too_old() {
    for version in ["v3.12.3", "v3.9.4", "v2.17.0"] {
        let place = Place::with_catalog().with_helm(&format!("echo {version}"));
        let said = place.svc(CREATE).ended(1).answers("");
        said.tells("error: helm is too old: found helm ").tells("3.13 or newer");
    }
}

#[test]
fn no_helm_at_all() {
    let place = Place::with_catalog().with_helm("echo 'not helm: \\033[31mred' >&2; exit 3");
    let said = place.svc(CREATE).ended(1).answers("");
    let said = said.tells("error: helm does not work: ");
    assert!(!said.stderr.contains('\u{1b}'), "{said}");
}

#[test]
fn a_wrapper_that_prints_noise() {
    for script in [
        "echo 'Loading profile 1.2 ...'; echo v3.17.3",
        "echo 'WARN: using 3 plugins' >&2; echo v4.3.1",
        "echo v3.17.3; echo bye",
    ] {
        Place::with_catalog().with_helm(script).svc(CREATE).ok();
    }
}

#[test]
fn a_cache_without_room_for_work_is_not_blamed_on_helm() {
    let place = Place::with_catalog().with_helm("echo v4.3.1");
    let script = format!("mkdir ro; touch ro/work; SVC_CACHE_DIR=$PWD/ro svc {CREATE}");
    let said = place.run(&script).ended(1).answers("");
    let said = said
        .tells("error: cannot use the cache directory /")
        .tells("/ro/work: file exists\n")
        .tells("SVC_CACHE_DIR names another one.\n");
    assert!(!said.stderr.contains("helm does not work"), "{said}");
}
