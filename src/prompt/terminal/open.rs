//! One open question: what is read, and the lines it has on the screen.

use std::io::{self, Write};

use console::Term;
use dialoguer::Confirm;

use super::entry::{Entry, Typed};
use super::layout;
use super::menu::{Chosen, Menu};
use super::raw::Raw;
use super::theme::Plain;
use crate::output::Page;
use crate::prompt::{Check, Choice, Title, Unanswered};

/// The page at the terminal's own width, in columns.
pub(super) fn resized(term: &Term, page: Page) -> Page {
    Page { width: usize::from(term.size().1).max(20), ..page }
}

/// A question with its lines on the screen.
pub(super) struct Open<'a> {
    pub(super) term: &'a Term,
    pub(super) page: Page,
    pub(super) raw: Raw,
    pub(super) shown: Shown,
}

/// What a question has on the screen, in columns.
#[derive(Debug, Default)]
pub(super) struct Shown {
    /// The whole lines above the one that is typed in.
    above: Vec<usize>,
    /// Where the cursor is in that one.
    cursor: usize,
}

impl Shown {
    /// How many rows the cursor is below the beginning of the line that is typed in. A terminal that
    /// was made narrower has broken what was on it, as most do, into rows of its width.
    fn rows_of_cursor(&self, width: usize) -> usize {
        self.cursor / width
    }

    /// The same, from the beginning of the question.
    fn rows(&self, width: usize) -> usize {
        let lines = self.above.iter().map(|columns| columns.div_ceil(width).max(1));
        lines.sum::<usize>() + self.rows_of_cursor(width)
    }
}

/// To the beginning of a row so many above, and everything from there on cleared.
fn clear_from(rows: usize) -> String {
    let up = if rows > 0 { format!("\x1b[{rows}A") } else { String::new() };
    format!("\r{up}\x1b[J")
}

impl Open<'_> {
    /// The page as wide as the terminal is now: it may have been resized.
    pub(super) fn page(&self) -> Page {
        resized(self.term, self.page)
    }

    /// A line after its head; `Err` inside is the `✗` text of a paste.
    pub(super) fn line(
        &mut self,
        head: &dyn Fn(&Page) -> String,
        echo: bool,
    ) -> Result<Result<String, String>, Unanswered> {
        let mut entry = Entry::default();
        loop {
            let page = self.page();
            let head = head(&page);
            let room = page.width.saturating_sub(console::measure_text_width(&head) + 1);
            let (text, behind) = if echo { entry.window(room) } else { Default::default() };
            let back = if behind > 0 { format!("\x1b[{behind}D") } else { String::new() };
            let clear = clear_from(self.shown.rows_of_cursor(page.width));
            let line = format!("{head}{text}");
            self.shown.cursor = console::measure_text_width(&line).saturating_sub(behind);
            self.write(&format!("{clear}{line}{back}"))?;
            match entry.key(&self.term.read_key_raw()?) {
                Typed::More => {}
                Typed::Interrupt => return Err(self.leave()),
                Typed::Enter if self.raw.discard_rest()? => {
                    return Ok(Err("one line only".to_owned()));
                }
                Typed::Enter => return Ok(Ok(entry.text())),
            }
        }
    }

    /// Puts whole lines in place of all that this question has written.
    pub(super) fn replace(&mut self, lines: &[String]) -> Result<(), Unanswered> {
        let clear = clear_from(self.shown.rows(self.page().width));
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let above = lines.iter().map(|line| console::measure_text_width(line)).collect();
        self.shown = Shown { above, cursor: 0 };
        self.write(&format!("{clear}{text}"))
    }

    pub(super) fn refuse(&mut self, problem: &str) -> Result<(), Unanswered> {
        let line = layout::refused(problem, &self.page());
        self.replace(&[line])
    }

    pub(super) fn answer(&mut self, title: &Title, answer: &str) -> Result<(), Unanswered> {
        let line = layout::answered(title, answer, &self.page());
        self.replace(&[line])
    }

    /// Ctrl-C: the question stays as it is, the shell begins on a new line.
    fn leave(&self) -> Unanswered {
        match self.write("\n") {
            Ok(()) => Unanswered::Interrupted,
            Err(error) => error,
        }
    }

    /// What dialoguer gave; its error for Ctrl-C was also raised as a signal.
    fn dialogue<T>(&self, result: dialoguer::Result<T>) -> Result<T, Unanswered> {
        result.map_err(|dialoguer::Error::IO(error)| {
            if error.kind() != io::ErrorKind::Interrupted {
                return error.into();
            }
            match self.raw.swallow_interrupt() {
                Ok(()) => self.leave(),
                Err(error) => error.into(),
            }
        })
    }

    /// y or n by the key alone, on one line.
    pub(super) fn key(&mut self, line: &str, default: Option<bool>) -> Result<bool, Unanswered> {
        self.shown.cursor = console::measure_text_width(line);
        let ask = Confirm::with_theme(&Plain).with_prompt(line).report(false);
        let ask = match default {
            Some(default) => ask.default(default),
            None => ask,
        };
        self.dialogue(ask.interact_on(self.term))
    }

    /// A place in the choices.
    pub(super) fn menu(
        &mut self,
        title: &Title,
        choices: &[Choice],
        default: usize,
    ) -> Result<usize, Unanswered> {
        let mut menu = Menu::new(title, choices, default);
        self.term.hide_cursor()?;
        loop {
            let lines = menu.lines(&self.page(), self.term);
            self.replace(&lines)?;
            match menu.key(&self.term.read_key_raw()?) {
                Chosen::More => {}
                Chosen::Row(at) => return Ok(at),
                Chosen::Interrupt => return Err(Unanswered::Interrupted),
            }
        }
    }

    /// A secret that was typed twice alike, or `None` for Enter alone.
    pub(super) fn secret(
        &mut self,
        title: &Title,
        may_be_left_out: bool,
        check: Check<'_>,
    ) -> Result<Option<String>, Unanswered> {
        let head = |page: &Page| layout::question(title, None, page);
        loop {
            let first = self.line(&head, false)?;
            let problem = match first {
                Ok(first) if first.is_empty() && may_be_left_out => return Ok(None),
                Ok(first) => match check(&first) {
                    Ok(()) => match self.line(&|_| "Again: ".to_owned(), false)? {
                        Ok(second) if second == first => return Ok(Some(first)),
                        Ok(_) => "the two are not the same".to_owned(),
                        Err(problem) => problem,
                    },
                    Err(problem) => problem,
                },
                Err(problem) => problem,
            };
            self.refuse(&problem)?;
        }
    }

    fn write(&self, text: &str) -> Result<(), Unanswered> {
        let mut term = self.term;
        Ok(term.write_all(text.as_bytes())?)
    }
}
