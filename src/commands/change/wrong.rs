//! What is wrong with a change, and the command that would be right (interface §10).

use std::cmp::Ordering;

use super::Request;
use crate::cli::Change as Flags;
use crate::commands::given;
use crate::context::Context;
use crate::domain::answers::{Given, How, Problems, Raw};
use crate::domain::class::{Availability, Change, Class};
use crate::domain::command_line::{self, CommandLine, quote};
use crate::domain::name::InstanceName;
use crate::domain::parameter::{EffectiveParameter, compared};
use crate::domain::record::Origin;
use crate::domain::value::Value;
use crate::error::{Error, Try};
use crate::ops::change::{Base, Verb};
use crate::ops::update::View;
use crate::ops::upgrade;
use crate::output::Format;

/// The error for everything that is wrong.
pub fn wrong(
    problems: &Problems,
    request: &Request<'_>,
    given: &[Given],
    base: &Base,
    view: &View,
    context: &Context,
) -> Error {
    if let Some(parameter) = only_unchangeable(problems, view) {
        return cannot_change(parameter, request.name, given, base, view);
    }
    let plan = view.plan.as_ref().map(|plan| plan.name.as_str());
    let error = Error::usage(problems.headline(request.name, &view.class.name, plan));
    let error = problems.rows.iter().fold(error, |error, row| error.fact(&row.name, &row.message));
    let start = begun(request, request.plan.as_deref(), context).parts(typed(request.flags));
    let alone = start.line();
    let command = problems.command(start);
    let error = match with_upgrade(problems, request, base, view, context) {
        Some(upgrade) if command.line() == alone => {
            return error.try_for(upgrade.line(), "to what its class says today");
        }
        Some(upgrade) => error.try_for(upgrade.line(), "to what its class says today"),
        None => error,
    };
    if request.verb == Verb::Update && command.line() == alone && request.plan.is_none() {
        return error.try_for(format!("show {}", request.name), "what it has");
    }
    error.try_(command.line())
}

/// `update` does not reach what the class has since: the upgrade that gives it, and whatever else
/// was right.
fn with_upgrade(
    problems: &Problems,
    request: &Request<'_>,
    base: &Base,
    view: &View,
    context: &Context,
) -> Option<CommandLine> {
    let later = |name: &str| view.kept.later.iter().any(|later| later == name);
    let is_wrong = |name: &str| problems.rows.iter().any(|row| row.name == name);
    problems.rows.iter().find(|row| later(&row.name))?;
    let class = base.source().class.as_ref();
    let is_right = |name: &str| later(name) || !is_wrong(name);
    let values = given::typed_of(request.values, class, is_right).collect::<Vec<_>>();
    let confirms = !request.flags.dry_run && !context.can_ask();
    let yes = command_line::given([(confirms, "--yes")]);
    let parts = yes.chain(values).chain(typed(request.flags));
    Some(with_plan(Verb::Upgrade, request.name, request.plan.as_deref()).parts(parts))
}

/// The command as far as its plan.
fn named(request: &Request<'_>, plan: Option<&str>) -> CommandLine {
    with_plan(request.verb, request.name, plan)
}

fn with_plan(verb: Verb, name: &str, plan: Option<&str>) -> CommandLine {
    let start = CommandLine::new(format!("{verb} {name}"));
    match plan {
        Some(plan) => start.flag("--plan", plan),
        None => start,
    }
}

/// The command as far as its plan and its confirmation.
fn begun(request: &Request<'_>, plan: Option<&str>, context: &Context) -> CommandLine {
    let start = named(request, plan);
    let confirms = request.verb == Verb::Upgrade && !request.flags.dry_run;
    if confirms && (request.yes || !context.can_ask()) { start.part("--yes") } else { start }
}

/// The error for a plan that `upgrade` does not find, with the same command and one that there is.
pub fn plan(error: Error, request: &Request<'_>, base: &Base, context: &Context) -> Error {
    if request.verb != Verb::Upgrade {
        return error;
    }
    let Some(better) = upgrade::better_plan(base, request.plan.as_deref()) else { return error };
    let class = base.source().class.as_ref();
    let command = begun(request, Some(&better), context)
        .parts(given::typed(request.values, class))
        .parts(typed(request.flags));
    error.try_(command.line())
}

