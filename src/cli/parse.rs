//! From arguments to a command line: flags of every level joined, mistakes in svc's own words.

use std::ffi::OsString;

use clap::{ArgMatches, Args, Command as Clap, CommandFactory, FromArgMatches};

use super::{Cli, Command, Global, help, wrong};
use crate::error::{Error, Result};

/// What the arguments ask for.
#[derive(Debug)]
pub enum Asked {
    /// A command to run.
    Run(Box<Cli>),
    /// A text to print: help or the version.
    Print(String),
}

/// The command with its help, the global flags at every level.
pub fn command(program: &'static str, width: usize) -> Clap {
    let usage = format!("{program} [OPTIONS] <COMMAND>");
    let clap = Cli::command().bin_name(program).name(program).override_usage(usage);
    let clap = clap.term_width(width);
    let clap = help::add(clap.mut_subcommands(add_global_flags));
    clap.mut_args(|arg| if arg.get_id() == "version" { arg.help("Print version") } else { arg })
}

fn add_global_flags(verb: Clap) -> Clap {
    let verb = verb.mut_subcommands(add_global_flags);
    // clap takes the text about a group of flags for the verb's own.
    let about = verb.get_about().cloned().unwrap_or_default();
    let verb = Global::augment_args(verb.next_help_heading("Everywhere")).about(about);
    verb.next_help_heading(None)
}

/// Parses the arguments, the program's own path first.
///
/// # Errors
/// Wrong usage, in the words of interface §2 and §14.
pub fn parse(args: &[OsString], program: &'static str, width: usize) -> Result<Asked> {
    if let [_, only] = args
        && ["--version", "-V"].iter().any(|version| only == version)
    {
        // Asked by scripts before each use: not worth building every verb.
        return Ok(Asked::Print(format!("{program} {}\n", env!("CARGO_PKG_VERSION"))));
    }
    let matches = match command(program, width).try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(error) if !error.use_stderr() => {
            return Ok(Asked::Print(help::text(&error.render(), width)));
        }
        Err(error) => {
            let mut clap = command(program, width);
            clap.build();
            return Err(wrong::explain(&error, &clap, args));
        }
    };
    let mut cli =
        Cli::from_arg_matches(&matches).map_err(|error| Error::usage(error.to_string()))?;
    let mut level = &matches;
    while let Some((_, below)) = level.subcommand() {
        let flags =
            Global::from_arg_matches(below).map_err(|error| Error::usage(error.to_string()))?;
        cli.global = join(cli.global, flags)?;
        level = below;
    }
    check(&cli.global)?;
    if let Some(command) = &cli.command {
        has_names(command)?;
        has_values(command)?;
        is_one_scope(command, &cli.global)?;
    }
    Ok(Asked::Run(Box::new(cli)))
}

/// The global flags of a command line that is wrong, as far as they can be read: the command that
/// its error names acts where the wrong one would have.
pub fn global_of(args: &[OsString], program: &'static str) -> Global {
    let clap = command(program, 80).ignore_errors(true);
    let Ok(matches) = clap.try_get_matches_from(args) else { return Global::default() };
    let mut global = read_flags(&matches);
    let mut level = &matches;
    while let Some((_, below)) = level.subcommand() {
        global = join(global.clone(), read_flags(below)).unwrap_or(global);
        level = below;
    }
    global
}

/// What was read before the mistake: the rest of the matches may be missing altogether.
fn read_flags(matches: &ArgMatches) -> Global {
    let text = |id: &str| matches.try_get_one::<String>(id).ok().flatten().cloned();
    Global {
        context: text("context"),
        namespace: text("namespace"),
        kubeconfig: matches.try_get_one("kubeconfig").ok().flatten().cloned(),
        color: matches.try_get_one("color").ok().flatten().copied(),
        ..Global::default()
    }
}

/// Flags given before and after the verb are one set; two different values are a mistake.
fn join(before: Global, after: Global) -> Result<Global> {
    Ok(Global {
        context: same("--context", before.context, after.context)?,
        kubeconfig: same("--kubeconfig", before.kubeconfig, after.kubeconfig)?,
        namespace: same("--namespace", before.namespace, after.namespace)?,
        no_input: before.no_input || after.no_input,
        quiet: before.quiet || after.quiet,
        verbose: before.verbose.saturating_add(after.verbose),
        color: same("--color", before.color, after.color)?,
    })
}

