//! One open question: what is read, and the lines it has on the screen.

use std::io::{self, Write};

use console::Term;
use dialoguer::{Confirm, FuzzySelect, Select};

use super::entry::{Entry, Typed};
use super::layout;
use super::raw::Raw;
use super::theme::Plain;
use crate::output::Page;
use crate::prompt::{Check, Title, Unanswered};

/// A menu of more rows is filtered by typing.
const ROWS: usize = 7;
/// Room for the page numbers that dialoguer writes where a menu is longer than the screen.
const PAGES: usize = 14;

/// The page at the terminal's own width, in columns.
pub(super) fn resized(term: &Term, page: Page) -> Page {
    Page { width: usize::from(term.size().1).max(20), ..page }
}

/// A question with its lines on the screen.
pub(super) struct Open<'a> {
    pub(super) term: &'a Term,
    pub(super) page: Page,
    pub(super) raw: Raw,
    /// Whole lines above the one that is typed in.
    pub(super) above: usize,
}

impl Open<'_> {
    /// The page as wide as the terminal is now: it may have been resized.
    pub(super) fn page(&self) -> Page {
        resized(self.term, self.page)
    }

    /// A line after its head; `Err` inside is the `✗` text of a paste.
    pub(super) fn line(
        &self,
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
            self.write(&format!("\r\x1b[2K{head}{text}{back}"))?;
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
        let up = if self.above > 0 { format!("\x1b[{}A", self.above) } else { String::new() };
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        self.above = lines.len();
        self.write(&format!("\r\x1b[2K{up}\x1b[J{text}"))
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
    pub(super) fn key(&self, line: &str, default: Option<bool>) -> Result<bool, Unanswered> {
        let theme = Plain(self.page);
        let ask = Confirm::with_theme(&theme).with_prompt(line).report(false);
        let ask = match default {
            Some(default) => ask.default(default),
            None => ask,
        };
        self.dialogue(ask.interact_on(self.term))
    }

    pub(super) fn menu(
        &self,
        title: &Title,
        rows: &[String],
        default: usize,
    ) -> Result<usize, Unanswered> {
        let theme = Plain(self.page);
        if rows.len() > ROWS {
            return self.filtered_menu(title, rows, default);
        }
        let paged = rows.len() + 2 > usize::from(self.term.size().0);
        let head = layout::menu_head(title, if paged { PAGES } else { 0 }, &self.page);
        let menu = Select::with_theme(&theme).with_prompt(head).items(rows).default(default);
        self.dialogue(menu.report(false).interact_on(self.term))
    }

    /// dialoguer begins a long menu at its first row, wherever the default is: it goes first.
    fn filtered_menu(
        &self,
        title: &Title,
        rows: &[String],
        default: usize,
    ) -> Result<usize, Unanswered> {
        let theme = Plain(self.page);
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order[..=default].rotate_right(1);
        let constraint = [title.constraint.as_deref(), Some("type to filter")];
        let constraint = constraint.into_iter().flatten().collect::<Vec<_>>().join(", ");
        let head = layout::menu_head(&title.clone().constrained(constraint), 0, &self.page);
        let menu = FuzzySelect::with_theme(&theme)
            .with_prompt(head)
            .items(order.iter().map(|&at| &rows[at]))
            .default(0)
            .max_length(ROWS)
            .report(false);
        Ok(order[self.dialogue(menu.interact_on(self.term))?])
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
