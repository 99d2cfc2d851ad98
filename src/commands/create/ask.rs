//! The questions of `create` (interface §4).

use futures::future::join;

use super::request::{self, Request};
use crate::cli::Create;
use crate::context::{Context, Silence};
use crate::domain::answers::{Answers, Asking};
use crate::domain::class::{Class, Plan};
use crate::domain::command_line::{CommandLine, quote};
use crate::domain::leftovers::Reused;
use crate::domain::name::InstanceName;
use crate::domain::parameter::EffectiveParameter;
use crate::error::{Error, Result};
use crate::ops::catalog::{self, Filter, Status};
use crate::ops::create;
use crate::prompt::{Choice, Prompt, Title};

/// Which instance of which class.
#[derive(Debug)]
pub struct Wanted {
    pub name: String,
    pub class: String,
    /// Whether a question was open.
    pub asked: bool,
}

/// What was answered, and what the same command without questions is.
#[derive(Debug)]
pub struct Asked {
    pub plan: Option<Plan>,
    pub parameters: Vec<EffectiveParameter>,
    pub answers: Answers,
    /// Volumes that are used again, and whose size is not what was answered.
    pub reused: Vec<Reused>,
    pub base: CommandLine,
    /// `--no-wait`: flags that say neither what is made nor what is asked.
    pub manner: Vec<String>,
    /// Whether a question was open.
    pub asked: bool,
}

impl Asked {
    /// The same command, which asks nothing on a terminal either.
    pub fn without_questions(&self) -> CommandLine {
        let command = self.answers.command(self.base.clone());
        let open = self.answers.leaves_open(&self.parameters);
        let command = if open { command.part("--defaults") } else { command };
        command.parts(self.manner.iter().cloned())
    }
}

/// Name and class as they were given, or asked for.
///
/// # Errors
/// Something is missing and there is no terminal to ask on.
pub async fn name_and_class(request: &Request, args: &Create, context: &Context) -> Result<Wanted> {
    let missing = match (&request.name, &request.class) {
        (Some(name), Some(class)) => {
            return Ok(Wanted { name: name.clone(), class: class.clone(), asked: false });
        }
        (None, None) => "a name and a class",
        (None, Some(_)) => "a name",
        (Some(_), None) => "a class",
    };
    if let Some(silence) = context.silence() {
        let name = quote(request.name.as_deref().unwrap_or("NAME"));
        let class = quote(request.class.as_deref().unwrap_or("CLASS"));
        let why = match silence {
            Silence::NoTerminal => "there is no terminal to ask on",
            Silence::Flag => "--no-input was given",
            Silence::Variable => "SVC_NO_INPUT is 1",
        };
        let typed = request::typed(args, None);
        let command = CommandLine::new(format!("create {name} --class {class}")).parts(typed);
        let wrong = Error::usage(format!("create needs {missing}, and {why}")).try_(command.line());
        return Err(match request.class {
            Some(_) => wrong,
            None => wrong.close("Classes: svc catalog"),
        });
    }
    let mut prompt = context.prompt();
    let class = match &request.class {
        Some(class) => class.clone(),
        None => ask_class(prompt.as_mut(), context).await?,
    };
    let name = match &request.name {
        Some(name) => name.clone(),
        None => ask_name(prompt.as_mut(), &class, context).await?,
    };
    Ok(Wanted { name, class, asked: true })
}

async fn ask_class(prompt: &mut dyn Prompt, context: &Context) -> Result<String> {
    let cluster = context.cluster()?;
    let entries = catalog::list(cluster, &Filter::default()).await?;
    let offered: Vec<_> = entries
        .iter()
        .filter(|entry| matches!(entry.status, Status::Available | Status::Deprecated))
        .collect();
    if offered.is_empty() {
        return Err(Error::not_found(format!(
            "no class of context {} can be created",
            cluster.target.context
        ))
        .try_("catalog"));
    }
    let choices: Vec<Choice> = offered
        .iter()
        .map(|entry| Choice {
            name: entry.name.clone(),
            explanation: entry.summary.clone().unwrap_or_default(),
        })
        .collect();
    let chosen = prompt.select(&Title::flag("Class", "--class"), &choices, 0)?;
    Ok(offered[chosen].name.clone())
}

async fn ask_name(prompt: &mut dyn Prompt, class: &str, context: &Context) -> Result<String> {
    let cluster = context.cluster()?;
    let (taken, found) = join(create::taken_names(cluster), cluster.class(class)).await;
    let taken = taken?;
    let limit = found.ok().and_then(|found| found.here().ok().flatten()).and_then(|raw| {
        let limit = raw.pointer("/spec/instanceName/maxLength")?.as_u64()?;
        u8::try_from(limit).ok()
    });
    let limit = limit.unwrap_or(InstanceName::DEFAULT_MAX_LENGTH);
    let free =
        InstanceName::first_free(class, limit, |name| taken.iter().any(|taken| taken == name));
    let check = |text: &str| {
        InstanceName::parse(text, limit).map(|_| ()).map_err(|error| error.to_string())
    };
    let free = free.map(|name| name.to_string());
    Ok(prompt.text(&Title::plain("Name"), free.as_deref(), &check)?)
}

/// Whether the plan was left to be asked for.
pub fn plan_is_open(class: &Class, request: &Request, args: &Create) -> bool {
    let decided = args.defaults && class.spec.default_plan.is_some();
    request.plan.is_none() && class.spec.plans.len() > 1 && !decided
}

/// Which open parameters are asked.
pub fn asking(args: &Create) -> Asking {
    match (args.defaults, args.advanced) {
        (true, _) => Asking::Required,
        (_, true) => Asking::Advanced,
        _ => Asking::Usual,
    }
}
