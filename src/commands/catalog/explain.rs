//! One class in full: plans, parameters, what they mean together, details (interface §3).

use crate::domain::class::{Change, Class, Sharing};
use crate::domain::connection::sensitive_names;
use crate::domain::parameter::{EffectiveParameter, advanced_note, plan_note, when_note};
use crate::domain::template::Context as TemplateContext;
use crate::ops::catalog::{Entry, Status};
use crate::output::{Caller, Page, Pairs, Table};

/// The whole page of a class.
pub fn text(entry: &Entry, page: &Page, caller: &Caller) -> String {
    let Some(class) = &entry.class else { return page.prose(&unreadable(entry), "") + "\n" };
    let mut parts = vec![page.prose(&head(entry, class), "") + "\n"];
    if let Some(description) = &class.spec.description {
        parts.push(format!("{}\n", page.prose(description.trim_end(), "")));
    }
    if class.spec.sharing == Sharing::Shared {
        let name = &entry.name;
        let shared = "Shared: it runs already; get credentials with: svc bind";
        parts.push(caller.text(&format!("{shared} {name} api\n")));
    } else {
        parts.extend(plan_table(class, page));
        parts.extend(parameter_table(class, page));
        parts.extend(notes(class).map(|text| page.prose(&text, "  ") + "\n"));
    }
    parts.push(details(class, page));
    parts.join("\n")
}

fn unreadable(entry: &Entry) -> String {
    let reason = entry.broken.as_deref().unwrap_or_default();
    let summary = entry.summary.as_deref().unwrap_or_default();
    format!("{} (broken: {reason})\n{summary}", entry.name)
}

fn head(entry: &Entry, class: &Class) -> String {
    let title = class.spec.display_name.as_deref().unwrap_or_default();
    let title = if title.is_empty() { String::new() } else { format!("  {title}") };
    let sharing = match class.spec.sharing {
        Sharing::Dedicated => "dedicated",
        Sharing::Shared => "shared",
    };
    let status = match (&entry.broken, &class.spec.deprecated) {
        (Some(reason), _) => format!("broken: {reason}"),
        (None, Some(deprecated)) if entry.status == Status::Deprecated => {
            format!("deprecated: {}, {sharing}", deprecated.advice())
        }
        (None, Some(deprecated)) => {
            format!("{}, deprecated: {}, {sharing}", entry.status.word(), deprecated.advice())
        }
        (None, None) if entry.status == Status::Shared => sharing.to_owned(),
        (None, None) => format!("{}, {sharing}", entry.status.word()),
    };
    format!("{}{title} ({status})\n{}", entry.name, class.spec.summary)
}

fn plan_table(class: &Class, page: &Page) -> Option<String> {
    let default = crate::domain::plan::choose(&class.spec, None).ok().flatten();
    let longest = class.spec.plans.iter().map(|plan| plan.name.len()).max().unwrap_or_default();
    let mut table = Table::new(["PLAN", "SUMMARY"]);
    for plan in &class.spec.plans {
        let mark = if default.is_some_and(|default| default.name == plan.name) { " *" } else { "" };
        let marked = format!("{}{mark}", plan.name);
        let width = longest + " *".len();
        table.row([format!("{marked:<width$}"), plan.summary.clone().unwrap_or_default()]);
    }
    (!table.is_empty()).then(|| table.render(page))
}

fn parameter_table(class: &Class, page: &Page) -> Option<String> {
    let mut table = Table::new(["PARAMETER", "TYPE", "DEFAULT", "ALLOWED", "MEANING"]);
    for parameter in parameters(class) {
        let mark = if parameter.change == Change::Never { " !" } else { "" };
        table.row([
            format!("{}{mark}", parameter.name),
            parameter.type_word().to_owned(),
            parameter.default_text(),
            parameter.allowed_text(),
            parameter.meaning().to_owned(),
        ]);
    }
    (!table.is_empty()).then(|| table.render(page))
}

/// The parameters without a plan.
fn parameters(class: &Class) -> Vec<EffectiveParameter> {
    EffectiveParameter::all(&class.spec, None).unwrap_or_default()
}

/// What the tables do not say: legend, plans that narrow, conditions, advanced ones.
fn notes(class: &Class) -> Option<String> {
    let parameters = parameters(class);
    let mut lines = Vec::new();
    let default = if class.spec.plans.is_empty() { "" } else { "* default" };
    let fixed = parameters.iter().any(|parameter| parameter.change == Change::Never);
    let fixed = if fixed { "! cannot change after create" } else { "" };
    let legend: Vec<&str> = [default, fixed].into_iter().filter(|text| !text.is_empty()).collect();
    if !legend.is_empty() {
        lines.push(legend.join("    "));
    }
    for plan in &class.spec.plans {
        let narrowed = plan.parameters.iter().filter_map(|narrower| {
            let known = class.spec.parameters.iter().find(|known| known.name == narrower.name)?;
            let bare = EffectiveParameter::new(known, None).ok()?;
            plan_note(&bare, &EffectiveParameter::new(known, Some(plan)).ok()?)
        });
        lines.extend(narrowed);
    }
    lines.extend(parameters.iter().filter_map(when_note));
    lines.extend(parameters.iter().filter_map(advanced_note));
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn details(class: &Class, page: &Page) -> String {
    let connection = &class.spec.connection;
    let sensitive = sensitive_names(connection, &TemplateContext::default());
    let marked = connection.details.iter().map(|detail| {
        let mark = if sensitive.contains(detail.name.as_str()) { "*" } else { "" };
        format!("{}{mark}", detail.name)
    });
    let names = marked.collect::<Vec<_>>().join(" ");
    let legend = if sensitive.is_empty() { "" } else { "   (* sensitive)" };
    let mut pairs = Pairs::prose();
    pairs.row("Details", format!("{names}{legend}"));
    if let Some(url) = &class.spec.documentation_url {
        pairs.row("Docs", url.trim_start_matches("https://"));
    }
    pairs.render(page)
}

/// Name and version of the chart.
pub fn chart(entry: &Entry) -> Option<String> {
    let (name, version) = entry.class.as_ref()?.spec.chart.as_ref()?.name_and_version()?;
    Some(format!("{name} {version}"))
}
