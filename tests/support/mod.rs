//! The one harness of all tests that run the program: a cleared environment, a fixed width,
//! stdout, stderr and exit status compared together.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "tests start programs, read their environment and say when they cannot run"
)]
#![expect(dead_code, reason = "each test binary uses its own part of the harness")]

pub mod mask;
pub mod space;
pub mod stage;
pub mod terminal;
pub mod transcript;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The program under test: the release build of the throwaway cluster, else this build.
pub fn svc() -> PathBuf {
    std::env::var_os("SVC_UNDER_TEST")
        .map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_svc")), PathBuf::from)
}

/// A shell with the program first on its PATH and nothing else of the environment but what a
/// cluster test needs.
pub fn shell(script: &str, folder: &Path) -> Command {
    let mut command = Command::new("bash");
    let bin = svc().parent().map(Path::to_path_buf).unwrap_or_default();
    let path = std::env::var("PATH").unwrap_or_default();
    command
        .args(["-c", script])
        .current_dir(folder)
        .env_clear()
        .env("PATH", format!("{}:{path}", bin.display()))
        .env("HOME", folder)
        .env("NO_COLOR", "1")
        .env("TZ", "UTC")
        .env("COLUMNS", "80")
        .env("SVC_CACHE_DIR", cache(folder));
    for kept in ["LLVM_PROFILE_FILE", "SSL_CERT_FILE"] {
        if let Some(value) = std::env::var_os(kept) {
            command.env(kept, value);
        }
    }
    command
}

fn cache(folder: &Path) -> PathBuf {
    std::env::var_os("SVC_TEST_RUN")
        .map_or_else(|| folder.join("cache"), |run| PathBuf::from(run).join("svc-cache"))
}

/// What a command left behind, as text.
#[derive(Debug, PartialEq, Eq)]
pub struct Said {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        Self {
            status: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Said {
    /// It ended well.
    #[track_caller]
    pub fn ok(self) -> Self {
        self.ended(0)
    }

    /// It ended with this status.
    #[track_caller]
    pub fn ended(self, status: i32) -> Self {
        assert!(self.status == status, "ended with {} instead of {status}:\n{self}", self.status);
        self
    }

    /// It failed with this status, said nothing on stdout, and exactly this on stderr.
    #[track_caller]
    pub fn fails(self, status: i32, words: &str) -> Self {
        assert_eq!(self.stderr, words, "{self}");
        assert!(self.stdout.is_empty(), "a failed command has an answer:\n{self}");
        self.ended(status)
    }

    /// It said this on stderr, among other things.
    #[track_caller]
    pub fn tells(self, words: &str) -> Self {
        assert!(self.stderr.contains(words), "no {words:?} in:\n{self}");
        self
    }

    /// Its answer is exactly this.
    #[track_caller]
    pub fn answers(self, text: &str) -> Self {
        assert_eq!(self.stdout, text, "{self}");
        self
    }

    /// Its answer is JSON.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}:\n{self}"))
    }
}

impl std::fmt::Display for Said {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "--- stdout\n{}--- stderr\n{}---", self.stdout, self.stderr)
    }
}

/// Runs a script to its end.
pub fn run(script: &str, folder: &Path) -> Said {
    shell(script, folder).output().expect("bash starts").into()
}

/// Whether the tests run inside the throwaway cluster; says so when they do not.
pub fn on_a_cluster(test: &str) -> bool {
    let there = std::env::var_os("SVC_TEST_CLUSTER").is_some();
    if !there {
        eprintln!("{test} did not run: no cluster (tests/run starts one)");
    }
    there
}
