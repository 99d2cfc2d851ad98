//! `svc list`: what there is and how it is.

use serde::Serialize;

use super::report::class::ChartItem;
use super::report::instance::{InstanceList, Listed as ListedItem, Skipped};
use super::selector;
use crate::cli::List;
use crate::cluster::Scope;
use crate::context::Context;
use crate::domain::instance::{Revision, State};
use crate::domain::suggest::nearest;
use crate::error::{Error, Result};
use crate::ops::list::{Filter, Listed, Listing, list};
use crate::output::{Caller, Format, Page, Report, Table};

/// Lists instances.
///
/// # Errors
/// Wrong filters, and what keeps an answer away.
pub async fn run(args: &List, context: &Context) -> Result<u8> {
    let filter = filter(args)?;
    let cluster = context.cluster()?;
    let scope = match args.all_namespaces {
        true => Scope::All,
        false => Scope::namespace(&cluster.namespace),
    };
    let machine = context.machine();
    let locked = |one: &Revision| context.is_locked(&one.namespace, &one.name);
    let observer = context.observer(&machine);
    let listing = list(cluster, scope, &filter, (&observer, &locked)).await?;
    let format = args.output.map_or(Format::Table, Format::from);
    let machine_format = matches!(format, Format::Json | Format::Yaml | Format::Name);
    if listing.items.is_empty() && !args.all_namespaces {
        must_exist(context).await?;
    }
    if !machine_format || !listing.items.is_empty() {
        notes(&listing, context);
    }
    unknown_classes(&filter, &listing, context).await?;
    let report = ListReport::new(listing, args.all_namespaces, &|namespace| {
        caller_in(namespace, &cluster.namespace, context.face.caller())
    });
    if report.rows.is_empty() && !machine_format {
        nothing(args, context)?;
        return Ok(0);
    }
    context.face.report(&report, format).map(|()| 0)
}

fn filter(args: &List) -> Result<Filter> {
    let states = args.state.iter().map(|word| state(word)).collect::<Result<_>>()?;
    Ok(Filter {
        selector: selector(args.selector.as_deref(), "list")?,
        classes: args.class.clone(),
        states,
        outdated: args.outdated,
    })
}

fn state(word: &str) -> Result<State> {
    State::ALL.into_iter().find(|state| state.word() == word).ok_or_else(|| {
        let words = State::ALL.map(State::word);
        let error = Error::usage(format!("\"{word}\" is not one of {}", words.join(", ")));
        match nearest(word, words) {
            Some(near) => error.try_(format!("list --state {near}")),
            None => error.try_for("list", "in any state"),
        }
    })
}

/// An empty list is also what the API answers for a namespace that does not exist.
async fn must_exist(context: &Context) -> Result<()> {
    let cluster = context.cluster()?;
    match cluster.namespace_state(&cluster.namespace).await {
        Ok(crate::cluster::Found::Missing) => Err(cluster.no_namespace(&cluster.namespace)),
        _ => Ok(()),
    }
}

fn nothing(args: &List, context: &Context) -> Result<()> {
    let cluster = context.cluster()?;
    let filtered = args.selector.is_some()
        || args.outdated
        || !args.class.is_empty()
        || !args.state.is_empty();
    let what = if filtered { "no such instances" } else { "no instances" };
    let place = match args.all_namespaces {
        true => format!("in context {}", cluster.target.context),
        false => format!("in namespace {}, context {}", cluster.namespace, cluster.target.context),
    };
    context.face.echo(&format!("{what} {place}"));
    let command = match (filtered, args.all_namespaces) {
        (true, true) => "list -A",
        (true, false) => "list",
        (false, _) => "catalog",
    };
    context.face.next(&[crate::error::Try { command: command.to_owned(), explanation: None }]);
    Ok(())
}

fn notes(listing: &Listing, context: &Context) {
    if let Some(reason) = &listing.pods_unknown {
        context.face.note(&format!("states are helm's alone: {reason}"));
    }
    if listing.skipped.is_empty() {
        return;
    }
    let names: Vec<&str> = listing.skipped.iter().map(|one| one.namespace.as_str()).collect();
    context.face.note(&format!(
        "{} of {} namespaces were skipped: not allowed to list secrets in {}",
        names.len(),
        listing.namespaces,
        names.join(", ")
    ));
}

