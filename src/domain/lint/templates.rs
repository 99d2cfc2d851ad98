//! Every template of a class, in its own scope.

use std::collections::BTreeMap;

use super::Finding;
use super::scope::Scope;
use crate::domain::class::{
    Binding, Connection, Detail, Kind, Parameter, ServiceClassSpec, Source, SourceKind,
};
use crate::domain::connection::{sensitive_names, template_name};
use crate::domain::connection_format::variable_name;
use crate::domain::path;
use crate::domain::template::{Context, mentions, sensitive_paths};

pub(super) fn findings(spec: &ServiceClassSpec) -> Vec<Finding> {
    let scopes = scopes(spec);
    let mut findings = Vec::new();
    for computed in &spec.computed {
        let place = format!("computed {}", computed.paths.join(", "));
        findings.extend(scopes.outside.check(&place, &computed.value));
        findings.extend(not_always_given(&place, &computed.value, spec));
    }
    let hidden = Context::default().hiding(&spec.parameters);
    connection(&spec.connection, &scopes, &hidden, "", &mut findings);
    for detail in &spec.connection.details {
        let template = detail.value.as_deref().unwrap_or("");
        findings.extend(not_always_given(&format!("detail {}", detail.name), template, spec));
    }
    readiness(spec, &scopes.outside, &mut findings);
    if let Some(one) = &spec.binding {
        binding(one, &mut findings);
    }
    findings
}

/// A parameter that may be without an answer leaves a template that names it without a value.
fn not_always_given(place: &str, template: &str, spec: &ServiceClassSpec) -> Option<Finding> {
    let chains = mentions(template);
    if ["default", "defined"].iter().any(|guard| template.contains(guard)) {
        return None;
    }
    let named = chains.iter().filter(|path| path[0] == "params").filter_map(|path| path.get(1));
    named.into_iter().find_map(|name| {
        let parameter = spec.parameters.iter().find(|parameter| parameter.name == *name)?;
        let sure = parameter.required || parameter.generate.is_some() || has_default(parameter);
        if let Some(when) = &parameter.when {
            let problem = format!("needs params.{name}, which {} decides on", when.parameter);
            return Some(Finding::warning(place, problem));
        }
        (!sure)
            .then(|| Finding::warning(place, format!("needs params.{name}, which may be left out")))
    })
}

fn has_default(parameter: &Parameter) -> bool {
    match parameter.kind() {
        Some(Kind::String(limits)) => limits.default.is_some(),
        Some(Kind::Integer(limits)) => limits.default.is_some(),
        Some(Kind::Number(limits)) => limits.default.is_some(),
        Some(Kind::Boolean(limits)) => limits.default.is_some(),
        Some(Kind::Quantity(limits) | Kind::Duration(limits)) => limits.default.is_some(),
        Some(Kind::List(limits)) => limits.default.is_some(),
        None => false,
    }
}

/// The scopes of a connection: outside its details, and inside them.
struct Scopes {
    outside: Scope,
    inside: Scope,
}

fn scopes(spec: &ServiceClassSpec) -> Scopes {
    let mut inside = Scope::default();
    inside.add_with("release", ["name", "namespace"]);
    inside.add_with("chart", ["name"]);
    inside.add("fullname");
    inside.add("values");
    inside.add_with("params", spec.parameters.iter().map(|parameter| parameter.name.as_str()));
    let mut outside = inside.clone();
    for path in sensitive_paths(&spec.parameters) {
        outside.refuse(path, "is sensitive: it can be used in details only");
    }
    Scopes { outside, inside }
}

fn connection(
    connection: &Connection,
    scopes: &Scopes,
    hidden: &Context,
    of: &str,
    findings: &mut Vec<Finding>,
) {
    for source in &connection.sources {
        for template in source_templates(source) {
            findings.extend(scopes.outside.check(format!("{of}source {}", source.name), template));
        }
    }
    let mut above = scopes.inside.clone();
    for detail in &connection.details {
        let place = format!("{of}detail {}", detail.name);
        let problem = match &detail.value {
            Some(template) => above.problem(template),
            None => bad_place(connection, detail),
        };
        findings.extend(problem.map(|problem| Finding::broken(place, problem)));
        above.add(&template_name(&detail.name));
    }
    after_details(connection, scopes, &above, hidden, of, findings);
    findings.extend(same_variables(connection, of));
}

