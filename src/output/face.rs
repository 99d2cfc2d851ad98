//! The face of svc: where answers and messages leave the process.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::colour::YELLOW;
use super::{Caller, Page, Progress, command, escape, failure, wrap};
use crate::error::{Error, Try};

/// What is known of the process's streams and flags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Streams {
    /// Whether stdin is a terminal.
    pub stdin_terminal: bool,
    /// How the answer is laid out.
    pub stdout: Page,
    /// How messages and questions are laid out.
    pub stderr: Page,
    /// `-q`: no echo, progress, notes, hints.
    pub quiet: bool,
    /// How many times `-v` was given.
    pub verbosity: u8,
    /// How commands to paste are written.
    pub caller: Caller,
}

/// The only writer to stdout and stderr. Clones write to the same streams.
#[derive(Clone)]
pub struct Face(Arc<Inner>);

struct Inner {
    streams: Streams,
    stdout: Mutex<Box<dyn Write + Send>>,
    stderr: Mutex<Box<dyn Write + Send>>,
}

impl Face {
    /// The face on the streams of the process.
    #[expect(clippy::disallowed_methods, reason = "this is the one writer")]
    pub fn new(streams: Streams) -> Self {
        Self::on(streams, io::BufWriter::new(io::stdout()), io::stderr())
    }

    /// The face on other writers.
    pub fn on(
        streams: Streams,
        stdout: impl Write + Send + 'static,
        stderr: impl Write + Send + 'static,
    ) -> Self {
        let (stdout, stderr) =
            (Mutex::new(Box::new(stdout) as _), Mutex::new(Box::new(stderr) as _));
        Self(Arc::new(Inner { streams, stdout, stderr }))
    }

    /// How stdout is laid out.
    pub fn out(&self) -> &Page {
        &self.0.streams.stdout
    }

    /// How stderr is laid out.
    pub fn err(&self) -> &Page {
        &self.0.streams.stderr
    }

    /// `svc` or `kubectl svc`.
    pub fn program(&self) -> &str {
        &self.caller().program
    }

    /// How commands to paste are written.
    pub fn caller(&self) -> &Caller {
        &self.0.streams.caller
    }

    /// Whether `-q` was given.
    pub fn is_quiet(&self) -> bool {
        self.0.streams.quiet
    }

    /// How many times `-v` was given.
    pub fn verbosity(&self) -> u8 {
        self.0.streams.verbosity
    }

    /// Whether stdin and stderr are terminals, so that a question may be asked (interface §1.1).
    pub fn is_interactive(&self) -> bool {
        self.0.streams.stdin_terminal && self.err().terminal
    }

    /// Writes the answer to stdout, exactly, and flushes it.
    ///
    /// Fails as the stream does: `BrokenPipe` means that nobody reads any more, which is no error
    /// of the command.
    pub fn answer(&self, text: impl AsRef<[u8]>) -> io::Result<()> {
        let mut stdout = lock(&self.0.stdout);
        stdout.write_all(text.as_ref())?;
        stdout.flush()
    }

    /// A line about what is being done; an empty one is a blank line. Not with `-q`.
    pub fn echo(&self, line: &str) {
        if !self.is_quiet() {
            self.say(&self.sentence("", line));
        }
    }

    /// Lines that are laid out already (facts, a summary). Not with `-q`.
    pub fn echo_block(&self, lines: &str) {
        if !self.is_quiet() {
            self.say(lines);
        }
    }

    /// What must be seen before a question, even with `-q`.
    pub fn before_question(&self, lines: &str) {
        self.say(lines);
    }

    /// `note: …`, good to know. Not with `-q`.
    pub fn note(&self, sentence: &str) {
        if !self.is_quiet() {
            self.say(&self.sentence("note: ", sentence));
        }
    }

    /// `warning: …`, trouble with data or the catalog.
    pub fn warning(&self, sentence: &str) {
        let text = self.sentence("warning: ", sentence);
        let rest = text.strip_prefix("warning:").unwrap_or(&text);
        self.say(&format!("{}{rest}", self.err().paint(YELLOW, "warning:")));
    }

    /// A step, with `-v`.
    pub fn verbose(&self, line: &str) {
        if self.verbosity() > 0 {
            self.say(&format!("{}\n", escape(line)));
        }
    }

    /// An API request with its status and time, with `-vv`.
    pub fn trace(&self, line: &str) {
        if self.verbosity() > 1 {
            self.say(&format!("{}\n", escape(line)));
        }
    }

    /// `Next: …` after success: one command on the line, more below. Not off a terminal and not
    /// with `-q`.
    pub fn next(&self, commands: &[Try]) {
        if self.hints() && !commands.is_empty() {
            self.say(&command::headed("Next:", commands, self.caller(), self.err()));
        }
    }

    /// `Next:` with the commands below, even a single one.
    pub fn next_below(&self, commands: &[Try]) {
        if self.hints() && !commands.is_empty() {
            let block = command::block(commands, self.caller(), self.err());
            self.say(&format!("Next:\n{block}"));
        }
    }

    /// Any other hint after success. Not off a terminal and not with `-q`.
    pub fn hint(&self, sentence: &str) {
        if self.hints() {
            self.say(&self.sentence("", sentence));
        }
    }

    /// A command without the program's name as it is pasted, in lines of at most 80 columns.
    pub fn pasted(&self, command: &str) -> String {
        let one = Try { command: command.to_owned(), explanation: None };
        let page = Page { width: self.err().width.min(80), ..*self.err() };
        command::block(&[one], self.caller(), &page)
    }

    /// `try:` with commands, for reports that failed without being an error (doctor).
    pub fn tries(&self, commands: &[Try]) {
        if !commands.is_empty() {
            self.say(&command::headed("try:", commands, self.caller(), self.err()));
        }
    }

    /// The block of an error; its causes with `-v`.
    pub fn error(&self, error: &Error) {
        let verbose = self.verbosity() > 0;
        self.say(&failure::block(error, self.caller(), verbose, self.err()));
    }

    /// The progress of one piece of work.
    pub fn progress(&self) -> Progress {
        Progress::new(self.clone())
    }

    /// Whether hints after success are shown.
    pub fn hints(&self) -> bool {
        !self.is_quiet() && self.err().terminal
    }

    fn sentence(&self, prefix: &str, sentence: &str) -> String {
        let sentence = self.caller().text(sentence);
        wrap(prefix, "  ", &escape(&sentence), self.err().width).join("\n") + "\n"
    }

    /// Writes to stderr at once. A stderr that is gone is nobody to tell.
    pub(super) fn say(&self, text: &str) {
        let mut stderr = lock(&self.0.stderr);
        let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
    }
}

fn lock<T>(stream: &Mutex<T>) -> MutexGuard<'_, T> {
    stream.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
pub(super) mod tests;
