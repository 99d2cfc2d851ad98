//! `svc delete NAME…`: give instances back, and say what becomes of the data.

mod ask;

use std::time::Duration;

use tokio::time::Instant;

use crate::cli::Delete;
use crate::commands::report::API_VERSION;
use crate::commands::report::instance::{
    Deleted, DeletionPlan, DeletionReport, ToDelete, Volume as VolumeItem,
};
use crate::context::Context;
use crate::domain::class::DataPolicy;
use crate::domain::command_line::given;
use crate::domain::leftovers::Volume;
use crate::error::{Error, Result, Try};
use crate::ops::create::timeout;
use crate::ops::delete::{Done, Outlook, Turn, delete, outlook};
use crate::ops::instance::no_instance;
use crate::output::{Format, Page, Report};

/// Deletes; all names are tried, the worst status wins.
///
/// # Errors
/// What was not typed and may not be asked; with a single name whatever goes wrong.
pub async fn run(args: &Delete, context: &Context) -> Result<u8> {
    let time = timeout(Some(&args.timeout), "5m")?;
    let (found, mut worst) = look(args, time, context).await?;
    if found.is_empty() {
        nothing_found(args, context)?;
        return Ok(worst);
    }
    let data = found.iter().map(|outlook| wants_data(args, outlook)).collect::<Result<Vec<_>>>()?;
    if args.dry_run {
        dry_run(args, &found, &data, context)?;
        return Ok(worst);
    }
    if !ask::confirmed(args, &found, &data, context)? {
        context.face.echo("nothing changed");
        return Ok(worst);
    }
    let helm = context.helm().await?;
    let mut signals = context.catch_signals()?;
    let mut items = Vec::new();
    for (outlook, data) in found.iter().zip(data) {
        let started = Instant::now();
        let mut progress = context.face.progress();
        ask::begin(args, outlook, data, &mut progress, context)?;
        let cluster = context.cluster()?;
        cluster.answer_by(Some(started + time));
        let wait = !args.no_wait;
        let done = delete(cluster, &helm, outlook, data, wait, started + time, &mut signals).await;
        match done {
            Ok(done) => {
                ask::done(outlook, &done, data, started.elapsed(), &mut progress);
                drop(progress);
                items.push(deleted(outlook, &done.appeared, data, &cluster.namespace));
                tell_what_came(&done, outlook, context);
            }
            Err(error) if found.len() > 1 => {
                drop(progress);
                worst = worst.max(error.kind.exit_code());
                context.face.error(&error);
            }
            Err(error) => return Err(error),
        }
    }
    report(args, items, context)?;
    Ok(worst)
}

/// What there is of each name; a missing one is an error, or with the flag none.
async fn look(args: &Delete, time: Duration, context: &Context) -> Result<(Vec<Outlook>, u8)> {
    let cluster = context.cluster()?;
    let deadline = Instant::now() + time;
    cluster.answer_by(Some(deadline));
    let machine = context.machine();
    let mut names = args.names.clone();
    names.sort();
    names.dedup();
    let (mut found, mut worst, mut passed_over) = (Vec::new(), 0, false);
    for name in &names {
        let observe = || context.observer_of(&machine, name);
        let tell = |words: &str| context.face.note(words);
        let turn = Turn { observe: &observe, deadline, tell: &tell };
        let wrong = match outlook(cluster, name, turn).await {
            // What is left of it is its data, and that was not asked for.
            Ok(Some(outlook))
                if outlook.goes.is_none() && args.ignore_not_found && !args.delete_data =>
            {
                context.face.note(&kept(&outlook));
                continue;
            }
            Ok(Some(outlook)) => match allowed(args, &outlook) {
                Ok(()) => {
                    limits_of_sight(&outlook, context);
                    found.push(outlook);
                    continue;
                }
                Err(error) => error,
            },
            Ok(None) if args.ignore_not_found => {
                passed_over = true;
                continue;
            }
            Ok(None) => no_instance(cluster, name).await.without_tries(),
            Err(error) => error,
        };
        if names.len() == 1 {
            return Err(wrong);
        }
        worst = worst.max(wrong.kind.exit_code());
        context.face.error(&wrong);
    }
    if passed_over && cluster.lacks_namespace().await {
        context.face.note(&format!("there is no namespace {}", cluster.namespace));
    }
    Ok((found, worst))
}

/// A machine format has its answer where there was nothing to delete, too.
fn nothing_found(args: &Delete, context: &Context) -> Result<()> {
    match args.dry_run {
        true if args.output.is_some() => dry_run(args, &[], &[], context),
        true => Ok(()),
        false => report(args, Vec::new(), context),
    }
}

/// What svc cannot see of an instance, and looks at without.
fn limits_of_sight(outlook: &Outlook, context: &Context) {
    for words in &outlook.unusable {
        context.face.note(&format!("{}: {words}", outlook.name));
    }
    if outlook.may_be_unknown {
        context.face.note("volumes made by an operator are not known to svc");
    }
}

