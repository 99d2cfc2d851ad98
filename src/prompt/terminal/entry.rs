//! A line that is typed: its text, its cursor, what the keys do.

use console::Key;

use crate::output::escape;

/// Text with a cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    characters: Vec<char>,
    cursor: usize,
}

/// What a key led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Typed {
    /// The text or its cursor may have changed.
    More,
    Enter,
    Interrupt,
}

impl Entry {
    /// Takes a key.
    pub(super) fn key(&mut self, key: &Key) -> Typed {
        let end = self.characters.len();
        match key {
            Key::Enter => return Typed::Enter,
            Key::CtrlC => return Typed::Interrupt,
            Key::Backspace if self.cursor > 0 => {
                self.cursor -= 1;
                self.characters.remove(self.cursor);
            }
            Key::Del if self.cursor < end => {
                self.characters.remove(self.cursor);
            }
            Key::ArrowLeft => self.cursor = self.cursor.saturating_sub(1),
            Key::ArrowRight => self.cursor = end.min(self.cursor + 1),
            Key::Home => self.cursor = 0,
            Key::End => self.cursor = end,
            // Ctrl-U and Ctrl-W, as the terminal's own line editing has them.
            Key::Char('\x15') => self.cut_to(0),
            Key::Char('\x17') => self.cut_to(self.word_start()),
            Key::Char(character) if !character.is_control() => {
                self.characters.insert(self.cursor, *character);
                self.cursor += 1;
            }
            _ => {}
        }
        Typed::More
    }

    /// What was typed.
    pub(super) fn text(&self) -> String {
        self.characters.iter().collect()
    }

    /// The part around the cursor that fits so many columns, and how many of them are behind
    /// the cursor.
    pub(super) fn window(&self, columns: usize) -> (String, usize) {
        let shown: Vec<String> =
            self.characters.iter().map(|one| escape(&one.to_string()).into_owned()).collect();
        let width = |part: &[String]| part.iter().map(|one| measure(one)).sum::<usize>();
        let (before, behind) = shown.split_at(self.cursor);
        let start = (0..=before.len()).find(|&at| width(&before[at..]) <= columns).unwrap_or(0);
        let room = columns - width(&before[start..]).min(columns);
        let end = (0..=behind.len()).rev().find(|&at| width(&behind[..at]) <= room).unwrap_or(0);
        (before[start..].concat() + &behind[..end].concat(), width(&behind[..end]))
    }

    fn cut_to(&mut self, start: usize) {
        self.characters.drain(start..self.cursor);
        self.cursor = start;
    }

    fn word_start(&self) -> usize {
        let before = &self.characters[..self.cursor];
        let word = before.iter().rposition(|c| !c.is_whitespace()).unwrap_or(0);
        before[..word].iter().rposition(|c| c.is_whitespace()).map_or(0, |space| space + 1)
    }
}

fn measure(text: &str) -> usize {
    console::measure_text_width(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(keys: &[Key]) -> Entry {
        let mut entry = Entry::default();
        for key in keys {
            assert_eq!(entry.key(key), Typed::More);
        }
        entry
    }

    fn word(text: &str) -> Vec<Key> {
        text.chars().map(Key::Char).collect()
    }

    #[test]
    fn keys_edit_the_line() {
        let mut keys = word("ordrs");
        keys.extend([Key::ArrowLeft, Key::ArrowLeft, Key::Char('e'), Key::End, Key::Char('!')]);
        assert_eq!(typed(&keys).text(), "orders!");
        keys.extend([Key::Backspace, Key::Home, Key::Del, Key::Backspace]);
        assert_eq!(typed(&keys).text(), "rders");
    }

    #[test]
    fn control_keys_cut_and_other_control_characters_are_ignored() {
        let mut keys = word("one two  ");
        keys.push(Key::Char('\x17'));
        assert_eq!(typed(&keys).text(), "one ");
        keys.push(Key::Char('\x15'));
        assert_eq!(typed(&keys), Entry::default());
        assert_eq!(typed(&[Key::Char('\x1b'), Key::Tab, Key::Escape]), Entry::default());
    }

    #[test]
    fn enter_and_ctrl_c_end_it() {
        assert_eq!(Entry::default().key(&Key::Enter), Typed::Enter);
        assert_eq!(Entry::default().key(&Key::CtrlC), Typed::Interrupt);
    }

    #[test]
    fn the_window_follows_the_cursor() {
        let mut keys = word("abcdefghij");
        assert_eq!(typed(&keys).window(4), ("ghij".to_owned(), 0));
        keys.push(Key::Home);
        assert_eq!(typed(&keys).window(4), ("abcd".to_owned(), 4));
        assert_eq!(typed(&word("a\u{202e}b")).window(20), ("a\\u202eb".to_owned(), 0));
        assert_eq!(typed(&word("漢字漢字")).window(5), ("漢字".to_owned(), 0));
    }
}
