//! Wrong usage in svc's own words, with the right command to paste.

mod put_right;

use std::ffi::OsString;

use clap::Command as Clap;
use clap::error::{ContextKind, ContextValue, ErrorKind as Mistake};

use crate::domain::command_line::quote;
use crate::domain::suggest::nearest;
use crate::error::Error;
use put_right::put_right;

/// Words of other tools for verbs of this one.
const OTHER_WORDS: [(&str, &str); 7] = [
    ("get", "show"),
    ("describe", "show"),
    ("status", "show"),
    ("install", "create"),
    ("new", "create"),
    ("remove", "delete"),
    ("uninstall", "delete"),
];

/// Turns what clap says into an error to show.
pub fn explain(error: &clap::Error, clap: &Clap, args: &[OsString]) -> Error {
    let verb = verb(clap, args);
    match error.kind() {
        Mistake::DisplayHelpOnMissingArgumentOrSubcommand | Mistake::MissingSubcommand => {
            Error::usage(format!("{verb} needs a command")).try_(help_of(&verb))
        }
        Mistake::InvalidSubcommand => unknown_verb(error, clap, args),
        Mistake::UnknownArgument => unknown_flag(error, clap, &verb, args),
        Mistake::MissingRequiredArgument => {
            let missing = texts(error, ContextKind::InvalidArg).join(" and ");
            needs(&missing, &verb)
        }
        Mistake::InvalidValue | Mistake::ValueValidation => wrong_value(error, clap, &verb, args),
        Mistake::ArgumentConflict => conflict(error, &verb),
        Mistake::InvalidUtf8 => not_text(&verb, args),
        _ => Error::usage(first_line(error)).try_(help_of(&verb)),
    }
}

fn needs(missing: &str, verb: &str) -> Error {
    // The one flag that needs another.
    if missing == "--dry-run" {
        return Error::usage("--manifests needs --dry-run").try_(help_of(verb));
    }
    let wrong = Error::usage(format!("{verb} needs {}", plain(missing)));
    match plain(missing).starts_with("NAME") {
        true => wrong.try_for("list", "the names there are").try_(help_of(verb)),
        false => wrong.try_(help_of(verb)),
    }
}

fn unknown_verb(error: &clap::Error, clap: &Clap, args: &[OsString]) -> Error {
    let word = text(error, ContextKind::InvalidSubcommand).unwrap_or_default();
    let before: Vec<_> = args.iter().take_while(|arg| arg.as_os_str() != &*word).collect();
    let (level, path) = level(clap, before.into_iter());
    let place = path.iter().map(|verb| format!("{verb} ")).collect::<String>();
    let wrong = Error::usage(format!("no command {place}{word}"));
    let known = OTHER_WORDS.iter().find(|(other, _)| *other == word).map(|(_, verb)| *verb);
    let known = known.filter(|_| path.is_empty());
    let near = || nearest(&word, level.get_subcommands().map(Clap::get_name));
    match known.or_else(near) {
        Some(verb) => {
            let rest = rest_after(&word, args);
            match missing(level, verb, &rest) {
                Some("NAME") => wrong.try_for("list", "the names there are"),
                Some(_) => wrong.try_(help_of(&format!("{place}{verb}"))),
                None => {
                    let rest = rest.iter().map(|word| format!(" {}", quote(word)));
                    wrong.try_(format!("{place}{verb}{}", rest.collect::<String>()))
                }
            }
        }
        None => wrong.try_(help_of(place.trim_end())),
    }
}

/// What a verb cannot do without and these words do not give, where it is not a flag.
fn missing<'a>(level: &'a Clap, verb: &str, words: &[String]) -> Option<&'a str> {
    let verb = level.find_subcommand(verb)?;
    let parsed = verb.clone().no_binary_name(true).try_get_matches_from(words);
    parsed.err().filter(|error| error.kind() == Mistake::MissingRequiredArgument)?;
    let needed = verb.get_positionals().find(|one| one.is_required_set())?;
    Some(needed.get_value_names()?.first()?.as_str())
}

/// Arguments are text; what is none is named without its value, which may be a secret.
fn not_text(verb: &str, args: &[OsString]) -> Error {
    let wrong = args.iter().find(|arg| arg.to_str().is_none());
    let shown = wrong.map(|arg| arg.to_string_lossy().into_owned()).unwrap_or_default();
    let sentence = match shown.trim_start_matches("--set=").split_once('=') {
        Some((name, _)) => format!("the value of {name} is not UTF-8"),
        None => format!("\"{shown}\" is not UTF-8"),
    };
    Error::usage(sentence).try_(help_of(verb))
}

