//! `svc show NAME [DETAIL…]`: how to connect.

mod answers;
pub mod exact;
pub mod report;

use report::InstanceReport;

use crate::cli::{Show, ShowFormat};
use crate::context::Context;
use crate::domain::instance::State;
use crate::error::{Error, Result, Try};
use crate::ops::show::{self as ops, Shown};
use crate::output::Format;

/// Shows an instance, or some of its details exactly.
///
/// # Errors
/// No such instance or detail; in exact formats a value that is not there.
pub async fn run(args: &Show, context: &Context) -> Result<u8> {
    check(args)?;
    let machine = context.machine();
    let mask = context.face.out().mask();
    let cluster = context.cluster()?;
    let observer = context.observer_of(&machine, &args.name);
    let format = format(args.output);
    if format == Format::Answers && args.details.is_empty() {
        return answers::print(&args.name, context).await;
    }
    if !args.details.is_empty() {
        let shown = ops::exact(cluster, &args.name, mask, &observer).await?;
        return exact::details(&shown, &args.details, args.mask, context);
    }
    if matches!(format, Format::Env | Format::Dotenv | Format::Uri | Format::Secret) {
        let shown = ops::exact(cluster, &args.name, mask, &observer).await?;
        return exact::format(&shown, format, args, context);
    }
    let shown = ops::show(cluster, &args.name, mask, &observer).await?;
    let context_name = cluster.target.context.clone();
    let report = InstanceReport::new(shown, context_name, args.mask, context.now());
    context.face.report(&report, format)?;
    if matches!(format, Format::Table | Format::Wide) {
        after(&report.shown, context);
    }
    Ok(0)
}

fn check(args: &Show) -> Result<()> {
    if !args.details.is_empty() && args.output.is_some() {
        return Err(Error::usage("details and -o exclude each other").try_(format!(
            "show {} {}",
            args.name,
            args.details.join(" ")
        )));
    }
    let named = matches!(args.output, Some(ShowFormat::Env | ShowFormat::Dotenv));
    if args.prefix.is_some() && !named {
        return Err(Error::usage("--prefix goes with -o env or -o dotenv"));
    }
    Ok(())
}

fn format(format: Option<ShowFormat>) -> Format {
    match format.unwrap_or(ShowFormat::Table) {
        ShowFormat::Table => Format::Table,
        ShowFormat::Wide => Format::Wide,
        ShowFormat::Json => Format::Json,
        ShowFormat::Yaml => Format::Yaml,
        ShowFormat::Name => Format::Name,
        ShowFormat::Env => Format::Env,
        ShowFormat::Dotenv => Format::Dotenv,
        ShowFormat::Uri => Format::Uri,
        ShowFormat::Secret => Format::Secret,
        ShowFormat::Answers => Format::Answers,
    }
}

fn after(shown: &Shown, context: &Context) {
    let name = &shown.stored.release.name;
    let face = &context.face;
    if shown.stored.record_is_todays {
        face.note(&format!("{name} has no record of its class; this is what its class says today"));
    }
    match shown.state {
        State::Ready => {}
        State::Starting | State::Installing | State::Updating => {
            let note = shown.note.as_deref().map(|note| format!(": {note}")).unwrap_or_default();
            face.echo(&format!("{name} is {}{note}", shown.state));
            face.next(&[Try { command: format!("wait {name}"), explanation: None }]);
        }
        state => {
            if let Some(note) = &shown.note {
                face.echo(&format!("{name} is {state}: {note}"));
            }
        }
    }
}
