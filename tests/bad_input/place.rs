//! A folder with a kubeconfig and perhaps a helm, where svc is run.

use std::os::unix::fs::PermissionsExt as _;

use tempfile::TempDir;

use crate::server;
use crate::support::{Said, shell};

/// `helm pull … --destination FOLDER` as it would be with the registry there.
const PULL: &str = r#"
if [ "$1" = pull ]; then
  for folder; do :; done
  mkdir kinds
  printf 'apiVersion: v2\nname: kinds\nversion: 1.0.0\n' >kinds/Chart.yaml
  exec tar -czf "$folder/kinds-1.0.0.tgz" kinds
fi"#;

/// `helm install --dry-run … -o json` as it would be with a cluster there; after whatever the
/// script printed.
const DRY_RUN: &str = r#"
case "$1 $*" in install*--dry-run*)
  echo '{"name": "mydb", "info": {}, "chart": {"metadata": {"name": "kinds", "version": "1.0.0"}}}';;
esac"#;

/// Where svc is run.
pub struct Place {
    folder: TempDir,
    variables: Vec<(String, String)>,
}

impl Place {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder"), variables: Vec::new() }
    }

    /// Beside the server with the classes of these tests, and a helm that tells its version.
    pub fn with_catalog() -> Self {
        let place = Self::new().with_server(server::start(server::catalog));
        place.with_helm("echo v3.17.3")
    }

    /// With a kubeconfig whose context `staging` means a port of loopback.
    pub fn with_server(self, port: u16) -> Self {
        self.with_kubeconfig(&format!("http://127.0.0.1:{port}"), "{token: t}")
    }

    pub fn with_kubeconfig(self, server: &str, user: &str) -> Self {
        let text = format!(
            "apiVersion: v1\nkind: Config\ncurrent-context: staging\n\
             clusters:\n- {{name: c, cluster: {{server: \"{server}\"}}}}\n\
             users:\n- {{name: dev-1, user: {user}}}\n\
             contexts:\n- {{name: dev, context: {{cluster: c, user: dev-1}}}}\n\
             - {{name: staging, context: {{cluster: c, user: dev-1}}}}\n"
        );
        self.write("kubeconfig", &text);
        self.with("KUBECONFIG", "kubeconfig")
    }

    /// With a script for helm; it has the chart of the classes of these tests to pull.
    pub fn with_helm(self, script: &str) -> Self {
        self.write("helm", &format!("#!/bin/sh\n{PULL}\n{script}\n{DRY_RUN}\n"));
        let path = self.folder.path().join("helm");
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&path, executable).expect("a file of this test's own");
        let path = path.to_str().expect("a path in UTF-8").to_owned();
        self.with("SVC_HELM", &path)
    }

    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join(name), text).expect("a file can be written");
    }

    /// Runs svc without a terminal.
    pub fn svc(&self, arguments: &str) -> Said {
        self.run(&format!("svc {arguments}"))
    }

    pub fn run(&self, script: &str) -> Said {
        let mut command = shell(script, self.folder.path());
        // Where a sentence is broken depends on the paths in it.
        command.env("COLUMNS", "400");
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.output().expect("bash starts").into()
    }
}
