//! Classes whose templates only put names into texts: once the names are known to be there, they
//! cannot fail. A catalog of hundreds of them is read without evaluating anything.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::super::templates::named_or_selected;
use crate::domain::class::{Connection, ServiceClassSpec};

/// `{{ release.name }}`, `{{ params.mode }}`, `{{ host }}`, `{{ password | uri }}`.
static NAMES: LazyLock<Regex> = LazyLock::new(|| {
    let names =
        r"release[.](name|namespace)|chart[.]name|params[.][a-z0-9]+|[a-z0-9_]+( *[|] *uri)?";
    Regex::new(&format!(r"\{{\{{ *({names}) *\}}\}}")).expect("it is a regular expression")
});

/// What is a label's value in every instance.
const LABELS: [&str; 3] = ["{{ release.name }}", "{{ release.namespace }}", "{{ fullname }}"];

/// Whether nothing of a class can fail by being evaluated.
pub(super) fn is_plain(spec: &ServiceClassSpec) -> bool {
    let binding = spec.binding.as_ref();
    let connections = [&spec.connection].into_iter().chain(binding.map(|one| &one.connection));
    let computed = spec.computed.iter().chain(binding.into_iter().flat_map(|one| &one.computed));
    let conditions = spec.readiness.conditions.iter().map(|condition| &condition.name);
    let pods = spec.readiness.pods.iter().map(|pods| &pods.selector);
    let volumes = spec.deletion.volumes.iter().map(|volumes| &volumes.selector);
    computed.map(|one| &one.value).chain(conditions).all(|template| is_text(template))
        && pods.chain(volumes).all(are_labels)
        && connections.into_iter().all(of_connection)
}

fn of_connection(connection: &Connection) -> bool {
    let sources = connection.sources.iter().all(|source| {
        let (name, selected) = named_or_selected(source);
        name.is_none_or(is_text) && selected.is_none_or(|(_, labels)| are_labels(labels))
    });
    let client = connection.client.iter();
    let client = client.flat_map(|client| {
        client.args.iter().chain(client.env.iter().map(|variable| &variable.value))
    });
    let details = connection.details.iter().filter_map(|detail| detail.value.as_ref());
    let forward = connection.forward.iter().map(|forward| &forward.service);
    sources && details.chain(forward).chain(client).all(|template| is_text(template))
}

fn is_text(template: &str) -> bool {
    let has_tags = |text: &str| ["{{", "{%", "{#"].iter().any(|tag| text.contains(tag));
    !has_tags(template) || !has_tags(&NAMES.replace_all(template, " "))
}

/// What is no template is checked where it is read.
fn are_labels(labels: &BTreeMap<String, String>) -> bool {
    labels.values().all(|value| !value.contains('{') || LABELS.contains(&value.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_a_text_are_plain() {
        for plain in [
            "5432",
            "{{ fullname }}.{{ release.namespace }}.svc",
            "pg://{{ username|uri }}:{{ password | uri }}@{{ host }}:{{ port }}/{{ params.database }}",
        ] {
            assert!(is_text(plain), "{plain}");
        }
        for other in [
            "{{ 1 // 0 }}",
            "{{ values.text.more }}",
            "{{ params.size | uri }}",
            "{{ params['a-b'] }}",
            "{{ port + 1 }}",
            "{% if a %}{% endif %}",
            "{{ host | upper }}",
            "{{ host",
        ] {
            assert!(!is_text(other), "{other}");
        }
        let labels = |value: &str| BTreeMap::from([("a".to_owned(), value.to_owned())]);
        assert!(are_labels(&labels("{{ release.name }}")) && are_labels(&labels("db")));
        assert!(!are_labels(&labels("{{ release.name }} x")));
    }
}
