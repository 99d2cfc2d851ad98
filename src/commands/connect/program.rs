//! A program beside the tunnel: started with the details, signalled, waited for.

use std::ffi::OsString;
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use rustix::process::{Pid, kill_process};
use secrecy::{ExposeSecret as _, SecretString};
use tempfile::NamedTempFile;
use tokio::process::{Child, Command};

use crate::context::Context;
use crate::domain::connection::SCRIPT;
use crate::error::{Error, Result, cause_words};
use crate::helm::{Signal, Signals};

/// A program that is ready to start.
pub(super) struct Program {
    /// As people call it.
    pub name: String,
    pub path: PathBuf,
    pub args: Vec<OsString>,
    pub env: Vec<(String, SecretString)>,
    /// What a file holds whose path stands for [`SCRIPT`] among the arguments.
    pub script: Option<SecretString>,
}

impl Program {
    /// Runs it, and gives its exit status; 128 and the number, where a signal ended it.
    ///
    /// # Errors
    /// It cannot be started.
    pub async fn run(self, signals: &mut Signals, context: &Context) -> Result<u8> {
        let script = self.script.as_ref().map(|text| script(text, context)).transpose()?;
        let script = script.as_ref().map(NamedTempFile::path);
        let started = self.start(script);
        let mut child = started.map_err(|error| {
            Error::failed(format!("{} cannot be started: {}", self.name, cause_words(&error)))
        })?;
        loop {
            tokio::select! {
                status = child.wait() => return status.map(code).map_err(|error| {
                    Error::failed(format!("{} was lost", self.name)).because(error)
                }),
                Some(signal) = signals.recv() => pass_on(signal, &child, context),
            }
        }
    }

    #[expect(clippy::disallowed_methods, reason = "the one place that starts a client program")]
    fn start(&self, script: Option<&Path>) -> std::io::Result<Child> {
        let args = self.args.iter().map(|arg| match script {
            Some(path) if arg == SCRIPT => path.as_os_str(),
            _ => arg,
        });
        let env = self.env.iter().map(|(name, value)| (name, value.expose_secret()));
        Command::new(&self.path).args(args).envs(env).spawn()
    }
}

/// A file that its user alone can read, as long as the program runs.
fn script(text: &SecretString, context: &Context) -> Result<NamedTempFile> {
    let folder = context.cache()?;
    let file = tempfile::Builder::new().suffix(".js").tempfile_in(folder.path());
    let written = file.and_then(|mut file| {
        file.write_all(text.expose_secret().as_bytes())?;
        Ok(file)
    });
    written.map_err(|error| {
        let path = folder.path().display();
        Error::failed(format!("cannot write in {path}: {}", cause_words(&error)))
    })
}

/// Ctrl-C of a terminal reaches the program too, which may live on.
fn pass_on(signal: Signal, child: &Child, context: &Context) {
    let signal = match signal {
        Signal::Interrupt if context.process.stdin_is_terminal => return,
        Signal::Interrupt => rustix::process::Signal::INT,
        Signal::Terminate => rustix::process::Signal::TERM,
    };
    let id = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
    if let Some(id) = id {
        // It may have ended meanwhile.
        let _ = kill_process(id, signal);
    }
}

fn code(status: ExitStatus) -> u8 {
    let number = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or_default());
    u8::try_from(number).unwrap_or(1)
}
