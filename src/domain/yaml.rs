//! Mistakes in YAML in plain words; the library's are those of programs that read YAML.

use serde_yaml::Error as YamlError;

/// Where something else than one word stands.
pub const A_TEXT: &str = "a text is expected here";
/// Where something else than a mapping stands.
pub const A_MAPPING: &str = "names with their values are expected here, as name: value";

/// What is wrong, without its place: `title is there twice`.
pub fn mistake(error: &YamlError) -> String {
    match error {
        YamlError::DuplicateMappingKey { key: Some(key), .. } => format!("{key} is there twice"),
        YamlError::DuplicateMappingKey { .. } => "a key is there twice".to_owned(),
        YamlError::MultipleDocuments { .. } => "there is more than one document".to_owned(),
        YamlError::UnknownAnchor { .. } => "the anchor of this * is not there".to_owned(),
        YamlError::NonFiniteFloat { value, .. } => format!("{value} is not a number"),
        YamlError::Budget { .. } => {
            "it is nested too deep, or has more in it than is read".to_owned()
        }
        YamlError::Unexpected { expected, .. } if expected.contains("scalar") => A_TEXT.to_owned(),
        YamlError::Unexpected { expected, .. } if expected.contains("mapping") => {
            A_MAPPING.to_owned()
        }
        other => syntax(&other.to_string()),
    }
}

/// A mistake of the syntax, without the place that the parser adds to its words.
fn syntax(words: &str) -> String {
    let words = words.lines().next().unwrap_or_default();
    let words = words.split(" at line ").next().unwrap_or_default();
    if words.starts_with("mapping values are not allowed") {
        return "a second : is not expected here; is the line indented right?".to_owned();
    }
    format!("this is not YAML: {words}")
}
