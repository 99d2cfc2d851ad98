//! What a change says before and after.

use super::as_typed;
use super::differs::Differs;
use super::job::{Done, Job, Work};
use super::settle::Settled;
use crate::commands::manifests;
use crate::commands::show::report::InstanceReport;
use crate::domain::class::{Chart, Class};
use crate::domain::record::RecordedChart;
use crate::error::{Error, ErrorKind, Result, Try};
use crate::ops::change::Standing;
use crate::ops::change::preview::Rendered;
use crate::ops::instance::Stored;
use crate::ops::show;
use crate::output::{Format, Progress};

impl Job<'_> {
    /// The chart of the record is not to be had; what may pass is no reason to leave it.
    pub(super) fn without_chart(&self, error: Error, recorded: &RecordedChart) -> Error {
        let (name, class) = (self.request.name, self.base.source().class.as_ref());
        if error.kind != ErrorKind::Failed {
            return error;
        }
        if error.advice.is_empty() {
            return error.try_for(as_typed(self.request, class).line(), "again, later");
        }
        let mut error = error.without_tries();
        error.advice.clear();
        let chart = format!("{} {}", recorded.name, recorded.version);
        let error = error
            .advise(format!("{name} was made with chart {chart}, which cannot be had any more."));
        match class {
            Some(class) if names(class, recorded) => error.advise(format!(
                "Its class {} names the same chart; its operations team can repair it.",
                class.name
            )),
            Some(_) => {
                error.try_for(format!("upgrade {name}"), "to the chart that its class names today")
            }
            None => error.advise("Its class cannot be read; only operations can repair it."),
        }
    }

    /// Nobody gives an instance up because of an update.
    pub(super) fn not_ready(&self, mut error: Error) -> Error {
        error.tries.retain(|command| !command.command.starts_with("delete "));
        error.try_for(format!("show {}", self.request.name), "how it is")
    }

    pub(super) async fn answer(&self, stored: Stored) -> Result<Done> {
        let Some(format) = self.request.format() else { return Ok(Done::Status(0)) };
        let observer = self.context.observer(self.machine);
        let mask = self.context.face.out().mask();
        let shown = show::look(self.context.cluster()?, stored, mask, &observer).await?;
        self.print(shown, format)
    }

    /// `--no-wait`: helm is done, the service is not.
    pub(super) fn changed(&self, stored: Stored) -> Result<Done> {
        if let Some(format) = self.request.format() {
            let observer = self.context.observer(self.machine);
            let mask = self.context.face.out().mask();
            return self.print(show::unseen(stored, mask, &observer), format);
        }
        let command = format!("wait {}", self.request.name);
        self.context.face.next(&[Try { command, explanation: None }]);
        Ok(Done::Status(0))
    }

    fn print(&self, shown: show::Shown, format: Format) -> Result<Done> {
        let context_name = self.context.cluster()?.target.context.clone();
        let report = InstanceReport::new(shown, context_name, true, self.context.now());
        self.context.face.report(&report, format)?;
        Ok(Done::Status(0))
    }

    /// The difference is all: nothing changes.
    pub(super) fn dry_run(
        &self,
        differs: &Differs,
        work: &Work,
        rendered: &Rendered,
    ) -> Result<Done> {
        let done = self.print_plan(differs, work, rendered)?;
        let face = &self.context.face;
        if let Standing::CutOff { back_to } = self.base.standing {
            face.note(&format!("what was cut off is stepped back to revision {back_to} first"));
        }
        face.note("nothing changed: this was a dry run");
        Ok(done)
    }

    /// What would be, on stdout: in the format that was asked for, or as helm would apply it.
    pub(super) fn print_plan(
        &self,
        differs: &Differs,
        work: &Work,
        rendered: &Rendered,
    ) -> Result<Done> {
        let (Settled { view, answers, .. }, flags) = (&self.settled, self.request.flags);
        let manifests =
            flags.manifests.then(|| manifests::masked_text(rendered, answers, self.context));
        let format = self.request.format().or(manifests.is_some().then_some(Format::Table));
        let Some(format) = format else { return Ok(Done::Status(0)) };
        let report = self.request.report(view, self.context)?;
        let mut report = report.with_values(answers, &work.prepared.values, &view.parameters);
        report.differences = differs.report();
        self.context.face.report(&report.with_manifests(manifests), format)?;
        Ok(Done::Status(0))
    }

    /// `updating mydb in namespace team-a, context staging`, unless a question has said it.
    pub(super) fn begin(&self, progress: &mut Progress) -> Result<()> {
        let cluster = self.context.cluster()?;
        if !self.settled.asked {
            progress.begin(&format!(
                "updating {} in namespace {}, context {}",
                self.request.name, cluster.namespace, cluster.target.context
            ));
        }
        Ok(())
    }

    /// The head of an upgrade and its rows: before a question they must be seen.
    pub(super) fn show(&self, differs: &Differs, ask: bool, progress: &mut Progress) -> Result<()> {
        let cluster = self.context.cluster()?;
        let face = &self.context.face;
        let head = format!(
            "{} in namespace {}, context {}, to what {} says today",
            self.request.name,
            cluster.namespace,
            cluster.target.context,
            self.settled.view.class.name
        );
        let rows = differs.text(face.err());
        if ask {
            face.before_question(&format!("{}\n{rows}", face.err().head(&head)));
        } else if face.err().terminal || self.request.flags.dry_run {
            face.echo(&head);
            face.echo_block(&rows);
        } else {
            progress.begin(&format!("upgrading {head}"));
            face.echo_block(&rows);
        }
        Ok(())
    }
}

/// Whether a class names the chart that an instance was made with.
fn names(class: &Class, recorded: &RecordedChart) -> bool {
    let [today, then] = [&class.spec.chart, &recorded.source];
    today.as_ref().map(Chart::source) == then.as_ref().map(Chart::source)
}
