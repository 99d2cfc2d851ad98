//! Completion (interface §1.8): words that are known, and live ones from the cluster. Silent on
//! any error.
//!
//! clap's engine finds what is being typed and asks the functions here. It hands them no line, so
//! each reads the line that the process is asked about.

mod cache;
mod choice;
mod class;
mod instance;
mod line;
mod live;
mod offer;
mod request;
mod shell;

use std::ffi::OsStr;

use clap::Command as Clap;
use clap_complete::engine::{
    self, ArgValueCandidates as Live, ArgValueCompleter, CompletionCandidate, PathCompleter,
    ValueCompleter,
};

use crate::cli::{Global, parse};
use crate::cluster;
use crate::context;
use crate::domain::instance::State;
use crate::process::Process;

use choice::Choice;
use line::Line;
use request::Request;

pub use shell::registration;

/// Answers the question of a shell, if this is one; gives whether it was.
pub fn answer(process: &Process) -> bool {
    if !request::is_asked(process) {
        return false;
    }
    if let Some(request) = Request::of(process) {
        let text = request.asker.answer(&candidates(&request));
        // A shell that went away is not told.
        let _ = context::face(process, &Global::default()).deliver(text);
    }
    true
}

/// What clap's engine finds. Flags are offered to who has typed a dash, else they would drown the
/// names.
fn candidates(request: &Request) -> Vec<CompletionCandidate> {
    let mut clap = parse::command("svc", 80);
    let words = request.words.clone();
    let here = std::env::current_dir().ok();
    let found = engine::complete(&mut clap, words, request.index, here.as_deref());
    let is_dash = |text: &OsStr| text.as_encoded_bytes().starts_with(b"-");
    let flags = is_dash(request.typed());
    let mut candidates = found.unwrap_or_default();
    candidates.retain(|candidate| flags || !is_dash(candidate.get_value()));
    candidates
}

fn offered(choices: impl IntoIterator<Item = Choice>) -> Vec<CompletionCandidate> {
    choices.into_iter().map(CompletionCandidate::from).collect()
}

fn marked(name: String, current: Option<&str>) -> Choice {
    let about = if current == Some(name.as_str()) { "current" } else { "" };
    Choice::new(name, about)
}

/// Contexts of the kubeconfig, the current one marked.
pub fn contexts() -> Vec<CompletionCandidate> {
    let Some((line, process)) = Line::read() else { return Vec::new() };
    let options = line.context(process).connect_options();
    let contexts = cluster::contexts(&options).unwrap_or_default();
    let current = contexts.current.as_deref();
    offered(contexts.names.into_iter().map(|name| marked(name, current)))
}

/// Namespaces of the cluster, the one that counts without `-n` marked.
pub fn namespaces() -> Vec<CompletionCandidate> {
    let Some((mut line, process)) = Line::read() else { return Vec::new() };
    line.global.namespace = None;
    let names: Option<Vec<String>> =
        live::ask(&line, process.clone(), "namespaces", async |cluster| cluster.namespaces().await);
    let context = line.context(process);
    let current = context.cluster().ok().map(|cluster| cluster.namespace.as_str());
    offered(names.unwrap_or_default().into_iter().map(|name| marked(name, current)))
}

/// For `help`: the verbs below those that the line names.
pub fn verbs() -> Vec<CompletionCandidate> {
    let Some((line, _)) = Line::read() else { return Vec::new() };
    let clap = parse::command("svc", 80);
    let below = line.commands.iter().try_fold(&clap, |level, verb| level.find_subcommand(verb));
    let verbs = below.into_iter().flat_map(Clap::get_subcommands);
    let shown = verbs.filter(|verb| !verb.is_hide_set());
    offered(shown.map(|verb| {
        let about = verb.get_about().map(ToString::to_string).unwrap_or_default();
        Choice::new(verb.get_name(), about)
    }))
}

/// Every class.
pub fn classes() -> Vec<CompletionCandidate> {
    class::all()
        .map(|classes| offered(classes.into_iter().map(class::Known::choice)))
        .unwrap_or_default()
}

/// Classes that can be created: neither shared nor broken.
pub fn creatable_classes() -> Vec<CompletionCandidate> {
    let classes = class::all().unwrap_or_default().into_iter().filter(|class| class.can_be_created);
    offered(classes.map(class::Known::choice))
}

/// Plans of the class on the line.
pub fn plans() -> Vec<CompletionCandidate> {
    class::offer().map(|(_, offer)| offered(offer.plans)).unwrap_or_default()
}

/// Instances of the namespace; those that the line names already are left out.
pub fn instances() -> Vec<CompletionCandidate> {
    let Some((line, process)) = Line::read() else { return Vec::new() };
    let known: Option<Vec<Choice>> = live::ask(&line, process, "instances", instance::all);
    let bindings_too = line.verb == "show";
    let wanted = known.unwrap_or_default().into_iter().filter(|choice| {
        (bindings_too || !choice.value.contains('/')) && !line.names.contains(&choice.value)
    });
    offered(wanted)
}

/// Instances of the namespace, the outdated ones first.
pub fn instances_to_upgrade() -> Vec<CompletionCandidate> {
    let Some((line, process)) = Line::read() else { return Vec::new() };
    let known: Option<Vec<Choice>> =
        live::ask(&line, process, "instances to upgrade", instance::outdated_first);
    let known = known.unwrap_or_default().into_iter();
    let candidates = known.filter(|choice| !choice.value.contains('/')).enumerate();
    candidates
        .map(|(place, choice)| CompletionCandidate::from(choice).display_order(Some(place)))
        .collect()
}

/// For `--unset`: parameters that may change.
pub fn unsettable() -> Live {
    Live::new(|| offered(class::changeable()))
}

/// Details of the instance on the line, by name; never a value.
pub fn details() -> Vec<CompletionCandidate> {
    let Some((line, process)) = Line::read() else { return Vec::new() };
    let Some(name) = line.names.first() else { return Vec::new() };
    let kind = format!("details of {name}");
    let known: Option<Vec<Choice>> =
        live::ask(&line, process, &kind, async |cluster| instance::details(cluster, name).await);
    let left = |choice: &Choice| !line.details.contains(&choice.value);
    offered(known.unwrap_or_default().into_iter().filter(left))
}

/// For `--set`: `NAME=` and, after it, values worth trying. Sensitive parameters are not set here.
pub fn assignments() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        class::assigned(
            typed,
            |parameter| !parameter.sensitive,
            |parameter, _| offered(parameter.values.clone()),
        )
    })
}

/// For `--set-env`: `NAME=` and, after it, names of variables.
pub fn variables() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        class::assigned(
            typed,
            |_| true,
            |_, _| Process::read().env.into_keys().map(CompletionCandidate::new).collect(),
        )
    })
}

/// For `--set-file`: `NAME=` and, after it, files.
pub fn files() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        class::assigned(typed, |_| true, |_, path| PathCompleter::file().complete(path))
    })
}

/// The states of the column STATE.
pub fn states() -> Vec<CompletionCandidate> {
    State::ALL.iter().map(|state| CompletionCandidate::new(state.word())).collect()
}
