//! Aligned `name  value` lines.

use super::{Page, escape, wrap};

/// Two columns without heads: details, facts, summaries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    indent: usize,
    least: usize,
    wrapped: Wrapped,
    rows: Vec<(String, String)>,
}

/// Where values are broken between words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Wrapped {
    #[default]
    Never,
    /// Where the terminal would break them inside words.
    OnTerminals,
    Always,
}

impl Pairs {
    /// Lines at the margin whose values are never broken: details, URIs.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lines below a message: two spaces in, long values continued below their start.
    pub fn facts() -> Self {
        Self { indent: 2, wrapped: Wrapped::Always, ..Self::default() }
    }

    /// Lines below a message whose values are broken on terminals alone.
    pub fn summary() -> Self {
        Self { indent: 2, ..Self::prose() }
    }

    /// The same at the margin.
    pub fn prose() -> Self {
        Self { wrapped: Wrapped::OnTerminals, ..Self::default() }
    }

    /// Lines below the head of a change: as facts; a row without a name goes on with the one above.
    pub fn difference() -> Self {
        Self::facts()
    }

    /// Adds a line.
    pub fn row(&mut self, name: impl Into<String>, value: impl Into<String>) -> &mut Self {
        self.rows.push((name.into(), value.into()));
        self
    }

    /// The least width of the names.
    pub fn least(mut self, columns: usize) -> Self {
        self.least = columns;
        self
    }

    /// Whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The lines, each with its line break.
    pub fn render(&self, page: &Page) -> String {
        let names: Vec<_> = self.rows.iter().map(|(name, _)| escape(name)).collect();
        let widths = names.iter().map(|name| console::measure_text_width(name));
        let column = widths.max().unwrap_or_default().max(self.least) + 2;
        let hanging = " ".repeat(self.indent + column);
        let mut text = String::new();
        for (name, (_, value)) in names.iter().zip(&self.rows) {
            let name = console::pad_str(name, column, console::Alignment::Left, None);
            let prefix = format!("{}{name}", " ".repeat(self.indent));
            let wrapped = match self.wrapped {
                Wrapped::Never => false,
                Wrapped::OnTerminals => page.terminal,
                Wrapped::Always => true,
            };
            let width = if wrapped { page.width } else { usize::MAX };
            for line in wrap(&prefix, &hanging, &escape(value), width) {
                text += &line;
                text.push('\n');
            }
        }
        text
    }
}

impl<N: Into<String>, V: Into<String>> Extend<(N, V)> for Pairs {
    fn extend<I: IntoIterator<Item = (N, V)>>(&mut self, rows: I) {
        self.rows.extend(rows.into_iter().map(|(name, value)| (name.into(), value.into())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_are_aligned_and_never_broken() {
        let mut details = Pairs::new();
        let uri = format!("postgresql://{}", "x".repeat(90));
        details.row("host", "mydb-postgresql.team-a.svc").row("uri", &*uri);
        let text = format!("host  mydb-postgresql.team-a.svc\nuri   {uri}\n");
        assert_eq!(details.render(&Page::PLAIN), text);
    }

    #[test]
    fn long_facts_hang_below_their_start() {
        let mut facts = Pairs::facts();
        facts.row("chart", "postgresql 16.2.1 -> 16.4.0").row(
            "kept",
            "database, storage, mode, metrics, max-connections, admin-password, owner, team",
        );
        let text = "  chart  postgresql 16.2.1 -> 16.4.0\n  \
                    kept   database, storage, mode, metrics, max-connections,\n         \
                    admin-password, owner, team\n";
        assert_eq!(facts.render(&Page::PLAIN), text);
    }

    #[test]
    fn a_summary_is_broken_between_words_on_a_terminal_alone() {
        let mut summary = Pairs::summary();
        summary.row("mydb", "postgres, plan small, chart postgresql 16.2.1").row("mode", "alone");
        let narrow = Page { terminal: true, width: 40, ..Page::PLAIN };
        let text =
            "  mydb  postgres, plan small,\n        chart postgresql 16.2.1\n  mode  alone\n";
        assert_eq!(summary.render(&narrow), text);
        let line = "  mydb  postgres, plan small, chart postgresql 16.2.1\n  mode  alone\n";
        assert_eq!(summary.render(&Page { terminal: false, ..narrow }), line);
    }

    #[test]
    fn cluster_text_cannot_forge_lines() {
        let mut facts = Pairs::facts();
        facts.row("says", "denied\nerror: \u{202e}all is well");
        assert_eq!(facts.render(&Page::PLAIN), "  says  denied\\x0aerror: \\u202eall is well\n");
    }
}
