//! An instance in the making: the last question, the chart, helm, the watch, the answer.

use std::time::Duration;

use tokio::time::Instant;

use super::ask::Asked;
use super::request;
use super::tell::{self, dry_run};
use crate::cli::Create;
use crate::commands::manifests;
use crate::commands::show::report::InstanceReport;
use crate::commands::story::progress_to;
use crate::context::Context;
use crate::domain::class::{self, Class, class_hash};
use crate::domain::connection::broken_detail;
use crate::domain::instance::label;
use crate::domain::name::InstanceName;
use crate::error::{Error, ErrorKind, Result};
use crate::helm::chart::PulledChart;
use crate::helm::{Helm, MachineId, Signal, Signals};
use crate::ops::change::Verb;
use crate::ops::change::apply::{self, Made};
use crate::ops::change::preview::Rendered;
use crate::ops::create::retry::{Half, Way};
use crate::ops::create::{self, Ground, install};
use crate::ops::deploy::{Engine, Order, Prepared, chart};
use crate::ops::instance::{self, Stored};
use crate::ops::rights;
use crate::ops::show;
use crate::ops::watch::{Ended, Limit, Waiter, until_ready};
use crate::output::{Format, Progress};

/// Everything that was decided, about to be done.
pub struct Job<'a> {
    pub name: InstanceName,
    pub class: Class,
    pub ground: Ground,
    pub asked: Asked,
    pub args: Create,
    /// What is half made and is to be finished.
    pub half: Option<Half>,
    pub machine: &'a MachineId,
    pub context: &'a Context,
}

