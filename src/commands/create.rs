//! `svc create [NAME]`: from a few answers to a service that answers.

mod answers_file;
mod ask;
mod job;
mod request;
mod same;
pub mod tell;
mod volumes;

use crate::cli::Create;
use crate::commands::answer_in;
use crate::commands::question;
use crate::commands::story::Story;
use crate::context::Context;
use crate::domain::answers::{self, Asking, Kept, Problems};
use crate::domain::class::{Class, Plan};
use crate::domain::command_line::CommandLine;
use crate::domain::instance::{Revision, Status};
use crate::domain::name::{InstanceName, NameError};
use crate::error::{Error, ErrorKind, Result};
use crate::ops::catalog;
use crate::ops::create::retry::{self, Half};
use crate::ops::create::{self, existing};
use crate::ops::instance;
use ask::{Asked, Wanted};
use job::Job;
use request::Request;

/// Makes an instance.
///
/// # Errors
/// Whatever is wrong with what was asked for, all at once and before anything exists; then what
/// helm or the service itself says.
pub async fn run(args: Create, context: &Context) -> Result<u8> {
    let request = Request::read(&args, context)?;
    answer_in(args.timeout.as_deref(), context)?;
    if args.retry {
        return again(args, request, context).await;
    }
    let wanted = ask::name_and_class(&request, &args, context).await?;
    let Ok(name) = InstanceName::parse(&wanted.name, MOST) else {
        return Err(bad_name(&wanted, &request, &args, context).await);
    };
    let cluster = context.cluster()?;
    let (offer, ground) =
        tokio::join!(create::offer(cluster, &wanted.class), create::ground(cluster, &name));
    let offer = match offer {
        Err(error) if error.kind == ErrorKind::NotFound => {
            return Err(with_near_class(error, &wanted, &request, &args, context).await);
        }
        offer => offer?,
    };
    let class = offer.class;
    let limit = class.spec.instance_name.max_length;
    let plan = known_plan(&class, request.plan.as_deref());
    let typed = request.put_right(&args, &class, plan.as_deref());
    if let Err(error) = InstanceName::parse(&wanted.name, limit) {
        return Err(no_name(&error, &wanted, limit, &typed));
    }
    let ground = ground?;
    let wish = existing::Wish {
        class: &class,
        name: &name,
        typed: &typed,
        plan: request.plan.as_deref(),
        given: &request.given,
        answers_for_volumes: args.reuse_data || args.delete_data,
    };
    let runs = |newest: &Revision| matches!(newest.status, Status::Deployed | Status::Superseded);
    if args.if_not_exists && ground.revisions.first().is_some_and(runs) {
        return same::accept(&wish, &request, &args, context).await;
    }
    let machine = context.machine();
    let observer = context.observer_of(&machine, name.as_str());
    existing::check(cluster, &wish, &ground, &observer).await?;
    if let Some(deprecated) = &offer.deprecated {
        context.face.warning(&tell::deprecated(&class.name, deprecated));
    }
    let asked = settle(&name, &class, &request, &wanted, &args, None, context)?;
    let half = None;
    let job = Job { name, class, ground, asked, args, half, machine: &machine, context };
    job.run().await
}

/// `--retry`: the way out of a half-made instance, with the class and the answers it has.
async fn again(args: Create, mut request: Request, context: &Context) -> Result<u8> {
    let Some(text) = request.name.clone() else {
        return Err(Error::usage("create --retry needs NAME").try_("list"));
    };
    let name = InstanceName::parse(&text, MOST)
        .map_err(|error| Error::usage(error.to_string()).try_("list"))?;
    let cluster = context.cluster()?;
    let machine = context.machine();
    let observer = context.observer_of(&machine, name.as_str());
    let ground = create::ground(cluster, &name).await?;
    let said = (args.reuse_data, args.delete_data);
    let half = retry::look(cluster, &name, &ground, said, &observer).await?;
    let Some(class) = request.class.clone().or_else(|| half.class().map(str::to_owned)) else {
        return Err(instance::no_instance(cluster, name.as_str()).await);
    };
    let offer = create::offer(cluster, &class).await?;
    retry::same_class(&half, &offer, &name)?;
    request.plan = retry::plan_name(request.plan.as_deref(), &half, &offer.class.spec.plans);
    let class = offer.class;
    let wanted = Wanted { name: text, class: class.name.clone(), asked: false };
    let asked = settle(&name, &class, &request, &wanted, &args, Some(&half), context)?;
    let half = Some(half);
    let job = Job { name, class, ground, asked, args, half, machine: &machine, context };
    job.run().await
}

/// The longest name of any class.
const MOST: u8 = 40;

/// A name that no class takes. The class is read only to know which values are no secrets and may
/// be repeated; without it the rest is.
async fn bad_name(wanted: &Wanted, request: &Request, args: &Create, context: &Context) -> Error {
    let limit = InstanceName::DEFAULT_MAX_LENGTH;
    let typed = typed(&wanted.class, request, args, context).await;
    match InstanceName::parse(&wanted.name, limit) {
        Err(error) => no_name(&error, wanted, limit, &typed),
        Ok(name) => Error::usage(format!("\"{name}\" is too long a name")),
    }
}

/// A class that there is not: the whole command with the one that was meant.
async fn with_near_class(
    mut error: Error,
    wanted: &Wanted,
    request: &Request,
    args: &Create,
    context: &Context,
) -> Error {
    let Ok(cluster) = context.cluster() else { return error };
    let Some(near) = catalog::near(cluster, &wanted.class).await else { return error };
    let typed = typed(&near, request, args, context).await;
    let command = CommandLine::new(format!("create {}", wanted.name)).flag("--class", &near);
    error.tries.clear();
    error.try_(command.parts(typed).line())
}

