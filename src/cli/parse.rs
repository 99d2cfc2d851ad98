//! From arguments to a command line: flags of every level joined, mistakes in svc's own words.

use std::ffi::OsString;

use clap::{Args, Command as Clap, CommandFactory, FromArgMatches};

use super::{Cli, Global, help, wrong};
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
    let matches = match command(program, width).try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(error) if !error.use_stderr() => return Ok(Asked::Print(help::text(&error.render()))),
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
    Ok(Asked::Run(Box::new(cli)))
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
    fn an_unknown_verb_names_the_right_one() {
        let error = parsed("svc get mydb").expect_err("no such verb");
        assert_eq!(error.message, "no command get");
        assert_eq!(error.tries[0].command, "show mydb");
        assert_eq!(refused("svc lst"), "no command lst");
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
