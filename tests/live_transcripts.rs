//! Transcripts of the interface against the throwaway cluster, a namespace to each.

mod support;

use std::path::Path;

use support::mask::mask;
use support::stage::Stage;
use support::transcript::check_with;

/// Runs a document in this namespace.
fn play(name: &str, namespace: &'static str) {
    let Some(stage) = Stage::new(name, namespace) else { return };
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let classes = here.join("live_transcripts/classes.yaml");
    std::fs::copy(classes, stage.folder().join("classes.yaml")).expect("the classes are copied");
    check_with(&here.join("transcripts").join(name), mask, |script| stage.run(script));
}

#[test]
fn catalog() {
    play("catalog.md", "team-a");
}

#[test]
fn create() {
    play("create.md", "team-b");
}

#[test]
fn existing() {
    play("existing.md", "team-c");
}

#[test]
fn show_and_list() {
    play("show.md", "team-d");
}

#[test]
fn delete_and_wait() {
    play("delete.md", "team-e");
}

#[test]
fn road() {
    play("road.md", "team-f");
}

#[test]
fn failing() {
    play("failing.md", "team-g");
}

#[test]
fn change() {
    play("change.md", "team-u");
}
