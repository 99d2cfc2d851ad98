//! `--if-not-exists`: an equal instance is success, a different one is told apart (interface §6).

use serde_json::Value;

use super::request::Request;
use crate::cli::Create;
use crate::commands::show::report::InstanceReport;
use crate::context::Context;
use crate::domain::answers::{Given, How, Raw};
use crate::domain::class::{Change, Class};
use crate::domain::instance::label;
use crate::domain::name::InstanceName;
use crate::domain::parameter::EffectiveParameter;
use crate::domain::summary::json_text;
use crate::error::{Error, Result};
use crate::ops::create;
use crate::ops::instance::{self, Stored};
use crate::ops::show;
use crate::output::Format;

/// Accepts the instance that exists, or says what is different.
///
/// # Errors
/// Another class, plan or parameters.
pub async fn accept(
    name: &InstanceName,
    class: &Class,
    request: &Request,
    args: &Create,
    context: &Context,
) -> Result<u8> {
    let cluster = context.cluster()?;
    let stored = instance::find(cluster, name.as_str()).await?;
    let differences = differences(&stored, class, request).map_err(|error| {
        super::with_better_plan(error, name, class, request.plan.as_deref(), args)
    })?;
    if !differences.is_empty() {
        let namespace = &cluster.namespace;
        let error = Error::failed(format!(
            "{name} exists already in namespace {namespace}, with other parameters"
        ));
        return Err(differences
            .into_iter()
            .fold(error, |error, (name, text)| error.fact(name, text)));
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

fn differences(stored: &Stored, class: &Class, request: &Request) -> Result<Vec<(String, String)>> {
    let labels = &stored.newest().labels;
    let mut found = Vec::new();
    let recorded = labels.get(label::CLASS).cloned().unwrap_or_default();
    if recorded != class.name {
        found.push(("class".to_owned(), format!("{recorded}, asked for {}", class.name)));
        return Ok(found);
    }
    let plan = stored.record.plan.clone().unwrap_or_default();
    if let Some(asked) = request.plan.as_ref().filter(|asked| **asked != plan) {
        found.push(("plan".to_owned(), format!("{plan}, asked for {asked}")));
    }
    let (_, parameters) =
        create::choose(class, request.plan.as_deref().or(stored.record.plan.as_deref()))?;
    if let Some(secret) = request.given.iter().find(|given| is_secret_in_argv(given, &parameters)) {
        return Err(Error::usage(format!(
            "{} is sensitive: not on the command line; use --set-env or --set-file",
            secret.name
        )));
    }
    for given in &request.given {
        found.extend(difference(stored, &parameters, given));
    }
    Ok(found)
}

fn is_secret_in_argv(given: &Given, parameters: &[EffectiveParameter]) -> bool {
    let sensitive = |known: &EffectiveParameter| known.sensitive && known.name == given.name;
    given.how == How::Set && parameters.iter().any(sensitive)
}

fn difference(
    stored: &Stored,
    parameters: &[EffectiveParameter],
    given: &Given,
) -> Option<(String, String)> {
    let name = &given.name;
    let Some(parameter) = parameters.iter().find(|known| known.name == *name) else {
        return Some((name.clone(), "no such parameter".to_owned()));
    };
    let asked = asked_value(parameter, given)?;
    let has = stored.answer(name).unwrap_or(Value::Null);
    if parameter.same(&has, &asked) {
        return None;
    }
    if parameter.sensitive || stored.record.hides(name) {
        return Some((name.clone(), "another value than the one given".to_owned()));
    }
    let fixed =
        if parameter.change == Change::Never { " (cannot change after create)" } else { "" };
    let text = format!("{}, asked for {}{fixed}", json_text(&has), json_text(&asked));
    Some((name.clone(), text))
}

fn asked_value(parameter: &EffectiveParameter, given: &Given) -> Option<Value> {
    match &given.raw {
        Raw::Text(text) => {
            use secrecy::ExposeSecret;
            let text = text.expose_secret();
            let value = parameter.parse(text).map(|value| value.to_json());
            Some(value.unwrap_or_else(|_| Value::from(text)))
        }
        Raw::Typed(value) => Some(value.clone()),
        Raw::Default => None,
    }
}
