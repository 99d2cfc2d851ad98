//! `svc help [COMMAND]`: the same as `--help`.

use crate::cli::{Help, help, parse};
use crate::context::Context;
use crate::error::{Error, Result};

/// Prints the help of a command.
///
/// # Errors
/// There is no such command.
pub fn run(args: &Help, context: &Context) -> Result<u8> {
    let process = &context.process;
    let columns = process.columns();
    let mut clap = parse::command(process.program(), columns);
    clap.build();
    let mut level = &mut clap;
    for word in &args.command {
        level = level
            .find_subcommand_mut(word)
            .ok_or_else(|| Error::usage(format!("no command {word}")).try_("--help"))?;
    }
    context.face.deliver(help::text(&level.render_long_help(), columns)).map(|()| 0)
}
