//! Label selectors: which pods and volumes belong to an instance.

pub mod query;

use std::collections::BTreeMap;

use super::class::{Deletion, Readiness};
use super::labels;
use super::template::{self, Context, TemplateError};

/// The label that charts give the objects of a release.
pub const INSTANCE: &str = "app.kubernetes.io/instance";

/// Labels as a selector of the API: `app=db,tier=main`; their values are templates.
///
/// # Errors
/// A template that gives nothing, and what the API server would refuse: a name or a value that is
/// none of a label.
pub fn render(
    labels: &BTreeMap<String, String>,
    context: &Context,
) -> Result<String, TemplateError> {
    let public = context.public();
    let pair = |(name, value): (&String, &String)| {
        labels::key(name).map_err(TemplateError::new)?;
        let value = template::render(value, &public)?;
        labels::value(&value).map_err(TemplateError::new)?;
        Ok(format!("{name}={value}"))
    };
    Ok(labels.iter().map(pair).collect::<Result<Vec<_>, _>>()?.join(","))
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

/// The most a label value may hold.
const LONGEST_LABEL: usize = 63;

/// A selector as the value of the label `svc-cli.dev/pods`, which may hold neither `=` nor `/` nor
/// `,`: they become `_e`, `_s` and `_c`, and `_` becomes `__`. `None` when it is too long.
pub fn to_label(selector: &str) -> Option<String> {
    let text: String = selector.chars().fold(String::new(), |mut text, character| {
        match character {
            '=' => text.push_str("_e"),
            '/' => text.push_str("_s"),
            ',' => text.push_str("_c"),
            '_' => text.push_str("__"),
            other => text.push(other),
        }
        text
    });
    (text.len() <= LONGEST_LABEL && !text.ends_with(['-', '.', '_'])).then_some(text)
}

/// The selector that [`to_label`] wrote; `None` for anything else.
pub fn from_label(text: &str) -> Option<String> {
    let mut selector = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        selector.push(match character {
            '_' => match characters.next()? {
                'e' => '=',
                's' => '/',
                'c' => ',',
                '_' => '_',
                _ => return None,
            },
            other => other,
        });
    }
    selector.contains('=').then_some(selector)
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
    fn what_is_no_label_makes_no_selector() {
        let context = Context::new("mydb", "team-a", "pg", "mydb-pg");
        for (pair, reason) in [
            (("a b", "c"), "\"a b\" is not the name of a label"),
            (("a", "c,d=e"), "\"c,d=e\" is not the value of a label"),
            (("a", "{{ release.name }} x"), "\"mydb x\" is not the value of a label"),
        ] {
            assert_eq!(render(&labels(&[pair]), &context).unwrap_err().reason, reason);
        }
    }

    #[test]
    fn a_selector_fits_into_a_label_and_comes_back() {
        let selector = "cnpg.io/cluster=my_db,role=primary";
        let label = to_label(selector).unwrap();
        assert_eq!(label, "cnpg.io_scluster_emy__db_crole_eprimary");
        assert_eq!(from_label(&label).unwrap(), selector);
        assert_eq!(to_label(&format!("a={}", "x".repeat(61))), None);
        assert_eq!(to_label("a=b_"), None);
        for bad in ["", "plain", "a_", "a_x"] {
            assert_eq!(from_label(bad), None);
        }
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
