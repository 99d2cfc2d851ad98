//! svc: databases, queues and other services from a cluster's catalog.
//!
//! The rooms, and who may use whom: `main → lib → commands → ops → {cluster, helm} → domain`,
//! and `commands → prompt, output → domain`. Nothing points back.

pub mod cli;
pub mod cluster;
pub mod commands;
pub mod complete;
pub mod context;
pub mod domain;
pub mod error;
pub mod helm;
pub mod ops;
pub mod output;
pub mod process;
pub mod prompt;

use cli::parse::{Asked, global_of, parse};
use cli::{Cli, Global};
use context::Context;
use error::Result;
use process::Process;

/// Runs svc and gives its exit status (interface §1.4). Nothing connects, reads a kubeconfig or
/// starts a runtime before the arguments are parsed.
pub fn run(process: Process) -> u8 {
    if complete::answer(&process) {
        return 0;
    }
    let asked = parse(&process.args, process.program(), process.columns());
    let global = match &asked {
        Ok(Asked::Run(cli)) => cli.global.clone(),
        Ok(Asked::Print(_)) => Global::default(),
        Err(_) => global_of(&process.args, process.program()),
    };
    let face = context::face(&process, &global);
    let result = match asked {
        Ok(Asked::Run(cli)) => execute(*cli, Context::new(process, global, face.clone())),
        Ok(Asked::Print(text)) => face.deliver(text).map(|()| 0),
        Err(error) => Err(error),
    };
    result.unwrap_or_else(|error| {
        face.error(&error);
        error.kind.exit_code()
    })
}

fn execute(cli: Cli, context: Context) -> Result<u8> {
    let Some(command) = cli.command else {
        let text = cli::help::overview(context.face.program(), context.process.columns());
        return context.face.deliver(text).map(|()| 0);
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| error::Error::failed("the runtime cannot start").because(error))?;
    runtime.block_on(commands::run(command, &context))
}
