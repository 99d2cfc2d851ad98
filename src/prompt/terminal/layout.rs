//! How questions, menus and answers are written, cut to the width.

use console::{Alignment, measure_text_width, pad_str};

use crate::output::colour::{BOLD, GREEN, RED};
use crate::output::{Mark, Page, escape};
use crate::prompt::{Choice, Title};

/// The least room for what is typed.
const ROOM: usize = 12;
/// Between the names of a menu and their explanations.
const GAP: usize = 3;
/// The mark of a row and the space behind it.
const MARK: usize = 2;

/// The line before the answer: `Disk size (storage), 1Gi to 10Gi [1Gi]: `. Where it leaves too
/// little room it is cut, first before the brackets.
pub(super) fn question(title: &Title, brackets: Option<&str>, page: &Page) -> String {
    let brackets = brackets.map(|text| format!(" [{}]", escape(text))).unwrap_or_default();
    head(&before(title), &format!("{brackets}: "), ROOM, page)
}

/// A sentence that ends in `? [Y/n] `.
pub(super) fn confirmation(sentence: &str, keys: &str, page: &Page) -> String {
    head(&escape(sentence), &format!(" [{keys}] "), 1, page)
}

/// The line above a menu, with what was typed to filter it.
pub(super) fn menu_head(title: &Title, typed: &str, page: &Page) -> String {
    let typed = if typed.is_empty() { String::new() } else { format!(": {}", escape(typed)) };
    page.cut(&format!("{}{typed}", before(title)), page.width.saturating_sub(1))
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

/// The rows of a menu, without the mark before them.
pub(super) fn rows(choices: &[Choice], page: &Page) -> Vec<String> {
    let names: Vec<_> = choices.iter().map(|choice| escape(&choice.name)).collect();
    let column = names.iter().map(|name| measure_text_width(name)).max().unwrap_or_default() + GAP;
    let padded = names.iter().map(|name| pad_str(name, column, Alignment::Left, None));
    let rows = padded.zip(choices).map(|(name, choice)| {
        let row = format!("{name}{}", escape(&choice.explanation));
        page.cut(row.trim_end(), page.width.saturating_sub(MARK + 1))
    });
    rows.collect()
}

/// A row with its mark, or the room for it.
pub(super) fn row(text: &str, marked: bool, page: &Page) -> String {
    match marked {
        true => format!("{} {}", page.mark(Mark::Chosen), page.paint(BOLD, text)),
        false => format!("  {text}"),
    }
}

fn before(title: &Title) -> String {
    let name = title.name.as_deref().map(|name| format!(" ({name})")).unwrap_or_default();
    let constraint = title.constraint.as_deref().map(|text| format!(", {text}"));
    escape(&format!("{}{name}{}", title.text, constraint.unwrap_or_default())).into_owned()
}

/// `text` and `end` with at least so much room behind them.
fn head(text: &str, end: &str, room: usize, page: &Page) -> String {
    let most = page.width.saturating_sub(room + 1);
    let whole = format!("{text}{end}");
    if measure_text_width(&whole) <= most {
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

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: Page = Page { terminal: true, width: 80, utf8: true, colour: false };

    fn storage() -> Title {
        Title::parameter("Disk size", "storage").constrained("1Gi to 10Gi, cannot change later")
    }

    #[test]
    fn questions_and_answers_name_the_parameter_and_flags_once() {
        let text = question(&storage(), Some("1Gi"), &PAGE);
        assert_eq!(text, "Disk size (storage), 1Gi to 10Gi, cannot change later [1Gi]: ");
        assert_eq!(answered(&storage(), "10Gi", &PAGE), "✓ Disk size (storage): 10Gi");
        let plan = Title::flag("Plan", "--plan");
        assert_eq!(menu_head(&plan, "", &PAGE), "Plan (--plan)");
        assert_eq!(answered(&plan, "small", &PAGE), "✓ Plan: small");
    }

    #[test]
    fn there_is_always_room_for_an_answer() {
        for width in [20, 30, 40, 61, 80] {
            let page = Page { width, ..PAGE };
            let long = "a very long default that fills the line";
            for brackets in [None, Some("1Gi"), Some(long)] {
                let text = question(&storage(), brackets, &page);
                assert!(measure_text_width(&text) < width, "{width}: {text}");
                assert!(text.ends_with(": "), "{text}");
            }
        }
    }

    #[test]
    fn rows_are_cut_to_the_width() {
        let summary = "漢字の長い説明がここにあります、とても長いので切られます";
        let choice = Choice { name: "größe".to_owned(), explanation: summary.to_owned() };
        for width in [20, 40, 80] {
            let rows = rows(std::slice::from_ref(&choice), &Page { width, ..PAGE });
            let row = row(&rows[0], true, &Page { width, ..PAGE });
            assert!(measure_text_width(&row) < width && row.starts_with("▸ größe"), "{row}");
        }
    }

    #[test]
    fn text_of_a_class_cannot_move_the_cursor() {
        let title = Title::parameter("Size\x1b[2J", "storage");
        assert_eq!(question(&title, Some("\r1"), &PAGE), "Size\\x1b[2J (storage) [\\x0d1]: ");
        assert_eq!(refused("no\u{202e}", &PAGE), "✗ no\\u202e");
    }
}
