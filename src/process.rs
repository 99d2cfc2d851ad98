//! Arguments, environment and terminals: read once, here alone.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Where svc runs: what it was called with and what it is attached to.
#[derive(Clone, Debug, Default)]
pub struct Process {
    /// All arguments, the program's own path first.
    pub args: Vec<OsString>,
    /// The environment.
    pub env: BTreeMap<OsString, OsString>,
    pub stdin_is_terminal: bool,
    pub stdout_is_terminal: bool,
    pub stderr_is_terminal: bool,
    /// Columns of the terminal, where there is one.
    pub width: Option<usize>,
}

impl Process {
    /// Reads the real process.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the process")]
    pub fn read() -> Self {
        let terminal = std::io::stderr().is_terminal() || std::io::stdout().is_terminal();
        Self {
            args: std::env::args_os().collect(),
            env: std::env::vars_os().collect(),
            stdin_is_terminal: std::io::stdin().is_terminal(),
            stdout_is_terminal: std::io::stdout().is_terminal(),
            stderr_is_terminal: std::io::stderr().is_terminal(),
            width: terminal.then(terminal_width).flatten(),
        }
    }

    /// A variable; an empty one counts as unset (interface §1.2).
    pub fn var(&self, name: &str) -> Option<&OsStr> {
        self.env.get(OsStr::new(name)).map(OsString::as_os_str).filter(|value| !value.is_empty())
    }

    /// A variable as text; one that is not UTF-8 counts as unset.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.var(name).and_then(OsStr::to_str)
    }

    /// How people call this program: `kubectl svc` when it was found as kubectl's plugin.
    pub fn program(&self) -> &'static str {
        if self.called_as("kubectl-svc") { "kubectl svc" } else { "svc" }
    }

    /// Whether kubectl asks for completion candidates (`kubectl_complete-svc`).
    pub fn completes_for_kubectl(&self) -> bool {
        self.called_as("kubectl_complete-svc")
    }

    fn called_as(&self, name: &str) -> bool {
        self.args.first().and_then(|path| Path::new(path).file_stem()) == Some(OsStr::new(name))
    }

    /// Columns to write for: `COLUMNS`, else the terminal's, else 80.
    pub fn columns(&self) -> usize {
        let named = self.text("COLUMNS").and_then(|columns| columns.parse().ok());
        named.filter(|columns| *columns > 0).or(self.width).unwrap_or(80)
    }

    /// Whether the terminal can show more than ASCII: the first of `LC_ALL`, `LC_CTYPE`, `LANG`
    /// that is set says so.
    pub fn speaks_utf8(&self) -> bool {
        ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| self.text(name)).is_some_and(
            |locale| {
                let locale = locale.to_ascii_lowercase();
                locale.contains("utf-8") || locale.contains("utf8")
            },
        )
    }

    /// Whether a question can be asked: stdin and stderr are terminals that can move a cursor.
    pub fn can_ask(&self) -> bool {
        self.stdin_is_terminal && self.stderr_is_terminal && !self.has_dumb_terminal()
    }

    /// `TERM=dumb` counts as no terminal.
    pub fn has_dumb_terminal(&self) -> bool {
        self.text("TERM") == Some("dumb")
    }

    /// The home directory.
    pub fn home(&self) -> Option<PathBuf> {
        self.var("HOME").map(PathBuf::from)
    }

    /// Where charts, completions and locks are kept: `SVC_CACHE_DIR`, else the platform's cache.
    pub fn cache_dir(&self) -> Option<PathBuf> {
        self.var("SVC_CACHE_DIR")
            .map(PathBuf::from)
            .or_else(|| self.var("XDG_CACHE_HOME").map(|base| Path::new(base).join("svc")))
            .or_else(|| self.home().map(|home| home.join(platform_cache()).join("svc")))
    }
}

fn platform_cache() -> &'static str {
    if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" }
}

fn terminal_width() -> Option<usize> {
    console::Term::stderr().size_checked().map(|(_, columns)| usize::from(columns))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(env: &[(&str, &str)]) -> Process {
        let env = env.iter().map(|(name, value)| (name.into(), value.into())).collect();
        Process { env, ..Process::default() }
    }

    #[test]
    fn an_empty_variable_counts_as_unset() {
        assert_eq!(process(&[("SVC_NAMESPACE", "")]).text("SVC_NAMESPACE"), None);
    }

    #[test]
    fn the_first_locale_variable_decides() {
        assert!(process(&[("LANG", "en_US.UTF-8")]).speaks_utf8());
        assert!(!process(&[("LC_ALL", "C"), ("LANG", "en_US.UTF-8")]).speaks_utf8());
        assert!(!process(&[]).speaks_utf8());
    }

    #[test]
    fn the_name_it_is_found_by_is_what_people_type() {
        let called = |path: &str| Process { args: vec![path.into()], ..Process::default() };
        assert_eq!(called("/usr/bin/kubectl-svc").program(), "kubectl svc");
        assert_eq!(called("svc").program(), "svc");
        assert!(called("kubectl_complete-svc").completes_for_kubectl());
    }
}
