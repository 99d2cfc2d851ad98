//! `svc create [NAME]`: from a few answers to a service that answers.

mod ask;
mod given;
mod same;
pub mod tell;

use tokio::time::Instant;

use crate::cli::Create;
use crate::commands::show::report::InstanceReport;
use crate::context::Context;
use crate::domain::answers::{self, Answers, Given, Kept, Problems};
use crate::domain::class::{Class, Plan};
use crate::domain::command_line::CommandLine;
use crate::domain::name::InstanceName;
use crate::domain::parameter::EffectiveParameter;
use crate::error::{Error, Result};
use crate::helm::{Helm, MachineId, Signals};
use crate::ops::create::{self, Ground, existing, install};
use crate::ops::instance::Stored;
use crate::ops::watch::{Ended, Limit, Waiter, until_ready};
use crate::ops::{instance, show};
use crate::output::{Format, Progress};
use ask::Asked;
use given::Request;
use tell::{Story, dry_run, progress_to};

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
    if args.if_not_exists && !ground.revisions.is_empty() {
        return same::accept(&name, &class, &request, &args, context).await;
    }
    let machine = context.machine();
    let typed = given::typed(&args, &class);
    let wish = existing::Wish {
        class: &class,
        name: &name,
        typed: &typed,
        answers_for_volumes: args.reuse_data || args.delete_data,
    };
    existing::check(cluster, &wish, &ground, &context.observer(&machine)).await?;
    if let Some(deprecated) = &offer.deprecated {
        context.face.warning(&tell::deprecated(&class.name, deprecated));
    }
    let mut asked = settle(&name, &class, &request, &args, context)?;
    asked.asked |= wanted.asked;
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

/// The plan and every answer: asked where that is possible and wanted.
fn settle(
    name: &InstanceName,
    class: &Class,
    request: &Request,
    args: &Create,
    context: &Context,
) -> Result<Asked> {
    let interactive = context.can_ask() && !args.dry_run;
    let head = tell::head(class, context)?;
    let mut story = Story::new(context, head);
    let plan = ask::plan(class, request, args, interactive, &mut story)?;
    let (plan, parameters) = create::choose(class, plan.as_deref())?;
    let base = base_command(name, class, plan.as_ref(), args);
    let wrong = |problems: Problems| wrong(&problems, name, class, plan.as_ref(), base.clone());
    let mut given = request.given.clone();
    if interactive {
        answers::check_given(&parameters, &given, &Kept::default()).map_err(wrong)?;
        ask::parameters(&parameters, &mut given, args, &mut story)?;
    }
    let answers = resolve(&parameters, &given).map_err(wrong)?;
    Ok(Asked { plan, parameters, answers, base, asked: story.asked })
}

fn resolve(parameters: &[EffectiveParameter], given: &[Given]) -> Result<Answers, Problems> {
    answers::resolve(parameters, given, &Kept::default(), &mut |buffer| {
        getrandom::fill(buffer).expect("the system has a random source");
    })
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
    base: CommandLine,
) -> Error {
    let plan = plan.map(|plan| plan.name.as_str());
    let error = Error::usage(problems.headline(name.as_str(), &class.name, plan));
    let rows = problems.rows.iter();
    rows.fold(error, |error, row| error.fact(&row.name, &row.message))
        .try_(problems.command(base).line())
        .close(format!("All parameters: svc catalog {}", class.name))
}

/// Everything that was decided, about to be done.
struct Job<'a> {
    name: InstanceName,
    class: Class,
    ground: Ground,
    asked: Asked,
    args: Create,
    machine: &'a MachineId,
    context: &'a Context,
}

