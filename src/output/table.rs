//! Tables: capital heads, two spaces, no lines (interface §1.3).

use comfy_table::{CellAlignment, ContentArrangement, presets};
use console::measure_text_width;

use super::cells::{Cell, marked, painted};
use super::{Page, Tone};

/// The least width of a cut last column before whole columns go.
const LEAST: usize = 12;

/// Of less nothing can be read.
const READABLE: usize = 4;

/// The columns that go, in this order: those of the lists, of one class's parameters, and of wide
/// lists.
const LEAVING: [&str; 9] =
    ["PLANS", "AGE", "PLAN", "TYPE", "MEANING", "DEFAULT", "TAGS", "CHART", "REVISION"];

/// A column and how it behaves where the terminal is narrow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    head: String,
    right: bool,
    kept: bool,
    leaves: Option<usize>,
    tone: Tone,
}

/// Rows under heads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

impl Column {
    /// A column with its head, in capitals. Some, unless they are the first, go where the terminal
    /// is narrow; NAME, STATE and NAMESPACE are never cut; AGE is aligned to the right.
    pub fn new(head: &str) -> Self {
        Self {
            // One space before ages of up to four columns, so that most stand as after two.
            head: if head == "AGE" { " AGE".to_owned() } else { head.to_owned() },
            right: head == "AGE",
            kept: matches!(head, "NAME" | "STATE" | "NAMESPACE" | "BINDING"),
            leaves: LEAVING.iter().position(|leaving| *leaving == head),
            tone: match head {
                "NAME" | "BINDING" => Tone::Name,
                "STATE" | "STATUS" => Tone::Word,
                _ => Tone::Plain,
            },
        }
    }
}

impl Table {
    /// A table without rows; `heads` in capitals.
    pub fn new<const N: usize>(heads: [&str; N]) -> Self {
        Self { columns: heads.into_iter().map(Column::new).collect(), rows: Vec::new() }
    }

    /// A table whose heads are chosen as it is made.
    pub fn of(heads: Vec<&str>) -> Self {
        Self { columns: heads.into_iter().map(Column::new).collect(), rows: Vec::new() }
    }

    /// Adds a row to a table whose heads were chosen as it was made.
    pub fn cells(&mut self, cells: Vec<String>) -> &mut Self {
        self.rows.push(cells.into_iter().map(Cell::new).collect());
        self
    }

    /// Adds a row; it has as many cells as there are heads.
    pub fn row<const N: usize>(&mut self, cells: [impl Into<Cell>; N]) -> &mut Self {
        self.rows.push(cells.into_iter().map(Into::into).collect());
        self
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The lines of the table, each with its line break. On a terminal they fit the width.
    pub fn render(&self, page: &Page) -> String {
        let mut shown: Vec<usize> = (0..self.columns.len()).collect();
        let last = if page.terminal { self.fit(&mut shown, page.width) } else { usize::MAX };
        let mut layout = comfy_table::Table::new();
        layout.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        let cut = |place: usize, text: &str| {
            let end = place + 1 == shown.len() && !self.columns[shown[place]].kept;
            if end && last != usize::MAX { page.cut(text, last) } else { text.to_owned() }
        };
        let heads = shown.iter().enumerate();
        layout.add_row(heads.map(|(place, &at)| cut(place, &self.columns[at].head)));
        for row in &self.rows {
            layout.add_row(shown.iter().enumerate().map(|(place, &at)| {
                let cell = &row[at];
                let tone = if cell.tone == Tone::Plain { self.columns[at].tone } else { cell.tone };
                marked(cut(place, &cell.shown()), tone)
            }));
        }
        self.align(&mut layout, &shown);
        painted(&layout.trim_fmt(), page) + "\n"
    }

    fn align(&self, layout: &mut comfy_table::Table, shown: &[usize]) {
        for (place, &at) in shown.iter().enumerate() {
            if let Some(column) = layout.column_mut(place) {
                column.set_padding((0, self.gap(shown, place) as u16));
                if self.columns[at].right {
                    column.set_cell_alignment(CellAlignment::Right);
                }
            }
        }
    }

    /// Takes columns away until the last one has room, and says how much.
    fn fit(&self, shown: &mut Vec<usize>, width: usize) -> usize {
        loop {
            let Some((&last, others)) = shown.split_last() else { return width };
            let before = others.iter().enumerate();
            let before: usize =
                before.map(|(place, &at)| self.natural(at) + self.gap(shown, place)).sum();
            let room = width.saturating_sub(before);
            let least = match self.columns[last].kept {
                true => self.natural(last),
                false => self.natural(last).min(LEAST),
            };
            if room >= least {
                return room;
            }
            let leaving = shown.iter().copied().skip(1);
            let leaving = leaving.filter(|&at| self.columns[at].leaves.is_some());
            match leaving.min_by_key(|&at| self.columns[at].leaves) {
                Some(gone) => shown.retain(|&at| at != gone),
                None if room < READABLE && self.may_go(shown) => {
                    shown.pop();
                }
                None => return room,
            }
        }
    }

    fn may_go(&self, shown: &[usize]) -> bool {
        shown.len() > 1 && shown.last().is_some_and(|&last| !self.columns[last].kept)
    }

    /// The spaces after the column at this place.
    fn gap(&self, shown: &[usize], place: usize) -> usize {
        match shown.get(place + 1) {
            None => 0,
            Some(&next) => 2 - usize::from(self.columns[next].right),
        }
    }

    /// The width of a column that nothing is cut from.
    fn natural(&self, at: usize) -> usize {
        let cells = self.rows.iter().map(|row| measure_text_width(&row[at].shown()));
        cells.chain([self.columns[at].head.len()]).max().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
