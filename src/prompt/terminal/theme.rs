//! dialoguer's yes/no in the words of svc.

use std::fmt::{self, Write};

use dialoguer::theme::Theme;

/// The line is laid out before.
pub(super) struct Plain;

impl Theme for Plain {
    fn format_confirm_prompt(&self, f: &mut dyn Write, text: &str, _: Option<bool>) -> fmt::Result {
        f.write_str(text)
    }
}