fn unknown_flag(error: &clap::Error, clap: &Clap, verb: &str, args: &[OsString]) -> Error {
    let flag = text(error, ContextKind::InvalidArg).unwrap_or_default();
    let program = clap.get_bin_name().unwrap_or("svc");
    let place = if verb.is_empty() { program.to_owned() } else { format!("{program} {verb}") };
    let what = if flag.starts_with('-') { "flag" } else { "argument" };
    let wrong = Error::usage(format!("no {what} {flag} in {place}"));
    match text(error, ContextKind::SuggestedArg) {
        Some(near) => with_near(wrong, (&flag, &near), clap, verb, args),
        None => wrong.try_(help_of(verb)),
    }
}

/// The same command with the word that was meant; where something else is wrong too, the word.
fn with_near(
    error: Error,
    (wrong, near): (&str, &str),
    clap: &Clap,
    verb: &str,
    args: &[OsString],
) -> Error {
    match put_right(args, wrong, near, clap) {
        Some(command) => error.try_(command),
        None => error.advise(format!("Did you mean {near}?")).try_(help_of(verb)),
    }
}

fn wrong_value(error: &clap::Error, clap: &Clap, verb: &str, args: &[OsString]) -> Error {
    let flag = text(error, ContextKind::InvalidArg).unwrap_or_default();
    let value = text(error, ContextKind::InvalidValue).unwrap_or_default();
    let choices = texts(error, ContextKind::ValidValue);
    if value.is_empty() {
        return match flag.split_once(' ') {
            Some((flag, value)) => Error::usage(format!("{flag} needs {}", plain(value))),
            None => Error::usage(format!("{flag} needs a value")),
        }
        .try_(help_of(verb));
    }
    if choices.is_empty() {
        return Error::usage(format!("\"{value}\" is not right for {}", plain(&flag)))
            .try_(help_of(verb));
    }
    let wrong = Error::usage(format!("\"{value}\" is not one of {}", choices.join(", ")));
    match nearest(&value, choices.iter().map(String::as_str)) {
        Some(near) => with_near(wrong, (&value, near), clap, verb, args),
        None => wrong.try_(help_of(verb)),
    }
}

fn conflict(error: &clap::Error, verb: &str) -> Error {
    let one = text(error, ContextKind::InvalidArg).unwrap_or_default();
    let other = texts(error, ContextKind::PriorArg).join(", ");
    let sentence = if one == other || other.is_empty() {
        format!("{} is given twice", plain(&one))
    } else {
        format!("{} and {} exclude each other", plain(&other), plain(&one))
    };
    Error::usage(sentence).try_(help_of(verb))
}

/// The help of a verb, or of svc itself.
fn help_of(verb: &str) -> String {
    format!("{verb} --help").trim_start().to_owned()
}

/// `--output <FORMAT>` and `<NAME>...` without their brackets.
fn plain(usage: &str) -> String {
    let usage = usage.replace(['<', '>', '[', ']'], "");
    usage.replace("...", "…").trim().to_owned()
}

/// The verb that the arguments name, as a path: `class crd`.
fn verb(clap: &Clap, args: &[OsString]) -> String {
    level(clap, args.iter()).1.join(" ")
}

/// The command that the arguments lead to, and the verbs on the way.
fn level<'a>(clap: &'a Clap, args: impl Iterator<Item = &'a OsString>) -> (&'a Clap, Vec<&'a str>) {
    let mut level = clap;
    let mut path = Vec::new();
    for word in args.skip(1).filter_map(|word| word.to_str()) {
        if let Some(below) = level.find_subcommand(word) {
            path.push(below.get_name());
            level = below;
        }
    }
    (level, path)
}

fn rest_after(word: &str, args: &[OsString]) -> Vec<String> {
    let after = args.iter().skip_while(|arg| arg.as_os_str() != word).skip(1);
    after.map(|arg| arg.to_string_lossy().into_owned()).collect()
}

fn text(error: &clap::Error, kind: ContextKind) -> Option<String> {
    texts(error, kind).into_iter().next()
}

fn texts(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    }
}

fn first_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let line = text.lines().next().unwrap_or_default();
    line.trim_start_matches("error: ").to_owned()
}
