//! `svc class crd`: what a cluster needs once.

use crate::cli::{Class, ClassCommand};
use crate::context::Context;
use crate::domain::crd;
use crate::error::Result;

/// Prints manifests; nothing contacts a cluster.
///
/// # Errors
/// When stdout cannot be written.
pub fn run(args: &Class, context: &Context) -> Result<u8> {
    match args.command {
        ClassCommand::Crd => context.face.deliver(crd::MANIFESTS).map(|()| 0),
    }
}
