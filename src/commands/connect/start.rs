//! What uses the tunnel: the command that was typed, the client of the class, or nothing.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use super::program::Program;
use crate::cli::Connect;
use crate::context::Context;
use crate::domain::connection::{ClientCommand, Details, client, first_refusal, is_known_client};
use crate::domain::connection_format::{standard_prefix, variables};
use crate::error::{Error, Result};
use crate::ops::show::Shown;

/// What happens once the tunnel is open.
pub(super) enum Start {
    Program(Program),
    /// The tunnel alone; why no client is started, where one could be.
    Tunnel(Option<String>),
}

/// Chooses.
///
/// # Errors
/// A detail that the program needs has no value; the command is not there; Ctrl-C at the consent.
pub(super) fn choose(
    args: &Connect,
    shown: &Shown,
    details: &Details,
    context: &Context,
) -> Result<Start> {
    if let Some((command, rest)) = args.command.split_first() {
        return typed(command, rest, shown, details, context).map(Start::Program);
    }
    let process = &context.process;
    let terminal = process.stdin_is_terminal && process.stdout_is_terminal;
    if args.tunnel || !terminal {
        return Ok(Start::Tunnel(None));
    }
    let stored = &shown.stored;
    let client = client(&stored.record.connection, &stored.context(), details);
    let client = client.map_err(|error| {
        missing(shown, details).unwrap_or_else(|| broken(shown, &error.to_string()))
    })?;
    let Some(client) = client else { return Ok(Start::Tunnel(None)) };
    of_class(client, shown, context)
}

/// The command that was typed, with the details in its environment as `show -o env` names them.
fn typed(
    command: &OsStr,
    args: &[OsString],
    shown: &Shown,
    details: &Details,
    context: &Context,
) -> Result<Program> {
    if let Some(error) = missing(shown, details) {
        return Err(error);
    }
    let name = &shown.stored.release.name;
    let variables = variables(details, &standard_prefix(name))
        .map_err(|error| Error::failed(error.to_string()).try_(format!("show {name} -o json")))?;
    let path = find(command, context)
        .ok_or_else(|| Error::failed(format!("{} is not installed", command.display())))?;
    Ok(Program {
        name: command.display().to_string(),
        path,
        args: args.to_vec(),
        env: variables.into_iter().map(|(name, value)| (name, value.to_owned().into())).collect(),
        script: None,
    })
}

fn of_class(client: ClientCommand, shown: &Shown, context: &Context) -> Result<Start> {
    let command = &client.command;
    let Some(path) = find(OsStr::new(command), context) else {
        return Ok(Start::Tunnel(Some(format!("{command} is not installed"))));
    };
    if !is_known_client(command) && !consented(command, shown, context)? {
        return Ok(Start::Tunnel(Some(format!("{command} is not started"))));
    }
    Ok(Start::Program(Program {
        name: command.clone(),
        path,
        args: client.args.iter().map(OsString::from).collect(),
        env: client.env,
        script: client.script,
    }))
}

/// Whether a program that svc does not know may start: asked once for each class and program.
fn consented(command: &str, shown: &Shown, context: &Context) -> Result<bool> {
    let class = &shown.stored.record.class;
    let book = context.cluster()?.book("clients");
    let mut known: Vec<(String, String)> = book.read().unwrap_or_default();
    let this = (class.clone(), command.to_owned());
    if known.contains(&this) {
        return Ok(true);
    }
    if !context.can_ask() {
        return Ok(false);
    }
    let question = format!("Class {class} starts {command} on this machine. Start it?");
    let yes = context.prompt().confirm(&question, false)?;
    if yes {
        known.push(this);
        // Without a place for it, it is asked again the next time.
        let _ = book.write(&known);
    }
    Ok(yes)
}

fn missing(shown: &Shown, details: &Details) -> Option<Error> {
    let release = &shown.stored.release;
    first_refusal(details, &release.name, &release.namespace, &format!("connect {}", release.name))
}

fn broken(shown: &Shown, reason: &str) -> Error {
    let name = &shown.stored.release.name;
    Error::failed(format!("the class of {name} is broken: client: {reason}"))
        .try_for(format!("connect {name} --tunnel"), "the tunnel alone")
}

/// Where a program is: at its path, or in the first folder of `PATH` that has it.
fn find(command: &OsStr, context: &Context) -> Option<PathBuf> {
    let given = PathBuf::from(command);
    if given.components().count() > 1 {
        return is_program(&given).then_some(given);
    }
    let path = context.process.var("PATH")?;
    std::env::split_paths(path).map(|folder| folder.join(command)).find(|path| is_program(path))
}

fn is_program(path: &std::path::Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path).is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}
