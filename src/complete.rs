//! Candidates for completion: words that are known, and live ones from the cluster.

use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};

use crate::domain::instance::State;

/// Contexts of the kubeconfig.
pub fn contexts() -> Vec<CompletionCandidate> {
    Vec::new()
}

/// Namespaces of the cluster.
pub fn namespaces() -> Vec<CompletionCandidate> {
    Vec::new()
}

/// Every class.
pub fn classes() -> Vec<CompletionCandidate> {
    Vec::new()
}

/// Classes that can be created: neither shared nor broken.
pub fn creatable_classes() -> Vec<CompletionCandidate> {
    Vec::new()
}

/// Plans of the class on the line.
pub fn plans() -> Vec<CompletionCandidate> {
    Vec::new()
}

/// Instances of the namespace.
pub fn instances() -> Vec<CompletionCandidate> {
    Vec::new()
}

/// Details of the instance on the line.
pub fn details() -> Vec<CompletionCandidate> {
    Vec::new()
}

/// `NAME=` and, after it, allowed values.
pub fn assignments() -> ArgValueCandidates {
    ArgValueCandidates::new(Vec::new)
}

/// `NAME=`.
pub fn assigned_names() -> ArgValueCandidates {
    ArgValueCandidates::new(Vec::new)
}

/// The states of the column STATE.
pub fn states() -> Vec<CompletionCandidate> {
    State::ALL.iter().map(|state| CompletionCandidate::new(state.word())).collect()
}

pub fn answer(_process: &crate::process::Process) -> bool {
    false
}
