//! The tables of `docs/class-reference.md`, made from the schema.

use std::fmt::Write;

use serde_json::Value;

/// One field of the schema.
pub struct Field {
    /// From `spec` on: `parameters[].quantity.minimum`.
    pub path: String,
    pub meaning: String,
    kind: String,
    bound: String,
    default: String,
    required: bool,
}

/// One rule in CEL.
pub struct Rule {
    pub path: String,
    pub message: String,
}

/// Parts of the schema that are the same as another: their fields are told there.
const SAME: [(&str, &str); 10] = [
    ("plans[].parameters[].string", "parameters[].string"),
    ("plans[].parameters[].integer", "parameters[].integer"),
    ("plans[].parameters[].number", "parameters[].number"),
    ("plans[].parameters[].boolean", "parameters[].boolean"),
    ("plans[].parameters[].quantity", "parameters[].quantity"),
    ("plans[].parameters[].duration", "parameters[].duration"),
    ("plans[].parameters[].list", "parameters[].list"),
    ("binding.chart", "chart"),
    ("binding.computed", "computed"),
    ("binding.connection", "connection"),
];

fn spec(crd: &Value) -> &Value {
    &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
}

/// All fields below `spec`, in their order.
pub fn fields(crd: &Value) -> Vec<Field> {
    let mut fields = Vec::new();
    collect(spec(crd), "", &mut fields);
    fields
}

fn collect(schema: &Value, path: &str, into: &mut Vec<Field>) {
    let required = |name: &str| {
        schema["required"].as_array().is_some_and(|names| names.iter().any(|other| other == name))
    };
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        into.push(Field {
            meaning: property["description"].as_str().unwrap_or_default().to_owned(),
            kind: kind(property),
            bound: bound(property),
            default: default(property),
            required: required(name),
            path: path.clone(),
        });
        collect(property, &path, into);
        collect(&property["items"], &format!("{path}[]"), into);
    }
}

fn kind(schema: &Value) -> String {
    match schema["type"].as_str().unwrap_or_default() {
        "array" => format!("list of {}", kind(&schema["items"])),
        "object" if schema.get("additionalProperties").is_some() => "labels".to_owned(),
        "object" if schema.get("properties").is_none() => "anything".to_owned(),
        kind => kind.to_owned(),
    }
}

fn default(schema: &Value) -> String {
    match &schema["default"] {
        Value::Null | Value::Object(_) => String::new(),
        Value::String(text) => format!("`{text}`"),
        other => format!("`{other}`"),
    }
}

fn bound(schema: &Value) -> String {
    let mut bounds = Vec::new();
    if let Some(words) = schema["enum"].as_array() {
        let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
        bounds.push(words.join(", "));
    }
    let ranges =
        [("Items", "entries"), ("Properties", "labels"), ("Length", "characters"), ("imum", "")];
    for (size, unit) in ranges {
        bounds.extend(range(&schema[format!("min{size}")], &schema[format!("max{size}")], unit));
    }
    if let Some(pattern) = schema.get("pattern") {
        bounds.push(notation(pattern));
    }
    for inner in ["items", "additionalProperties"] {
        let each = schema.get(inner).map(bound).unwrap_or_default();
        if !each.is_empty() {
            bounds.push(format!("each {each}"));
        }
    }
    bounds.join("; ")
}

/// The notations that the text above the table explains, with their patterns.
fn named_notations(spec: &Value) -> Vec<(String, &'static str)> {
    let spec = &spec["properties"];
    let secret = &spec["chart"]["properties"]["credentials"]["properties"]["secret"]["properties"];
    let parameter = &spec["parameters"]["items"]["properties"];
    [
        (&spec["summary"], "one line"),
        (&secret["namespace"], "DNS label"),
        (&secret["name"], "DNS subdomain"),
        (&parameter["name"], "name"),
        (&parameter["paths"]["items"], "path"),
    ]
    .map(|(schema, name)| (notation(&schema["pattern"]), name))
    .into()
}

fn notation(pattern: &Value) -> String {
    format!("`{}`", pattern.as_str().unwrap_or_default().replace('|', "\\|"))
}

fn range(least: &Value, most: &Value, unit: &str) -> Option<String> {
    let text = match (least, most) {
        (Value::Null, Value::Null) => return None,
        (Value::Null, most) => format!("at most {most} {unit}"),
        (least, Value::Null) => format!("at least {least} {unit}"),
        (least, most) => format!("{least} to {most} {unit}"),
    };
    Some(text.trim_end().to_owned())
}

/// All rules in CEL, the whole object first.
pub fn rules(crd: &Value) -> Vec<Rule> {
    let mut rules = Vec::new();
    let schema = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    collect_rules(schema, "", &mut rules);
    rules
}

fn collect_rules(schema: &Value, path: &str, into: &mut Vec<Rule>) {
    for rule in schema["x-kubernetes-validations"].as_array().into_iter().flatten() {
        let message = rule["message"].as_str().unwrap_or_default().to_owned();
        into.push(Rule { path: path.to_owned(), message });
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        collect_rules(property, &path, into);
        collect_rules(&property["items"], &format!("{path}[]"), into);
    }
}

fn same_as(path: &str) -> Option<&'static str> {
    SAME.iter().find(|(here, _)| *here == path).map(|(_, there)| *there)
}

fn told_elsewhere(path: &str) -> bool {
    SAME.iter()
        .any(|(here, _)| path.strip_prefix(here).is_some_and(|rest| rest.starts_with(['.', '['])))
}

/// The text with its table of fields made anew.
pub fn with_fields(text: &str, crd: &Value) -> String {
    let mut table = "| field of `spec` | type | bound | default | meaning |\n\
        | --- | --- | --- | --- | --- |\n"
        .to_owned();
    let named = named_notations(spec(crd));
    for field in fields(crd).iter().filter(|field| !told_elsewhere(&field.path)) {
        let default = if field.required { "required" } else { &field.default };
        let meaning = match same_as(&field.path) {
            Some(there) => format!("{} Written like `{there}`.", field.meaning),
            None => field.meaning.clone(),
        };
        let Field { path, kind, bound, .. } = field;
        let bound = named.iter().fold(bound.clone(), |bound, (pattern, name)| {
            bound.replace(pattern, &format!("*{name}*"))
        });
        let meaning = meaning.replace('|', "\\|");
        writeln!(table, "| `{path}` | {kind} | {bound} | {default} | {meaning} |")
            .expect("a string grows");
    }
    between(text, "fields", &table)
}

/// The text with its table of rules made anew.
pub fn with_rules(text: &str, crd: &Value) -> String {
    let mut table = "| where | refused with |\n| --- | --- |\n".to_owned();
    let below = |path: &str| path.strip_prefix("spec.").unwrap_or_default().to_owned();
    let told = |path: &str| same_as(&below(path)).is_some() || told_elsewhere(&below(path));
    for rule in rules(crd).iter().filter(|rule| !told(&rule.path)) {
        let place = if rule.path.is_empty() { "the class" } else { &rule.path };
        writeln!(table, "| `{place}` | {} |", rule.message).expect("a string grows");
    }
    between(text, "rules", &table)
}

fn between(text: &str, name: &str, table: &str) -> String {
    let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
    let (before, rest) = text.split_once(&start).expect("the mark where the table starts");
    let (_, after) = rest.split_once(&end).expect("the mark where the table ends");
    format!("{before}{start}\n{table}\n{end}{after}")
}
