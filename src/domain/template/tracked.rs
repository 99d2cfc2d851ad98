//! JSON as templates see it, which remembers what was looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use minijinja::Value;
use minijinja::value::{Enumerator, Object, ObjectExt, ObjectRepr};
use serde_json::Value as Json;

use super::Path;

/// What a template looked at.
#[derive(Clone, Debug, Default)]
pub(super) struct Log(Arc<Mutex<BTreeSet<Path>>>);

impl Log {
    fn note(&self, path: Path) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(path);
    }

    /// Whether one of these, or something inside it, was looked at.
    pub(super) fn touched(&self, paths: &BTreeSet<Path>) -> bool {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.iter().any(|seen| paths.iter().any(|path| seen.starts_with(path)))
    }
}

/// The names at the root with what is below each.
pub(super) type Roots = BTreeMap<String, Arc<Json>>;

/// The root itself.
#[derive(Debug)]
struct Root {
    roots: Roots,
    log: Log,
}

/// An object or a list, and where it is: the name of its root first.
#[derive(Debug)]
struct Tracked {
    root: Arc<Json>,
    path: Path,
    log: Log,
}

/// Everything below these roots, for the template machine; it logs what is read.
pub(super) fn tracked(roots: &Roots, log: &Log) -> Value {
    Value::from_object(Root { roots: roots.clone(), log: log.clone() })
}

fn value(json: &Json, root: &Arc<Json>, path: Path, log: &Log) -> Value {
    match json {
        Json::Object(_) | Json::Array(_) => {
            Value::from_object(Tracked { root: root.clone(), path, log: log.clone() })
        }
        Json::Null => Value::from(()),
        Json::Bool(flag) => Value::from(*flag),
        Json::String(text) => Value::from(text.as_str()),
        Json::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(integer), _) => Value::from(integer),
            (None, Some(integer)) => Value::from(integer),
            (None, None) => Value::from(number.as_f64().unwrap_or(f64::NAN)),
        },
    }
}

impl Object for Root {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let name = key.as_str()?;
        let root = self.roots.get(name)?;
        let path = vec![name.to_owned()];
        self.log.note(path.clone());
        Some(value(root, root, path, &self.log))
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        self.mapped_enumerator(|this| {
            Box::new(this.roots.keys().map(|name| Value::from(name.as_str())))
        })
    }
}

impl Tracked {
    fn json(&self) -> &Json {
        let steps = &self.path[1..];
        let found = steps.iter().try_fold(self.root.as_ref(), |place, step| match place {
            Json::Array(list) => list.get(step.parse::<usize>().ok()?),
            other => other.get(step),
        });
        found.unwrap_or(&Json::Null)
    }
}

impl Object for Tracked {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        if self.json().is_array() { ObjectRepr::Seq } else { ObjectRepr::Map }
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let (name, child) = match self.json() {
            Json::Array(list) => {
                let at = key.as_usize()?;
                (at.to_string(), list.get(at)?)
            }
            Json::Object(map) => {
                let name = key.as_str()?;
                (name.to_owned(), map.get(name)?)
            }
            _ => return None,
        };
        let mut path = self.path.clone();
        path.push(name);
        self.log.note(path.clone());
        Some(value(child, &self.root, path, &self.log))
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        match self.json() {
            Json::Array(list) => Enumerator::Seq(list.len()),
            Json::Object(_) => self.mapped_enumerator(|this| match this.json() {
                Json::Object(map) => Box::new(map.keys().map(|key| Value::from(key.as_str()))),
                _ => Box::new(std::iter::empty()),
            }),
            _ => Enumerator::Empty,
        }
    }
}
