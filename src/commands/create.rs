//! `svc create [NAME]`: from a few answers to a service that answers.

mod ask;
mod job;
mod request;
mod same;
pub mod tell;

use crate::cli::Create;
use crate::commands::question;
use crate::commands::story::Story;
use crate::context::Context;
use crate::domain::answers::{self, Asking, Problems};
use crate::domain::class::{Class, Plan};
use crate::domain::command_line::CommandLine;
use crate::domain::instance::{Revision, Status};
use crate::domain::name::InstanceName;
use crate::error::{Error, Result};
use crate::ops::create::retry::{self, Half};
use crate::ops::create::{self, existing};
use crate::ops::instance;
use ask::Asked;
use job::Job;
use request::Request;

/// Makes an instance.
///
/// # Errors
/// Whatever is wrong with what was asked for, all at once and before anything exists; then what
/// helm or the service itself says.
pub async fn run(args: Create, context: &Context) -> Result<u8> {
    let request = Request::read(&args, context)?;
    if args.retry {
        return again(args, request, context).await;
    }
    let wanted = ask::name_and_class(&request, context).await?;
    let name = parse_name(&wanted.name, &wanted.class, MOST)?;
    let cluster = context.cluster()?;
    let (offer, ground) =
        tokio::join!(create::offer(cluster, &wanted.class), create::ground(cluster, &name));
    let offer = offer?;
    let class = offer.class;
    let limit = class.spec.instance_name.max_length;
    let name = parse_name(&wanted.name, &wanted.class, limit)?;
    let ground = ground?;
    let deployed = |newest: &Revision| newest.status == Status::Deployed;
    if args.if_not_exists && ground.revisions.first().is_some_and(deployed) {
        return same::accept(&name, &class, &request, &args, context).await;
    }
    let machine = context.machine();
    let typed = request::typed(&args, &class);
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
    let mut asked = settle(&name, &class, &request, &args, None, context)?;
    asked.asked |= wanted.asked;
    let half = None;
    let job = Job { name, class, ground, asked, args, half, machine: &machine, context };
    job.run().await
}

/// `--retry`: the way out of a half-made instance, with the class and the answers it has.
async fn again(args: Create, mut request: Request, context: &Context) -> Result<u8> {
    let Some(text) = request.name.clone() else {
        return Err(Error::usage("create --retry needs NAME").try_("list"));
    };
    let name = parse_name(&text, request.class.as_deref().unwrap_or("CLASS"), MOST)?;
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
    let asked = settle(&name, &class, &request, &args, Some(&half), context)?;
    let half = Some(half);
    let job = Job { name, class, ground, asked, args, half, machine: &machine, context };
    job.run().await
}

/// The longest name of any class.
const MOST: u8 = 40;

fn parse_name(text: &str, class: &str, limit: u8) -> Result<InstanceName> {
    InstanceName::parse(text, limit).map_err(|error| {
        let usual = InstanceName::DEFAULT_MAX_LENGTH;
        let limit = if limit == MOST { usual } else { limit };
        let error = InstanceName::parse(text, limit).err().unwrap_or(error);
        let usage = Error::usage(error.to_string());
        match InstanceName::suggest(text, limit) {
            Some(name) => usage.try_(format!("create {name} --class {class}")),
            None => usage.try_(format!("create NAME --class {class}")),
        }
    })
}

/// The plan and every answer: asked where that is possible and wanted. What is half made has
/// most of them.
fn settle(
    name: &InstanceName,
    class: &Class,
    request: &Request,
    args: &Create,
    half: Option<&Half>,
    context: &Context,
) -> Result<Asked> {
    let interactive = context.can_ask() && !args.dry_run;
    let head = tell::head(class, context)?;
    let mut story = Story::new(context, head);
    let plan = ask::plan(class, request, args, interactive && half.is_none(), &mut story)?;
    let (plan, mut parameters) = create::choose(class, plan.as_deref())?;
    let kept = half.map(|half| half.kept(&mut parameters, args.delete_data)).unwrap_or_default();
    let base = base_command(name, class, plan.as_ref(), args);
    let wrong = |problems: Problems| wrong(&problems, name, class, plan.as_ref(), base.clone());
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
    Ok(Asked { plan, parameters, answers, base, asked: story.asked })
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
    base: CommandLine,
) -> Error {
    let plan = plan.map(|plan| plan.name.as_str());
    let error = Error::usage(problems.headline(name.as_str(), &class.name, plan));
    let rows = problems.rows.iter();
    rows.fold(error, |error, row| error.fact(&row.name, &row.message))
        .try_(problems.command(base).line())
        .close(format!("All parameters: svc catalog {}", class.name))
}
