//! What a command is handed: the face, the cluster when it is first asked for, helm, the prompt.

use std::cell::OnceCell;
use std::path::PathBuf;

use jiff::Timestamp;

use crate::cli::{Global, When};
use crate::cluster::{Chosen, Cluster, ConnectOptions, PodAddress, Proxies, RequestLog, contexts};
use crate::domain::state::Observer;
use crate::error::{Error, Result};
use crate::helm::{CacheDirectory, Helm, HelmEnvironment, Lock, MachineId, Signal, Signals};
use crate::output::{Caller, Face, Page, Streams, colour};
use crate::process::Process;
use crate::prompt::{NoPrompt, Prompt, Terminal};

/// Everything that outlives a single step of a command.
pub struct Context {
    pub process: Process,
    pub global: Global,
    pub face: Face,
    cluster: OnceCell<Cluster>,
}

/// Why no question may be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// stdin or stderr is no terminal, or a dumb one.
    NoTerminal,
    /// `--no-input`
    Flag,
    /// `SVC_NO_INPUT=1`
    Variable,
}

impl Context {
    pub fn new(process: Process, global: Global, face: Face) -> Self {
        Self { process, global, face, cluster: OnceCell::new() }
    }

    /// The cluster that flags, environment and kubeconfig choose. Nothing is contacted here.
    ///
    /// # Errors
    /// No kubeconfig, an unreadable one, an unknown context.
    pub fn cluster(&self) -> Result<&Cluster> {
        if let Some(cluster) = self.cluster.get() {
            return Ok(cluster);
        }
        let cluster = Cluster::open(self.connect_options())?;
        self.face.verbose(&cluster.chosen_by);
        Ok(self.cluster.get_or_init(|| cluster))
    }

    /// What flags and environment say about the cluster.
    pub fn connect_options(&self) -> ConnectOptions {
        let process = &self.process;
        let chosen = |flag: &Option<String>, name: &str, variable: &str| {
            let given = flag.clone().filter(|value| !value.is_empty());
            let by_flag = given.map(|value| Chosen { value, by: format!("--{name}") });
            by_flag.or_else(|| {
                let value = process.text(variable)?.to_owned();
                Some(Chosen { value, by: variable.to_owned() })
            })
        };
        ConnectOptions {
            kubeconfig: self.global.kubeconfig.clone(),
            kubeconfig_env: process.var("KUBECONFIG").map(Into::into),
            home: process.home(),
            context: chosen(&self.global.context, "context", "SVC_CONTEXT"),
            namespace: chosen(&self.global.namespace, "namespace", "SVC_NAMESPACE"),
            pod: pod_address(process),
            proxies: proxies(process),
            may_prompt: self.can_ask(),
            log: self.request_log(),
            memory: process.cache_dir().map(|cache| cache.join("servers")),
        }
    }

    /// The contexts of the kubeconfig; none where it cannot be read.
    pub fn context_names(&self) -> Vec<String> {
        contexts(&self.connect_options()).map(|contexts| contexts.names).unwrap_or_default()
    }

    fn request_log(&self) -> RequestLog {
        if self.face.verbosity() < 2 {
            return RequestLog::silent();
        }
        let face = self.face.clone();
        RequestLog::new(move |line| face.trace(line))
    }

    /// Whether questions may be asked (interface §1.1).
    pub fn can_ask(&self) -> bool {
        self.silence().is_none()
    }

    /// Why no question may be asked; `None` where one may.
    pub fn silence(&self) -> Option<Silence> {
        if !self.process.can_ask() {
            return Some(Silence::NoTerminal);
        }
        if self.global.no_input {
            return Some(Silence::Flag);
        }
        (self.process.text("SVC_NO_INPUT") == Some("1")).then_some(Silence::Variable)
    }

    /// Whoever answers questions.
    pub fn prompt(&self) -> Box<dyn Prompt> {
        if self.can_ask() { Box::new(Terminal::new(*self.face.err())) } else { Box::new(NoPrompt) }
    }

    /// Where charts and locks are kept.
    ///
    /// # Errors
    /// When there is no place for it or it cannot be made.
    pub fn cache(&self) -> Result<CacheDirectory> {
        let path = self.process.cache_dir().ok_or_else(|| {
            Error::failed("no place for the cache: neither HOME nor SVC_CACHE_DIR is set")
        })?;
        CacheDirectory::open(path)
    }

    /// helm, found and new enough.
    ///
    /// # Errors
    /// None, too old, or broken.
    pub async fn helm(&self) -> Result<Helm> {
        let (_, mut nobody) = tokio::sync::mpsc::unbounded_channel();
        let helm = Helm::find(self.helm_environment(), self.cache()?, &mut nobody).await?;
        if let Some(warning) = helm.warning() {
            self.face.warning(warning);
        }
        Ok(helm)
    }

