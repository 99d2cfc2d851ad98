//! The sources of a connection and the conditions of a class, as parts of readiness.

use serde_json::Value;

use super::{Lack, Line, Rank};
use crate::domain::class::Condition;
use crate::domain::connection::{Content, Found, SourceNeed, SourceState, Sources};
use crate::domain::leaving;

/// A condition of the class with what was found.
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionLook {
    pub condition: Condition,
    /// The object's name, rendered.
    pub name: String,
    /// `None` while it does not exist.
    pub object: Option<Value>,
}

/// What is lacking of a source: itself, or a key that must be there. What may not be read cannot
/// be waited for.
pub(super) fn lack(need: &SourceNeed, sources: &Sources) -> Option<Lack> {
    let (text, rank) = look(need, sources);
    let subject = subject(need, sources);
    match sources.get(&need.source) {
        _ if rank >= Rank::AlmostReady => None,
        Some(SourceState::Missing { object, ever_here: true }) => {
            Some(Lack { words: format!("{object} is gone"), for_good: true })
        }
        Some(SourceState::Missing { object, .. }) => {
            Some(Lack::passing(format!("{object} does not exist yet")))
        }
        Some(SourceState::Here(found)) if found.leaving.is_some() => {
            Some(Lack { words: format!("{subject}: {text}"), for_good: true })
        }
        Some(SourceState::Here(_)) => Some(Lack::passing(format!("{subject} {text}"))),
        _ => Some(Lack::passing(format!("{subject}: {text}"))),
    }
}

fn subject(need: &SourceNeed, sources: &Sources) -> String {
    match sources.get(&need.source) {
        Some(SourceState::Here(found)) => found.object.clone(),
        _ => need.to_string(),
    }
}

pub(super) fn lines(needs: &[SourceNeed], sources: &Sources) -> Vec<Line> {
    needs
        .iter()
        .map(|need| {
            let (text, rank) = look(need, sources);
            Line::new(subject(need, sources), text, rank)
        })
        .collect()
}

fn look(need: &SourceNeed, sources: &Sources) -> (String, Rank) {
    match sources.get(&need.source).unwrap_or(&SourceState::NotAsked) {
        SourceState::Here(found) => match (&found.leaving, lacking(need, found)) {
            (Some(finalizers), _) => (leaving::words(finalizers), Rank::Failing),
            (None, Some(lack)) => (lack, Rank::Waiting),
            (None, None) => ("here".to_owned(), Rank::Ready),
        },
        SourceState::Missing { ever_here: true, .. } => ("gone".to_owned(), Rank::Failing),
        SourceState::Missing { .. } | SourceState::NotAsked => {
            ("not there yet".to_owned(), Rank::Waiting)
        }
        SourceState::Forbidden { .. } => ("not allowed to read it".to_owned(), Rank::AlmostReady),
        SourceState::Ambiguous { names, .. } => {
            (format!("{} match, where one must: {}", names.len(), names.join(", ")), Rank::Failing)
        }
    }
}

/// More keys are not named.
const MANY_KEYS: usize = 6;

fn lacking(need: &SourceNeed, found: &Found) -> Option<String> {
    let Content::Keys(keys) = &found.content else {
        let path = need.required_paths.iter().find(|path| !found.has_path(path))?;
        return Some(format!("has no {path} yet"));
    };
    let key = need.required.iter().find(|key| !found.has_key(key))?;
    let has: Vec<&str> = keys.keys().map(String::as_str).take(MANY_KEYS).collect();
    let has = if has.is_empty() { "nothing".to_owned() } else { has.join(", ") };
    let more = if keys.len() > MANY_KEYS { ", …" } else { "" };
    Some(format!("has no key {key} yet, but {has}{more}"))
}

impl ConditionLook {
    /// Whether the condition has the status that the class asks for.
    pub fn holds(&self) -> bool {
        self.leaving().is_none()
            && self.status().is_some_and(|(status, _)| status == self.condition.status)
    }

    pub(super) fn lack(&self) -> Option<Lack> {
        let for_good = self.leaving().is_some();
        (!self.holds()).then(|| Lack { words: self.line().to_string(), for_good })
    }

    /// Its finalizers, where its object is being deleted.
    fn leaving(&self) -> Option<Vec<String>> {
        leaving::finalizers_of(self.object.as_ref()?)
    }

    /// Its status and message now.
    fn status(&self) -> Option<(&str, &str)> {
        let conditions = self.object.as_ref()?.pointer("/status/conditions")?.as_array()?;
        let wanted = Some(self.condition.condition.as_str());
        let found = conditions
            .iter()
            .find(|condition| condition.get("type").and_then(Value::as_str) == wanted)?;
        let message = found.get("message").and_then(Value::as_str).unwrap_or("");
        Some((found.get("status")?.as_str()?, message))
    }

    /// Its line in the progress block.
    pub fn line(&self) -> Line {
        let subject = format!("{} {}", self.condition.kind, self.name);
        let wanted = &self.condition.condition;
        if let Some(finalizers) = self.leaving() {
            return Line::new(subject, leaving::words(&finalizers), Rank::Failing);
        }
        match (self.status(), &self.object) {
            (_, None) => Line::new(subject, "not there yet", Rank::Waiting),
            (None, Some(_)) => {
                Line::new(subject, format!("{wanted} is not known yet"), Rank::Waiting)
            }
            (Some((status, _)), _) if status == self.condition.status => {
                Line::new(subject, format!("{wanted} is {status}"), Rank::Ready)
            }
            (Some((status, "")), _) => {
                Line::new(subject, format!("{wanted} is {status}"), Rank::Waiting)
            }
            (Some((status, message)), _) => {
                let first = message.lines().next().unwrap_or("");
                Line::new(subject, format!("{wanted} is {status}: {first}"), Rank::Waiting)
            }
        }
    }
}
