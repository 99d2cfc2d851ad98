//! What goes and what stays, the question, and how it is told (interface §11).

use std::time::Duration;

use crate::cli::{DEFAULT_TIMEOUT, Delete};
use crate::context::{Context, Silence};
use crate::domain::command_line::{self, CommandLine};
use crate::error::{Error, Result};
use crate::ops::delete::{Done, Outlook};
use crate::output::{Format, Page, Pairs, Progress};

/// The lines `goes` and `stays` of one instance.
pub fn rows(outlook: &Outlook, data: bool) -> Vec<(&'static str, String)> {
    let unknown = outlook
        .volumes_unreadable
        .then(|| ("stays", "its volumes, if it has any: they may not be listed".to_owned()));
    let goes = outlook.goes.iter().map(|text| ("goes", text.clone()));
    let volumes = outlook.volumes.iter().map(|volume| {
        let row = volume.row(data);
        (if row.goes { "goes" } else { "stays" }, row.text)
    });
    goes.chain(volumes).chain(unknown).collect()
}

/// Everything of all instances, as a dry run prints it.
///
/// # Errors
/// No cluster.
pub fn blocks(found: &[Outlook], data: &[bool], context: &Context) -> Result<String> {
    let page = context.face.out();
    let blocks = found.iter().zip(data).map(|(outlook, data)| block(outlook, *data, page, context));
    Ok(blocks.collect::<Result<Vec<_>>>()?.concat())
}

fn block(outlook: &Outlook, data: bool, page: &Page, context: &Context) -> Result<String> {
    let cluster = context.cluster()?;
    let what = match (&outlook.goes, &outlook.plan) {
        (None, _) => String::new(),
        (_, Some(plan)) => format!(" ({}, plan {plan})", outlook.class),
        (_, None) => format!(" ({})", outlook.class),
    };
    let head = format!(
        "{}{what} in namespace {}, context {}",
        outlook.name, cluster.namespace, cluster.target.context
    );
    let mut pairs = Pairs::facts().least("stays".len());
    pairs.extend(rows(outlook, data));
    Ok(format!("{}\n{}", page.head(&head), pairs.render(page)))
}

/// Whether it may begin: by `--yes`, by a key, or by the typed name where data goes.
///
/// # Errors
/// There is no terminal and too little was typed; Ctrl-C.
pub fn confirmed(
    args: &Delete,
    found: &[Outlook],
    data: &[bool],
    context: &Context,
) -> Result<bool> {
    if args.yes {
        return destroys_what_was_named(args, found, data);
    }
    if let Some(silence) = context.silence() {
        return Err(needs_yes(args, found, data, silence));
    }
    for (outlook, data) in found.iter().zip(data) {
        context.face.before_question(&block(outlook, *data, context.face.err(), context)?);
    }
    let names: Vec<&str> = found.iter().map(|outlook| outlook.name.as_str()).collect();
    let names = names.join(", ");
    let mut prompt = context.prompt();
    let destroys = data.iter().any(|data| *data);
    let answer = if destroys || args.force {
        let what = if destroys { "it and its data" } else { "it" };
        let what = if found.len() > 1 {
            what.replace("it", "them").replace("thems", "their")
        } else {
            what.to_owned()
        };
        prompt.typed_name(&format!("Type {names} to delete {what}"), &names)
    } else {
        prompt.confirm(&format!("Delete {names}?"), false)
    };
    Ok(answer?)
}

/// `--yes` never chooses to destroy data: that is said by a flag of its own.
fn destroys_what_was_named(args: &Delete, found: &[Outlook], data: &[bool]) -> Result<bool> {
    match by_class(args, found, data) {
        Some(outlook) => {
            let name = &outlook.name;
            let error =
                Error::usage(format!("delete of {name} needs --delete-data or --keep-data"));
            Err(either_way(error, args, found, outlook))
        }
        None => Ok(true),
    }
}