/// Says of classes to filter by that there are none; where they cannot be read, nothing.
async fn unknown_classes(filter: &Filter, listing: &Listing, context: &Context) -> Result<()> {
    let cluster = context.cluster()?;
    let listed = |name: &str| listing.items.iter().any(|row| row.class.as_deref() == Some(name));
    for name in filter.classes.iter().filter(|name| !listed(name)) {
        if let Ok(crate::cluster::Found::Missing) = cluster.class(name).await {
            let place = &cluster.target.context;
            context.face.note(&format!("there is no class {name} in context {place}"));
        }
    }
    Ok(())
}

/// What is printed.
#[derive(Debug, Serialize)]
struct ListReport {
    #[serde(flatten)]
    list: InstanceList,
    #[serde(skip)]
    rows: Vec<Listed>,
    #[serde(skip)]
    all_namespaces: bool,
}

impl ListReport {
    /// `caller` writes the commands in the notes of a namespace's instances.
    fn new(listing: Listing, all_namespaces: bool, caller: &dyn Fn(&str) -> Caller) -> Self {
        let items = listing.items.iter().map(item).collect();
        let mut rows = listing.items;
        for row in &mut rows {
            row.note = row.note.take().map(|note| caller(&row.newest.namespace).text(&note));
        }
        let skipped = listing.skipped.into_iter();
        let skipped = skipped.map(|one| Skipped { namespace: one.namespace, reason: one.reason });
        Self { list: InstanceList::of(items, skipped.collect()), rows, all_namespaces }
    }
}

/// A command about what lies in another namespace than this call's must name it.
fn caller_in(namespace: &str, here: &str, caller: &Caller) -> Caller {
    if namespace == here { caller.clone() } else { caller.in_namespace(namespace) }
}

fn item(listed: &Listed) -> ListedItem {
    let newest = &listed.newest;
    let chart = listed.chart.clone();
    ListedItem {
        name: newest.name.clone(),
        namespace: newest.namespace.clone(),
        class: listed.class.clone(),
        plan: listed.plan.clone(),
        state: listed.state,
        note: listed.note.clone(),
        outdated: listed.outdated,
        revision: newest.number,
        chart: chart.map(|(name, version)| ChartItem { name, version }),
        created_at: listed.created.map(|time| time.to_string()),
        updated_at: newest.created.to_string(),
    }
}

impl Report for ListReport {
    fn text(&self, page: &Page) -> String {
        let mut table = Table::of(self.heads(&["CLASS", "PLAN", "STATE", "AGE", "NOTE"]));
        for row in &self.rows {
            table.cells(self.cells(row, [note(row)]));
        }
        table.render(page)
    }

    fn wide(&self, page: &Page) -> String {
        let heads = self.heads(&["CLASS", "PLAN", "STATE", "AGE", "REVISION", "CHART"]);
        let mut table = Table::of(heads);
        for row in &self.rows {
            let chart = row.chart.as_ref().map(|(name, version)| format!("{name} {version}"));
            let revision = row.newest.number.to_string();
            table.cells(self.cells(row, [revision, chart.unwrap_or_else(|| "-".to_owned())]));
        }
        table.render(page)
    }

    fn names(&self) -> Vec<String> {
        let name = |row: &Listed| match self.all_namespaces {
            true => format!("{} {}", row.newest.namespace, row.newest.name),
            false => row.newest.name.clone(),
        };
        self.rows.iter().map(name).collect()
    }
}

impl ListReport {
    fn heads(&self, heads: &[&'static str]) -> Vec<&'static str> {
        let namespace = self.all_namespaces.then_some("NAMESPACE");
        namespace.into_iter().chain(["NAME"]).chain(heads.iter().copied()).collect()
    }

    fn cells<const N: usize>(&self, row: &Listed, last: [String; N]) -> Vec<String> {
        let or_dash = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
        let namespace = self.all_namespaces.then(|| row.newest.namespace.clone());
        let fixed = [
            row.newest.name.clone(),
            or_dash(&row.class),
            or_dash(&row.plan),
            row.state.word().to_owned(),
            or_dash(&row.age),
        ];
        namespace.into_iter().chain(fixed).chain(last).collect()
    }
}

fn note(row: &Listed) -> String {
    row.note.clone().unwrap_or_default()
}
