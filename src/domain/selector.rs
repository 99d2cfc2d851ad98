//! Label selectors: which pods and volumes belong to an instance.

use std::collections::BTreeMap;

use super::class::{Deletion, Readiness};
use super::template::{self, Context, TemplateError};

/// The label that charts give the objects of a release.
pub const INSTANCE: &str = "app.kubernetes.io/instance";

/// Labels as a selector of the API: `app=db,tier=main`; their values are templates.
pub fn render(
    labels: &BTreeMap<String, String>,
    context: &Context,
) -> Result<String, TemplateError> {
    let public = context.public();
    let pairs: Result<Vec<_>, _> = labels
        .iter()
        .map(|(name, value)| Ok(format!("{name}={}", template::render(value, &public)?)))
        .collect();
    Ok(pairs?.join(","))
}

/// The selector of every instance that says nothing else.
pub fn standard(release: &str) -> String {
    format!("{INSTANCE}={release}")
}

/// Which pods belong to an instance, for the API and for the label `svc-cli.dev/pods`.
pub fn pods(
    readiness: &Readiness,
    release: &str,
    context: &Context,
) -> Result<String, TemplateError> {
    match &readiness.pods {
        Some(pods) => render(&pods.selector, context),
        None => Ok(standard(release)),
    }
}

/// Which volumes belong to an instance beside those of its StatefulSets; `None` where the class
/// says nothing.
pub fn volumes(deletion: &Deletion, context: &Context) -> Result<Option<String>, TemplateError> {
    deletion.volumes.as_ref().map(|volumes| render(&volumes.selector, context)).transpose()
}

/// Whether labels match a selector of equalities: `app=db,tier=main`.
///
/// An empty selector matches nothing: it would be every pod of the namespace.
pub fn matches(selector: &str, labels: &BTreeMap<String, String>) -> bool {
    !selector.is_empty()
        && selector.split(',').all(|pair| {
            let Some((name, value)) = pair.split_once('=') else { return false };
            labels.get(name.trim()).is_some_and(|label| label == value.trim())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn labels_are_rendered() {
        let context = Context::new("mydb", "team-a", "pg", "mydb-pg");
        let selector = render(&labels(&[("b", "x"), ("a", "{{ release.name }}")]), &context);
        assert_eq!(selector.unwrap(), "a=mydb,b=x");
        assert!(render(&labels(&[("a", "{{ nam }}")]), &context).is_err());
    }

    #[test]
    fn every_pair_must_match() {
        let pod = labels(&[(INSTANCE, "mydb"), ("role", "primary")]);
        assert!(matches(&standard("mydb"), &pod));
        assert!(matches("role=primary,app.kubernetes.io/instance=mydb", &pod));
        assert!(!matches("role=replica,app.kubernetes.io/instance=mydb", &pod));
        assert!(!matches(&standard("my"), &pod));
        assert!(!matches("", &pod));
        assert!(!matches("role", &pod));
    }
}