fn source_templates(source: &Source) -> Vec<&str> {
    match source.kind() {
        Some(SourceKind::Secret(secret)) => {
            name_or_labels(secret.name.as_deref(), secret.selector.as_ref())
        }
        Some(SourceKind::ConfigMap(map)) => {
            name_or_labels(map.name.as_deref(), map.selector.as_ref())
        }
        Some(SourceKind::Service(service)) => vec![&service.name],
        Some(SourceKind::Object(object)) => vec![&object.name],
        None => Vec::new(),
    }
}

fn name_or_labels<'a>(
    name: Option<&'a str>,
    labels: Option<&'a BTreeMap<String, String>>,
) -> Vec<&'a str> {
    let labels = labels.into_iter().flat_map(BTreeMap::values).map(String::as_str);
    name.into_iter().chain(labels).collect()
}

/// What is wrong with the place that a detail names.
fn bad_place(connection: &Connection, detail: &Detail) -> Option<String> {
    let from = detail.from.as_ref()?;
    let source = connection.sources.iter().find(|source| source.name == from.source);
    let Some(kind) = source.and_then(Source::kind) else {
        return Some(format!("there is no source {}", from.source));
    };
    match (kind, &from.key, &from.path) {
        (SourceKind::Secret(_) | SourceKind::ConfigMap(_), Some(_), None) => None,
        (SourceKind::Secret(_) | SourceKind::ConfigMap(_), ..) => {
            Some(format!("needs a key of source {}, and no path", from.source))
        }
        (_, None, Some(path)) => path.parse::<path::Path>().err().map(|error| error.to_string()),
        _ => Some(format!("needs a path into source {}, and no key", from.source)),
    }
}

/// What comes after the details sees them: the client's environment all of them, its arguments
/// and the tunnels those that are not sensitive.
fn after_details(
    connection: &Connection,
    scopes: &Scopes,
    above: &Scope,
    hidden: &Context,
    of: &str,
    findings: &mut Vec<Finding>,
) {
    let sensitive = sensitive_names(connection, hidden);
    let mut public = scopes.outside.clone();
    for detail in &connection.details {
        let name = template_name(&detail.name);
        if sensitive.contains(detail.name.as_str()) {
            public.refuse(vec![name], "is sensitive: it can be used in the client's env only");
        } else {
            public.add(&name);
        }
    }
    for forward in &connection.forward {
        findings.extend(public.check(format!("{of}forward {}", forward.name), &forward.service));
    }
    let Some(client) = &connection.client else { return };
    for arg in &client.args {
        findings.extend(public.check(format!("{of}client args"), arg));
    }
    for variable in &client.env {
        findings.extend(above.check(format!("{of}client env {}", variable.name), &variable.value));
    }
}

/// Details that `-o env` cannot tell apart.
fn same_variables(connection: &Connection, of: &str) -> Vec<Finding> {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    let mut findings = Vec::new();
    for detail in &connection.details {
        let variable = variable_name("", &detail.name);
        if let Some(other) = seen.insert(variable, &detail.name) {
            let problem = format!("has the same name as {other} for shells and templates");
            findings.push(Finding::broken(format!("{of}detail {}", detail.name), problem));
        }
    }
    findings
}

fn readiness(spec: &ServiceClassSpec, outside: &Scope, findings: &mut Vec<Finding>) {
    let pods = spec.readiness.pods.as_ref().map(|pods| &pods.selector);
    for template in pods.into_iter().flat_map(BTreeMap::values) {
        findings.extend(outside.check("readiness pods", template));
    }
    for condition in &spec.readiness.conditions {
        let place = format!("readiness condition {}", condition.condition);
        findings.extend(outside.check(place, &condition.name));
    }
    let volumes = spec.deletion.volumes.as_ref().map(|volumes| &volumes.selector);
    for template in volumes.into_iter().flat_map(BTreeMap::values) {
        findings.extend(outside.check("deletion volumes", template));
    }
}

/// A binding's values are computed over the instance, the binding and the consumer; its connection
/// sees its own release.
fn binding(binding: &Binding, findings: &mut Vec<Finding>) {
    let mut outside = Scope::default();
    outside.add_with("release", ["name", "namespace"]);
    outside.add_with("chart", ["name"]);
    outside.add("fullname");
    outside.add("values");
    outside.add_with("params", [""; 0]);
    outside.add_with("instance", ["name", "namespace", "details"]);
    outside.add_with("binding", ["name", "role", "labels"]);
    outside.add_with("consumer", ["namespace"]);
    for computed in &binding.computed {
        let place = format!("binding computed {}", computed.paths.join(", "));
        findings.extend(outside.check(place, &computed.value));
    }
    let scopes = Scopes { inside: outside.clone(), outside };
    let hidden = Context::default().sensitive(["instance", "details"]);
    connection(&binding.connection, &scopes, &hidden, "binding ", findings);
}
