//! What `create` says before, meanwhile and after (interface §4, §5).

use super::ask::Asked;
use crate::commands::report::plan::{PlanReport, PlannedVolume};
use crate::context::Context;
use crate::domain::class::{Class, Deprecated};
use crate::domain::name::InstanceName;
use crate::domain::summary;
use crate::domain::values::Values;
use crate::error::{Error, Result, Try};
use crate::helm::Signal;
use crate::ops::create::outcome::kind_of;
use crate::output::{Format, Page, Pairs, Progress};

/// `postgres in namespace team-a, context staging`
pub fn head(class: &Class, context: &Context) -> Result<String> {
    let cluster = context.cluster()?;
    let place = (&cluster.namespace, &cluster.target.context);
    Ok(format!("{} in namespace {}, context {}", class.name, place.0, place.1))
}

/// `class mysql-8 is deprecated: security fixes have ended; use mysql-9`
pub fn deprecated(class: &str, deprecated: &Deprecated) -> String {
    let instead = deprecated.replacement.as_ref().map(|other| format!("; use {other}"));
    let message = &deprecated.message;
    format!("class {class} is deprecated: {message}{}", instead.unwrap_or_default())
}

/// The summary, the command without questions, the last question: only where one was open.
///
/// # Errors
/// Ctrl-C at the question.
pub fn confirmed(
    name: &InstanceName,
    class: &Class,
    asked: &Asked,
    yes: bool,
    context: &Context,
) -> Result<bool> {
    if !asked.asked {
        return Ok(true);
    }
    let face = &context.face;
    face.before_question(&format!("\n{}\n", summary_text(name, class, asked, face.err())));
    let command = asked.without_questions();
    face.before_question("The same without questions:\n");
    face.before_question(&format!("{}\n", face.pasted(&command.line())));
    if yes {
        return Ok(true);
    }
    let cluster = context.cluster()?;
    let question = format!(
        "Create {name} in namespace {}, context {}?",
        cluster.namespace, cluster.target.context
    );
    let confirmed = context.prompt().confirm(&question, true)?;
    if !confirmed {
        face.echo("nothing changed");
    }
    Ok(confirmed)
}

fn summary_text(name: &InstanceName, class: &Class, asked: &Asked, page: &Page) -> String {
    let chart = class.spec.chart.as_ref().and_then(|chart| chart.name_and_version());
    let chart = chart.map(|(name, version)| format!(", chart {name} {version}"));
    let mut pairs = Pairs::summary();
    pairs.row(
        name.as_str(),
        format!("{}{}{}", class.name, plan_text(asked), chart.unwrap_or_default()),
    );
    for row in summary::before_create(&asked.parameters, &asked.answers, &asked.reused) {
        pairs.row(&row.name, row.text(page.mask()));
    }
    pairs.render(page)
}

fn plan_text(asked: &Asked) -> String {
    asked.plan.as_ref().map(|plan| format!(", plan {}", plan.name)).unwrap_or_default()
}

/// `creating mydb: postgres, plan small, namespace team-a, context staging`, unless the summary
/// has said it.
///
/// # Errors
/// No cluster.
pub fn begin(
    name: &InstanceName,
    class: &Class,
    asked: &Asked,
    progress: &mut Progress,
    context: &Context,
) -> Result<()> {
    if asked.asked {
        return Ok(());
    }
    let cluster = context.cluster()?;
    progress.begin(&format!(
        "creating {name}: {}{}, namespace {}, context {}",
        class.name,
        plan_text(asked),
        cluster.namespace,
        cluster.target.context
    ));
    Ok(())
}

/// Ctrl-C while watching stops the watching alone.
pub fn stopped_waiting(name: &str, namespace: &str, signal: Signal) -> Error {
    stopped_watching(signal, &format!("{name} is installed in {namespace} and still starting"))
        .try_for(format!("wait {name}"), "go on waiting")
        .try_for(format!("delete {name}"), "give it up")
}

/// The same, with how it stands.
pub fn stopped_watching(signal: Signal, standing: &str) -> Error {
    Error::new(kind_of(signal), format!("stopped waiting; {standing}"))
}

/// What can be done with it now.
pub fn next(name: &InstanceName, class: &Class, context: &Context) {
    let face = &context.face;
    if !face.hints() {
        return;
    }
    let sensitive = class.spec.connection.details.iter().any(|detail| detail.name == "password");
    let same = if sensitive { "the same with the password" } else { "the same in full" };
    let try_for = |command: String, explanation: &str| Try {
        command,
        explanation: Some(explanation.to_owned()),
    };
    face.hint("");
    face.next_below(&[
        try_for(format!("show {name}"), same),
        try_for(format!("delete {name}"), "give it back"),
    ]);
}

/// The summary without any change, or what helm would apply.
///
/// # Errors
/// stdout cannot be written.
pub fn dry_run(
    name: &InstanceName,
    class: &Class,
    asked: &Asked,
    (values, manifests): (&Values, Option<String>),
    volumes: Vec<PlannedVolume>,
    format: Format,
    context: &Context,
) -> Result<()> {
    let plan = asked.plan.as_ref().map(|plan| plan.name.as_str());
    let namespace = &context.cluster()?.namespace;
    let mut report = PlanReport::new(name.as_str(), namespace, &class.name, plan);
    report.text = summary_text(name, class, asked, context.face.out());
    report.volumes = volumes;
    let report = report.with_values(&asked.answers, values, &asked.parameters);
    context.face.report(&report.with_manifests(manifests), format)
}
