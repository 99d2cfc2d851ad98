//! Help on a narrow terminal: broken between words, never inside them.

use console::measure_text_width;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// The least room beside a name; with less the text stands below it.
const LEAST: usize = 16;

/// The text with each line that is too long broken, under the column that it began in. Examples
/// are commands to paste and stay whole.
pub(super) fn text(text: &str, width: usize) -> String {
    let mut in_examples = false;
    let mut lines = Vec::new();
    for line in text.lines().map(str::trim_end) {
        in_examples = line == "Examples:" || (in_examples && !line.is_empty());
        match in_examples || measure_text_width(line) <= width {
            true => lines.push(line.to_owned()),
            false => lines.extend(broken(line, width)),
        }
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

fn broken(line: &str, width: usize) -> Vec<String> {
    let start = column(line);
    let (name, rest) = line.split_at(start);
    let beside = measure_text_width(name);
    if name.trim().is_empty() || beside + LEAST <= width {
        return wrapped(name, &" ".repeat(beside), rest, width);
    }
    let below = " ".repeat(indent(line) + 2);
    let mut lines = vec![name.trim_end().to_owned()];
    lines.extend(wrapped(&below, &below, rest, width));
    lines
}

fn wrapped(first: &str, hanging: &str, text: &str, width: usize) -> Vec<String> {
    let options = Options::new(width)
        .initial_indent(first)
        .subsequent_indent(hanging)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    textwrap::wrap(text, options).into_iter().map(|line| line.trim_end().to_owned()).collect()
}

/// Where the text behind the name begins: after the first two spaces inside a line.
fn column(line: &str) -> usize {
    let indent = indent(line);
    let Some(gap) = line[indent..].find("  ") else { return indent };
    let after = indent + gap;
    after + line[after..].len() - line[after..].trim_start().len()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_stays() {
        let help = "A head\n\n  create      Make an instance\n";
        assert_eq!(text(help, 30), help);
    }

    #[test]
    fn a_row_goes_on_in_its_column() {
        let row = "  create      Make an instance and print how to connect\n";
        let broken = "  create      Make an instance and print\n              how to connect\n";
        assert_eq!(text(row, 40), broken);
        let prose = "Databases, queues and other services from your cluster's catalog\n";
        let broken = "Databases, queues and other services\nfrom your cluster's catalog\n";
        assert_eq!(text(prose, 40), broken);
    }

    #[test]
    fn without_room_beside_a_command_its_meaning_stands_below() {
        let row = "  svc create mydb --class postgres    get one of them\n";
        let below = "  svc create mydb --class postgres\n    get one of them\n";
        assert_eq!(text(row, 40), below);
    }

    #[test]
    fn examples_stay_whole() {
        let help = "Examples:\n  svc create mydb -c postgres -p small --set database=orders\n";
        assert_eq!(text(help, 40), help);
    }
}
