//! The CRD: its checked-in copy and its reference are those of the types; good classes are read
//! and accepted, bad ones refused by the sentence that each names in its first line.

#[path = "crd/cluster.rs"]
mod cluster;
#[path = "crd/fixtures.rs"]
mod fixtures;
#[path = "crd/reference.rs"]
mod reference;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use svc::domain::class;
use svc::domain::crd;
use svc::domain::lint::{Severity, of_object, refused_by_crd};

use fixtures::{Fixture, bad, good};

/// Set to write the checked-in copies anew.
const UPDATE: &str = "SVC_TEST_UPDATE";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[expect(clippy::disallowed_methods, reason = "tests are asked through their environment")]
fn asked(variable: &str) -> bool {
    std::env::var_os(variable).is_some()
}

/// Compares a checked-in file with what it should be.
fn checked_in(file: &str, expected: &str) {
    let path = root().join(file);
    if asked(UPDATE) {
        fs::write(&path, expected).expect("the copy can be written");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "{file} is not what the types say: run the tests with {UPDATE}=1");
}

#[test]
fn the_checked_in_crd_is_the_generated_one() {
    checked_in("docs/serviceclass-crd.yaml", &crd::manifests_yaml());
}

#[test]
fn the_reference_says_what_the_schema_says() {
    let file = "docs/class-reference.md";
    let text = fs::read_to_string(root().join(file)).expect("the reference is there");
    let text = reference::with_fields(&text, &crd::crd());
    checked_in(file, &reference::with_rules(&text, &crd::crd()));
}

#[test]
fn the_yaml_is_the_manifests() {
    let documents: Vec<Value> = crd::manifests_yaml()
        .split("\n---\n")
        .map(|document| serde_yaml::from_str(document).expect("YAML"))
        .collect();
    assert_eq!(documents, crd::manifests());
}

#[test]
fn there_are_enough_classes_to_believe_the_rules() {
    assert!(good().len() >= 40, "{} good classes", good().len());
    assert!(bad().len() >= 60, "{} bad classes", bad().len());
}

#[test]
fn every_good_class_is_read() {
    for Fixture { file, object, .. } in good() {
        let class = class::read(&object).unwrap_or_else(|broken| panic!("{file}: {broken}"));
        assert_eq!(class.name, object["metadata"]["name"], "{file}");
    }
}

#[test]
fn what_is_read_is_written_back() {
    for Fixture { file, object, .. } in good() {
        let class = class::read(&object).unwrap();
        let written = serde_json::to_value(&class.spec).unwrap();
        let again: class::ServiceClassSpec = serde_json::from_value(written).unwrap();
        assert_eq!(again, class.spec, "{file}");
    }
}

#[test]
fn every_field_is_in_a_good_class() {
    let mut given = BTreeSet::new();
    for Fixture { object, .. } in good() {
        fixtures::fields(&object["spec"], "", &mut given);
    }
    let missing: Vec<String> = reference::fields(&crd::crd())
        .into_iter()
        .map(|field| field.path)
        .filter(|path| !path.contains("binding.chart.") && !path.contains("binding.connection."))
        .filter(|path| !given.contains(path))
        .collect();
    assert!(missing.is_empty(), "in no good class: {missing:#?}");
}

#[test]
fn every_rule_refuses_a_bad_class() {
    let bad = bad();
    let idle: BTreeSet<String> = reference::rules(&crd::crd())
        .into_iter()
        .map(|rule| rule.message)
        // A change needs two classes: the cluster test makes them.
        .filter(|message| message != "sharing cannot change")
        .filter(|message| {
            !bad.iter().any(|class| class.refused_by().is_some_and(|by| message.contains(by)))
        })
        .collect();
    assert!(idle.is_empty(), "no bad class for: {idle:#?}");
}

#[test]
fn every_field_has_a_meaning() {
    let silent: Vec<String> = reference::fields(&crd::crd())
        .into_iter()
        .filter(|field| field.meaning.is_empty())
        .map(|field| field.path)
        .collect();
    assert!(silent.is_empty(), "no description: {silent:#?}");
}

#[test]
#[expect(clippy::print_stdout, reason = "a test that did not run says so")]
fn the_api_server_keeps_the_rules() {
    if !asked("SVC_TEST_CLUSTER") {
        println!("did not run: no cluster");
        return;
    }
    cluster::apply_the_crd();
    cluster::good_classes_are_accepted();
    cluster::bad_classes_are_refused();
    cluster::sharing_cannot_change();
    cluster::a_null_is_not_stored();
}

/// What `svc class lint` says of a class, a line each.
fn linted(class: &Value) -> Vec<String> {
    let broken = of_object(class).into_iter().filter(|one| one.severity == Severity::Broken);
    broken.map(|finding| finding.to_string()).collect()
}

#[test]
fn lint_accepts_the_good_classes() {
    let mut wrong = Vec::new();
    for class in good() {
        wrong.extend(linted(&class.object).into_iter().map(|one| format!("{}: {one}", class.file)));
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn lint_refuses_the_bad_classes_without_a_server() {
    let mut missed = Vec::new();
    for class in bad() {
        let sentence = class.refused_by().expect("a bad class names what refuses it");
        let (by_schema, by_rules) = refused_by_crd(&class.object);
        let found: Vec<String> =
            by_schema.iter().chain(&by_rules).map(ToString::to_string).collect();
        let field = sentence.split([':', ' ']).next().unwrap_or_default();
        let unknown = sentence.strip_prefix("unknown field ").map(|name| name.trim_matches('"'));
        let field = unknown.unwrap_or(field);
        let is_field =
            unknown.is_some() || field.starts_with("spec") || field.starts_with("metadata");
        let told = found.iter().any(|one| one.contains(sentence))
            || (is_field && found.iter().any(|one| one.starts_with(field)));
        if !told || linted(&class.object).is_empty() {
            missed.push(format!("{} ({sentence}): {found:?}", class.file));
        }
    }
    assert_eq!(missed, Vec::<String>::new());
}

#[test]
fn a_name_that_is_refused_is_told_once() {
    let class = bad().into_iter().find(|class| class.file == "name-with-dot").expect("is there");
    assert_eq!(
        linted(&class.object),
        [
            "metadata.name: a class's name is a DNS label of at most 63 characters: it becomes a label's value"
        ]
    );
}