/// The first instance whose data goes because its class says so, not because it was typed.
fn by_class<'a>(args: &Delete, found: &'a [Outlook], data: &[bool]) -> Option<&'a Outlook> {
    let mut pairs = found.iter().zip(data).filter(|(_, data)| **data && !args.delete_data);
    pairs.next().map(|(outlook, _)| outlook)
}

fn either_way(error: Error, args: &Delete, found: &[Outlook], outlook: &Outlook) -> Error {
    let command = |flag: &str| format!("{} {flag}", confirmed_command(args, found));
    error
        .advise(format!("Its class {} deletes the data by default.", outlook.class))
        .try_(command("--delete-data"))
        .try_(command("--keep-data"))
}

fn needs_yes(args: &Delete, found: &[Outlook], data: &[bool], silence: Silence) -> Error {
    let mut error = Error::usage(match silence {
        Silence::NoTerminal => "delete needs --yes without a terminal",
        Silence::Flag => "delete needs --yes beside --no-input",
        Silence::Variable => "delete needs --yes beside SVC_NO_INPUT=1",
    });
    for (outlook, data) in found.iter().zip(data) {
        for (name, text) in rows(outlook, *data) {
            error = error.fact(name, text);
        }
    }
    match by_class(args, found, data) {
        Some(outlook) => either_way(error, args, found, outlook),
        None => error.try_(confirmed_command(args, found)),
    }
}

/// The command that was typed, with `--yes`.
fn confirmed_command(args: &Delete, found: &[Outlook]) -> String {
    let names: Vec<&str> = found.iter().map(|outlook| outlook.name.as_str()).collect();
    command(args, &names.join(" ")).part("--yes").line()
}

/// The command that was typed, for these names and without `--yes`.
pub fn command(args: &Delete, names: &str) -> CommandLine {
    let flags = command_line::given([
        (args.delete_data, "--delete-data"),
        (args.keep_data, "--keep-data"),
        (args.force, "--force"),
        (args.allow_outside_namespace, "--allow-outside-namespace"),
        (args.ignore_not_found, "--ignore-not-found"),
        (args.no_wait, "--no-wait"),
        (args.dry_run, "--dry-run"),
    ]);
    let format = args.output.map(|format| format!("-o {}", Format::from(format).word()));
    let time = (args.timeout != DEFAULT_TIMEOUT)
        .then(|| format!("--timeout {}", command_line::quote(&args.timeout)));
    CommandLine::new(format!("delete {names}")).parts(flags.chain(time).chain(format))
}

/// `deleting mydb: postgres, plan small, namespace team-a, context staging`, unless a question
/// has said it.
///
/// # Errors
/// No cluster.
pub fn begin(
    args: &Delete,
    outlook: &Outlook,
    data: bool,
    progress: &mut Progress,
    context: &Context,
) -> Result<()> {
    if !args.yes {
        return Ok(());
    }
    let cluster = context.cluster()?;
    let what = match (&outlook.goes, &outlook.plan) {
        (None, _) => "its volumes".to_owned(),
        (_, Some(plan)) => format!("{}, plan {plan}", outlook.class),
        (_, None) => outlook.class.clone(),
    };
    progress.begin(&format!(
        "deleting {}: {what}, namespace {}, context {}",
        outlook.name, cluster.namespace, cluster.target.context
    ));
    for (word, text) in rows(outlook, data).into_iter().skip(usize::from(outlook.goes.is_some())) {
        progress.begin(&format!("{word}: {text}"));
    }
    Ok(())
}

/// `✓ mydb is deleted`, where svc did that.
pub fn done(
    outlook: &Outlook,
    done: &Done,
    data: bool,
    elapsed: Duration,
    progress: &mut Progress,
) {
    let name = &outlook.name;
    let destroyed = data && !outlook.volumes.is_empty() && done.appeared.is_empty();
    if done.was_gone && !destroyed {
        return;
    }
    let done = match (destroyed, &outlook.goes) {
        (true, None) => format!("the data of {name} is deleted"),
        (true, Some(_)) => format!("{name} and its data are deleted"),
        (false, _) => format!("{name} is deleted"),
    };
    progress.finish(&done, "deleted", elapsed);
}
