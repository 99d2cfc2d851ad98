//! A change in the making: the chart, the look ahead, the last question, helm, the watch.

use std::time::Duration;

use tokio::time::Instant;

use super::Request;
use super::differs::Differs;
use super::settle::{Settled, tell};
use crate::commands::create::tell::stopped_watching;
use crate::commands::story::progress_to;
use crate::context::Context;
use crate::domain::class::{Class, class_hash, read};
use crate::domain::difference::objects;
use crate::domain::instance::label;
use crate::error::{Error, Result};
use crate::helm::chart::{PulledChart, WantedChart};
use crate::helm::{Helm, MachineId, Signal, Signals};
use crate::ops::change::preview::{Before, Rendered, preview};
use crate::ops::change::{Base, Standing, Verb, apply};
use crate::ops::create;
use crate::ops::deploy::{Engine, Order, Prepared, chart};
use crate::ops::instance::{self, Stored};
use crate::ops::watch::{Ended, Limit, Waiter, until_ready};
use crate::output::Progress;

/// Everything that was decided, about to be done.
pub struct Job<'a> {
    pub request: &'a Request<'a>,
    pub base: &'a Base,
    pub settled: Settled,
    pub machine: &'a MachineId,
    pub context: &'a Context,
}

/// How it ended.
pub enum Done {
    Status(u8),
    /// It is like that already; what to say.
    Nothing(String),
    /// The class was another one when the question was answered.
    ClassChanged(Box<Class>),
}

/// helm, what it is handed, and how long it may take.
pub(super) struct Work {
    helm: Helm,
    pub(super) prepared: Prepared,
    limit: Limit,
}

