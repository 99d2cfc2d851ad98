//! Where a value lands in a chart's values: `a.b`, `[0]` into a list, `\.` for a dot in a key.

mod read;

use std::fmt;

use serde_json::Value as Json;

use super::class::Object;

/// A path that was read: a key, then keys and positions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path(Vec<Step>);

/// One step into a tree of values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Into an object.
    Key(String),
    /// Into a list, counted from 0.
    Index(usize),
}

/// Why a path cannot be read or followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// The text is not in the notation.
    #[error("\"{0}\" is not a path, like primary.persistence.size")]
    Notation(String),
    /// On the way stands something that is neither an object nor a list.
    #[error("{path}: {at} is not {wanted}")]
    Blocked { path: String, at: String, wanted: &'static str },
    /// The list has no such position, or there is no list: only those fixed in values are entered.
    #[error("{path}: {at} is not in a list fixed in values")]
    NoSuchIndex { path: String, at: String },
    /// Operations set the same place.
    #[error("{path} is also set by operations")]
    Taken { path: String },
    /// Another parameter lands there, or around it.
    #[error("{path} is or contains a path of another parameter")]
    Shared { path: String },
    /// Another path of the same parameter lands there, or around it.
    #[error("{path} is or contains another path of the same parameter")]
    Own { path: String },
}

impl Path {
    /// The steps in order; the first is a key.
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// The steps as text, positions as numbers.
    pub fn names(&self) -> Vec<String> {
        let name = |step: &Step| match step {
            Step::Key(key) => key.clone(),
            Step::Index(index) => index.to_string(),
        };
        self.0.iter().map(name).collect()
    }

    /// What stands there.
    pub fn get<'a>(&self, tree: &'a Object) -> Option<&'a Json> {
        let (first, rest) = self.0.split_first()?;
        let Step::Key(key) = first else { return None };
        rest.iter().try_fold(tree.get(key)?, |value, step| match step {
            Step::Key(key) => value.as_object()?.get(key),
            Step::Index(index) => value.as_array()?.get(*index),
        })
    }

    /// Puts a value there. Objects are made on the way, lists are only entered.
    ///
    /// # Errors
    /// Something on the way is of another kind, or a list has no such position.
    pub fn set(&self, tree: &mut Object, value: Json) -> Result<(), PathError> {
        let mut root = Json::Object(std::mem::take(tree));
        let result = self.place(&mut root).map(|place| *place = value);
        let Json::Object(object) = root else { unreachable!("the first step is a key") };
        *tree = object;
        result
    }

    /// Puts a value where operations put none.
    ///
    /// A whole entry of a list that operations fixed may be replaced: it has to be there.
    ///
    /// # Errors
    /// As [`Path::set`], and where an object has the key already.
    pub fn set_new(&self, tree: &mut Object, value: Json) -> Result<(), PathError> {
        let by_key = matches!(self.0.last(), Some(Step::Key(_)));
        if by_key && self.get(tree).is_some() {
            return Err(PathError::Taken { path: self.to_string() });
        }
        self.set(tree, value)
    }

    /// Takes away what stands there: a key with its value; of an entry of a list only the value.
    pub fn clear(&self, tree: &mut Object) {
        let Some((Step::Key(first), rest)) = self.0.split_first() else { return };
        let Some((last, way)) = rest.split_last() else {
            tree.shift_remove(first);
            return;
        };
        let parent = way.iter().try_fold(tree.get_mut(first), |value, step| match step {
            Step::Key(key) => Some(value?.as_object_mut()?.get_mut(key)),
            Step::Index(index) => Some(value?.as_array_mut()?.get_mut(*index)),
        });
        match (last, parent.flatten()) {
            (Step::Key(key), Some(Json::Object(object))) => {
                object.shift_remove(key);
            }
            (Step::Index(index), Some(Json::Array(list))) => {
                if let Some(entry) = list.get_mut(*index) {
                    *entry = Json::Null;
                }
            }
            _ => {}
        }
    }

    fn place<'a>(&self, root: &'a mut Json) -> Result<&'a mut Json, PathError> {
        let mut value = root;
        for (position, step) in self.0.iter().enumerate() {
            value = match step {
                Step::Key(key) => {
                    if position > 0 && value.is_null() {
                        *value = Json::Object(Object::new());
                    }
                    let Json::Object(object) = value else {
                        return Err(self.blocked(position, "an object"));
                    };
                    object.entry(key.clone()).or_insert(Json::Null)
                }
                Step::Index(index) => match value {
                    Json::Array(list) => {
                        list.get_mut(*index).ok_or_else(|| self.no_such_index(position + 1))?
                    }
                    Json::Null => return Err(self.no_such_index(position + 1)),
                    _ => return Err(self.blocked(position, "a list")),
                },
            };
        }
        Ok(value)
    }

    fn blocked(&self, steps: usize, wanted: &'static str) -> PathError {
        let at = Self(self.0[..steps].to_vec()).to_string();
        PathError::Blocked { path: self.to_string(), at, wanted }
    }

    fn no_such_index(&self, steps: usize) -> PathError {
        let at = Self(self.0[..steps].to_vec()).to_string();
        PathError::NoSuchIndex { path: self.to_string(), at }
    }

    /// The path in the notation of helm's `--set`, where more characters need a backslash.
    pub fn helm_set(&self) -> String {
        write_steps(&self.0, |character| matches!(character, '.' | ',' | '[' | ']' | '=' | '\\'))
    }
}

