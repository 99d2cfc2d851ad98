//! How questions, menus and answers are written, cut to the width.

use console::{Alignment, measure_text_width, pad_str};

use crate::output::colour::{GREEN, RED};
use crate::output::{Mark, Page, escape};
use crate::prompt::{Choice, Title};

/// The least room for what is typed.
const ROOM: usize = 12;
/// Between the names of a menu and their explanations.
const GAP: usize = 3;

/// The line before the answer: `Disk size (storage), 1Gi to 10Gi [1Gi]: `. Where it leaves too
/// little room it is cut, first before the brackets.
pub(super) fn question(title: &Title, brackets: Option<&str>, page: &Page) -> String {
    let brackets = brackets.map(|text| format!(" [{}]", escape(text))).unwrap_or_default();
    head(&before(title), &format!("{brackets}: "), page)
}

/// A sentence that ends in `? [Y/n] `.
pub(super) fn confirmation(sentence: &str, keys: &str, page: &Page) -> String {
    head(&escape(sentence), &format!(" [{keys}] "), page)
}

/// The line above a menu.
pub(super) fn menu_head(title: &Title, reserved: usize, page: &Page) -> String {
    page.cut(&before(title), page.width.saturating_sub(1 + reserved))
}

/// The line below which items are typed: those that there are.
pub(super) fn items(items: &[String], page: &Page) -> String {
    page.cut(&format!("  {}", escape(&items.join(", "))), page.width)
}

/// `✓ Topology (mode): standalone`
pub(super) fn answered(title: &Title, answer: &str, page: &Page) -> String {
    let name = title.name.as_deref().filter(|_| title.keep_name);
    let name = name.map(|name| format!(" ({name})")).unwrap_or_default();
    let text = format!("{}{name}: {answer}", title.text);
    marked(Mark::Done, &text, page)
}

/// `✗ must start with a letter`
pub(super) fn refused(problem: &str, page: &Page) -> String {
    marked(Mark::Wrong, problem, page)
}

/// The rows of a menu, without the mark before them. Each is at most as many bytes as the
/// terminal has columns: dialoguer takes a longer one for two rows.
pub(super) fn rows(choices: &[Choice], page: &Page) -> Vec<String> {
    let names: Vec<_> = choices.iter().map(|choice| escape(&choice.name)).collect();
    let column = names.iter().map(|name| measure_text_width(name)).max().unwrap_or_default() + GAP;
    let padded = names.iter().map(|name| pad_str(name, column, Alignment::Left, None));
    let rows = padded.zip(choices).map(|(name, choice)| {
        let row = format!("{name}{}", escape(&choice.explanation));
        fitting(row.trim_end(), page)
    });
    rows.collect()
}

fn fitting(row: &str, page: &Page) -> String {
    let mut columns = page.width.saturating_sub(measure_text_width(page.mark(Mark::Chosen)) + 2);
    loop {
        let cut = page.cut(row, columns);
        if cut.len() <= page.width || columns == 0 {
            return cut;
        }
        columns -= 1;
    }
}

fn before(title: &Title) -> String {
    let name = title.name.as_deref().map(|name| format!(" ({name})")).unwrap_or_default();
    let constraint = title.constraint.as_deref().map(|text| format!(", {text}"));
    escape(&format!("{}{name}{}", title.text, constraint.unwrap_or_default())).into_owned()
}

fn head(text: &str, end: &str, page: &Page) -> String {
    let most = page.width.saturating_sub(ROOM + 1);
    let whole = format!("{text}{end}");
    if measure_text_width(&whole) <= most.max(page.width / 2) {
        return whole;
    }
    match most.checked_sub(measure_text_width(end)) {
        Some(columns) if columns >= ROOM => page.cut(text, columns) + end,
        _ => page.cut(text, most.saturating_sub(2)) + ": ",
    }
}

fn marked(mark: Mark, text: &str, page: &Page) -> String {
    let (sign, style) = (page.mark(mark), if mark == Mark::Done { GREEN } else { RED });
    let room = page.width.saturating_sub(measure_text_width(sign) + 1);
    format!("{} {}", page.paint(style, sign), page.cut(&escape(text), room))
}
