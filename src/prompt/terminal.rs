//! A person at a terminal.

use crate::output::Page;

/// Asks on the terminal of stdin and stderr.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    page: Page,
}

impl Terminal {
    /// `page` says how stderr is laid out; its width is read anew for each question.
    pub fn new(page: Page) -> Self {
        Self { page }
    }
}
