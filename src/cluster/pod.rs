//! Pods as the server prints them: the words of the column STATUS are its own.

use super::answer::Failure;
use super::ask::{Asked, TABLE};
use super::kind::PODS;
use super::page::{ListMeta, Page};
use super::table::{Row, Table};
use super::{Cluster, Scope, Scoped};
use crate::domain::instance::PodRow;
use crate::error::Result;

impl Page for PodRow {
    fn read(bytes: &[u8], all: &mut Vec<Self>) -> Result<ListMeta, Failure> {
        let mut table = Table::read(bytes)?;
        let (rows, columns) = table.rows(["Ready", "Status", "Restarts"])?;
        all.extend(rows.into_iter().filter_map(|row| pod(row, columns)));
        Ok(table.metadata)
    }
}

fn pod(mut row: Row<'_>, [ready, status, restarts]: [usize; 3]) -> Option<PodRow> {
    let meta = row.object.take()?.metadata;
    Some(PodRow {
        ready: fraction(&row.text(ready)),
        status: row.text(status).into_owned(),
        restarts: leading_number(&row.text(restarts)),
        deleting: meta.deletion_timestamp.is_some(),
        created: meta.created(),
        namespace: meta.namespace.into_owned(),
        name: meta.name.into_owned(),
        labels: meta.labels,
    })
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
