//! What an update or upgrade changes: parameters, the values of operations, objects.

mod moved;
mod objects;
mod values;

use serde_json::Value as Json;

use super::answers::{Answer, Answers};
use super::class::Object;
use super::parameter::EffectiveParameter;
use super::record::Record;
use super::summary::json_text;

pub use moved::{Moved, moved};
pub use objects::{Check, ObjectChange, Restart, checks, objects};
pub use values::{ValueChange, by_author, leaves, values};

/// A parameter that gets another value, applies now, or applies no more.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterChange {
    pub name: String,
    /// `None` where it did not apply or was left out.
    pub before: Option<Json>,
    /// `None` where it does not apply any more.
    pub after: Option<Json>,
    /// Both values are hidden.
    pub sensitive: bool,
}

impl ParameterChange {
    /// `max-connections, was 500`, of one that its class has no more.
    pub fn gone_text(&self) -> String {
        match &self.before {
            Some(before) if !self.sensitive => format!("{}, was {}", self.name, json_text(before)),
            _ => self.name.clone(),
        }
    }

    /// `100 -> 200`
    pub fn text(&self) -> String {
        if self.sensitive {
            return match (&self.before, &self.after) {
                (Some(_), None) => "goes",
                (None, _) => "new",
                _ => "another value",
            }
            .to_owned();
        }
        let text = |value: &Option<Json>| value.as_ref().map_or_else(|| "-".to_owned(), json_text);
        format!("{} -> {}", text(&self.before), text(&self.after))
    }
}

/// The parameters that change, in the order of the answers; then those that apply no more.
///
/// `before` are the answers that the instance has, sensitive ones as they were sent; `now` the
/// parameters as they are to hold. What is sensitive then or now is not shown.
pub fn parameters(
    record: &Record,
    before: &Object,
    answers: &Answers,
    now: &[EffectiveParameter],
) -> Vec<ParameterChange> {
    let sensitive = |name: &str| {
        record.hides(name) || now.iter().any(|known| known.name == name && known.sensitive)
    };
    let changed = answers.iter().filter_map(|answer| {
        let sensitive = answer.value.is_secret() || sensitive(&answer.name);
        change(answer, before.get(&answer.name).cloned(), sensitive)
    });
    let gone = record.answers.iter().filter(|(name, _)| answers.get(name).is_none());
    let gone = gone.map(|(name, recorded)| {
        let sensitive = sensitive(name);
        let value = if sensitive { Json::Null } else { recorded.value.clone() };
        ParameterChange { name: name.clone(), before: Some(value), after: None, sensitive }
    });
    changed.chain(gone).collect()
}

fn change(answer: &Answer, before: Option<Json>, sensitive: bool) -> Option<ParameterChange> {
    let after = answer.value.reveal_json();
    if before.as_ref() == Some(&after) {
        return None;
    }
    let shown = |value: Json| if sensitive { Json::Null } else { value };
    Some(ParameterChange {
        name: answer.name.clone(),
        before: before.map(shown),
        after: Some(shown(after)),
        sensitive,
    })
}

#[cfg(test)]
mod tests;
