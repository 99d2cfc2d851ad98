//! Every template of a class, in its own scope.

use std::collections::BTreeMap;
use std::iter::once;

use super::scope::{Scope, is_guarded};
use super::sent::sent;
use super::{Finding, Place};
use crate::domain::class::{
    Binding, Computed, Condition, Connection, Detail, Kind, Parameter, ServiceClassSpec, Source,
    SourceKind,
};
use crate::domain::connection::{sensitive_names, template_name};
use crate::domain::connection_format::variable_name;
use crate::domain::labels;
use crate::domain::path;
use crate::domain::template::{Context, mentions, sensitive_paths};

pub(super) fn findings(spec: &ServiceClassSpec) -> Vec<Finding> {
    let scopes = scopes(spec);
    let mut findings = Vec::new();
    for (index, computed) in spec.computed.iter().enumerate() {
        let place = computed_place(index, computed);
        findings.extend(scopes.outside.check(place.clone(), &computed.value));
        findings.extend(not_always_given(place, &computed.value, spec));
    }
    let hidden = Context::default().hiding(&spec.parameters);
    findings.extend(connection(&spec.connection, &scopes, &hidden));
    for (index, detail) in spec.connection.details.iter().enumerate() {
        let template = detail.value.as_deref().unwrap_or("");
        findings.extend(not_always_given(detail_place(index, detail), template, spec));
    }
    readiness(spec, &scopes.outside, &mut findings);
    if let Some(one) = &spec.binding {
        findings.extend(binding(one).into_iter().map(Finding::of_binding));
    }
    findings
}

/// A parameter that may be without an answer leaves a template that names it without a value.
fn not_always_given(place: Place, template: &str, spec: &ServiceClassSpec) -> Option<Finding> {
    if is_guarded(template) {
        return None;
    }
    let chains = mentions(template);
    let named = chains.iter().filter(|path| path[0] == "params").filter_map(|path| path.get(1));
    let problem = named.into_iter().find_map(|name| {
        let parameter = spec.parameters.iter().find(|parameter| parameter.name == *name)?;
        let sure = parameter.required || parameter.generate.is_some() || has_default(parameter);
        if let Some(when) = &parameter.when {
            let problem = format!("needs params.{name}, which {} decides on", when.parameter);
            return Some(problem);
        }
        (!sure).then(|| format!("needs params.{name}, which may be left out"))
    });
    problem.map(|problem| Finding::warning(place, problem))
}

pub(super) fn computed_place(index: usize, computed: &Computed) -> Place {
    let text = format!("computed {}", computed.paths.join(", "));
    Place::new(text, format_args!("computed[{index}].value"))
}

pub(super) fn detail_place(index: usize, detail: &Detail) -> Place {
    Place::entry("detail", &detail.name, "connection.details", index)
}

pub(super) fn condition_place(index: usize, condition: &Condition) -> Place {
    let (list, kind) = ("readiness.conditions", "readiness condition");
    Place::entry(kind, &condition.condition, list, index)
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
    let plans = spec.plans.iter().map(|plan| &plan.values);
    let computed = spec.computed.iter().flat_map(|one| &one.paths);
    let parameters = spec.parameters.iter().flat_map(|parameter| &parameter.paths);
    inside.add_values(sent(once(&spec.values).chain(plans), computed.chain(parameters)));
    inside.add_with("params", spec.parameters.iter().map(|parameter| parameter.name.as_str()));
    let mut outside = inside.clone();
    for path in sensitive_paths(&spec.parameters) {
        outside.refuse(path, "is sensitive: it can be used in details only");
    }
    Scopes { outside, inside }
}

fn connection(connection: &Connection, scopes: &Scopes, hidden: &Context) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, source) in connection.sources.iter().enumerate() {
        let place = Place::entry("source", &source.name, "connection.sources", index);
        let (name, labels) = named_or_selected(source);
        findings.extend(name.and_then(|name| scopes.outside.check(place.clone(), name)));
        findings.extend(labels.into_iter().flat_map(|(kind, labels)| {
            selector(&place.below(kind).below("selector"), labels, &scopes.outside)
        }));
    }
    let mut above = scopes.inside.clone();
    for (index, detail) in connection.details.iter().enumerate() {
        let place = detail_place(index, detail);
        let problem = match &detail.value {
            Some(template) => above.problem(template),
            None => bad_place(connection, detail),
        };
        findings.extend(problem.map(|problem| Finding::broken(place, problem)));
        above.add(&template_name(&detail.name));
    }
    findings.extend(after_details(connection, scopes, &above, hidden));
    findings.extend(same_variables(connection));
    findings
}