impl Job<'_> {
    /// Checks, asks, changes, watches.
    ///
    /// # Errors
    /// What helm, the cluster or the service itself says.
    pub async fn run(self) -> Result<Done> {
        let differs = Differs::of_answers(self.request, self.base, &self.settled);
        if let Some(words) = self.nothing(&differs) {
            if self.request.flags.dry_run {
                return self.nothing_to_try(&words, differs).await;
            }
            return Ok(Done::Nothing(words));
        }
        if self.settled.asked
            && let Some(class) = self.another_class().await?
        {
            return Ok(Done::ClassChanged(Box::new(class)));
        }
        tell(&self.settled, self.request, self.context);
        match self.request.verb {
            Verb::Upgrade => self.upgrade(differs).await,
            Verb::Update | Verb::Create => self.update(differs).await,
        }
    }

    /// Only where the newest revision is sound: a failed one is made good.
    fn nothing(&self, differs: &Differs) -> Option<String> {
        let (name, base) = (self.request.name, self.base);
        let todays = self.settled.view.is_todays;
        if base.standing != Standing::Sound || !differs.is_empty() || todays {
            return None;
        }
        let release = &base.stored.release;
        Some(match self.request.verb {
            Verb::Update | Verb::Create => {
                format!("{name} is like that already; nothing changed")
            }
            Verb::Upgrade => {
                let chart = (&release.chart_name, &release.chart_version);
                format!("{name} is up to date: chart {} {}", chart.0, chart.1)
            }
        })
    }

    /// A dry run that finds nothing to do answers as any other.
    async fn nothing_to_try(self, words: &str, differs: Differs) -> Result<Done> {
        self.context.face.echo(words);
        if self.request.format().is_none() && !self.request.flags.manifests {
            return Ok(Done::Status(0));
        }
        let mut signals = self.context.catch_signals()?;
        let work = self.work(self.limit()?, &mut signals).await?;
        let rendered = self.look(&work, &mut signals).await?;
        self.print_plan(&differs, &work, &rendered)
    }

    async fn update(self, differs: Differs) -> Result<Done> {
        let mut progress = self.context.face.progress();
        let mut signals = self.context.catch_signals()?;
        let limit = self.limit()?;
        self.begin(&mut progress)?;
        let work = self.work(limit, &mut signals).await?;
        let differs = differs.with_values(self.base, &self.settled, &work.prepared);
        let gap = if self.settled.asked { "\n" } else { "" };
        let rows = differs.text(self.context.face.err());
        self.context.face.echo_block(&format!("{gap}{rows}"));
        if self.request.flags.dry_run {
            let rendered = self.look(&work, &mut signals).await?;
            return self.dry_run(&differs, &work, &rendered);
        }
        self.change(work, signals, progress).await
    }

    async fn upgrade(self, differs: Differs) -> Result<Done> {
        let context = self.context;
        let mut progress = context.face.progress();
        let mut signals = context.catch_signals()?;
        let mut work = self.work(self.limit()?, &mut signals).await?;
        let rendered = self.look(&work, &mut signals).await?;
        let after = objects(&self.base.objects, &rendered.objects);
        let differs =
            differs.with_values(self.base, &self.settled, &work.prepared).with_objects(after);
        let ask = !self.request.yes && !self.request.flags.dry_run;
        self.show(&differs, ask, &mut progress)?;
        if self.request.flags.dry_run {
            return self.dry_run(&differs, &work, &rendered);
        }
        if ask {
            let question = format!("Upgrade {}?", self.request.name);
            if !context.prompt().confirm(&question, false)? {
                context.face.echo("nothing changed");
                return Ok(Done::Status(0));
            }
            if let Some(class) = self.another_class().await? {
                return Ok(Done::ClassChanged(Box::new(class)));
            }
            work.limit.started = Instant::now();
        }
        self.change(work, signals, progress).await
    }

    /// The class, where it says something else than what was shown.
    async fn another_class(&self) -> Result<Option<Class>> {
        let Some(known) = &self.base.source().class else { return Ok(None) };
        let found = self.context.cluster()?.class(&known.name).await?.here()?;
        let class = found.and_then(|raw| read(&raw).ok());
        let known = class_hash(&known.spec);
        Ok(class.filter(|class| class_hash(&class.spec) != known))
    }

    fn limit(&self) -> Result<Limit> {
        let asked = self.request.flags.timeout.as_deref();
        let timeout = create::timeout(asked, &self.settled.view.class.spec.readiness.timeout)?;
        Ok(Limit { started: Instant::now(), timeout })
    }

    async fn work(&self, limit: Limit, signals: &mut Signals) -> Result<Work> {
        let helm = self.context.helm().await?;
        let chart = self.chart(&helm, signals).await?;
        let order = self.order(limit);
        let cluster = self.context.cluster()?;
        let prepared = Prepared::new(cluster, &helm, &order, &chart)?;
        if self.request.verb == Verb::Upgrade {
            prepared.check_connection(cluster, &order)?;
        }
        Ok(Work { helm, prepared, limit })
    }

    /// `update` keeps the very archive; without a record, and for `upgrade`, it is the class's.
    async fn chart(&self, helm: &Helm, signals: &mut Signals) -> Result<PulledChart> {
        let cluster = self.context.cluster()?;
        let view = &self.settled.view;
        if self.request.verb == Verb::Upgrade || view.is_todays {
            return chart::of_class(cluster, helm, &view.class, signals).await;
        }
        let recorded = &self.base.source().record.chart;
        let wanted = WantedChart::of_record(recorded)?;
        chart::obtain(cluster, helm, &wanted, signals)
            .await
            .map_err(|error| self.without_chart(error, recorded))
    }

    fn order(&self, limit: Limit) -> Order<'_> {
        let view = &self.settled.view;
        let newest = self.base.stored.newest();
        Order {
            name: self.request.name,
            class: &view.class,
            class_hash: &view.class_hash,
            plan: view.plan.as_ref(),
            parameters: &view.parameters,
            answers: &self.settled.answers,
            timeout: limit.timeout,
            started: limit.started,
            machine: self.machine,
            created: Some(newest.labels.get(label::CREATED).map_or("", String::as_str)),
            description: format!("svc {} {}", self.request.verb, self.request.name),
        }
    }

    /// What would happen, before anything has.
    async fn look(&self, work: &Work, signals: &mut Signals) -> Result<Rendered> {
        let pending = matches!(self.base.standing, Standing::CutOff { .. });
        self.look_from(pending, work, signals).await
    }

    async fn look_from(
        &self,
        pending: bool,
        work: &Work,
        signals: &mut Signals,
    ) -> Result<Rendered> {
        let cluster = self.context.cluster()?;
        let order = self.order(work.limit);
        let verb = self.request.verb;
        let say = |words: &str| self.say(words);
        let engine = Engine { cluster, helm: &work.helm, say: &say };
        let objects = &self.base.objects;
        let revisions = self.base.stored.revisions.len();
        let before = Before { objects, revisions, pending };
        preview(engine, &order, &work.prepared, before, verb, signals).await
    }

    fn say(&self, words: &str) {
        words.lines().for_each(|line| self.context.face.verbose(line));
    }

    async fn change(
        self,
        work: Work,
        mut signals: Signals,
        mut progress: Progress,
    ) -> Result<Done> {
        let cluster = self.context.cluster()?;
        let order = self.order(work.limit);
        let say = |words: &str| self.say(words);
        let cut_off = matches!(self.base.standing, Standing::CutOff { .. });
        if cut_off && self.request.verb == Verb::Update {
            // Stepping back is a change already.
            self.look(&work, &mut signals).await?;
        }
        let Work { helm, prepared, limit } = &work;
        cluster.answer_by(Some(limit.started + limit.timeout));
        let lock = apply::lock(cluster, helm, self.request.name)?;
        let engine = Engine { cluster, helm, say: &say };
        let follows = apply::step_back(engine, self.base, &order, &lock, &mut signals).await?;
        if follows != self.base.newest() {
            let words = format!("Stepped back, revision {follows}");
            progress.step(&words, limit.started.elapsed());
        }
        if self.request.verb == Verb::Update || follows != self.base.newest() {
            self.look_from(false, &work, &mut signals).await?;
        }
        let next = (self.request.verb, follows);
        let made = apply::apply(engine, &order, prepared, next, &lock, &mut signals).await?;
        drop(lock);
        let word = if self.request.verb == Verb::Update { "Applied" } else { "Upgraded" };
        progress.step(
            &format!("{word}, revision {}", made.revisions[0].number),
            limit.started.elapsed(),
        );
        let stored = instance::read_record(cluster, made.revisions).await?;
        if self.request.flags.no_wait {
            progress.clear();
            return self.changed(stored);
        }
        if let Some(signal) = made.signal {
            return Err(self.stopped(signal, *limit, &mut progress)?);
        }
        self.watch(stored, *limit, &mut signals, progress).await
    }

    async fn watch(
        &self,
        stored: Stored,
        limit: Limit,
        signals: &mut Signals,
        mut progress: Progress,
    ) -> Result<Done> {
        let cluster = self.context.cluster()?;
        let name = self.request.name;
        let mut told = progress_to(&mut progress);
        let ended = until_ready(cluster, &stored, Waiter::Maker, limit, signals, &mut told).await;
        drop(told);
        match ended.map_err(|error| self.not_ready(error))? {
            Ended::Ready => {
                let time: Duration = limit.started.elapsed();
                progress.finish(&format!("{name} is ready"), "ready", time);
                drop(progress);
                self.answer(stored).await
            }
            Ended::Stopped(signal) => Err(self.stopped(signal, limit, &mut progress)?),
        }
    }

    fn stopped(&self, signal: Signal, limit: Limit, progress: &mut Progress) -> Result<Error> {
        progress.stop(limit.started.elapsed(), limit.timeout);
        let (name, namespace) = (self.request.name, &self.context.cluster()?.namespace);
        let state = format!("{name} is changed in {namespace} and still starting");
        Ok(stopped_watching(signal, &state)
            .try_for(format!("wait {name}"), "go on waiting")
            .try_for(format!("show {name}"), "how it is"))
    }
}
