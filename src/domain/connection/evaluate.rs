//! From what a class says and what the cluster holds to the details of an instance.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::detail::{DetailState, Details, EvaluatedDetail, Known};
use super::source::{Lack, SourceState, Sources};
use crate::domain::class::{Connection, Detail, From, Source, SourceKind};
use crate::domain::template::{Context, mentions, render, render_tracked};

/// The name of a detail inside templates: `-` and `.` cannot stand in a name there.
pub(super) fn template_name(detail: &str) -> String {
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
        evaluation.remember(&detail.name, &state, sensitive || tainted);
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
            (Some(template), None) => self.from_template(template, detail.optional),
            (None, Some(place)) => {
                let source = connection.sources.iter().find(|source| source.name == place.source);
                (self.from_source(source, place, detail.optional, sensitive), false)
            }
            _ => (DetailState::Broken("needs exactly one of value and from".to_owned()), false),
        }
    }

    fn from_template(&self, template: &str, optional: bool) -> (DetailState, bool) {
        let missing = mentions(template).into_iter().find_map(|path| self.lacks.get(&path[0]));
        if let Some(state) = missing
            && !matches!(state, DetailState::Absent)
        {
            return (state.clone(), false);
        }
        let masked = render(template, &self.context.masked(self.mask));
        match (render_tracked(template, &self.context), masked) {
            (Ok(plain), Ok(masked)) => (known(plain.text.into_bytes(), masked), plain.sensitive),
            // The mask is no number, say: all of the value is hidden then.
            (Ok(plain), Err(_)) => (known(plain.text.into_bytes(), self.mask), true),
            (Err(_), _) if optional && missing.is_some() => (DetailState::Absent, false),
            (Err(error), _) => (DetailState::Broken(error.reason), false),
        }
    }

    fn from_source(
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
                let shown = String::from_utf8_lossy(&value).into_owned();
                known(value, shown)
            }
            None if optional => DetailState::Absent,
            None => DetailState::NotThereYet(Lack::new(
                &here.object,
                format!("{} has no {}", here.object, place_name(place)),
            )),
        }
    }

    fn remember(&mut self, name: &str, state: &DetailState, sensitive: bool) {
        let name = template_name(name);
        let lack = match state {
            DetailState::Known(value) => match value.reveal_text() {
                Some(text) => {
                    self.context.set(&name, Json::String(text.to_owned()));
                    None
                }
                None => Some(DetailState::Broken(format!("{name} is not text"))),
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
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::connection::{Content, Found};
    use crate::domain::template::MASKS;

    const PASSWORD: &str = "p@ss/w\"'$ rd";

    fn connection() -> Connection {
        serde_json::from_value(json!({
            "sources": [{"name": "auth", "secret": {"name": "{{ fullname }}", "keys": ["password"]}}],
            "details": [
                {"name": "host", "value": "{{ fullname }}.{{ release.namespace }}.svc"},
                {"name": "port", "value": "5432"},
                {"name": "username", "from": {"source": "auth", "key": "user"}, "sensitive": false},
                {"name": "password", "from": {"source": "auth", "key": "password"}},
                {"name": "ca.crt", "from": {"source": "auth", "key": "ca"}, "optional": true},
                {"name": "uri",
                 "value": "pg://{{ username | uri }}:{{ password | uri }}@{{ host }}:{{ port }}/app"},
                {"name": "jdbc", "value": "jdbc:{{ uri }}"}
            ]
        }))
        .unwrap()
    }

    fn context() -> Context {
        Context::new("mydb", "team-a", "postgresql", "mydb-postgresql")
    }

    fn here(keys: &[(&str, &[u8])]) -> Sources {
        let keys = keys.iter().map(|(key, value)| ((*key).to_owned(), value.to_vec())).collect();
        let found =
            Found { object: "Secret mydb-postgresql".to_owned(), content: Content::Keys(keys) };
        Sources::from([("auth".to_owned(), SourceState::Here(found))])
    }

    fn evaluated(sources: &Sources) -> Details {
        evaluate(&connection(), &context(), sources, &BTreeMap::new(), MASKS[0])
    }

    fn text(details: &Details, name: &str) -> String {
        details.get(name).unwrap().known().unwrap().reveal_text().unwrap().to_owned()
    }

    fn masked(details: &Details, name: &str) -> String {
        details.get(name).unwrap().known().unwrap().masked().to_owned()
    }

    #[test]
    fn values_come_through_and_masks_hide_them() {
        let details = evaluated(&here(&[("user", b"app"), ("password", PASSWORD.as_bytes())]));
        assert_eq!(text(&details, "password"), PASSWORD);
        assert_eq!(
            text(&details, "uri"),
            "pg://app:p%40ss%2Fw%22%27%24%20rd@mydb-postgresql.team-a.svc:5432/app"
        );
        assert_eq!(masked(&details, "password"), "••••••••");
        assert_eq!(
            masked(&details, "uri"),
            "pg://app:••••••••@mydb-postgresql.team-a.svc:5432/app"
        );
        assert_eq!(masked(&details, "jdbc"), "jdbc:••••••••");
        let sensitive: Vec<_> =
            details.0.iter().filter(|d| d.sensitive).map(|d| d.name.as_str()).collect();
        assert_eq!(sensitive, ["password", "ca.crt", "uri", "jdbc"]);
        assert!(matches!(details.get("ca.crt").unwrap().state, DetailState::Absent));
        assert!(details.complete());
    }

    #[test]
    fn sensitive_names_are_known_without_a_cluster() {
        let connection = connection();
        let names: Vec<_> = sensitive_names(&connection, &context()).into_iter().collect();
        assert_eq!(names, ["ca.crt", "jdbc", "password", "uri"]);
    }

    #[test]
    fn what_is_missing_is_missing_below_too() {
        let object = "Secret mydb-postgresql".to_owned();
        let state = |ever_here| {
            let missing = SourceState::Missing { object: object.clone(), ever_here };
            evaluated(&Sources::from([("auth".to_owned(), missing)]))
        };
        let starting = state(false);
        let DetailState::NotThereYet(lack) = &starting.get("uri").unwrap().state else { panic!() };
        assert_eq!(lack.says, "Secret mydb-postgresql does not exist");
        assert_eq!(starting.get("uri").unwrap().placeholder().unwrap(), "(not there yet)");
        assert!(starting.get("uri").unwrap().sensitive, "known from the class");
        assert_eq!(text(&starting, "host"), "mydb-postgresql.team-a.svc");
        assert_eq!(state(true).get("jdbc").unwrap().placeholder().unwrap(), "(Secret is gone)");
        assert!(!starting.complete());
    }

    #[test]
    fn a_missing_key_is_named() {
        let details = evaluated(&here(&[("user", b"app")]));
        let DetailState::NotThereYet(lack) = &details.get("password").unwrap().state else {
            panic!()
        };
        assert_eq!(lack.says, "Secret mydb-postgresql has no key password");
    }

    #[test]
    fn forbidden_and_ambiguous_say_so() {
        let forbidden = SourceState::Forbidden {
            object: "Secret mydb-postgresql".to_owned(),
            verb: "get secrets".to_owned(),
        };
        let details = evaluated(&Sources::from([("auth".to_owned(), forbidden)]));
        let DetailState::Forbidden(lack) = &details.get("uri").unwrap().state else { panic!() };
        assert_eq!(lack.verb.as_deref(), Some("get secrets"));
        let names = vec!["a".to_owned(), "b".to_owned()];
        let ambiguous = SourceState::Ambiguous { selector: "app=x".to_owned(), names };
        let details = evaluated(&Sources::from([("auth".to_owned(), ambiguous)]));
        let DetailState::NotThereYet(lack) = &details.get("uri").unwrap().state else { panic!() };
        assert_eq!(lack.says, "2 match app=x, where one must: a, b");
    }

    #[test]
    fn bytes_that_are_no_text_stay_bytes() {
        let details =
            evaluated(&here(&[("user", b"app"), ("password", &[0xff, 0x00]), ("ca", b"c")]));
        let password = details.get("password").unwrap().known().unwrap();
        assert_eq!(password.reveal(), [0xff, 0x00]);
        assert!(matches!(&details.get("uri").unwrap().state,
            DetailState::Broken(reason) if reason == "password is not text"));
    }

    #[test]
    fn a_tunnel_replaces_host_and_port() {
        let replaced = BTreeMap::from([
            ("host".to_owned(), "127.0.0.1".to_owned()),
            ("port".to_owned(), "49731".to_owned()),
        ]);
        let sources = here(&[("user", b"app"), ("password", b"x")]);
        let details = evaluate(&connection(), &context(), &sources, &replaced, MASKS[1]);
        assert_eq!(masked(&details, "uri"), "pg://app:********@127.0.0.1:49731/app");
    }

    #[test]
    fn what_the_class_calls_sensitive_is_hidden_whole() {
        let connection: Connection = serde_json::from_value(json!({"details": [
            {"name": "token", "value": "abc", "sensitive": true},
            {"name": "has", "value": "{% if token %}yes{% endif %}"},
            {"name": "open", "value": "{{ token }}!", "sensitive": false},
            {"name": "below", "value": "{{ open }}"}
        ]}))
        .unwrap();
        let details =
            evaluate(&connection, &context(), &Sources::new(), &BTreeMap::new(), MASKS[0]);
        assert_eq!(masked(&details, "token"), MASKS[0]);
        assert_eq!(masked(&details, "has"), MASKS[0]);
        assert_eq!(masked(&details, "open"), "••••••••!");
        assert!(!details.get("open").unwrap().sensitive);
        assert!(details.get("below").unwrap().sensitive, "it may hold the token");
    }

    #[test]
    fn sensitive_parameters_hide_too() {
        let connection: Connection = serde_json::from_value(json!({"details": [
            {"name": "a", "value": "{{ params['admin-password'] }}"},
            {"name": "b", "value": "{{ values.auth.password }}"}
        ]}))
        .unwrap();
        let values = json!({"auth": {"password": "hunter2"}});
        let context = context()
            .with_params(json!({"admin-password": "hunter2"}).as_object().unwrap().clone())
            .with_values(values.as_object().unwrap().clone())
            .sensitive(["params", "admin-password"])
            .sensitive(["values", "auth", "password"]);
        let details = evaluate(&connection, &context, &Sources::new(), &BTreeMap::new(), MASKS[0]);
        assert!(details.0.iter().all(|detail| detail.sensitive));
        assert_eq!(masked(&details, "b"), MASKS[0]);
        assert!(!format!("{details:?}").contains("hunter2"));
    }
}
