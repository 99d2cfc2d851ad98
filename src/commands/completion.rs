//! `svc completion SHELL`: what a shell runs once so that it completes svc.

use crate::cli::Completion;
use crate::complete;
use crate::context::Context;
use crate::error::Result;

/// Prints the registration; nothing contacts a cluster.
///
/// # Errors
/// When stdout cannot be written.
pub fn run(args: &Completion, context: &Context) -> Result<u8> {
    let bin = context.process.program().replace(' ', "-");
    context.face.deliver(complete::registration(args.shell, &bin)).map(|()| 0)
}
