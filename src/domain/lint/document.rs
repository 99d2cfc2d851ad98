//! Classes in files: YAML or JSON, several in one, each field with its line.

use std::collections::BTreeMap;

use granit_parser::{Event, Parser, Span};
use serde_json::Value;

use crate::domain::yaml;

/// One object of a file.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// The object as the API server would get it.
    pub object: Value,
    /// The lines of its fields, as their paths are written in findings.
    lines: BTreeMap<String, usize>,
}

/// Why a file is no YAML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotYaml {
    /// From 1; 0 where it is not known.
    pub line: usize,
    pub reason: String,
}

impl Document {
    /// The line of a field, from 1; of what it is in, where the field is not written.
    pub fn line(&self, field: &str) -> usize {
        let mut field = field;
        loop {
            if let Some(line) = self.lines.get(field) {
                return *line;
            }
            let Some(end) = field.rfind(['.', '[']) else { break };
            field = &field[..end];
        }
        self.lines.values().min().copied().unwrap_or(1)
    }

    /// The objects of a `List`, as `kubectl get -o yaml` prints several; else this one.
    fn items(self) -> Vec<Self> {
        let Some(items) = self.object["items"].as_array() else { return vec![self] };
        let item = |(index, object): (usize, &Value)| {
            let prefix = format!("items[{index}].");
            let below = self
                .lines
                .iter()
                .filter_map(|(path, line)| Some((path.strip_prefix(&prefix)?.to_owned(), *line)));
            Self { object: object.clone(), lines: below.collect() }
        };
        items.iter().enumerate().map(item).collect()
    }
}

/// The objects of a file, the empty ones left out.
///
/// # Errors
/// It is not YAML; JSON is.
pub fn documents(text: &str) -> Result<Vec<Document>, NotYaml> {
    let objects: Vec<Value> = serde_yaml::from_multiple(text).map_err(|error| NotYaml {
        line: error.location().map_or(0, |at| usize::try_from(at.line()).unwrap_or(0)),
        reason: yaml::mistake(error.without_snippet()),
    })?;
    let lines = lines(text)?.into_iter().filter(|lines| !lines.is_empty());
    let document = |(object, lines)| Document { object, lines };
    Ok(objects.into_iter().zip(lines).map(document).flat_map(Document::items).collect())
}

/// What surrounds a node.
enum Frame {
    Map { path: String, key: Option<String> },
    List { path: String, next: usize },
}

/// The lines of every field of every document.
fn lines(text: &str) -> Result<Vec<BTreeMap<String, usize>>, NotYaml> {
    let mut documents: Vec<BTreeMap<String, usize>> = Vec::new();
    let mut frames: Vec<Frame> = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| NotYaml {
            line: error.marker().line(),
            reason: format!("this is not YAML: {}", error.info()),
        })?;
        match event {
            Event::DocumentStart(..) => documents.push(BTreeMap::new()),
            Event::SequenceEnd | Event::MappingEnd => {
                frames.pop();
            }
            _ => {
                if let Some(lines) = documents.last_mut() {
                    node(&event, span, &mut frames, lines);
                }
            }
        }
    }
    Ok(documents)
}

fn node(
    event: &Event<'_>,
    span: Span,
    frames: &mut Vec<Frame>,
    lines: &mut BTreeMap<String, usize>,
) {
    let path = match (frames.last_mut(), event) {
        (_, event) if !event.is_node() => return,
        (None, _) => String::new(),
        (Some(Frame::Map { path, key: key @ None }), event) => {
            let Event::Scalar(name, ..) = event else { return };
            *key = Some(name.to_string());
            let path = if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
            lines.insert(path, span.start.line());
            return;
        }
        (Some(Frame::Map { path, key }), _) => {
            let key = key.take().unwrap_or_default();
            if path.is_empty() { key } else { format!("{path}.{key}") }
        }
        (Some(Frame::List { path, next }), _) => {
            let entry = format!("{path}[{next}]");
            *next += 1;
            lines.insert(entry.clone(), span.start.line());
            entry
        }
    };
    match event {
        Event::MappingStart(..) => frames.push(Frame::Map { path, key: None }),
        Event::SequenceStart(..) => frames.push(Frame::List { path, next: 0 }),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
# a catalog
kind: ServiceClass
spec:
  plans: [{name: small}, {name: large}]
  parameters:
  - name: storage
    paths:
    - size
---
---
kind: List
items:
- kind: ServiceClass
  spec:
    summary: x
";

    #[test]
    fn every_field_has_its_line() {
        let documents = documents(FILE).unwrap();
        assert_eq!(documents.len(), 2);
        let lines = ["kind", "spec.plans[1].name", "spec.parameters[0].paths[0]", "spec.values.a"]
            .map(|field| documents[0].line(field));
        assert_eq!(lines, [2, 4, 8, 3]);
        assert_eq!(documents[1].object["kind"], "ServiceClass");
        assert_eq!(documents[1].line("spec.summary"), 15);
    }

    #[test]
    fn what_is_no_yaml_is_told_with_its_line() {
        let error = documents("kind: ServiceClass\nspec: {a: [1, 2}\n").unwrap_err();
        assert_eq!(error.line, 2, "{}", error.reason);
        let twice = documents("kind: a\nkind: b\n").unwrap_err();
        assert_eq!(twice.line, 2, "{}", twice.reason);
    }

    #[test]
    fn anchors_are_followed() {
        let text = "a: &x {b: 1}\nc: *x\nd: 2\n";
        let documents = documents(text).unwrap();
        assert_eq!(documents[0].object["c"]["b"], 1);
        assert_eq!((documents[0].line("c"), documents[0].line("d")), (2, 3));
    }
}