fn same<T: PartialEq>(flag: &str, before: Option<T>, after: Option<T>) -> Result<Option<T>> {
    match (&before, &after) {
        (Some(one), Some(other)) if one != other => {
            Err(Error::usage(format!("{flag} is given twice, with different values")))
        }
        _ => Ok(after.or(before)),
    }
}

/// A script's variable that is not set names nothing.
fn has_names(command: &Command) -> Result<()> {
    let (verb, names) = match command {
        Command::Show(show) => ("show", std::slice::from_ref(&show.name)),
        Command::Wait(wait) => ("wait", std::slice::from_ref(&wait.name)),
        Command::Update(update) => ("update", std::slice::from_ref(&update.name)),
        Command::Upgrade(upgrade) => ("upgrade", std::slice::from_ref(&upgrade.name)),
        Command::Delete(delete) => ("delete", delete.names.as_slice()),
        _ => return Ok(()),
    };
    let Some(none) = names.iter().find(|name| !may_be_a_name(name)) else { return Ok(()) };
    Err(Error::usage(format!("{verb} needs NAME; \"{none}\" is none"))
        .try_for("list", "the names there are"))
}

/// The same of flags that name a class or a plan.
fn has_values(command: &Command) -> Result<()> {
    let plan_of_change = match command {
        Command::Update(update) => update.plan.as_ref(),
        Command::Upgrade(upgrade) => upgrade.plan.as_ref(),
        _ => None,
    };
    let (classes, plan) = match command {
        Command::Create(create) => (create.class.as_slice(), create.plan.as_ref()),
        Command::List(list) => (list.class.as_slice(), None),
        Command::Catalog(catalog) => (catalog.class.as_slice(), None),
        _ => (&[][..], plan_of_change),
    };
    let is_empty = |name: &String| name.is_empty();
    if classes.iter().any(is_empty) {
        return Err(Error::usage("\"\" is no class").try_for("catalog", "the classes there are"));
    }
    if plan.is_some_and(is_empty) {
        return Err(Error::usage("--plan needs PLAN; \"\" is none"));
    }
    Ok(())
}

/// One namespace is named, or all are meant.
fn is_one_scope(command: &Command, global: &Global) -> Result<()> {
    match command {
        Command::List(list) if list.all_namespaces && global.namespace.is_some() => {
            Err(Error::usage("-A and -n exclude each other"))
        }
        _ => Ok(()),
    }
}

/// What a release can be called, and more; the cluster knows which there are.
fn may_be_a_name(text: &str) -> bool {
    let ends = |character: Option<char>| character.is_some_and(|c| c.is_ascii_alphanumeric());
    let inside = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    ends(text.chars().next()) && ends(text.chars().last()) && text.chars().all(inside)
}

