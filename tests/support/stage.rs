//! A namespace with a name that transcripts can show, and the folder that their commands run in.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::{Said, on_a_cluster, shell};

/// One namespace of the throwaway cluster; it goes when the test ends.
#[derive(Debug)]
pub struct Stage {
    namespace: &'static str,
    folder: TempDir,
}

impl Stage {
    /// None where there is no cluster, which is said.
    pub fn new(test: &str, namespace: &'static str) -> Option<Self> {
        if !on_a_cluster(test) {
            return None;
        }
        let stage = Self { namespace, folder: tempfile::tempdir().expect("a folder") };
        let made = stage.run(&format!("kubectl create namespace {namespace}"));
        assert_eq!(made.status, 0, "{made:?}");
        Some(stage)
    }

    /// The folder that commands run in.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A shell in the namespace, to be started.
    pub fn shell(&self, script: &str) -> Command {
        let mut command = shell(script, self.folder());
        for (name, value) in variables() {
            command.env(name, value);
        }
        command.env("SVC_NAMESPACE", self.namespace);
        command
    }

    /// Runs a script to its end, without a terminal.
    pub fn run(&self, script: &str) -> Said {
        self.shell(script).output().expect("bash starts").into()
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // A test that failed is what matters then.
        drop(self.run(&format!("kubectl delete namespace {} --wait=false", self.namespace)));
    }
}

/// What commands see of the cluster's environment beside the harness's own.
pub fn variables() -> impl Iterator<Item = (String, String)> {
    let ours =
        ["KUBECONFIG", "KUBECACHEDIR", "REGISTRY", "CHARTS_DIR", "CHARTS_URL", "SVC_TEST_RUN"];
    std::env::vars()
        .filter(move |(name, _)| ours.contains(&name.as_str()) || name.starts_with("HELM"))
}
