//! What a stream can show: a terminal or not, its width, symbols and colours.

use anstyle::Style;

/// One stream as its text is laid out for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Tables are cut to the width, symbols and redrawn blocks are used.
    pub terminal: bool,
    /// In columns; off a terminal the width at which sentences and commands are broken.
    pub width: usize,
    /// Whether `✓ ✗ ▸ … •` may be used on a terminal.
    pub utf8: bool,
    /// Whether words are coloured.
    pub colour: bool,
}

/// A symbol and its form without UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// `✓` or `ok`
    Done,
    /// `✗` or `x`
    Wrong,
    /// `▸` or `>`
    Chosen,
    /// `…` or `...`
    More,
    /// `•` or `*`
    Waiting,
}

impl Page {
    /// Not a terminal: 80 columns, plain words.
    pub const PLAIN: Self = Self { terminal: false, width: 80, utf8: false, colour: false };

    /// The symbol, or its form without UTF-8.
    pub fn mark(&self, mark: Mark) -> &'static str {
        match (mark, self.terminal && self.utf8) {
            (Mark::Done, true) => "✓",
            (Mark::Done, false) => "ok",
            (Mark::Wrong, true) => "✗",
            (Mark::Wrong, false) => "x",
            (Mark::Chosen, true) => "▸",
            (Mark::Chosen, false) => ">",
            (Mark::More, true) => "…",
            (Mark::More, false) => "...",
            (Mark::Waiting, true) => "•",
            (Mark::Waiting, false) => "*",
        }
    }

    /// What stands for a sensitive value: always eight characters.
    pub fn mask(&self) -> &'static str {
        if self.terminal && self.utf8 { "••••••••" } else { "********" }
    }

    /// The text in this style, or as it is where colours are off.
    pub fn paint(&self, style: Style, text: &str) -> String {
        if self.colour && !text.is_empty() {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }

    /// Text beside a head, further lines below its start.
    pub fn hanging(&self, head: &str, text: &str) -> Vec<String> {
        super::wrap::wrap(head, &" ".repeat(head.len()), &super::escape(text), self.width)
    }

    /// Text of several lines, each made harmless.
    pub fn lines(&self, text: &str) -> String {
        text.lines().map(super::escape).collect::<Vec<_>>().join("\n")
    }

    /// Text of several lines, each broken at spaces where a terminal would break it inside a word;
    /// further lines begin with `hanging`. Off a terminal lines stay whole.
    pub fn prose(&self, text: &str, hanging: &str) -> String {
        let width = if self.terminal { self.width } else { usize::MAX };
        let broken = text.lines().flat_map(|line| {
            let indent = &line[..line.len() - line.trim_start().len()];
            let hanging = format!("{indent}{hanging}");
            super::wrap::wrap(indent, &hanging, &super::escape(line.trim_start()), width)
        });
        broken.collect::<Vec<_>>().join("\n")
    }

    /// A line above others, such as what is asked about, without a line break at its end.
    pub fn head(&self, text: &str) -> String {
        self.prose(text, "  ").trim_end().to_owned()
    }

    /// The text cut to so many columns, the last of them the mark for more.
    pub fn cut(&self, text: &str, columns: usize) -> String {
        console::truncate_str(text, columns, self.mark(Mark::More)).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_need_a_terminal_and_utf8() {
        let terminal = Page { terminal: true, utf8: true, ..Page::PLAIN };
        assert_eq!(terminal.mark(Mark::Done), "✓");
        assert_eq!(Page { utf8: false, ..terminal }.mark(Mark::Done), "ok");
        assert_eq!(Page { terminal: false, ..terminal }.mark(Mark::Done), "ok");
        assert_eq!(terminal.mask().chars().count(), 8);
        assert_eq!(Page::PLAIN.mask(), "********");
    }

    #[test]
    fn prose_is_broken_between_words_on_a_terminal_alone() {
        let narrow = Page { terminal: true, width: 40, ..Page::PLAIN };
        let text = "storage is 1Gi to 10Gi in plan small, default 1Gi\n\n  - one";
        let broken = "storage is 1Gi to 10Gi in plan\n  small, default 1Gi\n\n  - one";
        assert_eq!(narrow.prose(text, "  "), broken);
        assert_eq!(Page { terminal: false, ..narrow }.prose(text, "  "), text);
    }

    #[test]
    fn text_is_cut_by_columns_not_bytes() {
        let terminal = Page { terminal: true, utf8: true, ..Page::PLAIN };
        assert_eq!(terminal.cut("größer", 6), "größer");
        assert_eq!(terminal.cut("größer!", 6), "größe…");
        assert_eq!(terminal.cut("漢字漢字", 5), "漢字…");
        assert_eq!(Page::PLAIN.cut("abcdefgh", 6), "abc...");
    }
}