impl Job<'_> {
    /// Checks once more, asks for the last time, makes it, watches it, tells how to connect.
    ///
    /// # Errors
    /// What helm or the service itself says.
    pub async fn run(mut self) -> Result<u8> {
        let context = self.context;
        let timeout = self.args.timeout.as_deref();
        let timeout = create::timeout(timeout, &self.class.spec.readiness.timeout)?;
        let helm = context.helm().await?;
        self.tell_of_volumes();
        self.meet_volumes(&helm, timeout).await?;
        if self.args.dry_run {
            return self.dry_run(&helm, timeout).await;
        }
        if !tell::confirmed(&self.name, &self.class, &self.asked, self.args.yes, context)? {
            return Ok(0);
        }
        if context.can_ask() {
            self.class_is_the_same().await?;
        }
        let limit = Limit { started: Instant::now(), timeout };
        context.cluster()?.answer_by(Some(limit.started + timeout));
        let mut signals = context.catch_signals()?;
        let mut progress = context.face.progress();
        tell::begin(&self.name, &self.class, &self.asked, &mut progress, context)?;
        let prepared = self.prepare(&helm, limit, &mut signals, &mut progress).await?;
        if let Some(half) = &self.half {
            let (cluster, name) = (context.cluster()?, self.name.as_str());
            half.clear(cluster, &helm, name, limit.timeout, &mut signals).await?;
        }
        self.clear_volumes(limit).await?;
        let (stored, signal) =
            self.install(&helm, &prepared, limit, &mut signals, &mut progress).await?;
        if self.args.no_wait {
            progress.clear();
            return self.installed(stored);
        }
        if let Some(signal) = signal {
            return Err(self.stopped(signal, limit, &mut progress)?);
        }
        self.watch(stored, limit, &mut signals, progress).await
    }

    /// What was answered must still be what the class asks: a person may take an hour for it.
    async fn class_is_the_same(&self) -> Result<()> {
        let name = &self.class.name;
        let found = self.context.cluster()?.class(name).await?.here()?;
        let today = found.and_then(|raw| class::read(&raw).ok());
        let known = class_hash(&self.class.spec);
        if today.is_some_and(|today| class_hash(&today.spec) == known) {
            return Ok(());
        }
        let sentence =
            format!("class {name} changed while the questions were open; nothing is made");
        // The same answers are checked anew by it.
        Err(Error::failed(sentence).try_(self.asked.without_questions().line()))
    }

    /// All checks, helm's and the server's too; nothing is made.
    async fn dry_run(&self, helm: &Helm, timeout: Duration) -> Result<u8> {
        let (prepared, rendered) = self.look(helm, timeout).await?;
        let manifests = self.args.manifests;
        let manifests =
            manifests.then(|| manifests::masked_text(&rendered, &self.asked.answers, self.context));
        let (name, class, asked) = (&self.name, &self.class, &self.asked);
        let what = (&prepared.values, manifests);
        let volumes = self.reused_volumes();
        dry_run(name, class, asked, what, volumes, self.format(), self.context)?;
        if self.way() == Way::Anew {
            self.context.face.note("what is left of the install that was cut off goes first");
        }
        self.context.face.note("nothing changed: this was a dry run");
        Ok(0)
    }

    /// What would be made, as helm and the server have it.
    pub(super) async fn look(
        &self,
        helm: &Helm,
        timeout: Duration,
    ) -> Result<(Prepared, Rendered)> {
        let cluster = self.context.cluster()?;
        let mut signals = self.context.catch_signals()?;
        let chart = self.chart(helm, &mut signals).await?;
        let hash = class_hash(&self.class.spec);
        let order = self.order(&hash, Limit { started: Instant::now(), timeout });
        let prepared = Prepared::checked(cluster, helm, &order, &chart)?;
        let say = |words: &str| self.say(words);
        let engine = Engine { cluster, helm, say: &say };
        let rendered = match &self.half {
            Some(half) => half.preview(engine, &order, &prepared, &mut signals).await?,
            None => install::preview(engine, &order, &prepared, &[], &mut signals).await?,
        };
        Ok((prepared, rendered))
    }

    async fn chart(&self, helm: &Helm, signals: &mut Signals) -> Result<PulledChart> {
        let chart = chart::of_class(self.context.cluster()?, helm, &self.class, signals).await;
        chart.map_err(|error| self.or_again(error))
    }

    fn say(&self, words: &str) {
        words.lines().for_each(|line| self.context.face.verbose(line));
    }

    /// The chart, the values, and whether the user may make all of it: nothing is made yet.
    async fn prepare(
        &self,
        helm: &Helm,
        limit: Limit,
        signals: &mut Signals,
        progress: &mut Progress,
    ) -> Result<Prepared> {
        let cluster = self.context.cluster()?;
        let chart = self.chart(helm, signals).await?;
        let pulled = format!("Chart {} {}", chart.name(), chart.version());
        progress.step(&pulled, limit.started.elapsed());
        let hash = class_hash(&self.class.spec);
        let order = self.order(&hash, limit);
        let prepared = Prepared::checked(cluster, helm, &order, &chart)?;
        let say = |words: &str| self.say(words);
        let engine = Engine { cluster, helm, say: &say };
        rights::check_install(engine, &order, &prepared, signals).await?;
        Ok(prepared)
    }

    async fn install(
        &self,
        helm: &Helm,
        prepared: &Prepared,
        limit: Limit,
        signals: &mut Signals,
        progress: &mut Progress,
    ) -> Result<(Stored, Option<Signal>)> {
        let cluster = self.context.cluster()?;
        let hash = class_hash(&self.class.spec);
        let order = self.order(&hash, limit);
        let say = |words: &str| self.say(words);
        let engine = Engine { cluster, helm, say: &say };
        let Made { revisions, signal } = match self.way() {
            Way::Again { follows } => {
                let lock = apply::lock(cluster, helm, order.name)?;
                let next = (Verb::Create, follows);
                apply::apply(engine, &order, prepared, next, &lock, signals).await?
            }
            Way::Fresh | Way::Anew => install::install(engine, &order, prepared, signals).await?,
        };
        let installed = format!("Installed, revision {}", revisions[0].number);
        progress.step(&installed, limit.started.elapsed());
        Ok((instance::read_record(cluster, revisions).await?, signal))
    }

    pub(super) fn way(&self) -> Way {
        self.half.as_ref().map_or(Way::Fresh, |half| half.way)
    }

    /// When the instance was made, where this is not the first revision.
    fn created(&self) -> Option<&str> {
        let Way::Again { .. } = self.way() else { return None };
        let newest = self.ground.revisions.first()?;
        Some(newest.labels.get(label::CREATED).map_or("", String::as_str))
    }

    fn order<'o>(&'o self, class_hash: &'o str, limit: Limit) -> Order<'o> {
        Order {
            name: self.name.as_str(),
            class: &self.class,
            class_hash,
            plan: self.asked.plan.as_ref(),
            parameters: &self.asked.parameters,
            answers: &self.asked.answers,
            timeout: limit.timeout,
            started: limit.started,
            machine: self.machine,
            created: self.created(),
            description: format!("svc create {} --class {}", self.name, self.class.name),
        }
    }

    /// What no operations team has to repair, as a server of charts that does not answer, passes.
    /// A cluster that went away while it was watched: what was installed is there.
    fn stays(&self, error: Error) -> Error {
        let name = &self.name;
        if !error.tries.iter().any(|one| one.command == "doctor") {
            return error;
        }
        error
            .advise(format!("{name} is installed and stays."))
            .try_for(format!("wait {name}"), "go on waiting")
            .try_for(format!("delete {name}"), "give it up")
    }

    fn or_again(&self, error: Error) -> Error {
        let passes = error.kind == ErrorKind::Failed && error.advice.is_empty();
        if !passes || !error.tries.is_empty() {
            return error;
        }
        let command = request::again(&self.args, &self.name, &self.class);
        error.try_for(command.line(), "again, later")
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
        match ended.map_err(|error| self.stays(error))? {
            Ended::Ready => self.ready(stored, progress, limit).await,
            Ended::Stopped(signal) => Err(self.stopped(signal, limit, &mut progress)?),
        }
    }

    fn stopped(&self, signal: Signal, limit: Limit, progress: &mut Progress) -> Result<Error> {
        progress.stop(limit.started.elapsed(), limit.timeout);
        let namespace = &self.context.cluster()?.namespace;
        Ok(tell::stopped_waiting(self.name.as_str(), namespace, signal))
    }

    fn format(&self) -> Format {
        self.args.output.map_or(Format::Table, Format::from)
    }

    async fn ready(&self, stored: Stored, mut progress: Progress, limit: Limit) -> Result<u8> {
        let done = format!("{} is ready", self.name);
        progress.finish(&done, "ready", limit.started.elapsed());
        drop(progress);
        let context = self.context;
        let mask = context.face.out().mask();
        let observer = context.observer(self.machine);
        let shown = show::look(context.cluster()?, stored, mask, &observer).await?;
        if let Some(broken) = broken_detail(&shown.details, self.name.as_str()) {
            return Err(broken);
        }
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
