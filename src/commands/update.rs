//! `svc update NAME`: other answers, same chart and class values.

use crate::cli::Update;
use crate::commands::change::{self, Request};
use crate::commands::given::Reader;
use crate::context::Context;
use crate::domain::answers::Given;
use crate::error::{Error, Result};
use crate::ops::change::Verb;

/// Changes parameters of an instance.
///
/// # Errors
/// Whatever is wrong with what was asked for, before anything changes; then what helm or the
/// service itself says.
pub async fn run(args: Update, context: &Context) -> Result<u8> {
    let mut reader = Reader::new(context);
    let mut given = reader.values(&args.values);
    reader.finish("update")?;
    given.extend(args.unset.iter().map(Given::unset));
    let typed = !given.is_empty() || args.plan.is_some() || args.change.retry;
    if !typed && !context.can_ask() {
        let name = &args.name;
        return Err(Error::usage("update needs --set without a terminal")
            .try_for(format!("update {name} --set NAME=VALUE"), "one parameter")
            .try_for(format!("show {name}"), "what they are now"));
    }
    let request = Request {
        verb: Verb::Update,
        name: &args.name,
        plan: args.plan.clone(),
        values: &args.values,
        given,
        unset: &args.unset,
        asks_all: !typed && !args.change.dry_run,
        flags: &args.change,
        yes: true,
    };
    change::run(request, context).await
}