    fn helm_environment(&self) -> HelmEnvironment {
        let process = &self.process;
        HelmEnvironment {
            vars: process.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
            path: process.var("PATH").map(Into::into),
            svc_helm: process.var("SVC_HELM").map(PathBuf::from),
            may_prompt: self.can_ask(),
        }
    }

    /// From now on Ctrl-C and SIGTERM are told instead of ending the process.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn catch_signals(&self) -> Result<Signals> {
        use tokio::signal::unix::{SignalKind, signal};
        let refused = |error| Error::failed("signals cannot be caught").because(error);
        let mut interrupts = signal(SignalKind::interrupt()).map_err(refused)?;
        let mut terminations = signal(SignalKind::terminate()).map_err(refused)?;
        let (sender, signals) = tokio::sync::mpsc::unbounded_channel();
        tokio::spawn(async move {
            loop {
                let caught = tokio::select! {
                    Some(()) = interrupts.recv() => Signal::Interrupt,
                    Some(()) = terminations.recv() => Signal::Terminate,
                    else => return,
                };
                if sender.send(caught).is_err() {
                    return;
                }
            }
        });
        Ok(signals)
    }

    /// The eight digits that tell this machine, for the label `until`.
    pub fn machine(&self) -> MachineId {
        MachineId::of_this_machine(&self.process.cache_dir().unwrap_or_default())
    }

    /// Who looks at states, and when.
    pub fn observer<'a>(&self, machine: &'a MachineId) -> Observer<'a> {
        Observer { now: self.now(), machine: machine.as_str(), locked: None }
    }

    /// The same, with a look at the lock of one instance on this machine.
    pub fn observer_of<'a>(&self, machine: &'a MachineId, name: &str) -> Observer<'a> {
        let namespace = self.cluster().map(|cluster| cluster.namespace.as_str());
        let locked = namespace.ok().and_then(|namespace| self.is_locked(namespace, name));
        Observer { locked, ..self.observer(machine) }
    }

    /// Whether svc or its helm works on an instance on this machine right now.
    pub fn is_locked(&self, namespace: &str, name: &str) -> Option<bool> {
        let server = &self.cluster().ok()?.target.server;
        Lock::is_held(&self.cache().ok()?, server, namespace, name).ok()
    }

    /// The clock.
    pub fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

fn pod_address(process: &Process) -> Option<PodAddress> {
    let host = process.text("KUBERNETES_SERVICE_HOST")?.to_owned();
    let port = process.text("KUBERNETES_SERVICE_PORT")?.parse().ok()?;
    Some(PodAddress { host, port })
}

fn proxies(process: &Process) -> Proxies {
    let first =
        |names: [&str; 2]| names.iter().find_map(|name| process.text(name)).map(str::to_owned);
    Proxies { https: first(["HTTPS_PROXY", "https_proxy"]), no: first(["NO_PROXY", "no_proxy"]) }
}

/// The face on the process's streams, as the flags want it.
pub fn face(process: &Process, global: &Global) -> Face {
    let page = |is_terminal: bool, colour: bool| Page {
        terminal: is_terminal && !process.has_dumb_terminal(),
        width: process.columns(),
        utf8: process.speaks_utf8(),
        colour,
    };
    let when = match global.color {
        None | Some(When::Auto) => colour::When::Auto,
        Some(When::Always) => colour::When::Always,
        Some(When::Never) => colour::When::Never,
    };
    let (stdout, stderr) = colour::of_process(when);
    Face::new(Streams {
        stdin_terminal: process.stdin_is_terminal,
        stdout: page(process.stdout_is_terminal, stdout),
        stderr: page(process.stderr_is_terminal, stderr),
        quiet: global.quiet,
        verbosity: global.verbose,
        caller: caller(process, global),
    })
}

/// How commands to paste are written: with the flags of this command line, not with what the
/// environment says.
fn caller(process: &Process, global: &Global) -> Caller {
    let given = |flag: &Option<String>| flag.clone().filter(|value| !value.is_empty());
    let kubeconfig = global.kubeconfig.as_ref().map(|path| path.to_string_lossy().into_owned());
    Caller {
        program: process.program().to_owned(),
        namespace: given(&global.namespace),
        context: given(&global.context),
        kubeconfig: given(&kubeconfig),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::parse::command;

    #[test]
    fn commands_of_every_verb_that_talks_to_a_cluster_say_where() {
        let caller = Caller::new("svc").in_namespace("team-b");
        for verb in command("svc", 80).get_subcommands() {
            let without = ["completion", "class", "help"].contains(&verb.get_name());
            for name in [verb.get_name()].into_iter().chain(verb.get_visible_aliases()) {
                let written = caller.text(&format!("svc {name}"));
                assert_eq!(written.ends_with(" -n team-b"), !without, "{written}");
            }
        }
    }
}
