//! `svc create [NAME]`: from a few answers to a service that answers.

mod answers_file;
mod ask;
mod given;
mod job;
mod same;
pub mod tell;

use tokio::time::Instant;

use crate::cli::Create;
use crate::context::Context;
use crate::domain::answers::{self, Answers, Given, Kept, Problems};
use crate::domain::class::{Class, Plan};
use crate::domain::command_line::CommandLine;
use crate::domain::instance::{Revision, Status};
use crate::domain::name::{InstanceName, NameError};
use crate::domain::parameter::EffectiveParameter;
use crate::error::{Error, Result};
use crate::ops::create::{self, existing};
use ask::{Asked, Wanted};
use given::Request;
use job::Job;
use tell::Story;

/// Makes an instance.
///
/// # Errors
/// Whatever is wrong with what was asked for, all at once and before anything exists; then what
/// helm or the service itself says.
pub async fn run(args: Create, context: &Context) -> Result<u8> {
    if args.retry {
        return Err(no_retry(args.name.as_deref()));
    }
    let request = Request::read(&args, context)?;
    if let Some(asked) = args.timeout.as_deref().filter(|_| !context.can_ask()) {
        let time = create::timeout(Some(asked), asked)?;
        context.cluster()?.answer_by(Some(Instant::now() + time));
    }
    let wanted = ask::name_and_class(&request, &args, context).await?;
    let Ok(name) = InstanceName::parse(&wanted.name, MOST) else {
        return Err(bad_name(&wanted, &args, context).await);
    };
    let cluster = context.cluster()?;
    let (offer, ground) =
        tokio::join!(create::offer(cluster, &wanted.class), create::ground(cluster, &name));
    let offer = offer?;
    let class = offer.class;
    let limit = class.spec.instance_name.max_length;
    if let Err(error) = InstanceName::parse(&wanted.name, limit) {
        return Err(no_name(&error, &wanted, limit, &given::typed(&args, Some(&class))));
    }
    let ground = ground?;
    let deployed = |newest: &Revision| newest.status == Status::Deployed;
    if args.if_not_exists && ground.revisions.first().is_some_and(deployed) {
        return same::accept(&name, &class, &request, &args, context).await;
    }
    let machine = context.machine();
    let typed = given::typed(&args, Some(&class));
    let wish = existing::Wish {
        class: &class,
        name: &name,
        typed: &typed,
        answers_for_volumes: args.reuse_data || args.delete_data,
    };
    let observer = context.observer_of(&machine, name.as_str());
    existing::check(cluster, &wish, &ground, &observer).await?;
    if let Some(deprecated) = &offer.deprecated {
        context.face.warning(&tell::deprecated(&class.name, deprecated));
    }
    let asked = settle(&name, &class, &request, &wanted, &args, context)?;
    let job = Job { name, class, ground, asked, args, machine: &machine, context };
    job.run().await
}

/// The way out of a half-made state that this version names and does not take.
fn no_retry(name: Option<&str>) -> Error {
    let version = env!("CARGO_PKG_VERSION");
    let name = name.unwrap_or("NAME");
    Error::usage(format!("svc {version} has no create --retry yet"))
        .try_for(format!("delete {name}"), "remove what is there, then create it again")
}

/// The longest name of any class.
const MOST: u8 = 40;

/// A name that no class takes. The class is read only to know which values are no secrets and may
/// be repeated; without it the rest is.
async fn bad_name(wanted: &Wanted, args: &Create, context: &Context) -> Error {
    let limit = InstanceName::DEFAULT_MAX_LENGTH;
    let class = match (args.values.set.is_empty(), context.cluster()) {
        (false, Ok(cluster)) => create::offer(cluster, &wanted.class).await.ok(),
        _ => None,
    };
    let typed = given::typed(args, class.as_ref().map(|offer| &offer.class));
    match InstanceName::parse(&wanted.name, limit) {
        Err(error) => no_name(&error, wanted, limit, &typed),
        Ok(name) => Error::usage(format!("\"{name}\" is too long a name")),
    }
}

fn no_name(error: &NameError, wanted: &Wanted, limit: u8, typed: &[String]) -> Error {
    let near = InstanceName::suggest(&wanted.name, limit);
    let near = near.map_or_else(|| "NAME".to_owned(), |name| name.to_string());
    let command = CommandLine::new(format!("create {near}")).flag("--class", &wanted.class);
    Error::usage(error.to_string()).try_(command.parts(typed.iter().cloned()).line())
}

/// The plan and every answer: asked where that is possible and wanted.
fn settle(
    name: &InstanceName,
    class: &Class,
    request: &Request,
    wanted: &Wanted,
    args: &Create,
    context: &Context,
) -> Result<Asked> {
    let interactive = context.can_ask() && !args.dry_run;
    let head = tell::head(class, context)?;
    let mut story = Story::new(context, head, wanted.asked);
    let plan = ask::plan(class, request, args, interactive, &mut story)?;
    let (plan, parameters) = create::choose(class, plan.as_deref())
        .map_err(|error| with_better_plan(error, name, class, plan.as_deref(), args))?;
    let base = base_command(name, class, plan.as_ref(), args);
    let wrong = |problems: Problems| {
        let command = problems.command(base.clone()).parts(given::manner(args));
        wrong(&problems, name, class, plan.as_ref(), &command)
    };
    let mut given = request.given.clone();
    if interactive {
        answers::check_given(&parameters, &given, &Kept::default()).map_err(wrong)?;
        ask::parameters(&parameters, &mut given, args, &mut story)?;
    }
    let answers = resolve(&parameters, &given).map_err(wrong)?;
    let manner = given::manner(args);
    Ok(Asked { plan, parameters, answers, base, manner, asked: story.asked() })
}

fn resolve(parameters: &[EffectiveParameter], given: &[Given]) -> Result<Answers, Problems> {
    answers::resolve(parameters, given, &Kept::default(), &mut |buffer| {
        getrandom::fill(buffer).expect("the system has a random source");
    })
}

/// The command that was typed, with a plan that there is.
fn with_better_plan(
    error: Error,
    name: &InstanceName,
    class: &Class,
    plan: Option<&str>,
    args: &Create,
) -> Error {
    let Some(better) = create::better_plan(class, plan) else { return error };
    let command = CommandLine::new(format!("create {name}")).flag("--class", &class.name);
    let command = match better {
        Some(plan) => command.flag("--plan", &plan),
        None => command,
    };
    error.try_(command.parts(given::typed_but_plan(args, Some(class))).line())
}

/// What the command to paste begins with.
fn base_command(
    name: &InstanceName,
    class: &Class,
    plan: Option<&Plan>,
    args: &Create,
) -> CommandLine {
    let base = CommandLine::new(format!("create {name}")).flag("--class", &class.name);
    let base = match plan {
        Some(plan) => base.flag("--plan", &plan.name),
        None => base,
    };
    match (args.reuse_data, args.delete_data) {
        (true, _) => base.part("--reuse-data"),
        (_, true) => base.part("--delete-data"),
        _ => base,
    }
}

fn wrong(
    problems: &Problems,
    name: &InstanceName,
    class: &Class,
    plan: Option<&Plan>,
    command: &CommandLine,
) -> Error {
    let plan = plan.map(|plan| plan.name.as_str());
    let error = Error::usage(problems.headline(name.as_str(), &class.name, plan));
    let rows = problems.rows.iter();
    rows.fold(error, |error, row| error.fact(&row.name, &row.message))
        .try_(command.line())
        .close(format!("All parameters: svc catalog {}", class.name))
}