fn allowed(args: &Delete, outlook: &Outlook) -> Result<()> {
    let (name, class) = (&outlook.name, &outlook.class);
    if outlook.goes.is_none() && !args.delete_data {
        let error =
            outlook.volumes.iter().fold(Error::not_found(left(outlook)), |error, volume| {
                error.fact("stays", format!("{}, with the data", volume.shown()))
            });
        return Err(error.try_for(format!("delete {name} --delete-data"), "delete it too"));
    }
    if outlook.volumes_unreadable && args.delete_data {
        return Err(Error::not_allowed(format!("not allowed to list the volumes of {name}"))
            .fact("missing", "list persistentvolumeclaims")
            .try_for(format!("delete {name} --keep-data"), "leave them alone"));
    }
    if outlook.protected && !args.force {
        return Err(Error::not_allowed(format!("{name} is protected by its class {class}"))
            .try_for(ask::command(args, name).part("--force").line(), "if it really has to go"));
    }
    if !outlook.outside.is_empty() && !args.allow_outside_namespace {
        let error = Error::failed(format!(
            "the record of {name} holds objects outside its namespace; they would go too"
        ));
        return Err(outlook
            .outside
            .iter()
            .take(8)
            .fold(error, |error, object| error.fact("outside", object))
            .try_for(
                ask::command(args, name)
                    .part("--allow-outside-namespace")
                    .parts(given([(args.yes, "--yes")]))
                    .line(),
                "if they are its own",
            ));
    }
    Ok(())
}

/// What an instance that is gone left behind.
fn kept(outlook: &Outlook) -> String {
    let volumes: Vec<String> = outlook.volumes.iter().map(Volume::shown).collect();
    format!("{}: {}", left(outlook), volumes.join("; "))
}

fn left(outlook: &Outlook) -> String {
    format!("{} is gone; it left its data", outlook.name)
}

/// Whether the volumes go too: by flag, else by the class.
fn wants_data(args: &Delete, outlook: &Outlook) -> Result<bool> {
    if args.keep_data
        && let Some(owned) = outlook.volumes.iter().find_map(|volume| volume.cannot_stay())
    {
        return Err(Error::usage(format!("the data of {} cannot be kept: {owned}", outlook.name)));
    }
    Ok(args.delete_data || (!args.keep_data && outlook.policy == DataPolicy::Delete))
}

/// What would go and what would stay, in the format that was asked for.
fn dry_run(args: &Delete, found: &[Outlook], data: &[bool], context: &Context) -> Result<()> {
    let namespace = &context.cluster()?.namespace;
    let item = |(outlook, data): (&Outlook, &bool)| {
        let Deleted { volumes_deleted, volumes_kept, .. } = deleted(outlook, &[], *data, namespace);
        ToDelete {
            name: outlook.name.clone(),
            namespace: namespace.clone(),
            class: outlook.class.clone(),
            plan: outlook.plan.clone(),
            goes: outlook.goes.clone(),
            volumes_deleted,
            volumes_kept,
        }
    };
    let report = DeletionPlan {
        api_version: API_VERSION,
        kind: "Plan",
        items: found.iter().zip(data).map(item).collect(),
        text: ask::blocks(found, data, context)?,
    };
    context.face.report(&report, args.output.map_or(Format::Table, Format::from))?;
    context.face.note("nothing changed: this was a dry run");
    Ok(())
}

/// What others did in the meantime.
fn tell_what_came(done: &Done, outlook: &Outlook, context: &Context) {
    let name = &outlook.name;
    if done.was_gone {
        context.face.note(&format!("{name} was gone already: someone else deleted it meanwhile"));
    }
    for volume in &done.appeared {
        let volume = volume.shown();
        context.face.note(&format!("{volume}, came while {name} was being deleted, and stays"));
    }
}

fn deleted(outlook: &Outlook, appeared: &[Volume], data: bool, namespace: &str) -> Deleted {
    let shown = outlook.volumes.iter().map(|volume| (volume.row(data).goes, volume));
    let rows = shown.chain(appeared.iter().map(|volume| (false, volume)));
    let (gone, kept): (Vec<_>, Vec<_>) = rows.partition(|(goes, _)| *goes);
    let items = |rows: Vec<(bool, &Volume)>| {
        let item = |(_, volume): (bool, &Volume)| VolumeItem {
            name: volume.name.clone(),
            size: volume.size.clone(),
        };
        rows.into_iter().map(item).collect()
    };
    Deleted {
        name: outlook.name.clone(),
        namespace: namespace.to_owned(),
        deleted: true,
        volumes_deleted: items(gone),
        volumes_kept: items(kept),
    }
}

fn report(args: &Delete, items: Vec<Deleted>, context: &Context) -> Result<()> {
    let face = &context.face;
    let kept: Vec<&Deleted> = items.iter().filter(|item| !item.volumes_kept.is_empty()).collect();
    if face.err().terminal {
        for item in &kept {
            let volumes: Vec<String> = item.volumes_kept.iter().map(shown).collect();
            face.note(&format!("the data is kept: {}", volumes.join("; ")));
        }
        let commands = kept.iter().map(|item| Try {
            command: format!("delete {} --delete-data", item.name),
            explanation: Some("delete it too".to_owned()),
        });
        face.next(&commands.collect::<Vec<_>>());
    }
    let format = args.output.map_or(Format::Table, Format::from);
    if format == Format::Table || format == Format::Wide {
        return Ok(());
    }
    let report = DeletionReport { api_version: API_VERSION, kind: "Deletion", items };
    face.report(&report, format)
}

fn shown(volume: &VolumeItem) -> String {
    match &volume.size {
        Some(size) => format!("volume {}, {size}", volume.name),
        None => format!("volume {}", volume.name),
    }
}

impl Report for DeletionPlan {
    fn text(&self, _: &Page) -> String {
        self.text.clone()
    }

    fn names(&self) -> Vec<String> {
        self.items.iter().map(|item| item.name.clone()).collect()
    }
}

impl Report for DeletionReport {
    fn text(&self, _: &Page) -> String {
        String::new()
    }

    fn names(&self) -> Vec<String> {
        self.items.iter().map(|item| item.name.clone()).collect()
    }
}
