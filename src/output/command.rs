//! Commands to paste: named after the program, broken with ` \`, explained to the right.

use console::measure_text_width;

use super::{Page, colour::DIM, escape};
use crate::error::Try;

/// The gap between a command and what it does.
const GAP: usize = 4;

/// Text in which commands of svc are written as this program is called (`kubectl svc`): at the
/// start, after `: `, after `&& ` and on lines of their own.
pub fn name_program(text: &str, program: &str) -> String {
    if program == "svc" {
        return text.to_owned();
    }
    let mut named = text.to_owned();
    for before in [": ", "&& ", "\n  "] {
        named = named.replace(&format!("{before}svc "), &format!("{before}{program} "));
    }
    match named.strip_prefix("svc ") {
        Some(rest) => format!("{program} {rest}"),
        None => named,
    }
}

/// A command on lines of at most so many columns, broken before options; every line but the last
/// ends in ` \`. The first line is two columns in, the others four.
pub fn fold(command: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::from("  ");
    for (at, unit) in units(command).into_iter().enumerate() {
        let full = measure_text_width(&line) + 1 + measure_text_width(unit) + 2 > width;
        if at > 0 && full {
            lines.push(line + " \\");
            line = format!("    {unit}");
        } else {
            line += if at > 0 { " " } else { "" };
            line += unit;
        }
    }
    lines.push(line);
    lines
}

/// The lines of commands below each other, each with its line break.
pub(super) fn block(tries: &[Try], program: &str, page: &Page) -> String {
    let folded: Vec<_> = tries.iter().map(|one| fold(&written(one, program), page.width)).collect();
    let column = column(tries, &folded, page.width);
    let mut text = String::new();
    for (one, lines) in tries.iter().zip(folded) {
        text += &lines.join("\n");
        if let (Some(explanation), Some(last)) = (&one.explanation, lines.last()) {
            let end = measure_text_width(last);
            text += &" ".repeat(column.unwrap_or(end + GAP) - end);
            text += &page.paint(DIM, &escape(explanation));
        }
        text.push('\n');
    }
    text
}

/// `head` and one command on one line where that fits, else `head` and a block.
pub(super) fn headed(head: &str, tries: &[Try], program: &str, page: &Page) -> String {
    if let [one] = tries {
        let mut line = format!("{head} {}", written(one, program));
        let mut width = measure_text_width(&line);
        if let Some(explanation) = &one.explanation {
            let explanation = escape(explanation);
            width += GAP + measure_text_width(&explanation);
            line += &" ".repeat(GAP);
            line += &page.paint(DIM, &explanation);
        }
        if width <= page.width {
            return line + "\n";
        }
    }
    format!("{head}\n{}", block(tries, program, page))
}

/// A command with the program's name. What begins with a capital letter is a sentence.
fn written(one: &Try, program: &str) -> String {
    let text = match one.command.starts_with(|first: char| first.is_ascii_uppercase()) {
        true => one.command.clone(),
        false => format!("svc {}", one.command),
    };
    name_program(&escape(&text), program)
}

/// Where all explanations begin, unless one of them would then leave the width.
fn column(tries: &[Try], folded: &[Vec<String>], width: usize) -> Option<usize> {
    let explained = tries.iter().zip(folded).filter_map(|(one, lines)| {
        let explanation = one.explanation.as_deref()?;
        Some((measure_text_width(lines.last()?), measure_text_width(&escape(explanation))))
    });
    let (ends, texts): (Vec<_>, Vec<_>) = explained.unzip();
    let column = ends.into_iter().max()? + GAP;
    (column + texts.into_iter().max()? <= width).then_some(column)
}

/// The parts of a command that stay on one line: an option with its value.
fn units(command: &str) -> Vec<&str> {
    let mut starts = vec![0];
    let (mut quoted, mut escaped, mut space) = (false, false, false);
    let mut characters = command.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let option = character == '-' && characters.peek().is_some_and(|(_, next)| *next != ' ');
        if space && option && !quoted {
            starts.push(at);
        }
        quoted ^= character == '\'' && !escaped;
        escaped = character == '\\' && !quoted && !escaped;
        space = character == ' ';
    }
    let ends = starts.iter().skip(1).copied().chain([command.len()]);
    starts.iter().zip(ends).map(|(&start, end)| command[start..end].trim_end()).collect()
}
