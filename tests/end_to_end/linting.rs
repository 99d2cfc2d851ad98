//! `class lint`: in the cluster as in files, and what it calls an error is broken in the catalog.

use crate::support::space::Space;

/// A pattern that is none, a detail that is not there, a value that a parameter sets too, and a
/// condition on what comes later.
const WRONG: [(&str, &str); 4] = [
    ("string: {default: hello, maxLength: 200}", "string: {pattern: \"[a-z\"}"),
    ("{name: host, from: {source: settings, key: host}}", "{name: host, value: \"{{ hosst }}\"}"),
    ("  parameters:\n", "  values: {text: {count: 3}}\n  parameters:\n"),
    ("integer: {default: 1}", "when: {parameter: password, in: [x]}, integer: {default: 1}"),
];

/// Where they are.
const PLACES: [&str; 4] = ["parameter greeting", "parameter count", "detail host", "when"];

#[test]
fn all_findings_in_the_cluster_and_in_files() {
    let Some(space) = Space::new("linting") else { return };
    let class = space.class("config", &WRONG);
    let sound = space.class("config", &[]);
    space.svc(&format!("class lint {sound}")).ok().answers("");
    let linted = space.svc(&format!("class lint {class} {sound}")).ended(1);
    let linted = linted.tells("error: 1 of 2 classes cannot be used\n");
    let findings: Vec<&str> = linted.stdout.lines().collect();
    for place in PLACES {
        let found = findings.iter().any(|line| line.starts_with(&class) && line.contains(place));
        assert!(found, "{place}: {linted}");
    }
    the_same_of_a_file(&space, &class, findings.len());
    broken_in_the_catalog(&space, &class, &findings);
}

/// With the line of each.
fn the_same_of_a_file(space: &Space, class: &str, count: usize) {
    space
        .run(&format!("kubectl get serviceclass {class} -o yaml --context staging > file.yaml"))
        .ok();
    let linted = space.svc("class lint file.yaml").ended(1);
    assert_eq!(linted.stdout.lines().count(), count, "{linted}");
    for finding in linted.stdout.lines() {
        let line = finding.strip_prefix("file.yaml:").and_then(|rest| rest.split(':').next());
        assert!(line.is_some_and(|line| line.parse::<usize>().is_ok()), "{linted}");
    }
    let report = space.svc("class lint file.yaml -o json").ended(1).json();
    assert_eq!(report["items"].as_array().map(Vec::len), Some(count), "{report}");
}

/// With the first of the findings as its reason; nothing is made of it.
fn broken_in_the_catalog(space: &Space, class: &str, findings: &[&str]) {
    let shown = space.svc(&format!("catalog {class} -o json")).ok().json();
    assert_eq!(shown["status"], "broken");
    let reason = shown["broken"]["reason"].as_str().expect("a reason");
    assert!(findings.iter().any(|finding| finding.ends_with(reason)), "{reason}: {findings:?}");
    space
        .svc(&format!("create mydb -c {class}"))
        .ended(1)
        .tells(&format!("error: class {class} is broken: {reason}\n"))
        .tells("Only its operations team can repair it: svc class lint\n");
}
