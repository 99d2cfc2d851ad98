//! One candidate with what is said of it.

use clap_complete::engine::CompletionCandidate;
use serde::{Deserialize, Serialize};

/// A candidate, and one line about it; empty for none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    pub value: String,
    pub about: String,
}

impl Choice {
    pub fn new(value: impl Into<String>, about: impl Into<String>) -> Self {
        Self { value: value.into(), about: about.into() }
    }
}

impl From<Choice> for CompletionCandidate {
    fn from(choice: Choice) -> Self {
        let about = (!choice.about.is_empty()).then(|| choice.about.into());
        Self::new(choice.value).help(about)
    }
}
