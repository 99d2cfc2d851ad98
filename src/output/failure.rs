//! Errors as blocks of text (interface §1.3, §7, §14).

use std::error::Error as _;

use super::colour::RED;
use super::command::headed;
use super::{Caller, Page, Pairs, escape, wrap};
use crate::error::{Error, ErrorKind, Fact};

/// The least width of the names of facts where one is the words of another program.
const BESIDE_SAYS: usize = 6;

/// Columns of another program's words.
const MOST_OF_OTHERS: usize = 200;

/// The block of an error: the sentence, facts, advice, commands; causes with `-v`.
pub(super) fn block(error: &Error, caller: &Caller, verbose: bool, page: &Page) -> String {
    let mut text = headline(error, caller, page);
    let says = error.facts.iter().any(|fact| fact.name == "says");
    let mut facts = Pairs::facts().least(if says { BESIDE_SAYS } else { 0 });
    let told = |fact: &Fact| if verbose { fact.value.clone() } else { short(fact, page) };
    facts.extend(error.facts.iter().map(|fact| (fact.name.clone(), told(fact))));
    text += &facts.render(page);
    text += &sentences(&error.advice, caller, page);
    if !error.tries.is_empty() {
        text += &headed("try:", &error.tries, caller, page);
    }
    text += &sentences(&error.closing, caller, page);
    if verbose {
        text += &causes(error, page);
    }
    text
}

/// The words of others, as long as an error may be (interface §1.3); `-v` gives all of them.
fn short(fact: &Fact, page: &Page) -> String {
    match fact.name.as_str() {
        "says" | "log" | "probe" => page.cut(&fact.value, MOST_OF_OTHERS),
        _ => fact.value.clone(),
    }
}

/// Sentences at the margin; a line break in one is kept, lines that begin with two spaces are
/// commands and not broken.
fn sentences(sentences: &[String], caller: &Caller, page: &Page) -> String {
    let mut text = String::new();
    for sentence in sentences {
        for line in caller.text(sentence).lines() {
            let width = if line.starts_with("  ") { usize::MAX } else { page.width };
            for line in wrap("", "", &escape(line), width) {
                text += &line;
                text.push('\n');
            }
        }
    }
    text
}

/// An interruption is not an error: its sentence stands alone.
fn headline(error: &Error, caller: &Caller, page: &Page) -> String {
    let message = caller.text(&error.message);
    let message = escape(&message);
    if matches!(error.kind, ErrorKind::Interrupted | ErrorKind::Terminated) {
        return wrap("", "  ", &message, page.width).join("\n") + "\n";
    }
    let lines = wrap("error: ", "  ", &message, page.width).join("\n");
    let rest = lines.strip_prefix("error:").unwrap_or(&lines);
    format!("{}{rest}\n", page.paint(RED.bold(), "error:"))
}

fn causes(error: &Error, page: &Page) -> String {
    let mut text = String::new();
    let mut next = error.source();
    while let Some(cause) = next {
        for line in cause.to_string().lines() {
            text += &wrap("cause: ", "  ", &escape(line), page.width).join("\n");
            text.push('\n');
        }
        next = cause.source();
    }
    text
}

#[cfg(test)]
mod tests;
