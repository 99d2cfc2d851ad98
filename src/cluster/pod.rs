//! Pods as the server prints them: the words of the column STATUS are its own.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::answer::{Failure, parse};
use super::ask::{Asked, TABLE};
use super::kind::PODS;
use super::page::{ListMeta, Page};
use super::release::Partial;
use super::{Cluster, Scope, Scoped};
use crate::domain::instance::PodRow;
use crate::error::Result;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Table<'a> {
    #[serde(borrow)]
    kind: Cow<'a, str>,
    #[serde(default)]
    metadata: ListMeta,
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
struct Row<'a> {
    #[serde(borrow)]
    cells: Vec<Cell<'a>>,
    #[serde(borrow)]
    object: Partial<'a>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Cell<'a> {
    Number(u32),
    #[serde(borrow)]
    Text(Cow<'a, str>),
    Other(IgnoredAny),
}

impl Page for PodRow {
    fn read(bytes: &[u8], all: &mut Vec<Self>) -> Result<ListMeta, Failure> {
        let table: Table<'_> = parse(bytes)?;
        let rows = table.rows.unwrap_or_default();
        if table.kind != "Table" {
            // A server that cannot print answers with the plain list.
            return Err(Failure::Garbage(format!("{} instead of a table", table.kind)));
        }
        if rows.is_empty() {
            return Ok(table.metadata);
        }
        let column = |name: &str| table.column_definitions.iter().position(|c| c.name == name);
        let (Some(ready), Some(status), Some(restarts)) =
            (column("Ready"), column("Status"), column("Restarts"))
        else {
            return Err(Failure::Garbage("a table of pods without its columns".to_owned()));
        };
        all.extend(rows.into_iter().map(|row| row.pod(ready, status, restarts)));
        Ok(table.metadata)
    }
}

impl Row<'_> {
    fn pod(self, ready: usize, status: usize, restarts: usize) -> PodRow {
        let created = self.object.metadata.created();
        let meta = self.object.metadata;
        PodRow {
            ready: fraction(&text(&self.cells, ready)),
            status: text(&self.cells, status).into_owned(),
            restarts: leading_number(&text(&self.cells, restarts)),
            deleting: meta.deletion_timestamp.is_some(),
            namespace: meta.namespace.into_owned(),
            name: meta.name.into_owned(),
            labels: meta.labels,
            created,
        }
    }
}

fn text<'a>(cells: &'a [Cell<'_>], column: usize) -> Cow<'a, str> {
    match cells.get(column) {
        Some(Cell::Text(text)) => Cow::Borrowed(text),
        Some(Cell::Number(number)) => Cow::Owned(number.to_string()),
        Some(Cell::Other(_)) | None => Cow::Borrowed(""),
    }
}

/// `1/2`
fn fraction(text: &str) -> (u32, u32) {
    let (part, whole) = text.split_once('/').unwrap_or_default();
    (part.parse().unwrap_or_default(), whole.parse().unwrap_or_default())
}

/// `3`, or `3 (5m ago)`.
fn leading_number(text: &str) -> u32 {
    text.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or_default()
}

impl Cluster {
    /// The pods of the scope that the label selector (empty: all) chooses.
    ///
    /// # Errors
    /// Not allowed in the scope; of all namespaces only where none is allowed.
    pub async fn pods(&self, scope: Scope, selector: &str) -> Result<Scoped<PodRow>> {
        let asked = Asked::list(&PODS, scope, "list pods")
            .accept(TABLE)
            .query("includeObject", "Metadata")
            .labels(selector);
        self.scoped(&asked).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_without_pods_has_null_for_its_rows() {
        let mut all = Vec::new();
        let text = br#"{"kind":"Table","columnDefinitions":[
            {"name":"Ready"},{"name":"Status"},{"name":"Restarts"}],"rows":null}"#;
        PodRow::read(text, &mut all).unwrap();
        assert_eq!(all, []);
    }

    #[test]
    fn cells_are_found_by_their_columns_names() {
        let text = serde_json::json!({"kind": "Table",
            "columnDefinitions": [{"name": "Name"}, {"name": "Status"}, {"name": "Ready"},
                {"name": "Restarts"}],
            "rows": [
                {"cells": ["a", "Running", "1/2", "3 (5m ago)"], "object": {"metadata":
                    {"name": "a", "namespace": "n", "creationTimestamp": "2030-01-02T03:04:05Z",
                     "deletionTimestamp": "2030-01-02T03:05:05Z", "managedFields": [{"f": {}}]}}},
                {"cells": ["b", "Pending", "0/1", 7], "object": {"metadata": {"name": "b"}}},
            ],
        });
        let mut all = Vec::new();
        PodRow::read(text.to_string().as_bytes(), &mut all).unwrap();
        assert_eq!((all[0].ready, all[0].restarts, all[0].deleting), ((1, 2), 3, true));
        assert_eq!(all[0].created.to_string(), "2030-01-02T03:04:05Z");
        assert_eq!((all[1].status.as_str(), all[1].restarts), ("Pending", 7));
    }

    #[test]
    fn a_list_that_is_no_table_is_refused() {
        let mut all: Vec<PodRow> = Vec::new();
        for list in [
            r#"{"kind":"PodList","items":[]}"#,
            r#"{"kind":"Table","columnDefinitions":[{"name":"Name"}],"rows":[{"cells":[],"object":
                {"metadata":{"name":"p"}}}]}"#,
        ] {
            let read = PodRow::read(list.as_bytes(), &mut all);
            assert!(matches!(read, Err(Failure::Garbage(_))), "{list}");
        }
    }
}
