//! The questions of one command, and the work that follows, as they are told (interface §4).

use crate::context::Context;
use crate::domain::readiness::Rank;
use crate::ops::watch::Waiting;
use crate::output::{Progress, Waited, escape};
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
            let face = &self.context.face;
            face.before_question(&format!("{}\n\n", face.err().head(&self.head)));
        }
    }
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
