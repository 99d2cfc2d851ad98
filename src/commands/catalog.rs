//! `svc catalog [CLASS]`: what can be had, or one class explained.

mod explain;

use serde::{Serialize, Serializer};

use super::report::class::{ClassList, OneClass};
use super::selector;
use crate::cli::Catalog;
use crate::context::Context;
use crate::domain::class::Deprecated;
use crate::error::{Result, Try};
use crate::ops::catalog::{Entry, Filter, Status, list, one};
use crate::output::{Caller, Format, Page, Report, Table};

/// Lists the catalog or explains a class.
///
/// # Errors
/// No such class, no catalog, and what keeps an answer away.
pub async fn run(args: &Catalog, context: &Context) -> Result<u8> {
    let format = args.output.map_or(Format::Table, Format::from);
    match &args.class {
        Some(name) => explain_one(name, format, context).await,
        None => list_all(args, format, context).await,
    }
}

async fn explain_one(name: &str, format: Format, context: &Context) -> Result<u8> {
    let entry = one(context.cluster()?, name).await?;
    let creatable = matches!(entry.status, Status::Available | Status::Deprecated);
    let name = entry.name.clone();
    let caller = context.face.caller().clone();
    context.face.report(&ClassReport { item: OneClass::of(&entry), entry, caller }, format)?;
    if format == Format::Table && creatable {
        context.face.hint("");
        let command = format!("create mydb --class {name}");
        context.face.next_below(&[Try { command, explanation: None }]);
    }
    Ok(0)
}

async fn list_all(args: &Catalog, format: Format, context: &Context) -> Result<u8> {
    let selector = selector(args.selector.as_deref(), "catalog")?;
    let filter = Filter { selector, tags: args.tag.clone() };
    let cluster = context.cluster()?;
    let entries = list(cluster, &filter).await?;
    let for_people = matches!(format, Format::Table | Format::Wide);
    if entries.is_empty() && for_people {
        return Ok(nothing(&filter, &cluster.target.context, context));
    }
    let report = CatalogReport { entries };
    context.face.report(&report, format)?;
    if for_people {
        after(&report.entries, context);
    }
    Ok(0)
}

fn nothing(filter: &Filter, cluster: &str, context: &Context) -> u8 {
    let filtered = !filter.selector.is_empty() || !filter.tags.is_empty();
    let what = if filtered { "no such classes" } else { "no classes" };
    context.face.echo(&format!("{what} in the catalog of context {cluster}"));
    if !filtered {
        context.face.echo("Operations teams publish the first one with: svc class init");
    }
    0
}

fn after(entries: &[Entry], context: &Context) {
    for entry in entries.iter().filter(|entry| entry.status == Status::Broken) {
        let name = &entry.name;
        context.face.note(&format!("{name} cannot be created until its class is repaired"));
    }
    context.face.next(&[Try { command: "catalog NAME".to_owned(), explanation: None }]);
}

#[derive(Debug)]
struct CatalogReport {
    entries: Vec<Entry>,
}

impl Serialize for CatalogReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        ClassList::of(&self.entries).serialize(serializer)
    }
}

impl Report for CatalogReport {
    fn text(&self, page: &Page) -> String {
        let mut table = Table::new(["NAME", "STATUS", "PLANS", "SUMMARY"]);
        for entry in &self.entries {
            table.row([&entry.name, entry.status.word(), &plans(entry), &summary(entry)]);
        }
        table.render(page)
    }

    fn wide(&self, page: &Page) -> String {
        let mut table = Table::new(["NAME", "STATUS", "PLANS", "CHART", "TAGS", "SUMMARY"]);
        for entry in &self.entries {
            let class = entry.class.as_ref();
            let tags = class.map(|class| class.spec.tags.join(", ")).unwrap_or_default();
            table.row([
                &entry.name,
                entry.status.word(),
                &plans(entry),
                &explain::chart(entry).unwrap_or_else(|| "-".to_owned()),
                &tags,
                &summary(entry),
            ]);
        }
        table.render(page)
    }

    fn names(&self) -> Vec<String> {
        self.entries.iter().map(|entry| entry.name.clone()).collect()
    }
}

fn plans(entry: &Entry) -> String {
    let usable = entry.class.as_ref().filter(|_| entry.status != Status::Broken);
    let plans = usable.map(|class| class.spec.plans.iter().map(|plan| plan.name.as_str()));
    let plans: Vec<&str> = plans.into_iter().flatten().collect();
    if plans.is_empty() { "-".to_owned() } else { plans.join(", ") }
}

/// The summary; of a deprecated class what to do, of a broken one why.
fn summary(entry: &Entry) -> String {
    if let Some(reason) = &entry.broken {
        return reason.clone();
    }
    let deprecated = entry.class.as_ref().and_then(|class| class.spec.deprecated.as_ref());
    deprecated.map(Deprecated::advice).or_else(|| entry.summary.clone()).unwrap_or_default()
}

#[derive(Debug, Serialize)]
struct ClassReport {
    #[serde(flatten)]
    item: OneClass,
    #[serde(skip)]
    entry: Entry,
    /// How the command in its text is written.
    #[serde(skip)]
    caller: Caller,
}

impl Report for ClassReport {
    fn text(&self, page: &Page) -> String {
        explain::text(&self.entry, page, &self.caller)
    }

    fn names(&self) -> Vec<String> {
        vec![self.entry.name.clone()]
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::ops::catalog::entry;

    #[test]
    fn a_replacement_is_named_although_the_class_is_closed() {
        let object = json!({"metadata": {"name": "mysql-8"}, "spec": {
            "summary": "MySQL", "availability": "NoNewInstances",
            "deprecated": {"message": "security fixes have ended", "replacement": "mysql-9"},
            "chart": {"oci": {"url": "oci://r.example/x", "version": "1.0.0"}},
            "connection": {"details": [{"name": "port", "value": "1"}]}}});
        let entry = entry(&object, None);
        assert_eq!(entry.status, Status::Closed);
        assert_eq!(summary(&entry), "use mysql-9: security fixes have ended");
        let page = explain::text(&entry, &Page::PLAIN, &Caller::new("svc"));
        let head =
            "mysql-8 (closed, deprecated: use mysql-9: security fixes have ended, dedicated)";
        assert!(page.starts_with(&format!("{head}\nMySQL\n")), "{page}");
    }
}
