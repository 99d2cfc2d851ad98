//! Work that takes a while: steps, and what is waited for (interface §4, §1.6).

use std::time::Duration;

use jiff::SignedDuration;

use super::colour::GREEN;
use super::wrap::measure;
use super::{Face, Mark, escape};
use crate::domain::age;

/// The lines of the redrawn block, its head among them.
const LINES: usize = 6;
/// After so long without a change a log gets a line.
const SILENCE: Duration = Duration::from_secs(60);

/// One thing that is waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waited {
    /// `Pod mydb-postgresql-0`
    pub subject: String,
    /// `pulling image postgresql:16.2`
    pub text: String,
    /// Whether it holds nothing up; such rows come last.
    pub ready: bool,
}

/// Steps as they are done. On a terminal what is waited for is redrawn in place; elsewhere each
/// change is a line with the time since start; with `-q` there is nothing. The cursor is never
/// hidden.
pub struct Progress {
    face: Face,
    /// Lines of the block on the screen.
    drawn: usize,
    said: Vec<Waited>,
    last_line: Duration,
}

impl Progress {
    pub(super) fn new(face: Face) -> Self {
        Self { face, drawn: 0, said: Vec::new(), last_line: Duration::ZERO }
    }

    /// `creating mydb: …`: what begins.
    pub fn begin(&mut self, sentence: &str) {
        if self.face.err().terminal {
            self.face.echo(sentence);
        } else {
            self.line(Duration::ZERO, sentence);
        }
    }

    /// `✓ Chart postgresql 16.2.1 … 1s`; off a terminal `1s chart postgresql 16.2.1`.
    pub fn step(&mut self, done: &str, time: Duration) {
        let mut letters = done.chars();
        let first = letters.next().map(|first| first.to_ascii_lowercase());
        let lower: String = first.into_iter().chain(letters).collect();
        self.finish(done, &lower, time);
    }

    /// The last step, in its own words off a terminal: `✓ mydb is ready … 52s`, `52s ready`.
    pub fn finish(&mut self, done: &str, line: &str, time: Duration) {
        if !self.face.err().terminal {
            return self.line(time, line);
        }
        let text = self.erasure() + &self.done_line(done, time);
        self.draw(&text, 0);
    }

    /// What is waited for now; the caller calls again as time goes by.
    pub fn waiting(&mut self, time: Duration, limit: Duration, rows: &[Waited]) {
        let mut rows = rows.to_vec();
        rows.sort_by_key(|row| row.ready);
        if self.face.err().terminal {
            let mut lines = vec![self.waiting_line(time, limit)];
            lines.extend(self.row_lines(&rows));
            let text = self.erasure() + &lines.concat();
            self.draw(&text, lines.len());
        } else {
            self.log(time, rows);
        }
    }

    /// Takes the block away, so that something else can be said.
    pub fn clear(&mut self) {
        let text = self.erasure();
        self.draw(&text, 0);
    }

    /// Leaves `• Waiting, 12s of 5m` as the last line: watching was stopped.
    pub fn stop(&mut self, time: Duration, limit: Duration) {
        if self.face.err().terminal {
            let text = self.erasure() + &self.waiting_line(time, limit);
            self.draw(&text, 0);
        }
    }

    fn log(&mut self, time: Duration, rows: Vec<Waited>) {
        let open = rows.iter().filter(|row| !row.ready);
        let changed: Vec<_> = open.clone().filter(|row| !self.said.contains(row)).collect();
        let silent = time.saturating_sub(self.last_line) >= SILENCE;
        let lines: Vec<_> = match (changed.is_empty(), open.clone().next()) {
            (false, _) => changed.into_iter().map(Self::log_text).collect(),
            (true, Some(row)) if silent => vec![Self::log_text(row)],
            (true, None) if silent => vec!["waiting".to_owned()],
            _ => Vec::new(),
        };
        for line in lines {
            self.line(time, &line);
        }
        self.said = rows;
    }

    fn log_text(row: &Waited) -> String {
        format!("{}: {}", row.subject, row.text)
    }

    fn line(&mut self, time: Duration, text: &str) {
        self.last_line = time;
        self.face.echo_block(&format!("{} {}\n", elapsed(time), escape(text)));
    }

    fn done_line(&self, done: &str, time: Duration) -> String {
        let page = self.face.err();
        let (mark, time) = (page.mark(Mark::Done), elapsed(time));
        let room = measure(page.width).saturating_sub(mark.chars().count() + time.len() + 2);
        let text = page.cut(&escape(done), room);
        let text = console::pad_str(&text, room, console::Alignment::Left, None);
        format!("{} {text} {time}\n", page.paint(GREEN, mark))
    }

    fn waiting_line(&self, time: Duration, limit: Duration) -> String {
        let mark = self.face.err().mark(Mark::Waiting);
        format!("{mark} Waiting, {} of {}\n", elapsed(time), elapsed(limit))
    }

    fn row_lines(&self, rows: &[Waited]) -> Vec<String> {
        let page = self.face.err();
        let room = LINES - 1;
        let shown = if rows.len() > room { &rows[..room - 1] } else { rows };
        let subjects: Vec<_> = shown.iter().map(|row| escape(&row.subject)).collect();
        let column = subjects.iter().map(|text| console::measure_text_width(text)).max();
        let column = column.unwrap_or_default() + 4;
        let mut lines: Vec<String> = Vec::new();
        for (row, subject) in shown.iter().zip(subjects) {
            let subject = console::pad_str(&subject, column, console::Alignment::Left, None);
            lines.push(format!("    {subject}{}", escape(&row.text)));
        }
        if shown.len() < rows.len() {
            lines.push(format!("    and {} more", rows.len() - shown.len()));
        }
        let room = page.width.saturating_sub(1);
        lines.iter().map(|line| page.cut(line, room) + "\n").collect()
    }

    /// The sequence that takes the block off the screen.
    fn erasure(&self) -> String {
        match self.drawn {
            0 => String::new(),
            lines => format!("\r\x1b[{lines}A\x1b[J"),
        }
    }

    fn draw(&mut self, text: &str, lines: usize) {
        self.drawn = if self.face.is_quiet() { 0 } else { lines };
        self.face.echo_block(text);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

/// A time as progress shows it.
fn elapsed(time: Duration) -> String {
    age::duration(SignedDuration::try_from(time).unwrap_or(SignedDuration::MAX))
}

#[cfg(test)]
mod tests;
