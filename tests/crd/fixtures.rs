//! The classes below `good` and `bad`, one a file.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;

/// A class with the name of its file, without folder and ending.
pub struct Fixture {
    pub file: String,
    pub object: Value,
    text: String,
}

impl Fixture {
    /// What the server's answer holds, from the first line of a bad class.
    pub fn refused_by(&self) -> Option<&str> {
        self.text.lines().next()?.strip_prefix("# refused by: ")
    }
}

/// The folder of this kind of classes.
pub fn folder(kind: &str) -> PathBuf {
    crate::root().join("tests/crd").join(kind)
}

pub fn good() -> Vec<Fixture> {
    all("good")
}

pub fn bad() -> Vec<Fixture> {
    all("bad")
}

fn all(kind: &str) -> Vec<Fixture> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder(kind))
        .expect("the folder of classes")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    files
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a class");
            let object = serde_yaml::from_str(&text)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let file = path.file_stem().expect("a name").to_string_lossy().into_owned();
            Fixture { file, object, text }
        })
        .collect()
}

/// The paths of all fields that an object gives, written as the reference writes them.
pub fn fields(value: &Value, path: &str, into: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                fields(value, &path, into);
                into.insert(path);
            }
        }
        Value::Array(entries) => {
            for entry in entries {
                fields(entry, &format!("{path}[]"), into);
            }
        }
        _ => {}
    }
}
