//! What `create` says before, meanwhile and after (interface §4, §5).

use serde::Serialize;
use serde_json::{Map, Value};

use super::ask::Asked;
use crate::commands::report::API_VERSION;
use crate::context::Context;
use crate::domain::answers::Answer;
use crate::domain::class::{Class, Deprecated};
use crate::domain::name::InstanceName;
use crate::domain::readiness::Rank;
use crate::domain::summary;
use crate::error::{Error, Result, Try};
use crate::helm::Signal;
use crate::ops::create::outcome::kind_of;
use crate::ops::watch::Waiting;
use crate::output::{Format, Page, Pairs, Progress, Report, Waited, escape};
use crate::prompt::Prompt;

/// The questions of one command: the head is said before the first of them.
pub struct Story<'a> {
    context: &'a Context,
    head: String,
    prompt: Box<dyn Prompt>,
    /// Whether the head was said, and a question after it.
    begun: bool,
    /// Whether name or class were asked before.
    named: bool,
}

impl<'a> Story<'a> {
    /// `named` says whether name or class were asked before.
    pub fn new(context: &'a Context, head: String, named: bool) -> Self {
        Self { context, head, prompt: context.prompt(), begun: false, named }
    }

    /// Whether any question was open.
    pub fn asked(&self) -> bool {
        self.begun || self.named
    }

    /// Whoever answers the next question.
    pub fn prompt(&mut self) -> &mut dyn Prompt {
        self.begin();
        self.prompt.as_mut()
    }

    /// A heading where the group of the parameters changes.
    pub fn heading(&mut self, group: Option<&str>) {
        if let Some(group) = group {
            self.begin();
            self.context.face.before_question(&format!("\n{}\n", escape(group)));
        }
    }

    fn begin(&mut self) {
        if !std::mem::replace(&mut self.begun, true) {
            self.context.face.before_question(&format!("{}\n\n", self.head));
        }
    }
}

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
    for row in summary::before_create(&asked.parameters, &asked.answers) {
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

/// Tells a watch's lines to the progress.
pub fn progress_to(progress: &mut Progress) -> impl FnMut(Waiting<'_>) + '_ {
    |waiting| {
        let rows: Vec<Waited> = waiting
            .lines
            .iter()
            .map(|line| Waited {
                subject: line.subject.clone(),
                text: line.text.clone(),
                ready: line.rank >= Rank::AlmostReady,
            })
            .collect();
        progress.waiting(waiting.elapsed, waiting.limit, &rows);
    }
}

/// Ctrl-C while watching stops the watching alone.
pub fn stopped_waiting(name: &str, namespace: &str, signal: Signal) -> Error {
    Error::new(
        kind_of(signal),
        format!("stopped waiting; {name} is installed in {namespace} and still starting"),
    )
    .try_for(format!("wait {name}"), "go on waiting")
    .try_for(format!("delete {name}"), "give it up")
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

/// The summary without any change.
///
/// # Errors
/// stdout cannot be written.
pub fn dry_run(
    name: &InstanceName,
    class: &Class,
    asked: &Asked,
    format: Format,
    context: &Context,
) -> Result<u8> {
    let report = PlanReport {
        api_version: API_VERSION,
        kind: "Plan",
        name: name.to_string(),
        namespace: context.cluster()?.namespace.clone(),
        class: class.name.clone(),
        plan: asked.plan.as_ref().map(|plan| plan.name.clone()),
        parameters: asked.answers.iter().map(parameter).collect(),
        text: summary_text(name, class, asked, context.face.out()),
    };
    context.face.report(&report, format)?;
    context.face.note("nothing changed: this was a dry run");
    Ok(0)
}

fn parameter(answer: &Answer) -> (String, Value) {
    (answer.name.clone(), answer.value.public_json())
}

/// `--dry-run -o json`
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PlanReport {
    api_version: &'static str,
    kind: &'static str,
    name: String,
    namespace: String,
    class: String,
    plan: Option<String>,
    parameters: Map<String, Value>,
    #[serde(skip)]
    text: String,
}

impl Report for PlanReport {
    fn text(&self, _: &Page) -> String {
        self.text.clone()
    }

    fn names(&self) -> Vec<String> {
        vec![self.name.clone()]
    }
}
