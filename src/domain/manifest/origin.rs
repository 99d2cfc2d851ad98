//! What a release brings by itself, and what comes later from somewhere else.

use std::collections::BTreeMap;

use super::ManifestObject;
use crate::domain::connection::{Lookup, ObjectKind, SourceNeed};
use crate::domain::selector;

/// Whether the object of a source belongs to the release: then it was there once helm was done.
/// What an operator makes later does not.
pub fn brings(objects: &[ManifestObject], need: &SourceNeed) -> bool {
    objects.iter().any(|object| is_of_kind(object, &need.kind) && is_meant(object, &need.lookup))
}

fn is_of_kind(object: &ManifestObject, wanted: &ObjectKind) -> bool {
    match wanted {
        ObjectKind::Secret => object.kind == "Secret",
        ObjectKind::ConfigMap => object.kind == "ConfigMap",
        ObjectKind::Service => object.kind == "Service",
        ObjectKind::Other { api_version, kind } => {
            object.kind == *kind && object.api_version == *api_version
        }
    }
}

fn is_meant(object: &ManifestObject, lookup: &Lookup) -> bool {
    match lookup {
        Lookup::Name(name) => object.name == *name,
        Lookup::Selector(wanted) => {
            let labels = object.body.pointer("/metadata/labels").cloned().unwrap_or_default();
            let labels: BTreeMap<String, String> =
                serde_json::from_value(labels).unwrap_or_default();
            selector::matches(wanted, &labels)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::manifest::parse;

    fn objects(kinds: &[(&str, &str, &str)]) -> Vec<ManifestObject> {
        let documents = kinds.iter().map(|(version, kind, name)| {
            format!(
                "apiVersion: {version}\nkind: {kind}\nmetadata:\n  name: {name}\n  \
                 labels: {{app: {name}}}\n"
            )
        });
        parse(&documents.collect::<Vec<_>>().join("---\n")).unwrap()
    }

    fn need(kind: ObjectKind, lookup: Lookup) -> SourceNeed {
        SourceNeed {
            source: "auth".into(),
            kind,
            lookup,
            required: Vec::new(),
            optional: Vec::new(),
            required_paths: Vec::new(),
        }
    }

    #[test]
    fn an_object_is_of_the_release_by_its_name_or_its_labels() {
        let objects = objects(&[("v1", "Secret", "mydb"), ("v1", "ConfigMap", "conf")]);
        let named = |kind, name: &str| need(kind, Lookup::Name(name.into()));
        assert!(brings(&objects, &named(ObjectKind::Secret, "mydb")));
        assert!(brings(&objects, &named(ObjectKind::ConfigMap, "conf")));
        assert!(!brings(&objects, &named(ObjectKind::Secret, "conf")));
        let labelled = |text: &str| need(ObjectKind::Secret, Lookup::Selector(text.into()));
        assert!(brings(&objects, &labelled("app=mydb")));
        assert!(!brings(&objects, &labelled("app=conf")));
        assert!(!brings(&objects, &labelled("")));
    }
}
