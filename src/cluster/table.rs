//! Lists as the server prints them: cells under the heads of columns.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::answer::{Failure, parse};
use super::page::ListMeta;
use super::release::Partial;

/// `meta.k8s.io/v1` Table
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Table<'a> {
    #[serde(borrow)]
    kind: Cow<'a, str>,
    #[serde(default)]
    pub metadata: ListMeta,
    #[serde(borrow, default)]
    column_definitions: Vec<Column<'a>>,
    /// `null` where there are none.
    #[serde(borrow, default)]
    rows: Option<Vec<Row<'a>>>,
}

#[derive(Deserialize)]
struct Column<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
}

#[derive(Deserialize)]
pub(super) struct Row<'a> {
    #[serde(borrow)]
    cells: Vec<Cell<'a>>,
    /// Where it was asked for.
    #[serde(borrow, default)]
    pub object: Option<Partial<'a>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Cell<'a> {
    Number(u32),
    #[serde(borrow)]
    Text(Cow<'a, str>),
    Other(IgnoredAny),
}

impl<'a> Table<'a> {
    /// # Errors
    /// It is no table: a server that cannot print answers with the plain list.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Failure> {
        let table: Self = parse(bytes)?;
        match table.kind.as_ref() {
            "Table" => Ok(table),
            other => Err(Failure::Garbage(format!("{other} instead of a table"))),
        }
    }

    /// The rows, and where each of these columns is in them. Without rows nobody looks.
    ///
    /// # Errors
    /// A column is missing.
    pub fn rows<const N: usize>(
        &mut self,
        columns: [&str; N],
    ) -> Result<(Vec<Row<'a>>, [usize; N]), Failure> {
        let rows = self.rows.take().unwrap_or_default();
        let mut places = [0; N];
        if rows.is_empty() {
            return Ok((rows, places));
        }
        for (place, name) in places.iter_mut().zip(columns) {
            let found = self.column_definitions.iter().position(|column| column.name == name);
            let missing = || Failure::Garbage(format!("a table without the column {name}"));
            *place = found.ok_or_else(missing)?;
        }
        Ok((rows, places))
    }
}

impl Row<'_> {
    /// What stands in a column; nothing where it is neither a text nor a number.
    pub fn text(&self, column: usize) -> Cow<'_, str> {
        match self.cells.get(column) {
            Some(Cell::Text(text)) => Cow::Borrowed(text),
            Some(Cell::Number(number)) => Cow::Owned(number.to_string()),
            Some(Cell::Other(_)) | None => Cow::Borrowed(""),
        }
    }
}
