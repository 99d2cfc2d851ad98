//! Which objects and keys must be read for a connection.

use std::collections::BTreeMap;
use std::fmt;

use crate::domain::class::{Connection, Source, SourceKind};
use crate::domain::selector;
use crate::domain::template::{Context, TemplateError, render};

/// One object to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceNeed {
    /// The source's name in the class.
    pub source: String,
    pub kind: ObjectKind,
    pub lookup: Lookup,
    /// Keys that must be there before the instance counts as ready.
    pub required: Vec<String>,
    /// Keys that are used when they are there.
    pub optional: Vec<String>,
    /// Paths of a Service or object that must have a value before the instance counts as ready.
    pub required_paths: Vec<String>,
}

/// The kind of an object to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    Secret,
    ConfigMap,
    Service,
    Other { api_version: String, kind: String },
}

/// How the object is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lookup {
    Name(String),
    /// A label selector that must match exactly one: `app=db,tier=main`.
    Selector(String),
}

/// What must be read, in the order of the class; the templates of names are rendered.
///
/// # Errors
/// The first template that gives nothing, with the source it belongs to.
pub fn sources_needed(
    connection: &Connection,
    context: &Context,
) -> Result<Vec<SourceNeed>, TemplateError> {
    let public = context.public();
    connection
        .sources
        .iter()
        .map(|source| need(source, connection, &public).map_err(|error| error.of(&source.name)))
        .collect()
}

fn need(
    source: &Source,
    connection: &Connection,
    context: &Context,
) -> Result<SourceNeed, TemplateError> {
    let (kind, lookup, keys) = match source.kind() {
        Some(SourceKind::Secret(secret)) => {
            let lookup = lookup(secret.name.as_deref(), secret.selector.as_ref(), context)?;
            (ObjectKind::Secret, lookup, secret.keys.as_slice())
        }
        Some(SourceKind::ConfigMap(map)) => {
            let lookup = lookup(map.name.as_deref(), map.selector.as_ref(), context)?;
            (ObjectKind::ConfigMap, lookup, map.keys.as_slice())
        }
        Some(SourceKind::Service(service)) => {
            (ObjectKind::Service, Lookup::Name(render(&service.name, context)?), [].as_slice())
        }
        Some(SourceKind::Object(object)) => {
            let kind = ObjectKind::Other {
                api_version: object.api_version.clone(),
                kind: object.kind.clone(),
            };
            (kind, Lookup::Name(render(&object.name, context)?), [].as_slice())
        }
        None => return Err(TemplateError::new("names no object")),
    };
    let (required, optional) = keys_used(source, keys, connection);
    let required_paths = connection
        .details
        .iter()
        .filter(|detail| !detail.optional)
        .filter_map(|detail| detail.from.as_ref().filter(|from| from.source == source.name))
        .filter_map(|from| from.path.clone())
        .collect();
    Ok(SourceNeed { source: source.name.clone(), kind, lookup, required, optional, required_paths })
}

fn lookup(
    name: Option<&str>,
    labels: Option<&BTreeMap<String, String>>,
    context: &Context,
) -> Result<Lookup, TemplateError> {
    match (name, labels) {
        (Some(name), _) => Ok(Lookup::Name(render(name, context)?)),
        (None, Some(labels)) => Ok(Lookup::Selector(selector::render(labels, context)?)),
        (None, None) => Err(TemplateError::new("has neither name nor selector")),
    }
}

/// The keys that must be there, and those that details may do without.
fn keys_used(
    source: &Source,
    keys: &[String],
    connection: &Connection,
) -> (Vec<String>, Vec<String>) {
    let mut required = keys.to_vec();
    let mut optional = Vec::new();
    for detail in &connection.details {
        let from = detail.from.as_ref().filter(|from| from.source == source.name);
        let Some(key) = from.and_then(|from| from.key.clone()) else { continue };
        let list = if detail.optional { &mut optional } else { &mut required };
        if !list.contains(&key) {
            list.push(key);
        }
    }
    optional.retain(|key| !required.contains(key));
    (required, optional)
}

impl fmt::Display for ObjectKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Secret => "Secret",
            Self::ConfigMap => "ConfigMap",
            Self::Service => "Service",
            Self::Other { kind, .. } => kind,
        })
    }
}

/// `Secret mydb-postgresql`, or `Secret app=db` where it is found by its labels.
impl fmt::Display for SourceNeed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Lookup::Name(name) | Lookup::Selector(name)) = &self.lookup;
        write!(formatter, "{} {name}", self.kind)
    }
}
