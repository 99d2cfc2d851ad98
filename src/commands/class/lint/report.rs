//! The findings, a line each, as editors and CI systems know them: `file:line: error: …`.

use serde::Serialize;

use super::Checked;
use crate::commands::report::API_VERSION;
use crate::domain::lint::{Finding, Severity};
use crate::output::{Page, Report};

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LintReport {
    api_version: &'static str,
    kind: &'static str,
    items: Vec<Item>,
    #[serde(skip)]
    classes: Vec<String>,
}

/// One finding. `file` and `line` are `null` for a class of the cluster.
#[derive(Debug, Serialize)]
struct Item {
    class: String,
    file: Option<String>,
    line: Option<usize>,
    severity: &'static str,
    field: String,
    place: String,
    message: String,
}

impl LintReport {
    pub(super) fn new(checked: &[Checked]) -> Self {
        let items = checked.iter().flat_map(|one| {
            one.findings.iter().map(|(line, finding)| Item::new(one, *line, finding))
        });
        Self {
            api_version: API_VERSION,
            kind: "Lint",
            items: items.collect(),
            classes: checked.iter().map(|one| one.class.clone()).collect(),
        }
    }
}

impl Item {
    fn new(checked: &Checked, line: Option<usize>, finding: &Finding) -> Self {
        Self {
            class: checked.class.clone(),
            file: checked.file.clone(),
            line,
            severity: match finding.severity {
                Severity::Broken => "error",
                Severity::Warning => "warning",
            },
            field: finding.place.field.clone(),
            place: finding.place.to_string(),
            message: finding.problem.clone(),
        }
    }

    fn text(&self) -> String {
        let place = match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            (Some(file), None) => file.clone(),
            (None, _) => self.class.clone(),
        };
        format!("{place}: {}: {}: {}", self.severity, self.place, self.message)
    }
}

impl Report for LintReport {
    fn text(&self, page: &Page) -> String {
        self.items.iter().map(|item| page.lines(&item.text()) + "\n").collect()
    }

    fn names(&self) -> Vec<String> {
        self.classes.clone()
    }
}
