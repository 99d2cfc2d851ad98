//! Use cases: what the verbs do, over cluster, helm and domain; no flags, no terminal.

pub mod catalog;
