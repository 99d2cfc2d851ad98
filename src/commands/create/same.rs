//! `--if-not-exists`: an equal instance is success, a different one is told apart (interface §6).

use super::request::Request;
use crate::cli::Create;
use crate::commands::show::report::InstanceReport;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::ops::create::existing::Wish;
use crate::ops::create::same::differences;
use crate::ops::{instance, show};
use crate::output::Format;

/// Accepts the instance that exists, or says what is different.
///
/// # Errors
/// Another class, plan or parameters.
pub async fn accept(
    wish: &Wish<'_>,
    request: &Request,
    args: &Create,
    context: &Context,
) -> Result<u8> {
    let (name, class) = (wish.name, wish.class);
    let cluster = context.cluster()?;
    let stored = instance::find(cluster, name.as_str()).await?;
    let plan = request.plan.as_deref();
    let differences = differences(&stored, class, plan, &request.given)
        .map_err(|error| super::with_better_plan(error, name, class, request, args))?;
    if !differences.is_empty() {
        let namespace = &cluster.namespace;
        let error = Error::failed(format!(
            "{name} exists already in namespace {namespace}, with other parameters"
        ));
        let told = differences.iter().fold(error, |error, one| error.fact(&one.name, &one.text));
        return Err(match differences.iter().any(|one| one.name == "class") {
            true => told.try_(wish.with_class_in_name()),
            false => wish.ways_on(told, &differences),
        });
    }
    let machine = context.machine();
    let mask = context.face.out().mask();
    let shown = show::look(cluster, stored, mask, &context.observer(&machine)).await?;
    let report = InstanceReport::new(shown, cluster.target.context.clone(), true, context.now());
    match args.output.map_or(Format::Table, Format::from) {
        Format::Table => context.face.deliver(report.masked_details(context.face.out()))?,
        format => context.face.report(&report, format)?,
    }
    Ok(0)
}
