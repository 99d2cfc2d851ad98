//! A person at a terminal. Yes/no is dialoguer's; lines, secrets and lists are read here, since
//! dialoguer takes the lines of a paste for the answers of the next questions, and menus, since it
//! takes two rows that are cut alike for one and loses its place when the terminal is resized.

mod entry;
mod layout;
mod menu;
mod open;
mod raw;
mod theme;

use std::io;

use console::Term;
use secrecy::SecretString;

use self::open::{Open, Shown, resized};
use self::raw::Raw;
use super::{Check, CheckList, Choice, Prompt, Title, Unanswered};
use crate::output::Page;

/// Asks on the terminal of stdin and stderr.
///
/// While a question is open no child may run, and Ctrl-C is a key. A SIGTERM that has a handler
/// ends the question as interrupted; one without ends the process.
#[derive(Clone, Debug)]
pub struct Terminal {
    term: Term,
    page: Page,
}

impl Terminal {
    /// `page` says how stderr is laid out; its width is read anew for each question.
    pub fn new(page: Page) -> Self {
        Self { term: Term::stderr(), page }
    }

    fn open(&self) -> Result<Open<'_>, Unanswered> {
        let page = resized(&self.term, self.page);
        let raw = Raw::open(&self.term)?;
        Ok(Open { term: &self.term, page, raw, shown: Shown::default() })
    }
}

impl Prompt for Terminal {
    fn can_ask(&self) -> bool {
        true
    }

    fn select(
        &mut self,
        title: &Title,
        choices: &[Choice],
        default: usize,
    ) -> Result<usize, Unanswered> {
        let mut open = self.open()?;
        let chosen = open.menu(title, choices, default.min(choices.len().saturating_sub(1)))?;
        open.answer(title, &choices[chosen].name)?;
        Ok(chosen)
    }

    fn text(
        &mut self,
        title: &Title,
        default: Option<&str>,
        check: Check<'_>,
    ) -> Result<String, Unanswered> {
        let mut open = self.open()?;
        let head = |page: &Page| layout::question(title, default, page);
        loop {
            let line = open.line(&head, true)?;
            let line = line.map(|line| match (line.is_empty(), default) {
                (true, Some(default)) => default.to_owned(),
                _ => line,
            });
            match line.and_then(|line| check(&line).map(|()| line)) {
                Ok(line) => {
                    open.answer(title, &line)?;
                    return Ok(line);
                }
                Err(problem) => open.refuse(&problem)?,
            }
        }
    }

    fn boolean(&mut self, title: &Title, default: Option<bool>) -> Result<bool, Unanswered> {
        let mut open = self.open()?;
        let answer =
            open.key(&layout::question(title, Some(keys(default)), &open.page), default)?;
        open.answer(title, if answer { "yes" } else { "no" })?;
        Ok(answer)
    }

    fn secret(
        &mut self,
        title: &Title,
        left_out: Option<&str>,
        check: Check<'_>,
    ) -> Result<Option<SecretString>, Unanswered> {
        let mut open = self.open()?;
        let secret = open.secret(title, left_out.is_some(), check)?;
        let shown = match &secret {
            Some(_) => open.page.mask(),
            None => left_out.unwrap_or_default(),
        };
        open.answer(title, shown)?;
        Ok(secret.map(SecretString::from))
    }

    fn list(
        &mut self,
        title: &Title,
        default: &[String],
        check: CheckList<'_>,
    ) -> Result<Vec<String>, Unanswered> {
        let mut open = self.open()?;
        let mut brackets = Some(default.join(", ")).filter(|_| !default.is_empty());
        let mut items: Vec<String> = Vec::new();
        loop {
            let head = |page: &Page| layout::question(title, brackets.as_deref(), page);
            let problem = match open.line(&head, true)? {
                Ok(line) if line.is_empty() => break,
                Ok(line) => {
                    items.push(line);
                    check(&items).inspect_err(|_| drop(items.pop())).err()
                }
                Err(problem) => Some(problem),
            };
            let page = open.page();
            let typed = (!items.is_empty()).then(|| layout::items(&items, &page));
            brackets = brackets.filter(|_| items.is_empty());
            let problem = problem.map(|problem| layout::refused(&problem, &page));
            open.replace(&typed.into_iter().chain(problem).collect::<Vec<_>>())?;
        }
        let items = if items.is_empty() { default.to_vec() } else { items };
        open.answer(title, &if items.is_empty() { "none".to_owned() } else { items.join(", ") })?;
        Ok(items)
    }

    fn confirm(&mut self, question: &str, default: bool) -> Result<bool, Unanswered> {
        let mut open = self.open()?;
        let line = |page: &Page| layout::confirmation(question, keys(Some(default)), page);
        let answer = open.key(&line(&open.page), Some(default))?;
        let line = line(&open.page());
        open.replace(&[format!("{line}{}", if answer { "y" } else { "n" })])?;
        Ok(answer)
    }

    fn typed_name(&mut self, question: &str, name: &str) -> Result<bool, Unanswered> {
        let mut open = self.open()?;
        let title = Title::plain(question);
        let head = |page: &Page| layout::question(&title, None, page);
        loop {
            match open.line(&head, true)? {
                Ok(line) if line.is_empty() || line == name => {
                    let head = head(&open.page());
                    open.replace(&[format!("{head}{line}")])?;
                    return Ok(line == name);
                }
                Ok(_) => {
                    open.refuse(&format!("that is not {name}; Enter alone changes nothing"))?
                }
                Err(problem) => open.refuse(&problem)?,
            }
        }
    }
}

fn keys(default: Option<bool>) -> &'static str {
    match default {
        Some(true) => "Y/n",
        Some(false) => "y/N",
        None => "y/n",
    }
}

impl From<io::Error> for Unanswered {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            // The terminal is gone, or a handled signal came.
            io::ErrorKind::UnexpectedEof | io::ErrorKind::Interrupted => Self::Interrupted,
            _ => Self::Terminal(error),
        }
    }
}