fn check(global: &Global) -> Result<()> {
    if global.quiet && global.verbose > 0 {
        return Err(Error::usage("-q and -v exclude each other"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Asked> {
        let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        parse(&args, "svc", 80)
    }

    fn global(line: &str) -> Global {
        match parsed(line) {
            Ok(Asked::Run(cli)) => cli.global,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn refused(line: &str) -> String {
        parsed(line).expect_err("must be refused").message
    }

    #[test]
    fn every_flag_and_verb_is_well_formed() {
        command("svc", 80).debug_assert();
    }

    #[test]
    fn global_flags_work_before_and_after_the_verb() {
        assert_eq!(global("svc -n a list").namespace.as_deref(), Some("a"));
        assert_eq!(global("svc list -n a").namespace.as_deref(), Some("a"));
        assert_eq!(global("svc -v list -v").verbose, 2);
    }

    #[test]
    fn two_different_values_are_wrong_usage() {
        assert_eq!(
            refused("svc -n a list -n b"),
            "--namespace is given twice, with different values"
        );
        assert_eq!(global("svc -n a list -n a").namespace.as_deref(), Some("a"));
        assert_eq!(refused("svc -q list -v"), "-q and -v exclude each other");
    }

    #[test]
    fn a_wrong_line_still_says_where_it_acts() {
        let global = |line: &str| {
            let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            global_of(&args, "svc")
        };
        assert_eq!(global("svc -n a get mydb").namespace.as_deref(), Some("a"));
        assert_eq!(global("svc list -n a -o xml").namespace.as_deref(), Some("a"));
        assert_eq!(global("svc show -n a --context b").context.as_deref(), Some("b"));
    }

    #[test]
    fn a_mistyped_verb_below_another_is_looked_for_there() {
        let error = parsed("svc class cdr").expect_err("no such verb");
        assert_eq!(error.message, "no command class cdr");
        assert_eq!(error.tries[0].command, "class crd");
        let error = parsed("svc class get").expect_err("no such verb");
        assert_eq!(error.tries[0].command, "class --help");
    }

    #[cfg(unix)]
    #[test]
    fn an_argument_that_is_no_text_is_named_without_its_value() {
        use std::os::unix::ffi::OsStringExt as _;
        let refused = |flag: &str, bytes: &[u8]| {
            let last = OsString::from_vec(bytes.to_vec());
            let args = ["svc", "create", flag].map(OsString::from).into_iter().chain([last]);
            parse(&args.collect::<Vec<_>>(), "svc", 80).expect_err("must be refused").message
        };
        assert_eq!(refused("a", b"--set=motd=hunter\xff"), "the value of motd is not UTF-8");
        assert_eq!(refused("--set", b"motd=hunter\xff"), "the value of motd is not UTF-8");
        assert_eq!(refused("--class", b"b\xff"), "\"b\u{fffd}\" is not UTF-8");
    }

    #[test]
    fn words_after_an_unknown_verb_are_quoted() {
        let args = ["svc", "new", "db", "--set", "motd=it's a b"].map(OsString::from);
        let error = parse(&args, "svc", 80).expect_err("no such verb");
        assert_eq!(error.tries[0].command, r"create db --set 'motd=it'\''s a b'");
    }

    #[test]
    fn an_unknown_verb_names_the_right_one() {
        let error = parsed("svc get mydb").expect_err("no such verb");
        assert_eq!(error.message, "no command get");
        assert_eq!(error.tries[0].command, "show mydb");
        assert_eq!(refused("svc lst"), "no command lst");
    }

    #[test]
    fn a_verb_that_needs_a_name_is_not_named_without_one() {
        let tries = |line: &str| parsed(line).expect_err("no such verb").tries.remove(0).command;
        for line in ["svc get", "svc get -o json", "svc describe", "svc remove", "svc shwo"] {
            assert_eq!(tries(line), "list", "{line}");
        }
        assert_eq!(tries("svc install"), "create");
        assert_eq!(tries("svc complete"), "completion --help");
        assert_eq!(tries("svc get mydb -o json"), "show mydb -o json");
    }

    #[test]
    fn a_name_is_not_empty() {
        for verb in ["show", "wait", "update", "upgrade", "delete"] {
            let args = ["svc", verb, ""].map(OsString::from);
            let error = parse(&args, "svc", 80).expect_err("no name");
            assert_eq!(error.message, format!("{verb} needs NAME; \"\" is none"));
        }
    }

    #[test]
    fn a_class_and_a_plan_are_not_empty() {
        let refused = |words: &[&str]| {
            let args: Vec<_> = ["svc"].iter().chain(words).map(OsString::from).collect();
            parse(&args, "svc", 80).expect_err("must be refused").message
        };
        for words in [["create", "x", "-c", ""].as_slice(), &["list", "--class", ""]] {
            assert_eq!(refused(words), "\"\" is no class");
        }
        for words in [["create", "x", "-p", ""], ["update", "x", "--plan", ""]] {
            assert_eq!(refused(&words), "--plan needs PLAN; \"\" is none");
        }
    }

    #[test]
    fn one_namespace_or_all() {
        assert_eq!(refused("svc list -A -n a"), "-A and -n exclude each other");
        assert_eq!(refused("svc -n a list -A"), "-A and -n exclude each other");
        assert!(parsed("svc list -A").is_ok());
    }

    #[test]
    fn a_time_may_begin_with_a_minus() {
        for verb in ["create a", "wait a", "update a", "upgrade a", "delete a"] {
            assert!(parsed(&format!("svc {verb} --timeout -5m")).is_ok(), "{verb}");
        }
        assert_eq!(refused("svc wait a --timeout"), "--timeout needs DURATION");
    }

    #[test]
    fn a_wrong_flag_is_named() {
        assert_eq!(refused("svc list --foo"), "no flag --foo in svc list");
        assert_eq!(
            refused("svc list -o xml"),
            "\"xml\" is not one of table, wide, json, yaml, name"
        );
        assert_eq!(refused("svc show"), "show needs NAME");
        assert_eq!(refused("svc wait mydb --timeout"), "--timeout needs DURATION");
    }
}
