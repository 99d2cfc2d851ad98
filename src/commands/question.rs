//! The questions for a plan and for a parameter, each in the form of its kind (interface §4).

use crate::commands::story::Story;
use crate::domain::answers::{Asking, Given, How, Kept, is_open, next_question};
use crate::domain::class::{Class, Plan};
use crate::domain::limits::Limits;
use crate::domain::parameter::EffectiveParameter;
use crate::domain::value::Value;
use crate::error::Result;
use crate::prompt::{Choice, Prompt, Title};

/// Asks every open parameter in the order of the class, with a heading where the group changes. A
/// secret that can be generated is asked beside other questions, and is no reason for one alone: a
/// command that gives all else runs.
///
/// # Errors
/// Ctrl-C at a question.
pub fn ask_all(
    parameters: &[EffectiveParameter],
    given: &mut Vec<Given>,
    kept: &Kept,
    asking: Asking,
    story: &mut Story<'_>,
) -> Result<()> {
    if !story.asked() && !is_open(parameters, given, kept, asking) {
        return Ok(());
    }
    let mut group: Option<String> = None;
    while let Some(parameter) = next_question(parameters, given, kept, asking) {
        if parameter.group != group {
            group.clone_from(&parameter.group);
            story.heading(group.as_deref());
        }
        let answer = ask(story.prompt(), parameter, kept)?;
        given.push(answer);
    }
    Ok(())
}

/// The menu of a class's plans, on its default.
///
/// # Errors
/// Ctrl-C at the question.
pub fn plan(class: &Class, story: &mut Story<'_>) -> Result<String> {
    let (plans, default) = (&class.spec.plans, class.spec.default_plan.as_ref());
    let row = |plan: &Plan| Choice {
        name: plan.name.clone(),
        explanation: plan.summary.clone().unwrap_or_default(),
    };
    let choices: Vec<Choice> = plans.iter().map(row).collect();
    let first = plans.iter().position(|plan| Some(&plan.name) == default).unwrap_or(0);
    let chosen = story.prompt().select(&Title::flag("Plan", "--plan"), &choices, first)?;
    Ok(plans[chosen].name.clone())
}

/// One question in the form of its kind; what the instance has is its default.
fn ask(prompt: &mut dyn Prompt, parameter: &EffectiveParameter, kept: &Kept) -> Result<Given> {
    let title = parameter.title.clone().unwrap_or_else(|| parameter.name.clone());
    let title = Title::parameter(title, parameter.name.clone());
    if parameter.sensitive || kept.is_secret(&parameter.name) {
        return secret(prompt, parameter, kept, title);
    }
    let choices = parameter.limits.choices();
    if !choices.is_empty() {
        return choice(prompt, parameter, &title, &choices);
    }
    match &parameter.limits {
        Limits::Boolean => {
            let default = match parameter.offered() {
                Some(Value::Boolean(flag)) => Some(*flag),
                _ => None,
            };
            let answer = prompt.boolean(&title, default)?;
            Ok(chosen(parameter, &Value::Boolean(answer)))
        }
        Limits::List(_) => list(prompt, parameter, &title),
        _ => line(prompt, parameter, title),
    }
}

fn secret(
    prompt: &mut dyn Prompt,
    parameter: &EffectiveParameter,
    kept: &Kept,
    title: Title,
) -> Result<Given> {
    let generate = parameter.generate.filter(|_| !kept.not_generated.contains(&parameter.name));
    let left_out = match (generate, parameter.required) {
        _ if kept.answers.contains_key(&parameter.name) => Some(("Enter to keep it", "kept")),
        (Some(_), _) => Some(("Enter to generate", "generated")),
        (None, false) => Some(("Enter to leave it out", "left out")),
        (None, true) => None,
    };
    let title = match left_out {
        Some((hint, _)) => title.constrained(hint),
        None => title,
    };
    let check = |text: &str| parameter.parse(text).map(|_| ()).map_err(|wrong| wrong.at_prompt());
    let answer = prompt.secret(&title, left_out.map(|(_, word)| word), &check)?;
    Ok(match answer {
        Some(secret) => Given::secret(&parameter.name, secret),
        None => Given::accepted(&parameter.name),
    })
}

fn choice(
    prompt: &mut dyn Prompt,
    parameter: &EffectiveParameter,
    title: &Title,
    values: &[Value],
) -> Result<Given> {
    let default = parameter.offered();
    let first = values.iter().position(|value| Some(value) == default).unwrap_or(0);
    let rows: Vec<Choice> = values
        .iter()
        .map(|value| Choice { name: value.to_string(), explanation: String::new() })
        .collect();
    let row = prompt.select(title, &rows, first)?;
    Ok(chosen(parameter, &values[row]))
}

/// What is offered and chosen stays what it is: a default moves with its class.
fn chosen(parameter: &EffectiveParameter, value: &Value) -> Given {
    if parameter.offered() == Some(value) {
        return Given::accepted(&parameter.name);
    }
    Given::text(&parameter.name, value.set_text(), How::Typed)
}

fn list(prompt: &mut dyn Prompt, parameter: &EffectiveParameter, title: &Title) -> Result<Given> {
    let default = match parameter.offered() {
        Some(Value::List(entries)) => entries.clone(),
        _ => Vec::new(),
    };
    let check = |entries: &[String]| {
        let list = Value::List(entries.to_vec()).set_text();
        let last = entries.last().map(|entry| parameter.parse_entry(entry));
        let wrong = last.and_then(Result::err).or_else(|| parameter.parse(&list).err());
        wrong.map_or(Ok(()), |wrong| Err(wrong.at_prompt()))
    };
    let title = title.clone().constrained("an item a line, Enter alone ends");
    let entries = prompt.list(&title, &default, &check)?;
    if entries == default {
        return Ok(Given::accepted(&parameter.name));
    }
    Ok(Given::text(&parameter.name, Value::List(entries).set_text(), How::Typed))
}

fn line(prompt: &mut dyn Prompt, parameter: &EffectiveParameter, title: Title) -> Result<Given> {
    let default = parameter.offered().map(ToString::to_string);
    let title = title.constrained(parameter.constraint());
    let optional = default.is_none() && !parameter.required;
    let check = |text: &str| {
        if optional && text.is_empty() {
            return Ok(());
        }
        parameter.parse(text).map(|_| ()).map_err(|wrong| wrong.at_prompt())
    };
    let answer = prompt.text(&title, default.as_deref(), &check)?;
    if Some(&answer) == default.as_ref() || (optional && answer.is_empty()) {
        return Ok(Given::accepted(&parameter.name));
    }
    Ok(Given::text(&parameter.name, answer, How::Typed))
}
