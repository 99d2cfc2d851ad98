//! Which words are coloured, and whether (interface §1.3): 16 colours, no blue.

use anstream::stream::RawStream;
use anstyle::{AnsiColor, Style};

/// `error`, failed, broken.
pub const RED: Style = AnsiColor::Red.on_default();
/// starting, deprecated, `warning`.
pub const YELLOW: Style = AnsiColor::Yellow.on_default();
/// ready, available, done.
pub const GREEN: Style = AnsiColor::Green.on_default();
/// Names.
pub const BOLD: Style = Style::new().bold();
/// Hints.
pub const DIM: Style = Style::new().dimmed();

/// The flag `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum When {
    /// On a terminal, unless the environment says otherwise.
    #[default]
    Auto,
    /// Also off a terminal.
    Always,
    /// Nowhere.
    Never,
}

/// Whether this stream is coloured: the flag, then what anstream makes of the environment.
pub fn wanted(when: When, stream: &impl RawStream) -> bool {
    match when {
        When::Always => true,
        When::Never => false,
        When::Auto => anstream::AutoStream::choice(stream) != anstream::ColorChoice::Never,
    }
}

/// Whether stdout and stderr of the process are coloured.
#[expect(clippy::disallowed_methods, reason = "asked about, not written to")]
pub fn of_process(when: When) -> (bool, bool) {
    (wanted(when, &std::io::stdout()), wanted(when, &std::io::stderr()))
}

/// The colour of a word in the columns STATE and STATUS; plain for words without one.
pub fn of_word(word: &str) -> Style {
    match word {
        "ready" | "available" => GREEN,
        "installing" | "starting" | "updating" | "deleting" | "degraded" | "deprecated" => YELLOW,
        "failed" | "interrupted" | "broken" => RED,
        _ => Style::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_wins() {
        let stream: Vec<u8> = Vec::new();
        assert!(wanted(When::Always, &stream));
        assert!(!wanted(When::Never, &stream));
    }

    #[test]
    fn every_state_is_plain_or_known() {
        assert_eq!(of_word("ready"), GREEN);
        assert_eq!(of_word("starting"), YELLOW);
        assert_eq!(of_word("failed"), RED);
        assert_eq!(of_word("deployed"), Style::new());
    }
}
