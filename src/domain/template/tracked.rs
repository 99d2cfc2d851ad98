//! JSON as templates see it, which remembers what was looked at.

use std::collections::BTreeSet;
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

/// An object or a list, and where it is.
#[derive(Debug)]
struct Tracked {
    json: Arc<Json>,
    path: Path,
    log: Log,
}

/// A value for the template machine that logs what is read from it.
pub(super) fn tracked(json: &Json, path: Path, log: &Log) -> Value {
    match json {
        Json::Object(_) | Json::Array(_) => {
            Value::from_object(Tracked { json: Arc::new(json.clone()), path, log: log.clone() })
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

impl Object for Tracked {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        if self.json.is_array() { ObjectRepr::Seq } else { ObjectRepr::Map }
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let (name, child) = match &*self.json {
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
        Some(tracked(child, path, &self.log))
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        match &*self.json {
            Json::Array(list) => Enumerator::Seq(list.len()),
            Json::Object(_) => self.mapped_enumerator(|this| match &*this.json {
                Json::Object(map) => Box::new(map.keys().map(|key| Value::from(key.as_str()))),
                _ => Box::new(std::iter::empty()),
            }),
            _ => Enumerator::Empty,
        }
    }
}