/// Labels, and the field that their selector is below.
type Selected<'a> = (&'static str, &'a BTreeMap<String, String>);

/// The template of a source's name, or its labels.
pub(super) fn named_or_selected(source: &Source) -> (Option<&str>, Option<Selected<'_>>) {
    match source.kind() {
        Some(SourceKind::Secret(secret)) => {
            (secret.name.as_deref(), secret.selector.as_ref().map(|labels| ("secret", labels)))
        }
        Some(SourceKind::ConfigMap(map)) => {
            (map.name.as_deref(), map.selector.as_ref().map(|labels| ("configMap", labels)))
        }
        Some(SourceKind::Service(service)) => (Some(&service.name), None),
        Some(SourceKind::Object(object)) => (Some(&object.name), None),
        None => (None, None),
    }
}

/// Labels by which something is found: the API server takes no others than labels.
fn selector(place: &Place, labels: &BTreeMap<String, String>, scope: &Scope) -> Vec<Finding> {
    let of_one = |(name, template): (&String, &String)| {
        let place = place.below(name);
        let key = labels::key(name).err().map(|problem| Finding::broken(place.clone(), problem));
        let is_template = template.contains("{{") || template.contains("{%");
        let value = || match is_template {
            true => scope.check(place, template),
            false => labels::value(template).err().map(|problem| Finding::broken(place, problem)),
        };
        key.or_else(value)
    };
    labels.iter().filter_map(of_one).collect()
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
) -> Vec<Finding> {
    let mut findings = Vec::new();
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
    for (index, forward) in connection.forward.iter().enumerate() {
        let place = Place::entry("forward", &forward.name, "connection.forward", index);
        findings.extend(public.check(place, &forward.service));
    }
    let Some(client) = &connection.client else { return findings };
    for (index, arg) in client.args.iter().enumerate() {
        let field = format!("connection.client.args[{index}]");
        findings.extend(public.check(Place::new("client args", field), arg));
    }
    for (index, variable) in client.env.iter().enumerate() {
        let place = Place::entry("client env", &variable.name, "connection.client.env", index);
        findings.extend(above.check(place, &variable.value));
    }
    findings
}

/// Details that `-o env` cannot tell apart.
fn same_variables(connection: &Connection) -> Vec<Finding> {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    let mut findings = Vec::new();
    for (index, detail) in connection.details.iter().enumerate() {
        let variable = variable_name("", &detail.name);
        // One that is there twice is told where lists are read.
        if let Some(other) = seen.insert(variable, &detail.name)
            && other != detail.name
        {
            let problem = format!("has the same name as {other} for shells and templates");
            findings.push(Finding::broken(detail_place(index, detail), problem));
        }
    }
    findings
}

fn readiness(spec: &ServiceClassSpec, outside: &Scope, findings: &mut Vec<Finding>) {
    let pods = spec.readiness.pods.as_ref().map(|pods| &pods.selector);
    let place = Place::new("readiness pods", "readiness.pods.selector");
    findings.extend(pods.into_iter().flat_map(|labels| selector(&place, labels, outside)));
    for (index, condition) in spec.readiness.conditions.iter().enumerate() {
        findings.extend(outside.check(condition_place(index, condition), &condition.name));
    }
    let volumes = spec.deletion.volumes.as_ref().map(|volumes| &volumes.selector);
    let place = Place::new("deletion volumes", "deletion.volumes.selector");
    findings.extend(volumes.into_iter().flat_map(|labels| selector(&place, labels, outside)));
}

/// A binding's values are computed over the instance, the binding and the consumer; its connection
/// sees its own release.
fn binding(binding: &Binding) -> Vec<Finding> {
    let mut outside = Scope::default();
    outside.add_with("release", ["name", "namespace"]);
    outside.add_with("chart", ["name"]);
    outside.add("fullname");
    let computed = binding.computed.iter().flat_map(|one| &one.paths);
    outside.add_values(sent(once(&binding.values), computed));
    outside.add_with("params", [""; 0]);
    outside.add_with("instance", ["name", "namespace", "details"]);
    outside.add_with("binding", ["name", "role", "labels"]);
    outside.add_with("consumer", ["namespace"]);
    let computed = binding.computed.iter().enumerate();
    let mut findings: Vec<Finding> = computed
        .filter_map(|(index, one)| outside.check(computed_place(index, one), &one.value))
        .collect();
    let scopes = Scopes { inside: outside.clone(), outside };
    let hidden = Context::default().sensitive(["instance", "details"]);
    findings.extend(connection(&binding.connection, &scopes, &hidden));
    findings
}
