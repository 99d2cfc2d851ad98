//! One helm process: started, listened to, interrupted, ended.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use command_fds::CommandFdExt;
use rustix::process::{Pid, kill_process};
use tokio::process::Child;
use tokio::time::sleep_until;

use super::capture::Capture;
use super::command;
use super::descriptor::Descriptors;
use super::signal::{Signals, Stop, Stopping, next};

/// How long the streams may stay open after helm has ended.
const STREAM_PATIENCE: Duration = Duration::from_millis(500);

/// Everything that one helm is started with.
#[derive(Debug)]
pub(super) struct Invocation {
    pub(super) args: Vec<OsString>,
    pub(super) env: Vec<(OsString, OsString)>,
    pub(super) descriptors: Descriptors,
    /// Hand over svc's stdin, which is a terminal; otherwise helm gets none.
    pub(super) inherit_stdin: bool,
    /// The most bytes of stdout that are kept: this much of its beginning and of its end.
    pub(super) stdout_limit: usize,
    /// When svc ends it, whatever it does.
    pub(super) life: Duration,
}

/// How one helm ended, and what it said. Exit 0 is not success: the stored release is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The command line for `-v`, values as `***`.
    pub command_line: String,
    pub end: End,
    /// Why svc told it to stop, if it did.
    pub stopped: Option<Stop>,
    /// May hold secrets: never shown as it is.
    pub stdout: String,
    /// Part of stdout was dropped.
    pub stdout_truncated: bool,
    /// May hold secrets: never shown as it is.
    pub stderr: String,
}

#[cfg(test)]
impl Outcome {
    /// A helm that ended like this, with these words on stderr.
    pub(super) fn of_test(end: End, stopped: Option<Stop>, stderr: &str) -> Self {
        Self {
            command_line: "helm".to_owned(),
            end,
            stopped,
            stdout: String::new(),
            stdout_truncated: false,
            stderr: stderr.to_owned(),
        }
    }
}

/// The end of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Exit(i32),
    /// By this signal's number.
    Signal(i32),
}

impl Outcome {
    /// Whether helm says that all went well.
    pub fn is_success(&self) -> bool {
        self.end == End::Exit(0)
    }

    /// A signal that came while it worked, which it may have come to its end before.
    pub fn interrupted(&self) -> Option<super::Signal> {
        match self.stop()? {
            Stop::Interrupted(signal) | Stop::Killed(signal) => Some(signal),
            Stop::TooLate => None,
        }
    }

    /// What ended it early. Ctrl-C of a terminal may reach helm before svc listens for it.
    pub fn stop(&self) -> Option<Stop> {
        let by_terminal = self.end == End::Signal(2);
        self.stopped.or(by_terminal.then_some(Stop::Interrupted(super::Signal::Interrupt)))
    }
}

/// Starts the program in this directory and waits for its end.
///
/// # Errors
/// When it cannot be started.
pub(super) async fn run(
    program: &Path,
    invocation: Invocation,
    directory: &Path,
    signals: &mut Signals,
) -> std::io::Result<Outcome> {
    let stdout_limit = invocation.stdout_limit;
    let command_line = command::shown(&invocation.args);
    let mut stopping = Stopping::new(invocation.life);
    let mut child = start(program, invocation, directory)?;
    let stdout = child.stdout.take().map(|stream| Capture::start(stream, stdout_limit));
    let stderr = child.stderr.take().map(|stream| Capture::start(stream, STDERR_LIMIT));
    let mut running = Running(child);
    let status = running.wait(&mut stopping, signals).await?;
    let (stdout, stdout_truncated) = finish(stdout).await;
    let (stderr, _) = finish(stderr).await;
    let (end, stopped) = (End::of(status), stopping.why);
    Ok(Outcome { command_line, end, stopped, stdout, stdout_truncated, stderr })
}

/// The most bytes kept of the beginning and of the end of stderr.
const STDERR_LIMIT: usize = 128 * 1024;

async fn finish(capture: Option<Capture>) -> (String, bool) {
    match capture {
        Some(capture) => capture.finish(STREAM_PATIENCE).await,
        None => (String::new(), false),
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the one place that starts helm")]
fn start(program: &Path, invocation: Invocation, directory: &Path) -> std::io::Result<Child> {
    let mut command = std::process::Command::new(program);
    let stdin = if invocation.inherit_stdin { Stdio::inherit() } else { Stdio::null() };
    command
        .args(invocation.args)
        .env_clear()
        .envs(invocation.env)
        .current_dir(directory)
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .fd_mappings(invocation.descriptors.into_mappings())
        .expect("every descriptor has a number of its own");
    tokio::process::Command::from(command).spawn()
}

/// A helm at work. When svc gives up early (a panic), helm is told to stop and stores its state.
struct Running(Child);

impl Running {
    async fn wait(
        &mut self,
        stopping: &mut Stopping,
        signals: &mut Signals,
    ) -> std::io::Result<ExitStatus> {
        loop {
            tokio::select! {
                status = self.0.wait() => return status,
                signal = next(signals) => {
                    let strongest = stopping.on_signal(signal);
                    self.send(strongest);
                }
                () = sleep_until(stopping.deadline) => {
                    let strongest = stopping.on_deadline();
                    self.send(strongest);
                }
            }
        }
    }

    /// A helm that has ended meanwhile needs no signal.
    fn send(&self, signal: rustix::process::Signal) {
        let pid = self.0.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        if let Some(pid) = pid {
            let _ = kill_process(pid, signal);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.send(rustix::process::Signal::TERM);
    }
}

impl End {
    fn of(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(code), _) => Self::Exit(code),
            (None, signal) => Self::Signal(signal.unwrap_or_default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::super::signal::GRACE;
    use super::*;

    #[tokio::test]
    async fn a_helm_that_lives_too_long_is_told_to_stop() {
        let (_sender, mut signals) = tokio::sync::mpsc::unbounded_channel();
        let script = "trap 'echo stored; exit 1' TERM; sleep 30 & wait";
        let invocation = Invocation {
            args: ["-c", script].map(Into::into).to_vec(),
            env: vec![("PATH".into(), "/usr/bin:/bin".into())],
            descriptors: Descriptors::default(),
            inherit_stdin: false,
            stdout_limit: 1024,
            life: Duration::from_millis(300),
        };
        let started = Instant::now();
        let outcome = run(Path::new("/bin/sh"), invocation, Path::new("/"), &mut signals).await;
        let outcome = outcome.unwrap();
        assert_eq!((outcome.end, outcome.stopped), (End::Exit(1), Some(Stop::TooLate)));
        assert_eq!(outcome.stdout, "stored\n");
        assert!(started.elapsed() < GRACE);
    }
}
