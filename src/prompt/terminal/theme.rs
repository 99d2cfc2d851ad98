//! dialoguer's menus and keys in the words of svc.

use std::fmt::{self, Write};

use dialoguer::theme::Theme;
use fuzzy_matcher::skim::SkimMatcherV2;

use crate::output::colour::BOLD;
use crate::output::{Mark, Page};

/// Lines are laid out before; here they get the mark of the chosen row.
pub(super) struct Plain(pub(super) Page);

impl Plain {
    fn row(&self, f: &mut dyn Write, text: &str, active: bool) -> fmt::Result {
        match active {
            true => write!(f, "{} {}", self.0.mark(Mark::Chosen), self.0.paint(BOLD, text)),
            false => write!(f, "  {text}"),
        }
    }
}

impl Theme for Plain {
    fn format_confirm_prompt(&self, f: &mut dyn Write, text: &str, _: Option<bool>) -> fmt::Result {
        f.write_str(text)
    }

    fn format_select_prompt(&self, f: &mut dyn Write, text: &str) -> fmt::Result {
        f.write_str(text)
    }

    fn format_select_prompt_item(&self, f: &mut dyn Write, text: &str, on: bool) -> fmt::Result {
        self.row(f, text, on)
    }

    fn format_fuzzy_select_prompt(
        &self,
        f: &mut dyn Write,
        text: &str,
        search: &str,
        _: usize,
    ) -> fmt::Result {
        let line = if search.is_empty() { text.to_owned() } else { format!("{text}: {search}") };
        f.write_str(&self.0.cut(&line, self.0.width.saturating_sub(1)))
    }

    fn format_fuzzy_select_prompt_item(
        &self,
        f: &mut dyn Write,
        text: &str,
        active: bool,
        _: bool,
        _: &SkimMatcherV2,
        _: &str,
    ) -> fmt::Result {
        self.row(f, text, active)
    }
}
