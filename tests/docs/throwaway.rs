//! The parts of the documentation that need a cluster, in a namespace of their own.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::mask;
use crate::page::{Page, Use};
use crate::support::{Said, run, transcript};

/// The namespace that the documentation speaks of; each page is tried in another one whose name
/// is as long, so that nothing of one page is met by the next.
const NAMESPACE: &str = "team-a";

/// Runs the commands of a page.
pub fn try_page(page: &Page, number: usize) {
    let namespace = own_namespace(number);
    let folder = page.folder();
    let adapt = |line: &str| adapted(line, &namespace);
    let Some(document) = page.transcript(Use::ClusterConsole, folder.path(), adapt) else {
        return;
    };
    adapt_files(page, folder.path(), &namespace);
    enter(folder.path(), &namespace);
    transcript::check(&document, folder.path(), mask::times_and_passwords);
    let leave = format!("kubectl delete namespace {namespace} --wait=false");
    expect_success(&run(&leave, folder.path()));
}

/// `docs-0`, `docs-1`, …
fn own_namespace(number: usize) -> String {
    let digit = u32::try_from(number).ok().and_then(|number| char::from_digit(number, 36));
    format!("docs-{}", digit.expect("at most 36 pages"))
}

/// A Service answers up to a second after its pod is ready, so a client gets that second.
fn adapted(line: &str, namespace: &str) -> String {
    line.replace(NAMESPACE, namespace).replace("$ psql", "$ sleep 1; psql")
}

fn adapt_files(page: &Page, folder: &Path, namespace: &str) {
    for file in page.blocks.iter().filter_map(|block| block.file.as_ref()) {
        let path = folder.join(file);
        let text = fs::read_to_string(&path).expect("the file of a block");
        fs::write(path, text.replace(NAMESPACE, namespace)).expect("the file can be written");
    }
}

/// A new namespace, and a kubeconfig of the page's own that is in it.
fn enter(folder: &Path, namespace: &str) {
    copy_kubeconfig(folder);
    let create = format!("kubectl create namespace {namespace}");
    expect_success(&run(&create, folder));
    let go = format!("kubectl config set-context --current --namespace={namespace}");
    expect_success(&run(&go, folder));
}

/// To where programs look for it, below the home of the commands.
#[expect(clippy::disallowed_methods, reason = "tests read their environment")]
fn copy_kubeconfig(folder: &Path) {
    let kubeconfig = std::env::var_os("KUBECONFIG").expect("the throwaway cluster names one");
    fs::create_dir_all(folder.join(".kube")).expect("a folder");
    fs::copy(kubeconfig, folder.join(".kube/config")).expect("the kubeconfig can be copied");
}

/// The API server's word on a class, without keeping it.
pub fn takes(place: &str, class: &Value) {
    let folder = tempfile::tempdir().expect("a folder");
    copy_kubeconfig(folder.path());
    fs::write(folder.path().join("class.json"), class.to_string()).expect("the class is written");
    let said = run("kubectl apply --server-side --dry-run=server -f class.json", folder.path());
    assert_eq!(said.status, 0, "{place}: {}", said.stderr);
}

fn expect_success(said: &Said) {
    assert_eq!(said.status, 0, "{}", said.stderr);
}