impl Job<'_> {
    async fn run(self) -> Result<u8> {
        let context = self.context;
        let timeout = self.args.timeout.as_deref();
        let timeout = create::timeout(timeout, &self.class.spec.readiness.timeout)?;
        let helm = context.helm().await?;
        if self.args.dry_run {
            let (_, mut nobody) = tokio::sync::mpsc::unbounded_channel();
            install::chart(context.cluster()?, &helm, &self.class, &mut nobody).await?;
            return dry_run(&self.name, &self.class, &self.asked, self.format(), context);
        }
        if !tell::confirmed(&self.name, &self.class, &self.asked, self.args.yes, context)? {
            return Ok(0);
        }
        let limit = Limit { started: Instant::now(), timeout };
        let mut signals = context.catch_signals()?;
        let mut progress = context.face.progress();
        tell::begin(&self.name, &self.class, &self.asked, &mut progress, context)?;
        self.clear_volumes(limit).await?;
        let stored = self.install(&helm, limit, &mut signals, &mut progress).await?;
        if self.args.no_wait {
            progress.clear();
            return self.installed(stored);
        }
        self.watch(stored, limit, &mut signals, progress).await
    }

    async fn install(
        &self,
        helm: &Helm,
        limit: Limit,
        signals: &mut Signals,
        progress: &mut Progress,
    ) -> Result<Stored> {
        let cluster = self.context.cluster()?;
        let chart = install::chart(cluster, helm, &self.class, signals).await?;
        let pulled = format!("Chart {} {}", chart.name(), chart.version());
        progress.step(&pulled, limit.started.elapsed());
        let order = install::Order {
            name: &self.name,
            class: &self.class,
            plan: self.asked.plan.as_ref(),
            parameters: &self.asked.parameters,
            answers: &self.asked.answers,
            timeout: limit.timeout,
            machine: self.machine,
        };
        let say = |words: &str| words.lines().for_each(|line| self.context.face.verbose(line));
        let revisions = install::install(cluster, helm, &order, &chart, signals, &say).await?;
        let installed = format!("Installed, revision {}", revisions[0].number);
        progress.step(&installed, limit.started.elapsed());
        instance::read_record(cluster, revisions).await
    }

    async fn watch(
        &self,
        stored: Stored,
        limit: Limit,
        signals: &mut Signals,
        mut progress: Progress,
    ) -> Result<u8> {
        let cluster = self.context.cluster()?;
        let mut told = progress_to(&mut progress);
        let ended = until_ready(cluster, &stored, Waiter::Maker, limit, signals, &mut told).await;
        drop(told);
        match ended? {
            Ended::Ready => self.ready(stored, progress, limit).await,
            Ended::Stopped(signal) => {
                progress.stop(limit.started.elapsed(), limit.timeout);
                Err(tell::stopped_waiting(self.name.as_str(), &cluster.namespace, signal))
            }
        }
    }

    fn format(&self) -> Format {
        self.args.output.map_or(Format::Table, Format::from)
    }

    /// `--delete-data`: the volumes that an earlier instance left.
    async fn clear_volumes(&self, limit: Limit) -> Result<()> {
        if !self.args.delete_data {
            return Ok(());
        }
        let cluster = self.context.cluster()?;
        for claim in &self.ground.volumes {
            cluster.delete_claim(claim).await?;
        }
        for claim in &self.ground.volumes {
            let deadline = limit.started + limit.timeout;
            if !cluster.claim_gone(claim, deadline).await? {
                return Err(Error::not_ready(format!("volume {} does not go away", claim.name)));
            }
        }
        Ok(())
    }

    async fn ready(&self, stored: Stored, mut progress: Progress, limit: Limit) -> Result<u8> {
        let done = format!("{} is ready", self.name);
        progress.finish(&done, "ready", limit.started.elapsed());
        drop(progress);
        let context = self.context;
        let mask = context.face.out().mask();
        let observer = context.observer(self.machine);
        let shown = show::look(context.cluster()?, stored, mask, &observer).await?;
        self.report(shown)?;
        tell::next(&self.name, &self.class, context);
        Ok(0)
    }

    /// `--no-wait`: helm is done, the service is not.
    fn installed(&self, stored: Stored) -> Result<u8> {
        let name = &self.name;
        if self.format() != Format::Table {
            let observer = self.context.observer(self.machine);
            let mask = self.context.face.out().mask();
            self.report(show::unseen(stored, mask, &observer))?;
            return Ok(0);
        }
        let command = format!("wait {name}");
        self.context.face.echo(&format!("{name} is installed and starting"));
        self.context.face.next(&[crate::error::Try { command, explanation: None }]);
        Ok(0)
    }

    fn report(&self, shown: show::Shown) -> Result<()> {
        let context = self.context;
        let context_name = context.cluster()?.target.context.clone();
        let report = InstanceReport::new(shown, context_name, true, context.now());
        if self.format() != Format::Table {
            return context.face.report(&report, self.format());
        }
        if context.face.err().terminal {
            context.face.echo("");
        }
        context.face.deliver(report.masked_details(context.face.out()))
    }
}
