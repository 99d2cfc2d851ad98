//! What is different between an instance and what is asked for under its name (interface §6).

use secrecy::ExposeSecret;
use serde_json::Value;

use super::choose;
use crate::domain::answers::{Given, How, Raw};
use crate::domain::class::{Change, Class};
use crate::domain::command_line::quote;
use crate::domain::instance::label;
use crate::domain::parameter::EffectiveParameter;
use crate::domain::summary::json_text;
use crate::error::{Error, Result};
use crate::ops::instance::Stored;

/// Class, plan or a parameter that the instance has otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub name: String,
    /// `10Gi, asked for 5Gi (cannot change after create)`
    pub text: String,
    /// What `svc update` takes to make it so; `None` where nothing does.
    pub flag: Option<String>,
}

/// Everything that was asked for and is otherwise.
///
/// # Errors
/// No such plan; a secret on the command line.
pub fn differences(
    stored: &Stored,
    class: &Class,
    plan: Option<&str>,
    given: &[Given],
) -> Result<Vec<Difference>> {
    let recorded = stored.newest().labels.get(label::CLASS).cloned().unwrap_or_default();
    if recorded != class.name {
        let text = format!("{recorded}, asked for {}", class.name);
        return Ok(vec![Difference { name: "class".to_owned(), text, flag: None }]);
    }
    let (_, parameters) = choose(class, plan.or(stored.record.plan.as_deref()))?;
    if let Some(secret) = given.iter().find(|given| is_secret_in_argv(given, &parameters)) {
        return Err(Error::usage(format!(
            "{} is sensitive: not on the command line; use --set-env or --set-file",
            secret.name
        )));
    }
    let known = given.iter().filter_map(|given| difference(stored, &parameters, given));
    Ok(another_plan(stored, plan).into_iter().chain(known).collect())
}

fn another_plan(stored: &Stored, plan: Option<&str>) -> Option<Difference> {
    let recorded = stored.record.plan.as_deref().unwrap_or_default();
    let asked = plan.filter(|asked| *asked != recorded)?;
    let text = format!("{recorded}, asked for {asked}");
    let flag = Some(format!("--plan {}", quote(asked)));
    Some(Difference { name: "plan".to_owned(), text, flag })
}

fn is_secret_in_argv(given: &Given, parameters: &[EffectiveParameter]) -> bool {
    let sensitive = |known: &EffectiveParameter| known.sensitive && known.name == given.name;
    given.how == How::Set && parameters.iter().any(sensitive)
}

fn difference(
    stored: &Stored,
    parameters: &[EffectiveParameter],
    given: &Given,
) -> Option<Difference> {
    let name = given.name.clone();
    let Some(parameter) = parameters.iter().find(|known| known.name == name) else {
        return Some(Difference { name, text: "no such parameter".to_owned(), flag: None });
    };
    let asked = asked_value(parameter, given)?;
    let has = stored.answer(&name).unwrap_or(Value::Null);
    if parameter.same(&has, &asked) {
        return None;
    }
    let never = parameter.change == Change::Never;
    let sensitive = parameter.sensitive || stored.record.hides(&name);
    let text = match sensitive {
        true => "another value than the one given".to_owned(),
        false => format!("{}, asked for {}", json_text(&has), json_text(&asked)),
    };
    let fixed = if never && !sensitive { " (cannot change after create)" } else { "" };
    let present = parameter.read_stored(&has).ok();
    let flag = given.flag(&EffectiveParameter { present, sensitive, ..parameter.clone() });
    Some(Difference { name, text: text + fixed, flag })
}

fn asked_value(parameter: &EffectiveParameter, given: &Given) -> Option<Value> {
    match &given.raw {
        Raw::Text(text) => {
            let text = text.expose_secret();
            let value = parameter.parse(text).map(|value| value.to_json());
            Some(value.unwrap_or_else(|_| Value::from(text)))
        }
        Raw::Typed(value) | Raw::Bare { read: value, .. } => Some(value.clone()),
        Raw::Default => None,
    }
}
