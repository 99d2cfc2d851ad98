//! `svc upgrade NAME`: to what the class says today.

use crate::cli::Upgrade;
use crate::commands::change::{self, Request, as_typed};
use crate::commands::given::Reader;
use crate::context::Context;
use crate::domain::answers::Given;
use crate::error::{Error, Result};
use crate::ops::change::Verb;

/// Moves an instance to what its class says today.
///
/// # Errors
/// Whatever is wrong with what was asked for, before anything changes; then what helm or the
/// service itself says.
pub async fn run(args: Upgrade, context: &Context) -> Result<u8> {
    if !args.yes && !args.change.dry_run && !context.can_ask() {
        let typed = as_typed(&request(&args, Vec::new()), None).line();
        return Err(Error::usage("upgrade needs --yes without a terminal")
            .try_for(format!("{typed} --dry-run"), "the difference")
            .try_(format!("{typed} --yes")));
    }
    let mut reader = Reader::new(context);
    let given = reader.values(&args.values);
    reader.finish("upgrade")?;
    change::run(request(&args, given), context).await
}

fn request(args: &Upgrade, given: Vec<Given>) -> Request<'_> {
    Request {
        verb: Verb::Upgrade,
        name: &args.name,
        plan: args.plan.clone(),
        values: &args.values,
        given,
        unset: &[],
        asks_all: false,
        flags: &args.change,
        yes: args.yes,
    }
}
