//! What stands on the line around the word that is being typed.

use std::ffi::{OsStr, OsString};

use clap::{ArgMatches, FromArgMatches};

use super::request::Request;
use crate::cli::{Global, parse};
use crate::context::{Context, face};
use crate::process::Process;

/// The words of a line that decide about candidates; the word being typed is not among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    pub global: Global,
    pub verb: String,
    /// The verbs that `help` is asked about.
    pub commands: Vec<String>,
    /// Instances that are named.
    pub names: Vec<String>,
    pub details: Vec<String>,
    pub class: Option<String>,
    pub plan: Option<String>,
    /// Parameters that have a value already.
    pub given: Vec<String>,
}

impl Line {
    /// The line that this process is asked about, and the process.
    pub fn read() -> Option<(Self, Process)> {
        let process = Process::read();
        let line = Self::of(&Request::of(&process)?);
        Some((line, process))
    }

    /// Reads as much of the words as makes sense.
    pub fn of(request: &Request) -> Self {
        let clap = parse::command("svc", 80).ignore_errors(true);
        let Ok(matches) = clap.try_get_matches_from(without_typed(request)) else {
            return Self::default();
        };
        let global = |level: &ArgMatches| Global::from_arg_matches(level).unwrap_or_default();
        let Some((verb, below)) = matches.subcommand() else {
            return Self { global: spoken(global(&matches)), ..Self::default() };
        };
        let one = |id: &str| texts(below, id).into_iter().next_back();
        let names = [texts(below, "name"), texts(below, "names")].concat();
        let assigned = ["set", "set_env", "set_file", "unset"].map(|id| texts(below, id)).concat();
        Self {
            global: spoken(over(global(&matches), global(below))),
            verb: verb.to_owned(),
            commands: texts(below, "command"),
            names,
            details: texts(below, "details"),
            class: one("class"),
            plan: one("plan"),
            given: assigned.iter().map(|text| parameter(text).to_owned()).collect(),
        }
    }

    /// Whether it changes an instance that is there.
    pub fn is_change(&self) -> bool {
        matches!(self.verb.as_str(), "update" | "upgrade")
    }

    /// What a command of this line would be handed, but for anything that prints or asks.
    pub fn context(&self, process: Process) -> Context {
        let process = Process { stdin_is_terminal: false, ..process };
        let global =
            Global { quiet: true, verbose: 0, no_input: true, color: None, ..self.global.clone() };
        let face = face(&process, &global);
        Context::new(process, global, face)
    }
}

/// The name before `=`.
fn parameter(assignment: &str) -> &str {
    assignment.split('=').next().unwrap_or_default()
}

/// The words with an empty one in place of the one that is typed; of a flag with `=` the flag stays.
fn without_typed(request: &Request) -> Vec<OsString> {
    let mut words = request.words.clone();
    let typed = request.typed().to_string_lossy();
    match (typed.starts_with('-'), typed.split_once('=')) {
        (true, Some((flag, _))) => words[request.index] = format!("{flag}=").into(),
        (true, None) => drop(words.remove(request.index)),
        (false, _) => words[request.index] = OsString::new(),
    }
    words
}

/// The values of an argument, where the verb has it; empty ones are none.
fn texts(matches: &ArgMatches, id: &str) -> Vec<String> {
    let values = matches.try_get_many::<String>(id).ok().flatten().into_iter().flatten();
    values.filter(|value| !value.is_empty()).cloned().collect()
}

fn over(before: Global, after: Global) -> Global {
    Global {
        context: after.context.or(before.context),
        kubeconfig: after.kubeconfig.or(before.kubeconfig),
        namespace: after.namespace.or(before.namespace),
        ..after
    }
}

/// The flags without the empty value that stands for the word being typed.
fn spoken(global: Global) -> Global {
    Global {
        context: global.context.filter(|name| !name.is_empty()),
        kubeconfig: global.kubeconfig.filter(|path| path.as_os_str() != OsStr::new("")),
        namespace: global.namespace.filter(|name| !name.is_empty()),
        ..global
    }
}

#[cfg(test)]
mod tests {
    use super::super::shell::Asker;
    use super::*;
    use crate::cli::Shell;

    /// The line with `|` where the cursor is, at the end of the word being typed.
    fn line(text: &str) -> Line {
        let index = text.split(' ').position(|word| word.ends_with('|')).unwrap();
        let words = text.split(' ').map(|word| word.trim_end_matches('|').into()).collect();
        Line::of(&Request { asker: Asker::Shell(Shell::Zsh), words, index })
    }

    #[test]
    fn what_is_said_before_and_after_the_cursor_counts() {
        let line =
            line("svc -n team-a create db --plan | -c postgres --set mode=x --set-env=pw=PW");
        assert_eq!(line.class.as_deref(), Some("postgres"));
        assert_eq!((line.verb.as_str(), line.plan), ("create", None));
        assert_eq!(line.global.namespace.as_deref(), Some("team-a"));
        assert_eq!(line.given, ["mode", "pw"]);
    }

    #[test]
    fn the_word_being_typed_counts_for_nothing() {
        assert!(line("svc create db -c postgres --set mode=r|").given.is_empty());
        assert!(line("svc create db -c postgres --set=mode=r|").given.is_empty());
        assert_eq!(line("svc create db --class=po|").class, None);
        assert_eq!(line("svc list -n te|").global.namespace, None);
        assert_eq!(line("svc delete a b c| d").names, ["a", "b", "d"]);
        assert_eq!(line("svc show mydb po| uri").details, ["uri"]);
    }

    #[test]
    fn a_line_that_is_wrong_or_unfinished_is_read_as_far_as_it_goes() {
        assert_eq!(line("svc create -c postgres --foo --se|").class.as_deref(), Some("postgres"));
        assert_eq!(line("svc show mydb -o xml |").names, ["mydb"]);
        assert_eq!(line("svc nothing |"), Line::default());
        assert_eq!(line("svc --kubeconfig k|"), Line::default());
    }

    #[test]
    fn nothing_is_printed_or_asked() {
        let process =
            Process { stdin_is_terminal: true, stderr_is_terminal: true, ..Process::default() };
        let context = line("svc -vv list -n |").context(process);
        assert!(!context.can_ask());
        assert!(context.face.is_quiet());
        assert_eq!(context.face.verbosity(), 0);
    }
}
