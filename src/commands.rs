//! One file for each verb: what it does with its arguments, and its report.

mod catalog;
mod change;
mod class;
mod completion;
mod connect;
mod create;
mod delete;
mod doctor;
mod given;
mod help;
mod list;
mod manifests;
mod question;
mod report;
mod show;
mod story;
mod text_file;
mod update;
mod upgrade;
mod wait;

use tokio::time::Instant;

use crate::cli::{Command, ListFormat};
use crate::context::Context;
use crate::domain::selector::query;
use crate::error::{Error, Result};
use crate::ops::create::timeout as create_timeout;
use crate::output::Format;

/// Runs a verb and gives the exit status.
///
/// # Errors
/// Whatever keeps the verb from its answer.
pub async fn run(command: Command, context: &Context) -> Result<u8> {
    match command {
        Command::Catalog(args) => catalog::run(&args, context).await,
        Command::List(args) => list::run(&args, context).await,
        Command::Show(args) => show::run(&args, context).await,
        Command::Create(args) => create::run(args, context).await,
        Command::Wait(args) => wait::run(&args, context).await,
        Command::Delete(args) => delete::run(&args, context).await,
        Command::Completion(args) => completion::run(&args, context),
        Command::Class(args) => class::run(args, context).await,
        Command::Help(args) => help::run(&args, context),
        Command::Connect(args) => connect::run(args, context).await,
        Command::Update(args) => update::run(args, context).await,
        Command::Upgrade(args) => upgrade::run(args, context).await,
        Command::Bind(_) => Err(later("bind")),
        Command::Unbind(_) => Err(later("unbind")),
        Command::Bindings(_) => Err(later("bindings")),
        Command::Doctor(args) => doctor::run(&args, context).await,
    }
}

/// What `-l` of this verb chooses; nothing for all.
///
/// # Errors
/// It is no label selector.
fn selector(typed: Option<&str>, verb: &str) -> Result<String> {
    let typed = typed.unwrap_or_default();
    query::check(typed)
        .map_err(|error| Error::usage(error.to_string()).try_for(verb, "without it"))?;
    Ok(typed.to_owned())
}

/// Holds the cluster to `--timeout` from the first question on, where no person is asked meanwhile.
///
/// # Errors
/// It is no time.
fn answer_in(timeout: Option<&str>, context: &Context) -> Result<()> {
    let Some(asked) = timeout.filter(|_| !context.can_ask()) else { return Ok(()) };
    let time = create_timeout(Some(asked), asked)?;
    context.cluster()?.answer_by(Some(Instant::now() + time));
    Ok(())
}

/// A verb that the help names and this version has not.
fn later(verb: &str) -> Error {
    let version = env!("CARGO_PKG_VERSION");
    Error::usage(format!("svc {version} has no {verb} yet")).try_("--help")
}

impl From<ListFormat> for Format {
    fn from(format: ListFormat) -> Self {
        match format {
            ListFormat::Table => Self::Table,
            ListFormat::Wide => Self::Wide,
            ListFormat::Json => Self::Json,
            ListFormat::Yaml => Self::Yaml,
            ListFormat::Name => Self::Name,
        }
    }
}
