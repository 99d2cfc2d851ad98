//! What was found in the cluster for each source of a connection.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use crate::domain::class::From;
use crate::domain::path::Path;

/// The state of every source, by its name in the class.
pub type Sources = BTreeMap<String, SourceState>;

/// What the cluster said about one source.
#[derive(Clone, Debug, PartialEq)]
pub enum SourceState {
    Here(Found),
    /// There is no such object; `ever_here` once the instance has been ready.
    Missing {
        object: String,
        ever_here: bool,
    },
    /// The object may not be read; `verb` is what is missing: `get secrets`.
    Forbidden {
        object: String,
        verb: String,
    },
    /// A selector that matches more than one object.
    Ambiguous {
        selector: String,
        names: Vec<String>,
    },
    /// Nobody looked.
    NotAsked,
}

/// An object that is there.
#[derive(Clone, PartialEq)]
pub struct Found {
    /// Kind and name as a person reads them: `Secret mydb-postgresql`.
    pub object: String,
    pub content: Content,
    /// Its finalizers, where it is being deleted.
    pub leaving: Option<Vec<String>>,
}

/// What an object holds.
#[derive(Clone, PartialEq)]
pub enum Content {
    /// The data of a Secret or a ConfigMap.
    Keys(BTreeMap<String, Vec<u8>>),
    /// A Service or any other object, whole.
    Object(Value),
}

/// What stands in the way of a value: an object, or a key in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lack {
    /// `Secret mydb-postgresql`
    pub object: String,
    /// `Secret mydb-postgresql does not exist`
    pub says: String,
    /// The right that is missing, where that is the reason: `get secrets`.
    pub verb: Option<String>,
}

impl Found {
    /// The bytes at the place that a detail names, `None` when there is nothing.
    pub(crate) fn read(&self, place: &From) -> Option<Vec<u8>> {
        match &self.content {
            Content::Keys(keys) => keys.get(place.key.as_deref()?).cloned(),
            Content::Object(object) => at_path(object, place.path.as_deref()?),
        }
    }

    /// Whether a Service or object has a value at a path.
    pub fn has_path(&self, path: &str) -> bool {
        matches!(&self.content, Content::Object(object) if at_path(object, path).is_some())
    }

    /// Every value that is text: to keep them out of logs.
    pub fn texts(&self) -> Vec<String> {
        let Content::Keys(keys) = &self.content else { return Vec::new() };
        keys.values().filter_map(|value| String::from_utf8(value.clone()).ok()).collect()
    }

    /// Whether a key of a Secret or ConfigMap is there.
    pub fn has_key(&self, key: &str) -> bool {
        matches!(&self.content, Content::Keys(keys) if keys.contains_key(key))
    }
}

/// A scalar of an object as text. Of a Service, `clusterIP` and `loadBalancer` are short for
/// `spec.clusterIP` and the host name or address of the first ingress.
fn at_path(object: &Value, path: &str) -> Option<Vec<u8>> {
    let paths: &[&str] = match path {
        "clusterIP" => &["spec.clusterIP"],
        "loadBalancer" => {
            &["status.loadBalancer.ingress[0].hostname", "status.loadBalancer.ingress[0].ip"]
        }
        other => &[other],
    };
    paths.iter().find_map(|path| {
        let value = path.parse::<Path>().ok()?.get(object.as_object()?)?;
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            Value::Bool(flag) => flag.to_string(),
            _ => return None,
        };
        (!text.is_empty()).then(|| text.into_bytes())
    })
}

impl Lack {
    pub(crate) fn new(object: impl Into<String>, says: impl Into<String>) -> Self {
        Self { object: object.into(), says: says.into(), verb: None }
    }
}

/// The values stay out of logs and panics.
impl fmt::Debug for Content {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keys(keys) => formatter.debug_set().entries(keys.keys()).finish(),
            Self::Object(_) => formatter.write_str("Object"),
        }
    }
}

impl fmt::Debug for Found {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Found")
            .field("object", &self.object)
            .field("content", &self.content)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_service_is_read_by_path_and_by_short_name() {
        let service = json!({
            "spec": {"clusterIP": "10.0.0.1", "ports": [{"port": 5432}]},
            "status": {"loadBalancer": {"ingress": [{"ip": "1.2.3.4"}]}}
        });
        let text = |path: &str| at_path(&service, path).map(|b| String::from_utf8(b).unwrap());
        assert_eq!(text("clusterIP").as_deref(), Some("10.0.0.1"));
        assert_eq!(text("spec.ports[0].port").as_deref(), Some("5432"));
        assert_eq!(text("loadBalancer").as_deref(), Some("1.2.3.4"));
        assert_eq!(text("spec.ports"), None, "not a scalar");
        assert_eq!(text("spec["), None);
    }

    #[test]
    fn debug_shows_no_value() {
        let keys = BTreeMap::from([("password".to_owned(), b"hunter2".to_vec())]);
        let found =
            Found { object: "Secret a".to_owned(), content: Content::Keys(keys), leaving: None };
        let shown = format!("{:?}", SourceState::Here(found));
        assert!(shown.contains("password") && !shown.contains("hunter2"), "{shown}");
    }
}