/// What was typed beside name and class, put right where the class can be read.
async fn typed(class: &str, request: &Request, args: &Create, context: &Context) -> Vec<String> {
    let class = match (args.values.set.is_empty(), context.cluster()) {
        (false, Ok(cluster)) => create::offer(cluster, class).await.ok(),
        _ => None,
    };
    match class.map(|offer| offer.class) {
        Some(class) => {
            let plan = known_plan(&class, request.plan.as_deref());
            request.put_right(args, &class, plan.as_deref())
        }
        None => request::typed(args, None),
    }
}

/// The plan that was asked for, or the nearest that there is.
fn known_plan(class: &Class, asked: Option<&str>) -> Option<String> {
    let asked = asked?;
    create::better_plan(class, Some(asked)).unwrap_or_else(|| Some(asked.to_owned()))
}

fn no_name(error: &NameError, wanted: &Wanted, limit: u8, typed: &[String]) -> Error {
    let near = InstanceName::suggest(&wanted.name, limit);
    let near = near.map_or_else(|| "NAME".to_owned(), |name| name.to_string());
    let command = CommandLine::new(format!("create {near}")).flag("--class", &wanted.class);
    Error::usage(error.to_string()).try_(command.parts(typed.iter().cloned()).line())
}

/// The plan and every answer: asked where that is possible and wanted. What is half made has
/// most of them.
fn settle(
    name: &InstanceName,
    class: &Class,
    request: &Request,
    wanted: &Wanted,
    args: &Create,
    half: Option<&Half>,
    context: &Context,
) -> Result<Asked> {
    let interactive = context.can_ask() && !args.dry_run;
    let head = tell::head(class, context)?;
    let mut story = Story::new(context, head, wanted.asked);
    let asks_plan = interactive && half.is_none() && ask::plan_is_open(class, request, args);
    let plan = match asks_plan {
        true => {
            fits_some_plan(name, class, request, args)?;
            Some(question::plan(class, &mut story)?)
        }
        false => request.plan.clone(),
    };
    let (plan, mut parameters) = create::choose(class, plan.as_deref()).map_err(|error| {
        let asked = Request { plan, ..request.clone() };
        with_better_plan(error, name, class, &asked, args)
    })?;
    let kept = half.map(|half| half.kept(&mut parameters, args.delete_data)).unwrap_or_default();
    let base = base_command(name, class, plan.as_ref(), args);
    let wrong = |problems| wrong(&problems, name, class, plan.as_ref(), args);
    let mut given = request.given.clone();
    if interactive {
        answers::check_given(&parameters, &given, &kept).map_err(wrong)?;
        let asking = if half.is_some() { Asking::Required } else { ask::asking(args) };
        question::ask_all(&parameters, &mut given, &kept, asking, &mut story)?;
    }
    let answers = answers::resolve(&parameters, &given, &kept, &mut |buffer| {
        getrandom::fill(buffer).expect("the system has a random source");
    })
    .map_err(wrong)?;
    if let Some((name, size)) = answers.too_large() {
        let tenths = size.saturating_mul(10) / (1 << 20);
        return Err(Error::usage("the values are too large: a release record holds 1 MiB")
            .fact(name, format!("{}.{} MiB", tenths / 10, tenths % 10)));
    }
    let manner = request::manner(args);
    let reused = Vec::new();
    Ok(Asked { plan, parameters, answers, reused, base, manner, asked: story.asked() })
}

/// What no plan allows is told before one is asked for, as the default plan would put it.
fn fits_some_plan(
    name: &InstanceName,
    class: &Class,
    request: &Request,
    args: &Create,
) -> Result<()> {
    let mut refused = None;
    for plan in &class.spec.plans {
        let (plan, parameters) = create::choose(class, Some(&plan.name))?;
        let Err(problems) = answers::check_given(&parameters, &request.given, &Kept::default())
        else {
            return Ok(());
        };
        let is_default = plan.as_ref().map(|plan| &plan.name) == class.spec.default_plan.as_ref();
        if refused.is_none() || is_default {
            refused = Some((plan, problems));
        }
    }
    let Some((plan, problems)) = refused else { return Ok(()) };
    Err(wrong(&problems, name, class, plan.as_ref(), args))
}

/// The command that was typed, with a plan that there is.
fn with_better_plan(
    error: Error,
    name: &InstanceName,
    class: &Class,
    request: &Request,
    args: &Create,
) -> Error {
    let Some(plan) = create::better_plan(class, request.plan.as_deref()) else { return error };
    let command = CommandLine::new(format!("create {name}")).flag("--class", &class.name);
    error.try_(command.parts(request.put_right(args, class, plan.as_deref())).line())
}

/// What the command to paste begins with.
fn base_command(
    name: &InstanceName,
    class: &Class,
    plan: Option<&Plan>,
    args: &Create,
) -> CommandLine {
    let base = CommandLine::new(format!("create {name}"));
    let base = if args.retry { base.part("--retry") } else { base.flag("--class", &class.name) };
    let base = match plan.filter(|_| !args.retry) {
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
    args: &Create,
) -> Error {
    let command = problems.command(base_command(name, class, plan, args));
    let command = command.parts(request::manner(args));
    let plan = plan.map(|plan| plan.name.as_str());
    let error = Error::usage(problems.headline(name.as_str(), &class.name, plan));
    let rows = problems.rows.iter();
    rows.fold(error, |error, row| error.fact(&row.name, &row.message))
        .try_(command.line())
        .close(format!("All parameters: svc catalog {}", class.name))
}
