//! From what a class says and what the cluster holds to the details of an instance.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::detail::{DetailState, Details, EvaluatedDetail, Known};
use super::source::{Lack, SourceState, Sources};
use crate::domain::class::{Connection, Detail, From, Source, SourceKind};
use crate::domain::template::{self, Context, mentions, render_tracked};

/// The name of a detail inside templates: `-` and `.` cannot stand in a name there.
pub(crate) fn template_name(detail: &str) -> String {
    detail.replace(['-', '.'], "_")
}

/// Evaluates the details in order. Each template sees the details above it; `replaced` gives
/// details another value, as a tunnel does with host and port.
///
/// `mask` stands in the masked form for everything sensitive: one of [`MASKS`].
///
/// [`MASKS`]: crate::domain::template::MASKS
pub fn evaluate(
    connection: &Connection,
    context: &Context,
    sources: &Sources,
    replaced: &BTreeMap<String, String>,
    mask: &str,
) -> Details {
    let sensitive = sensitive_names(connection, context);
    let mut evaluation =
        Evaluation { context: context.clone(), sources, mask, lacks: BTreeMap::new() };
    let mut details = Vec::with_capacity(connection.details.len());
    for detail in &connection.details {
        let stated = sensitive.contains(detail.name.as_str());
        let (state, tainted) = match replaced.get(&detail.name) {
            Some(value) => (known(value.clone().into_bytes(), value.clone()), false),
            None => evaluation.state(connection, detail, stated),
        };
        let sensitive = stated || (tainted && detail.sensitive.is_none());
        let state = if sensitive { hide(state, mask) } else { state };
        evaluation.remember(detail, &state, sensitive || tainted);
        details.push(EvaluatedDetail { name: detail.name.clone(), sensitive, state });
    }
    Details(details)
}

struct Evaluation<'a> {
    /// Grows with each detail.
    context: Context,
    sources: &'a Sources,
    mask: &'a str,
    /// The details above that have no value, by their name in templates.
    lacks: BTreeMap<String, DetailState>,
}

impl Evaluation<'_> {
    /// The state of a detail, and whether a sensitive value went into it.
    fn state(
        &self,
        connection: &Connection,
        detail: &Detail,
        sensitive: bool,
    ) -> (DetailState, bool) {
        match (&detail.value, &detail.from) {
            (Some(template), None) => self.render(template, detail.optional),
            (None, Some(place)) => {
                let source = connection.sources.iter().find(|source| source.name == place.source);
                (self.read(source, place, detail.optional, sensitive), false)
            }
            _ => (DetailState::Broken("needs exactly one of value and from".to_owned()), false),
        }
    }

    fn render(&self, template: &str, optional: bool) -> (DetailState, bool) {
        let missing = mentions(template).into_iter().find_map(|path| self.lacks.get(&path[0]));
        if let Some(state) = missing
            && !matches!(state, DetailState::Absent)
        {
            return (state.clone(), false);
        }
        let masked = template::render(template, &self.context.masked(self.mask));
        match (render_tracked(template, &self.context), masked) {
            (Ok(plain), Ok(masked)) => (known(plain.text.into_bytes(), masked), plain.sensitive),
            // The mask is no number, say: all of the value is hidden then.
            (Ok(plain), Err(_)) => (known(plain.text.into_bytes(), self.mask), true),
            (Err(_), _) if optional && missing.is_some() => (DetailState::Absent, false),
            (Err(error), _) => (DetailState::Broken(error.reason), false),
        }
    }

    fn read(
        &self,
        source: Option<&Source>,
        place: &From,
        optional: bool,
        sensitive: bool,
    ) -> DetailState {
        let here = match self.sources.get(&place.source).unwrap_or(&SourceState::NotAsked) {
            SourceState::Here(found) => found,
            state => return without(state, source, place, optional),
        };
        match here.read(place) {
            Some(value) if sensitive => known(value, self.mask),
            Some(value) => {
                let shown = Known::new(value.clone(), "").shown();
                known(value, shown)
            }
            None if optional => DetailState::Absent,
            None => DetailState::NotThereYet(Lack::new(
                &here.object,
                format!("{} has no {}", here.object, place_name(place)),
            )),
        }
    }

    fn remember(&mut self, detail: &Detail, state: &DetailState, sensitive: bool) {
        let name = template_name(&detail.name);
        let lack = match state {
            DetailState::Known(value) => match value.reveal_text() {
                Some(text) => {
                    self.context.set(&name, Json::String(text.to_owned()));
                    None
                }
                None => Some(self.not_text(detail)),
            },
            other => Some(other.clone()),
        };
        if let Some(lack) = lack {
            self.context.unset(&name);
            self.lacks.insert(name, lack);
            return;
        }
        if sensitive {
            self.context.mark(&name);
        }
    }

    /// What is said of a detail above whose bytes are no text.
    fn not_text(&self, detail: &Detail) -> DetailState {
        let name = &detail.name;
        let source = detail.from.as_ref().and_then(|place| self.sources.get(&place.source));
        DetailState::NotText(match source {
            Some(SourceState::Here(found)) => {
                Lack::new(&found.object, format!("{name} in {} is not text", found.object))
            }
            _ => Lack::new(name, format!("{name} is not text")),
        })
    }
}

