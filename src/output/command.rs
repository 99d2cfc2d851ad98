//! Commands to paste: broken with ` \`, explained to the right.

use console::measure_text_width;

use super::{Caller, Page, colour::DIM, escape};
use crate::error::Try;

/// The gap between a command and what it does.
const GAP: usize = 4;

/// A command on lines of at most so many columns, broken before options; every line but the last
/// ends in ` \`. The first line is two columns in, the others four.
pub fn fold(command: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::from("  ");
    let units = units(command);
    for (at, unit) in units.iter().enumerate() {
        let more = if at + 1 < units.len() { " \\".len() } else { 0 };
        let full = measure_text_width(&line) + 1 + measure_text_width(unit) + more > width;
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
pub(super) fn block(tries: &[Try], caller: &Caller, page: &Page) -> String {
    let folded: Vec<_> = tries.iter().map(|one| fold(&written(one, caller), page.width)).collect();
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
pub(super) fn headed(head: &str, tries: &[Try], caller: &Caller, page: &Page) -> String {
    if let [one] = tries {
        let mut line = format!("{head} {}", written(one, caller));
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
    format!("{head}\n{}", block(tries, caller, page))
}

/// A command as it is pasted, harmless on a terminal.
fn written(one: &Try, caller: &Caller) -> String {
    escape(&caller.command(one)).into_owned()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn svc() -> Caller {
        Caller::new("svc")
    }

    fn tries(commands: &[(&str, &str)]) -> Vec<Try> {
        let one = |&(command, explanation): &(&str, &str)| Try {
            command: command.to_owned(),
            explanation: Some(explanation.to_owned()).filter(|text| !text.is_empty()),
        };
        commands.iter().map(one).collect()
    }

    #[test]
    fn options_keep_their_values() {
        let command = "svc create mydb --class postgres --plan small --set database=orders \
                       --set storage=10Gi --set mode=standalone --set metrics=true";
        let lines = [
            "  svc create mydb --class postgres --plan small --set database=orders \\",
            "    --set storage=10Gi --set mode=standalone --set metrics=true",
        ];
        assert_eq!(fold(command, 80), lines);
    }

    #[test]
    fn quoted_values_are_not_broken() {
        let command = "svc create mydb --set motd='a -b it'\\''s -c' --set x=1";
        let lines =
            ["  svc create mydb \\", "    --set motd='a -b it'\\''s -c' \\", "    --set x=1"];
        assert_eq!(fold(command, 36), lines);
        assert_eq!(fold("svc class crd | kubectl apply -f -", 36).len(), 1);
    }

    #[test]
    fn one_command_stands_on_the_line() {
        let one = tries(&[("delete mydb --delete-data", "delete it too")]);
        let text = "Next: svc delete mydb --delete-data    delete it too\n";
        assert_eq!(headed("Next:", &one, &svc(), &Page::PLAIN), text);
        let narrow = Page { width: 40, ..Page::PLAIN };
        let text = "Next:\n  svc delete mydb --delete-data    delete it too\n";
        assert_eq!(headed("Next:", &one, &svc(), &narrow), text);
    }

    #[test]
    fn several_commands_are_explained_in_a_column() {
        let commands = tries(&[
            ("show mydb", "the same with the password"),
            ("connect mydb", "psql through a tunnel"),
            ("delete mydb", "give it back"),
        ]);
        let text = "Next:\n  svc show mydb       the same with the password\n  \
                    svc connect mydb    psql through a tunnel\n  \
                    svc delete mydb     give it back\n";
        assert_eq!(headed("Next:", &commands, &svc(), &Page::PLAIN), text);
    }

    #[test]
    fn a_sentence_among_commands_is_no_command() {
        let commands = tries(&[
            ("doctor --context NAME", "another cluster (contexts: dev, staging)"),
            ("Install helm, or set SVC_HELM to its path", ""),
        ]);
        let text = "try:\n  \
                    svc doctor --context NAME    another cluster (contexts: dev, staging)\n  \
                    Install helm, or set SVC_HELM to its path\n";
        assert_eq!(headed("try:", &commands, &svc(), &Page::PLAIN), text);
    }
}
