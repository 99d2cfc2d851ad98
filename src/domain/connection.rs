//! Connection details: what a class says of them, made into values (design §3, interface §9).

mod client;
mod detail;
mod evaluate;
mod need;
mod source;

pub use client::{ClientCommand, Tunnel, client, tunnels};
pub use detail::{DetailState, Details, Encoded, EvaluatedDetail, Known};
pub use evaluate::{evaluate, sensitive_names};
pub use need::{Lookup, ObjectKind, SourceNeed, sources_needed};
pub use source::{Content, Found, Lack, SourceState, Sources};
