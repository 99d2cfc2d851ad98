//! The rules as a real API server keeps them, through kubectl.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use svc::domain::crd;

use crate::fixtures::{Fixture, bad, folder, good};

/// How long the API server may take to serve a CRD it was given.
const SERVED_WITHIN: Duration = Duration::from_secs(30);

#[expect(clippy::disallowed_methods, reason = "a test speaks to the cluster through kubectl")]
fn kubectl(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new("kubectl")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("kubectl is on the path");
    let mut stdin = child.stdin.take().expect("its input is a pipe");
    stdin.write_all(input.as_bytes()).expect("kubectl reads its input");
    drop(stdin);
    child.wait_with_output().expect("kubectl ends")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.clone(), output.stderr.clone()].concat()).into_owned()
}

/// Applies what `svc class crd` prints, and waits until classes are served with its rules.
pub fn apply_the_crd() {
    let applied = kubectl(&["apply", "--server-side", "-f", "-"], &crd::manifests_yaml());
    assert!(applied.status.success(), "{}", said(&applied));
    let name = format!("crd/{}.{}", crd::PLURAL, svc::domain::class::GROUP);
    let served = kubectl(&["wait", "--for=condition=Established", "--timeout=30s", &name], "");
    assert!(served.status.success(), "{}", said(&served));
    let started = Instant::now();
    while !kubectl(&["get", crd::PLURAL], "").status.success() {
        assert!(started.elapsed() < SERVED_WITHIN, "classes are not served");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// What the server says to each file of a folder, without keeping anything.
fn try_all(kind: &str) -> Vec<String> {
    let folder = folder(kind);
    let folder = folder.to_str().expect("a path in UTF-8");
    let answers = said(&kubectl(&["create", "--dry-run=server", "-f", folder], ""));
    answers.split("Error from server").map(str::to_owned).collect()
}

pub fn good_classes_are_accepted() {
    let answers = try_all("good").concat();
    for Fixture { file, object, .. } in good() {
        let name = object["metadata"]["name"].as_str().expect("a name");
        // A name that is taken is found out after the rules were asked.
        let accepted = [
            format!("/{name} created (server dry run)"),
            format!("serviceclasses.svc-cli.dev \"{name}\" already exists"),
        ];
        let is_accepted = accepted.iter().any(|words| answers.contains(words));
        assert!(is_accepted, "{file} is refused: {answers}");
    }
}

pub fn bad_classes_are_refused() {
    let answers = try_all("bad");
    let wrong: Vec<String> = bad().iter().filter_map(|class| complaint(class, &answers)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong with the server's answer to a bad class.
fn complaint(class: &Fixture, answers: &[String]) -> Option<String> {
    let file = &class.file;
    let Some(expected) = class.refused_by() else {
        return Some(format!("{file} does not say what refuses it"));
    };
    let name = format!("/{file}.yaml\"");
    match answers.iter().find(|answer| answer.contains(&name)) {
        None => Some(format!("{file} is accepted")),
        Some(answer) if !answer.contains(expected) => {
            Some(format!("{file}: expected {expected:?}, got {answer}"))
        }
        // A rule that fails instead of saying no would hide its sentence.
        Some(answer) if answer.contains("evaluating rule") => {
            Some(format!("{file}: a rule broke: {answer}"))
        }
        Some(_) => None,
    }
}

pub fn sharing_cannot_change() {
    let class = |file: &str| {
        let text = std::fs::read_to_string(folder("good").join(file));
        text.expect("a class").replace("name: shared\n", "name: minimal\n")
    };
    let made = kubectl(&["apply", "--server-side", "-f", "-"], &class("minimal.yaml"));
    assert!(made.status.success(), "{}", said(&made));
    let changed = kubectl(&["replace", "--dry-run=server", "-f", "-"], &class("shared.yaml"));
    let gone = kubectl(&["delete", "serviceclass", "minimal"], "");
    assert!(gone.status.success(), "{}", said(&gone));
    assert!(!changed.status.success(), "{}", said(&changed));
    assert!(said(&changed).contains("sharing cannot change"), "{}", said(&changed));
}

/// Server-side apply refuses what other requests drop, so that no null is ever stored outside
/// `values`.
pub fn a_null_is_not_stored() {
    let text = std::fs::read_to_string(folder("good").join("minimal.yaml")).expect("a class");
    let with_null = format!("{text}  displayName: null\n");
    let applied = kubectl(&["apply", "--server-side", "--dry-run=server", "-f", "-"], &with_null);
    let refused = "spec.displayName in body must be of type string: \"null\"";
    assert!(said(&applied).contains(refused), "{}", said(&applied));
    let created = kubectl(&["create", "--dry-run=server", "-o", "json", "-f", "-"], &with_null);
    assert!(created.status.success(), "{}", said(&created));
    assert!(!said(&created).contains("displayName"), "{}", said(&created));
}
