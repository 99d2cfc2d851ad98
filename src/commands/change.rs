//! What `update` and `upgrade` share: the answers, the difference, the work, the end.

mod differs;
mod job;
mod settle;
mod told;
mod wrong;

use crate::cli::{Change, Values};
use crate::commands::answer_in;
use crate::commands::question;
use crate::commands::report::plan::PlanReport;
use crate::commands::show::report::InstanceReport;
use crate::commands::story::Story;
use crate::context::Context;
use crate::domain::answers::Given;
use crate::error::Result;
use crate::ops::change::{self, Base, Verb};
use crate::ops::update::View;
use crate::ops::{show, update, upgrade};
use crate::output::Format;
use job::{Done, Job};
pub use wrong::as_typed;

/// What was asked for.
pub struct Request<'a> {
    pub verb: Verb,
    pub name: &'a str,
    /// The plan to move to.
    pub plan: Option<String>,
    /// The flags that `given` comes from.
    pub values: &'a Values,
    pub given: Vec<Given>,
    /// `update --unset`
    pub unset: &'a [String],
    /// Every parameter that can change is asked.
    pub asks_all: bool,
    pub flags: &'a Change,
    /// The confirmation is answered.
    pub yes: bool,
}

/// Changes an instance; where its class changed while a question was open, what follows from it
/// is checked and shown again.
///
/// # Errors
/// Whatever is wrong with what was asked for, before anything changes; then what helm or the
/// service itself says.
pub async fn run(mut request: Request<'_>, context: &Context) -> Result<u8> {
    let cluster = context.cluster()?;
    answer_in(request.flags.timeout.as_deref(), context)?;
    let machine = context.machine();
    let observer = context.observer_of(&machine, request.name);
    let mut base = change::find(cluster, request.name, request.flags.retry, &observer).await?;
    if !request.flags.allow_outside_namespace {
        let command = as_typed(&request, base.source().class.as_ref());
        change::stays_inside(&base.objects, &base.stored, &command.line())?;
    }
    loop {
        let mut story = story(&request, context)?;
        request.choose_plan(&base, &mut story, context)?;
        let view =
            request.view(&base).map_err(|error| wrong::plan(error, &request, &base, context))?;
        let settled = settle::settle(&mut request, &base, view, &mut story, context)?;
        let job = Job { request: &request, base: &base, settled, machine: &machine, context };
        match job.run().await? {
            Done::Status(status) => return Ok(status),
            Done::Nothing(words) => {
                context.face.echo(&words);
                return nothing(base, &request, context).await;
            }
            Done::ClassChanged(class) => {
                let sentence = format!("class {} changed while the question was open", class.name);
                context.face.warning(&sentence);
                let source = base.wanted.as_mut().unwrap_or(&mut base.stored);
                source.class = Some(*class);
            }
        }
    }
}

fn story<'a>(request: &Request<'_>, context: &'a Context) -> Result<Story<'a>> {
    let cluster = context.cluster()?;
    let doing = if request.verb == Verb::Update { "updating" } else { "upgrading" };
    let (name, namespace, place) = (request.name, &cluster.namespace, &cluster.target.context);
    let head = format!("{doing} {name} in namespace {namespace}, context {place}");
    Ok(Story::new(context, head, false))
}

/// Nothing to do is success, with the instance in the format that was asked for.
async fn nothing(base: Base, request: &Request<'_>, context: &Context) -> Result<u8> {
    let Some(format) = request.format() else { return Ok(0) };
    let cluster = context.cluster()?;
    let machine = context.machine();
    let mask = context.face.out().mask();
    let shown = show::look(cluster, base.stored, mask, &context.observer(&machine)).await?;
    let report = InstanceReport::new(shown, cluster.target.context.clone(), true, context.now());
    context.face.report(&report, format).map(|()| 0)
}

impl Request<'_> {
    fn view(&self, base: &Base) -> Result<View> {
        match self.verb {
            Verb::Upgrade => upgrade::view(base, self.plan.as_deref()),
            Verb::Update | Verb::Create => update::view(base, self.plan.as_deref()),
        }
    }

    /// Whether a person is there to be asked.
    fn asks(&self, context: &Context) -> bool {
        context.can_ask() && !self.flags.dry_run
    }

    /// Asks for a plan where the class has no longer the one of the instance.
    fn choose_plan(&mut self, base: &Base, story: &mut Story, context: &Context) -> Result<()> {
        let open = self.verb == Verb::Upgrade && self.plan.is_none() && self.asks(context);
        let class = base.source().class.as_ref();
        let Some(class) = class.filter(|_| open && upgrade::better_plan(base, None).is_some())
        else {
            return Ok(());
        };
        self.plan = Some(question::plan(class, story)?);
        Ok(())
    }

    /// The format of the answer; without one, stdout stays empty.
    fn format(&self) -> Option<Format> {
        self.flags.output.map(Format::from)
    }

    /// The plan of a dry run, to be filled.
    fn report(&self, view: &View, context: &Context) -> Result<PlanReport> {
        let namespace = &context.cluster()?.namespace;
        let plan = view.plan.as_ref().map(|plan| plan.name.as_str());
        Ok(PlanReport::new(self.name, namespace, &view.class.name, plan))
    }
}