impl From<Vec<Step>> for Path {
    fn from(steps: Vec<Step>) -> Self {
        Self(steps)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let special = |character| matches!(character, '.' | '[' | ']' | '\\');
        formatter.write_str(&write_steps(&self.0, special))
    }
}

fn write_steps(steps: &[Step], special: impl Fn(char) -> bool) -> String {
    let mut text = String::new();
    for (position, step) in steps.iter().enumerate() {
        match step {
            Step::Index(index) => text.push_str(&format!("[{index}]")),
            Step::Key(key) => {
                if position > 0 {
                    text.push('.');
                }
                for character in key.chars() {
                    if special(character) {
                        text.push('\\');
                    }
                    text.push(character);
                }
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn path(text: &str) -> Path {
        text.parse().unwrap()
    }

    fn object(value: Json) -> Object {
        value.as_object().unwrap().clone()
    }

    fn set(tree: Json, at: &str, value: Json) -> Result<Json, PathError> {
        let mut tree = object(tree);
        path(at).set_new(&mut tree, value)?;
        Ok(Json::Object(tree))
    }

    #[test]
    fn paths_are_read_and_written_alike() {
        for text in ["a", "a.b.c", "a[0]", "a[0][12].b", r"a\.b.c", r"a\\b", r"a\[0\].b", "ä.b-c_d"]
        {
            assert_eq!(path(text).to_string(), text);
        }
        assert_eq!(path(r"a\.b[3].c").steps()[..2], [Step::Key("a.b".into()), Step::Index(3)]);
    }

    #[test]
    fn objects_are_made_on_the_way() {
        assert_eq!(set(json!({}), "a.b.c", json!(1)), Ok(json!({"a": {"b": {"c": 1}}})));
        let tree = json!({"a": {"x": 1}, "z": 2});
        assert_eq!(set(tree, "a.b", json!("v")), Ok(json!({"a": {"x": 1, "b": "v"}, "z": 2})));
    }

    #[test]
    fn lists_are_entered_never_made() {
        let tree = json!({"a": [{"x": 1}]});
        assert_eq!(set(tree, "a[0].b", json!(2)), Ok(json!({"a": [{"x": 1, "b": 2}]})));
        assert_eq!(set(json!({"a": ["", "z"]}), "a[0]", json!("v")), Ok(json!({"a": ["v", "z"]})));
        let error = set(json!({"a": []}), "a[0].b", json!(2)).unwrap_err();
        assert_eq!(error.to_string(), "a[0].b: a[0] is not in a list fixed in values");
        assert!(set(json!({}), "a[0]", json!(2)).is_err());
    }

    #[test]
    fn clashes_are_named() {
        let taken = set(json!({"a": {"b": 1}}), "a.b", json!(2)).unwrap_err();
        assert_eq!(taken.to_string(), "a.b is also set by operations");
        let blocked = set(json!({"a": "text"}), "a.b", json!(2)).unwrap_err();
        assert_eq!(blocked.to_string(), "a.b: a is not an object");
        let blocked = set(json!({"a": {"b": 1}}), "a[0]", json!(2)).unwrap_err();
        assert_eq!(blocked.to_string(), "a[0]: a is not a list");
    }

    #[test]
    fn a_refused_path_leaves_objects_readable() {
        let mut tree = object(json!({"a": "text"}));
        assert!(path("a.b").set(&mut tree, json!(1)).is_err());
        assert_eq!(Json::Object(tree), json!({"a": "text"}));
    }

    #[test]
    fn clearing_takes_one_place_away() {
        let mut tree = object(json!({"a": {"b": 1, "c": [1, 2]}, "d": 3}));
        for at in ["a.b", "a.c[0]", "d", "x.y", "a.c[9]", "a.b.c"] {
            path(at).clear(&mut tree);
        }
        assert_eq!(Json::Object(tree), json!({"a": {"c": [null, 2]}}));
    }

    #[test]
    fn helms_notation_escapes_more() {
        assert_eq!(path(r"a\.b.c,d=e[0].f").helm_set(), r"a\.b.c\,d\=e[0].f");
    }
}