/// A sensitive value that no mask changed hides as a whole.
fn hide(state: DetailState, mask: &str) -> DetailState {
    match state {
        DetailState::Known(value) if value.masked().as_bytes() == value.reveal() => {
            DetailState::Known(Known::new(value.reveal().to_vec(), mask))
        }
        other => other,
    }
}

fn known(value: Vec<u8>, masked: impl Into<String>) -> DetailState {
    DetailState::Known(Known::new(value, masked))
}

fn place_name(place: &From) -> String {
    match (&place.key, &place.path) {
        (Some(key), _) => format!("key {key}"),
        (None, Some(path)) => path.clone(),
        (None, None) => "place that the class names".to_owned(),
    }
}

/// The state of a detail whose source is not there.
fn without(
    state: &SourceState,
    source: Option<&Source>,
    place: &From,
    optional: bool,
) -> DetailState {
    let kind = match source.and_then(Source::kind) {
        Some(SourceKind::Secret(_)) => "Secret",
        Some(SourceKind::ConfigMap(_)) => "ConfigMap",
        Some(SourceKind::Service(_)) => "Service",
        Some(SourceKind::Object(object)) => &object.kind,
        None => return DetailState::Broken(format!("no source {}", place.source)),
    };
    match state {
        SourceState::Missing { .. } if optional => DetailState::Absent,
        SourceState::Missing { object, ever_here: true } => {
            DetailState::Gone(Lack::new(object, format!("{object} is gone")))
        }
        SourceState::Missing { object, ever_here: false } => {
            DetailState::NotThereYet(Lack::new(object, format!("{object} does not exist")))
        }
        SourceState::Forbidden { object, verb } => DetailState::Forbidden(Lack {
            verb: Some(verb.clone()),
            ..Lack::new(object, format!("not allowed to read {object}"))
        }),
        SourceState::Ambiguous { selector, names } => DetailState::NotThereYet(Lack::new(
            format!("{kind} {selector}"),
            format!("{} match {selector}, where one must: {}", names.len(), names.join(", ")),
        )),
        SourceState::Here(_) | SourceState::NotAsked => DetailState::NotThereYet(Lack::new(
            format!("{kind} of source {}", place.source),
            format!("the {kind} of source {} was not read", place.source),
        )),
    }
}

/// The details that are sensitive by what the class says alone: from a Secret, or from a template
/// that mentions something sensitive, unless the class says otherwise.
pub fn sensitive_names<'a>(connection: &'a Connection, context: &Context) -> BTreeSet<&'a str> {
    let mut hidden: BTreeSet<Vec<String>> = context.sensitive_paths().clone();
    let mut names = BTreeSet::new();
    for detail in &connection.details {
        let inherits = is_tainted(connection, detail, &hidden);
        if inherits {
            hidden.insert(vec![template_name(&detail.name)]);
        }
        if detail.sensitive.unwrap_or(inherits) {
            names.insert(detail.name.as_str());
            hidden.insert(vec![template_name(&detail.name)]);
        }
    }
    names
}

fn is_tainted(connection: &Connection, detail: &Detail, hidden: &BTreeSet<Vec<String>>) -> bool {
    if let Some(template) = &detail.value {
        return mentions(template).iter().any(|path| {
            hidden.iter().any(|hidden| path.starts_with(hidden) || hidden.starts_with(path))
        });
    }
    let Some(place) = &detail.from else { return false };
    let source = connection.sources.iter().find(|source| source.name == place.source);
    // What comes from a Secret is sensitive until the class says it is not.
    detail.sensitive != Some(false)
        && matches!(source.and_then(Source::kind), Some(SourceKind::Secret(_)))
}

#[cfg(test)]
mod tests;
