//! Use cases: what the verbs do, over cluster, helm and domain; no flags, no terminal.

pub mod catalog;
pub mod change;
pub mod connect;
pub mod create;
pub mod delete;
pub mod deploy;
pub mod doctor;
pub mod instance;
pub mod lint;
pub mod list;
pub mod log;
pub mod rights;
pub mod show;
pub mod update;
pub mod upgrade;
pub mod watch;
