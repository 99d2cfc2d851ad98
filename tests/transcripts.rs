//! Transcripts that need no cluster: help, wrong usage, no kubeconfig.

mod support;

use std::path::{Path, PathBuf};

fn document(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts").join(name)
}

#[test]
fn getting_oriented() {
    let folder = tempfile::tempdir().expect("a folder");
    support::transcript::check(&document("orientation.md"), folder.path(), str::to_owned);
}

#[test]
fn wrong_usage_and_no_cluster() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("two.yaml"), TWO_CONTEXTS).expect("a kubeconfig");
    support::transcript::check(&document("offline.md"), folder.path(), str::to_owned);
}

const TWO_CONTEXTS: &str = "\
apiVersion: v1
kind: Config
clusters:
- {name: c, cluster: {server: \"https://127.0.0.1:1\"}}
users:
- {name: dev-1, user: {token: t}}
- {name: missing, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: corp-login, args: [get-token], interactiveMode: Never}}}
contexts:
- {name: dev, context: {cluster: c, user: missing}}
- {name: staging, context: {cluster: c, user: dev-1}}
current-context: staging
";
