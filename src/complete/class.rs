//! Classes of the catalog, and what the class on the line offers.

use std::ffi::OsStr;

use clap_complete::engine::CompletionCandidate;
use serde::{Deserialize, Serialize};

use super::choice::Choice;
use super::instance;
use super::line::Line;
use super::live;
use super::offer::{Offer, Parameter};
use crate::cluster::Cluster;
use crate::domain::class::{Class, Sharing, read};
use crate::error::Result;
use crate::ops::catalog::{self, Entry, Status};

/// A class as completion knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    pub name: String,
    /// Its summary, or that it is deprecated.
    pub about: String,
    /// Neither shared nor broken.
    pub can_be_created: bool,
}

impl Known {
    fn of(entry: &Entry) -> Self {
        let spec = entry.class.as_ref().map(|class| &class.spec);
        let deprecated = spec.and_then(|spec| spec.deprecated.as_ref());
        let about = match deprecated {
            Some(deprecated) => format!("deprecated: {}", deprecated.advice()),
            None => entry.summary.clone().unwrap_or_default(),
        };
        let dedicated = spec.is_some_and(|spec| spec.sharing == Sharing::Dedicated);
        let can_be_created = dedicated && entry.status != Status::Broken;
        Self { name: entry.name.clone(), about, can_be_created }
    }

    /// The class as a candidate.
    pub fn choice(self) -> Choice {
        Choice::new(self.name, self.about)
    }
}

/// The classes of the catalog: one request, and one more where they share a ConfigMap of charts.
pub fn all() -> Option<Vec<Known>> {
    let (line, process) = Line::read()?;
    live::ask(&line, process, "classes", async |cluster: &Cluster| -> Result<Vec<Known>> {
        let objects = cluster.classes("").await?;
        let entries = catalog::with_one_archive(cluster, &objects).await;
        Ok(entries.iter().map(Known::of).collect())
    })
}

/// The line, and what its class offers under its plan: one request; the class of an instance
/// takes another.
pub fn offer() -> Option<(Line, Offer)> {
    let (line, process) = Line::read()?;
    let plan = line.plan.as_deref();
    let of_instance = line.is_change().then(|| line.names.first()).flatten();
    let kind = match (&line.class, of_instance) {
        (Some(class), _) => format!("class {class}, plan {}", plan.unwrap_or_default()),
        (None, Some(name)) => format!("class of {name}, plan {}", plan.unwrap_or_default()),
        (None, None) => return None,
    };
    let offer = live::ask(&line, process, &kind, async |cluster: &Cluster| {
        let (class, recorded) = match (&line.class, of_instance) {
            (Some(class), _) => (Some(class.clone()), None),
            (None, Some(name)) => instance::class_and_plan(cluster, name).await?,
            (None, None) => (None, None),
        };
        let Some(class) = class else { return Ok(None) };
        let class: Option<Class> =
            cluster.class(&class).await?.here()?.and_then(|raw| read(&raw).ok());
        Ok(class.map(|class| Offer::of(&class, plan.or(recorded.as_deref()))))
    })??;
    Some((line, offer))
}

/// `NAME=` of the parameters that are wanted and not yet given; behind a name and `=` what
/// `values` gives for it and the text so far.
pub fn assigned(
    typed: &OsStr,
    wanted: impl Fn(&Parameter) -> bool,
    values: impl Fn(&Parameter, &OsStr) -> Vec<CompletionCandidate>,
) -> Vec<CompletionCandidate> {
    let (Some(typed), Some((line, offer))) = (typed.to_str(), offer()) else { return Vec::new() };
    let may_change = |parameter: &Parameter| !line.is_change() || parameter.changes;
    let open = offer.parameters.iter();
    let open = open.filter(|parameter| wanted(parameter) && may_change(parameter));
    let Some((name, begun)) = typed.split_once('=') else {
        let left = open.filter(|parameter| !line.given.contains(&parameter.name));
        let names =
            left.map(|parameter| Choice::new(format!("{}=", parameter.name), &parameter.about));
        let fitting = names.filter(|choice| choice.value.starts_with(typed));
        return fitting.map(CompletionCandidate::from).collect();
    };
    let Some(parameter) = open.into_iter().find(|parameter| parameter.name == name) else {
        return Vec::new();
    };
    let fits = |value: &OsStr| value.as_encoded_bytes().starts_with(begun.as_bytes());
    let fitting =
        values(parameter, OsStr::new(begun)).into_iter().filter(|value| fits(value.get_value()));
    fitting.map(|value| value.add_prefix(format!("{name}="))).collect()
}

/// Names of the parameters that may change and are not given on the line.
pub fn changeable() -> Vec<Choice> {
    let Some((line, offer)) = offer() else { return Vec::new() };
    let open = offer.parameters.into_iter().filter(|known| known.changes);
    let open = open.filter(|known| !line.given.contains(&known.name));
    open.map(|known| Choice::new(known.name, known.about)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::ops::catalog::entry;

    fn known(spec: Value) -> Known {
        Known::of(&entry(&json!({"metadata": {"name": "x"}, "spec": spec}), None))
    }

    fn spec() -> Value {
        json!({"summary": "One", "connection": {"details": [{"name": "port", "value": "1"}]},
            "chart": {"oci": {"url": "oci://r.example/x", "version": "1.0.0"}}})
    }

    #[test]
    fn shared_and_broken_classes_cannot_be_created() {
        assert_eq!(
            known(spec()),
            Known { name: "x".into(), about: "One".into(), can_be_created: true }
        );
        let mut shared = spec();
        shared["sharing"] = json!("Shared");
        assert!(!known(shared).can_be_created);
        let mut broken = spec();
        broken["connection"]["details"][0]["value"] = json!("{{ nothing }}");
        assert!(!known(broken).can_be_created);
        let mut newer = spec();
        newer["future"] = json!(1);
        assert_eq!(
            known(newer),
            Known { name: "x".into(), about: "One".into(), can_be_created: false }
        );
        assert!(!known(json!(null)).can_be_created);
    }

    #[test]
    fn a_deprecated_class_says_so() {
        let mut old = spec();
        old["deprecated"] = json!({"message": "use x-2"});
        let known = known(old);
        assert_eq!((known.about.as_str(), known.can_be_created), ("deprecated: use x-2", true));
    }
}
