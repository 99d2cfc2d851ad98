//! Where in a class something is wrong.

use std::fmt::{self, Display};

/// A place in a class, as people name it and as its field is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// `detail uri`, `parameter storage`; empty where the field says it all.
    pub text: String,
    /// `spec.connection.details[4]`; the lines of a file are looked up by it.
    pub field: String,
}

impl Place {
    /// A place below `spec`.
    pub(super) fn new(text: impl Into<String>, field: impl Display) -> Self {
        Self { text: text.into(), field: format!("spec.{field}") }
    }

    /// An entry of a list with a name: `parameter storage`, `parameters[2]`.
    pub(super) fn entry(kind: &str, name: &str, list: &str, index: usize) -> Self {
        Self::new(format!("{kind} {name}"), format_args!("{list}[{index}]"))
    }

    /// A field that is named by its path alone, from the root of the object.
    pub(super) fn field(field: impl Into<String>) -> Self {
        Self { text: String::new(), field: field.into() }
    }

    /// A field below this one, under the same words.
    pub(super) fn below(&self, field: &str) -> Self {
        Self { text: self.text.clone(), field: format!("{}.{field}", self.field) }
    }

    /// The same place in the part about bindings.
    pub(super) fn of_binding(self) -> Self {
        let below = self.field.strip_prefix("spec.").unwrap_or(&self.field);
        Self { field: format!("spec.binding.{below}"), text: format!("binding {}", self.text) }
    }

    /// Whether the field of the other place is this one or inside it.
    pub(super) fn holds(&self, other: &Self) -> bool {
        let rest = other.field.strip_prefix(&self.field);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    }
}

impl Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.text.is_empty() { &self.field } else { &self.text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_holds_what_is_inside_it() {
        let parameter = Place::entry("parameter", "storage", "parameters", 1);
        assert_eq!(parameter.field, "spec.parameters[1]");
        assert!(parameter.holds(&Place::field("spec.parameters[1].paths[0]")));
        assert!(parameter.holds(&parameter));
        assert!(!parameter.holds(&Place::field("spec.parameters[10]")));
    }

    #[test]
    fn a_binding_has_its_own() {
        let detail = Place::entry("detail", "uri", "connection.details", 0).of_binding();
        assert_eq!(detail.field, "spec.binding.connection.details[0]");
        assert_eq!(detail.to_string(), "binding detail uri");
    }
}
