//! Objects that are being deleted and are still there.

use std::fmt;

use jiff::Timestamp;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde_json::Value;

use super::age::age;

/// An object with a deletion timestamp. It goes when nobody's finalizer holds it any more.
/// <https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/>
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaving {
    /// Kind and name: `Secret mydb-config`.
    pub object: String,
    /// When its deletion was asked for.
    pub since: Option<Timestamp>,
    pub finalizers: Vec<String>,
}

impl Leaving {
    /// The same with how long it has been going: `Secret mydb-config, for 3m, held by finalizer f`.
    pub fn for_how_long(&self, now: Timestamp) -> String {
        let age = self.since.map(|since| format!(", for {}", age(since, now)));
        format!("{}{}{}", self.object, age.unwrap_or_default(), held(&self.finalizers))
    }
}

/// `Secret mydb-config, held by finalizer example.com/backup`
impl fmt::Display for Leaving {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", self.object, held(&self.finalizers))
    }
}

/// What is said of an object on its way out: `being deleted, held by finalizer example.com/backup`.
pub fn words(finalizers: &[String]) -> String {
    format!("being deleted{}", held(finalizers))
}

/// The finalizers of an object that is being deleted; `None`: it lives.
pub fn finalizers(meta: &ObjectMeta) -> Option<Vec<String>> {
    meta.deletion_timestamp.as_ref()?;
    Some(meta.finalizers.clone().unwrap_or_default())
}

/// The same of an object of any kind.
pub fn finalizers_of(object: &Value) -> Option<Vec<String>> {
    let meta = object.get("metadata").cloned().unwrap_or_default();
    finalizers(&serde_json::from_value(meta).ok()?)
}

fn held(finalizers: &[String]) -> String {
    match finalizers {
        [] => String::new(),
        [one] => format!(", held by finalizer {one}"),
        several => format!(", held by finalizers {}", several.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finalizers_are_named() {
        let leaving = |finalizers: &[&str]| Leaving {
            object: "Secret mydb".to_owned(),
            since: Some(Timestamp::UNIX_EPOCH),
            finalizers: finalizers.iter().map(|name| (*name).to_owned()).collect(),
        };
        assert_eq!(leaving(&[]).to_string(), "Secret mydb");
        assert_eq!(leaving(&["a/b"]).to_string(), "Secret mydb, held by finalizer a/b");
        assert_eq!(leaving(&["a/b", "c"]).to_string(), "Secret mydb, held by finalizers a/b, c");
        let now = Timestamp::from_second(180).unwrap();
        let told = leaving(&["a/b"]).for_how_long(now);
        assert_eq!(told, "Secret mydb, for 3m, held by finalizer a/b");
        assert_eq!(words(&["a/b".to_owned()]), "being deleted, held by finalizer a/b");
    }
}
