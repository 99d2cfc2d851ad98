//! `svc class`: what operations teams do.

mod init;
mod lint;

use crate::cli::{Class, ClassCommand};
use crate::context::Context;
use crate::domain::{crd, policy};
use crate::error::Result;

/// Runs one of the verbs about classes; only `lint` of a class in the cluster contacts one.
///
/// # Errors
/// When stdout cannot be written, and those of `lint`.
pub async fn run(args: Class, context: &Context) -> Result<u8> {
    match args.command {
        ClassCommand::Crd => context.face.deliver(crd::MANIFESTS).map(|()| 0),
        ClassCommand::Policy => context.face.deliver(policy::MANIFESTS).map(|()| 0),
        ClassCommand::Init(args) => init::run(&args, context),
        ClassCommand::Lint(args) => lint::run(&args, context).await,
    }
}
