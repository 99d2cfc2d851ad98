//! What templates see: the release, the chart, parameters, values, details above.

use std::collections::BTreeSet;
use std::sync::Arc;

use minijinja::Value;
use serde_json::{Map, Value as Json, json};

use super::tracked::{Log, Roots, tracked};
use crate::domain::class::Parameter;
use crate::domain::path;

/// Where something is in the context: `["values", "auth", "password"]`.
pub type Path = Vec<String>;

/// The names a template may use, and which of them are sensitive.
#[derive(Clone, Default, PartialEq)]
pub struct Context {
    /// Shared: a class is evaluated with many contexts that differ in little.
    roots: Roots,
    sensitive: BTreeSet<Path>,
    masked: bool,
}

impl Context {
    /// The context of an instance: its release, its chart, and what [`fullname`] gave.
    ///
    /// [`fullname`]: crate::domain::fullname::fullname
    pub fn new(release: &str, namespace: &str, chart: &str, fullname: &str) -> Self {
        let mut context = Self::default();
        context.set("release", json!({"name": release, "namespace": namespace}));
        context.set("chart", json!({"name": chart}));
        context.set("fullname", json!(fullname));
        context.set("params", json!({}));
        context.set("values", json!({}));
        context
    }

    /// The answers by parameter.
    pub fn with_params(mut self, params: Map<String, Json>) -> Self {
        self.set("params", Json::Object(params));
        self
    }

    /// What svc sends to the chart.
    pub fn with_values(mut self, values: Map<String, Json>) -> Self {
        self.set("values", Json::Object(values));
        self
    }

    /// Another name at the root: `instance`, `binding`, `consumer`.
    pub fn with(mut self, name: &str, value: Json) -> Self {
        self.set(name, value);
        self
    }

    /// Says that what is at this path must not be shown.
    pub fn sensitive<I: IntoIterator<Item = S>, S: Into<String>>(mut self, path: I) -> Self {
        self.sensitive.insert(path.into_iter().map(Into::into).collect());
        self
    }

    /// Says that sensitive parameters must not be shown: neither the answer nor the chart's value.
    pub fn hiding(mut self, parameters: &[Parameter]) -> Self {
        self.sensitive.extend(sensitive_paths(parameters));
        self
    }

    /// Adds a name at the root, or replaces it.
    pub(crate) fn set(&mut self, name: &str, value: Json) {
        self.roots.insert(name.to_owned(), Arc::new(value));
    }

    /// Takes a name away, so that templates find it undefined.
    pub(crate) fn unset(&mut self, name: &str) {
        self.roots.remove(name);
    }

    /// Says that a name at the root must not be shown.
    pub(crate) fn mark(&mut self, name: &str) {
        self.sensitive.insert(vec![name.to_owned()]);
    }

    /// The same without what is sensitive: for everything outside details.
    pub fn public(&self) -> Self {
        let mut public = self.clone();
        for path in &self.sensitive {
            remove(&mut public.roots, path);
        }
        public.sensitive.clear();
        public
    }

    /// The same with this mask in the place of everything sensitive.
    pub fn masked(&self, mask: &str) -> Self {
        let mut masked = self.clone();
        for path in &self.sensitive {
            if let Some(place) = find(&mut masked.roots, path) {
                *place = Json::String(mask.to_owned());
            }
        }
        masked.masked = true;
        masked
    }

    /// What must not be shown.
    pub fn sensitive_paths(&self) -> &BTreeSet<Path> {
        &self.sensitive
    }

    /// Whether there is something at this path.
    pub(super) fn holds(&self, path: &[String]) -> bool {
        let Some((first, rest)) = path.split_first() else { return false };
        let mut steps = rest.iter();
        let found = self.roots.get(first).and_then(|root| {
            steps.try_fold(root.as_ref(), |place, step| match place {
                Json::Array(list) => list.get(step.parse::<usize>().ok()?),
                other => other.get(step),
            })
        });
        found.is_some()
    }

    pub(super) fn is_masked(&self) -> bool {
        self.masked
    }

    pub(super) fn to_value(&self, log: &Log) -> Value {
        tracked(&self.roots, log)
    }
}

/// Where sensitive parameters are: below `params`, and below `values` at each of their paths.
pub fn sensitive_paths(parameters: &[Parameter]) -> Vec<Path> {
    let mut paths = Vec::new();
    for parameter in parameters.iter().filter(|parameter| parameter.sensitive) {
        paths.push(vec!["params".to_owned(), parameter.name.clone()]);
        for path in parameter.paths.iter().filter_map(|path| path.parse::<path::Path>().ok()) {
            paths.push(std::iter::once("values".to_owned()).chain(path.names()).collect());
        }
    }
    paths
}

fn find<'a>(roots: &'a mut Roots, path: &[String]) -> Option<&'a mut Json> {
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(Arc::make_mut(roots.get_mut(first)?), |place, step| match place {
        Json::Object(map) => map.get_mut(step),
        Json::Array(list) => list.get_mut(step.parse::<usize>().ok()?),
        _ => None,
    })
}

fn remove(roots: &mut Roots, path: &[String]) {
    let Some((last, parents)) = path.split_last() else { return };
    if parents.is_empty() {
        roots.remove(last);
        return;
    }
    match find(roots, parents) {
        Some(Json::Object(map)) => drop(map.shift_remove(last)),
        // A list keeps its length: the others would move.
        Some(Json::Array(list)) => {
            if let Some(place) = last.parse::<usize>().ok().and_then(|at| list.get_mut(at)) {
                *place = Json::Null;
            }
        }
        _ => {}
    }
}

/// Values stay out of logs and panics.
impl std::fmt::Debug for Context {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Context").field("masked", &self.masked).finish_non_exhaustive()
    }
}