/// The command as it was typed, for one more flag.
pub fn as_typed(request: &Request<'_>, class: Option<&Class>) -> CommandLine {
    let unset = request.unset.iter().map(|name| format!("--unset {}", quote(name)));
    let yes = command_line::given([(request.verb == Verb::Upgrade && request.yes, "--yes")]);
    let values = given::typed(request.values, class);
    let given = values.chain(unset).chain(typed(request.flags)).chain(yes);
    named(request, request.plan.as_deref()).parts(given)
}

/// What was typed beside the values: what was a dry run stays one.
fn typed(flags: &Flags) -> impl Iterator<Item = String> {
    let words = command_line::given([
        (flags.retry, "--retry"),
        (flags.dry_run, "--dry-run"),
        (flags.manifests, "--manifests"),
        (flags.no_wait, "--no-wait"),
        (flags.allow_outside_namespace, "--allow-outside-namespace"),
    ]);
    let timeout = flags.timeout.as_ref().map(|time| format!("--timeout {}", quote(time)));
    let format = flags.output.map(|format| format!("-o {}", Format::from(format).word()));
    words.chain(timeout).chain(format)
}

/// The parameter that cannot change, where that is all that is wrong.
fn only_unchangeable<'v>(problems: &Problems, view: &'v View) -> Option<&'v EffectiveParameter> {
    let [row] = problems.rows.as_slice() else { return None };
    let parameter = view.parameters.iter().find(|known| known.name == row.name)?;
    let is_it = parameter.change == Change::Never && row.message == parameter.cannot_change();
    is_it.then_some(parameter)
}

fn cannot_change(
    parameter: &EffectiveParameter,
    name: &str,
    given: &[Given],
    base: &Base,
    view: &View,
) -> Error {
    let what = &parameter.name;
    let mut error = Error::usage(format!("{what} of {name} {}", parameter.cannot_change()));
    match another(parameter, name, given, base, view) {
        Some(another) => error.tries.push(another),
        None => return error.try_for(format!("show {name}"), "what it has"),
    }
    error
}

/// A new instance beside it, with what was given to this one and the value that was asked for.
fn another(
    parameter: &EffectiveParameter,
    name: &str,
    given: &[Given],
    base: &Base,
    view: &View,
) -> Option<Try> {
    let class = base.source().class.as_ref()?;
    if class.spec.availability == Availability::NoNewInstances || parameter.sensitive {
        return None;
    }
    let wanted = given.iter().find(|given| given.name == parameter.name)?;
    let wanted = asked(parameter, wanted).filter(|value| parameter.check_limits(value).is_ok())?;
    let limit = class.spec.instance_name.max_length;
    let beside = InstanceName::first_free(name, limit, |taken| taken == name)?;
    let start = CommandLine::new(format!("create {beside}")).flag("--class", &class.name);
    let start = match &view.plan {
        Some(plan) => start.flag("--plan", &plan.name),
        None => start,
    };
    let set = |line: CommandLine, known: &EffectiveParameter| {
        let value = if known.name == parameter.name {
            Some(wanted.clone())
        } else {
            other_value(known, given, base)
        };
        match value {
            Some(value) => line.flag("--set", &format!("{}={}", known.name, value.set_text())),
            None => line,
        }
    };
    let command = view.parameters.iter().fold(start, set).line();
    let bigger = parameter.present.as_ref().and_then(|present| compared(&wanted, present));
    let size = if bigger == Some(Ordering::Greater) { "a bigger one" } else { "another one" };
    Some(Try { command, explanation: Some(format!("{size} beside it, then move the data")) })
}

/// What this command gives for another parameter, or what was given when it was made.
fn other_value(known: &EffectiveParameter, given: &[Given], base: &Base) -> Option<Value> {
    if known.sensitive || known.fixed {
        return None;
    }
    if let Some(given) = given.iter().find(|given| given.name == known.name) {
        return asked(known, given);
    }
    let recorded = base.source().record.answers.get(&known.name)?;
    (recorded.origin == Origin::Given).then(|| known.present.clone()).flatten()
}

/// The value that was asked for, whatever may become of the present one.
fn asked(parameter: &EffectiveParameter, given: &Given) -> Option<Value> {
    let free = EffectiveParameter { present: None, ..parameter.clone() };
    match &given.raw {
        Raw::Text(text) => {
            use secrecy::ExposeSecret;
            free.parse(text.expose_secret()).ok()
        }
        Raw::Typed(value) => free.parse_typed(value).ok(),
        Raw::Bare { written, read } => free.parse_bare(written, read).ok(),
        Raw::Default if given.how == How::Unset => free.default,
        Raw::Default => None,
    }
}
