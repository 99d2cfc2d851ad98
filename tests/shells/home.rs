//! A user's home: a kubeconfig, an empty cache, and the program on the path.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A home whose kubeconfig names one server.
pub struct Home {
    folder: TempDir,
}

impl Home {
    pub fn new(port: u16) -> Self {
        Self::with_user(port, "{token: t}")
    }

    /// A home whose user logs in this way.
    pub fn with_user(port: u16, user: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let kubeconfig = format!(
            "apiVersion: v1\nkind: Config\ncurrent-context: staging\n\
             clusters:\n- {{name: c, cluster: {{server: \"http://127.0.0.1:{port}\"}}}}\n\
             users:\n- {{name: u, user: {user}}}\n\
             contexts:\n- {{name: dev, context: {{cluster: c, user: u}}}}\n\
             - {{name: staging, context: {{cluster: c, user: u, namespace: team-a}}}}\n"
        );
        std::fs::write(folder.path().join("kubeconfig"), kubeconfig).expect("a kubeconfig");
        let plugin = folder.path().join("kubectl_complete-svc");
        std::os::unix::fs::symlink(program(), plugin).expect("a link");
        Self { folder }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn cache(&self) -> PathBuf {
        self.path().join("cache")
    }

    pub fn environment(&self) -> Vec<(&'static str, OsString)> {
        let program = program();
        let folder = program.parent().expect("a folder of programs");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = [folder.to_owned(), self.path().to_owned()]
            .into_iter()
            .chain(std::env::split_paths(&path).collect::<Vec<_>>());
        vec![
            ("PATH", std::env::join_paths(path).expect("a path")),
            ("HOME", self.path().into()),
            ("KUBECONFIG", self.path().join("kubeconfig").into()),
            ("SVC_CACHE_DIR", self.cache().into()),
        ]
    }

    /// The program, called by this name.
    pub fn run(&self, name: &str, variables: &[(&str, &str)], words: &[&str]) -> Output {
        let program = if name == "svc" { program() } else { self.path().join(name) };
        let mut command = Command::new(program);
        command
            .args(words)
            .current_dir(self.path())
            .env_clear()
            .envs(self.environment())
            .envs(variables.iter().copied());
        command.output().expect("the program starts")
    }

    /// The candidates of a line in the form of fish; nothing goes to stderr.
    pub fn candidates(&self, line: &[&str]) -> Vec<String> {
        let output =
            self.run("svc", &[("_SVC_COMPLETE", "fish")], &[&["--", "svc"], line].concat());
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        text(output.stdout).lines().map(str::to_owned).collect()
    }
}

fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_svc"))
}

pub fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("text")
}
