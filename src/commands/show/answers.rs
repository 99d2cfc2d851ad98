//! `show -o answers`: the file that makes the same instance again, for `create -f` (interface §9).

use serde::Serialize;
use serde_json::{Map, Value};

use crate::context::Context;
use crate::domain::class::PlanParameter;
use crate::domain::record::Record;
use crate::error::{Error, Result};
use crate::ops::instance;

/// What `create --answers` reads.
#[derive(Debug, Serialize)]
struct AnswersFile<'a> {
    class: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<&'a str>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    parameters: Map<String, Value>,
}

/// Prints class, plan and every answer but the sensitive ones, which a note names.
///
/// # Errors
/// No such instance, a record that cannot be read.
pub async fn print(name: &str, context: &Context) -> Result<u8> {
    let stored = instance::find(context.cluster()?, name).await?;
    let record = &stored.record;
    let file = AnswersFile {
        class: &record.class,
        plan: record.plan.as_deref(),
        parameters: public_answers(record),
    };
    let text = serde_yaml::to_string(&file).map_err(|error| {
        Error::failed(format!("the answers of {name} cannot be written: {error}"))
    })?;
    context.face.deliver(text)?;
    let secret = record.answers.iter().filter(|(_, answer)| answer.value.is_null());
    let secret: Vec<&str> = secret.map(|(name, _)| name.as_str()).collect();
    if !secret.is_empty() {
        let (are, them) = if secret.len() == 1 { ("is", "it") } else { ("are", "them") };
        let secret = secret.join(", ");
        let sentence = format!("{secret} {are} left out; give {them} with --set-env or --set-file");
        context.face.note(&sentence);
    }
    Ok(0)
}

/// What the plan fixes is the plan's matter.
fn public_answers(record: &Record) -> Map<String, Value> {
    let plan = record.plans.iter().find(|plan| Some(&plan.name) == record.plan.as_ref());
    let fixed = |name: &str| {
        let is_it = |narrower: &PlanParameter| narrower.fixed && narrower.name == name;
        plan.is_some_and(|plan| plan.parameters.iter().any(is_it))
    };
    let answers = record.answers.iter();
    let public = answers.filter(|(name, answer)| !answer.value.is_null() && !fixed(name));
    public.map(|(name, answer)| (name.clone(), answer.value.clone())).collect()
}
