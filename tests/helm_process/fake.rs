//! A helm that writes down how it was started, and does what the test says.

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use svc::helm::{
    CacheDirectory, Deployment, Helm, HelmEnvironment, InstallRequest, Lock, LockState, Signal,
    Signals, Target,
};
use tempfile::TempDir;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

/// Answers `version`; everything else is written down, then the test's own lines run.
const SCRIPT: &str = r#"#!/bin/sh
if [ "$1" = version ]; then
  echo "$SAID_VERSION"
  exit 0
fi
count=$(($(cat "$SEEN/count" 2>/dev/null || echo 0) + 1))
echo "$count" > "$SEEN/count"
for arg in "$@"; do printf '%s\n' "$arg"; done > "$SEEN/argv.$count"
env > "$SEEN/env.$count"
pwd > "$SEEN/cwd.$count"
ls -A > "$SEEN/cwd-content.$count"
ls /proc/$$/fd > "$SEEN/descriptors.$count"
"#;

/// The fake, what it saw, and everything around it; gone with the value.
pub struct Fake {
    root: TempDir,
    pub cache: CacheDirectory,
    pub signals: Signals,
    pub sender: UnboundedSender<Signal>,
    extra: Vec<(OsString, OsString)>,
}

impl Fake {
    /// A helm 3.17.3 that runs these lines of shell.
    pub fn new(lines: &str) -> Self {
        Self::with_script(&format!("{SCRIPT}{lines}\n"))
    }

    /// Any program in the place of helm.
    pub fn with_script(script: &str) -> Self {
        let root = tempfile::tempdir().expect("a temporary directory");
        let program = root.path().join("helm");
        fs::write(&program, script).expect("the fake is written");
        fs::set_permissions(&program, Permissions::from_mode(0o755)).expect("it is executable");
        fs::create_dir(root.path().join("seen")).expect("a place for what it sees");
        let cache = CacheDirectory::open(root.path().join("cache")).expect("a cache");
        let (sender, signals) = unbounded_channel();
        Self { root, cache, signals, sender, extra: Vec::new() }
    }

    /// One more variable in svc's own environment.
    pub fn with_var(mut self, name: &str, value: &str) -> Self {
        self.extra.push((name.into(), value.into()));
        self
    }

    pub fn path(&self) -> &Path {
        self.root.path()
    }

    pub fn environment(&self) -> HelmEnvironment {
        let mut vars: Vec<(OsString, OsString)> = vec![
            ("PATH".into(), "/usr/bin:/bin".into()),
            ("SEEN".into(), self.root.path().join("seen").into()),
            ("SAID_VERSION".into(), "v3.17.3".into()),
        ];
        vars.extend(self.extra.clone());
        HelmEnvironment {
            vars,
            path: Some(self.root.path().into()),
            svc_helm: None,
            may_prompt: false,
        }
    }

    pub async fn helm(&mut self) -> Helm {
        let environment = self.environment();
        Helm::find(environment, self.cache.clone(), &mut self.signals).await.expect("the fake")
    }

    /// What the fake wrote down of its run number `run`; empty if it never ran.
    pub fn seen(&self, what: &str, run: u32) -> String {
        let file = self.root.path().join("seen").join(format!("{what}.{run}"));
        fs::read_to_string(file).unwrap_or_default()
    }

    /// How often it ran, `version` aside.
    pub fn runs(&self) -> u32 {
        let count = fs::read_to_string(self.root.path().join("seen/count")).unwrap_or_default();
        count.trim().parse().unwrap_or(0)
    }

    /// Waits until the fake has made this file in its place.
    pub async fn wait_for(&self, what: &str) {
        let file = self.root.path().join("seen").join(what);
        for _ in 0..500 {
            if file.exists() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("the fake never made {what}");
    }

    pub fn lock(&self) -> Option<Lock> {
        match Lock::take(&self.cache, "https://h:6443", "team-a", "mydb").expect("a lock file") {
            LockState::Taken(lock) => Some(lock),
            LockState::HeldByOther => None,
        }
    }

    pub fn chart_file(&self) -> PathBuf {
        self.root.path().join("chart.tgz")
    }

    pub fn install(&self, values: &str) -> InstallRequest {
        InstallRequest {
            target: Target {
                kubeconfig: Some("/a:/b".into()),
                context: Some("staging".to_owned()),
                namespace: "team-a".to_owned(),
            },
            deployment: Deployment {
                release: "mydb".to_owned(),
                chart: self.chart_file(),
                values: values.into(),
                integers: Vec::new(),
                labels: [("svc-cli.dev/class".to_owned(), "postgres".to_owned())].into(),
                description: "svc create".to_owned(),
                timeout: Duration::from_mins(5),
            },
        }
    }
}
