//! Cells of tables: text from the cluster made harmless, some of it in colour.

use anstyle::Style;

use super::colour::{self, BOLD, DIM, GREEN, RED, YELLOW};
use super::{Page, escape};

/// Zero-width marks around coloured text, so that the layout counts the text alone. `escape`
/// shows them where they come from the cluster.
const TONES: [(char, Style); 5] = [
    ('\u{2061}', GREEN),
    ('\u{2062}', YELLOW),
    ('\u{2063}', RED),
    ('\u{2064}', BOLD),
    ('\u{2069}', DIM),
];
const END: char = '\u{2068}';

/// How a cell is coloured where colours are on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// As the stream writes.
    #[default]
    Plain,
    /// A name: bold.
    Name,
    /// A state or status: by its word.
    Word,
    /// Good to know: dim.
    Hint,
}

/// One cell of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    pub(super) text: String,
    pub(super) tone: Tone,
}

impl Cell {
    /// A plain cell.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), tone: Tone::Plain }
    }

    /// The same text in another tone.
    pub fn tone(mut self, tone: Tone) -> Self {
        self.tone = tone;
        self
    }

    /// The text as it is shown, without colour.
    pub(super) fn shown(&self) -> String {
        escape(&self.text).into_owned()
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self::new(text)
    }
}

/// The laid-out text of a cell between the marks of its tone.
pub(super) fn marked(text: String, tone: Tone) -> String {
    let style = match tone {
        Tone::Plain => return text,
        Tone::Name => BOLD,
        Tone::Word => colour::of_word(&text),
        Tone::Hint => DIM,
    };
    match TONES.iter().find(|(_, known)| *known == style) {
        Some((mark, _)) => format!("{mark}{text}{END}"),
        None => text,
    }
}

/// The laid-out table with colours, or without, in place of the marks.
pub(super) fn painted(layout: &str, page: &Page) -> String {
    let mut text = layout.replace(END, if page.colour { "\x1b[0m" } else { "" });
    for (mark, style) in TONES {
        let code = if page.colour { style.render().to_string() } else { String::new() };
        text = text.replace(mark, &code);
    }
    text
}
