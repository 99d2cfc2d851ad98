//! Connection details: what a class says of them, made into values (design §3, interface §9).

mod client;
mod detail;
mod evaluate;
mod known_client;
mod need;
mod refusal;
mod source;

pub(crate) use client::with_details;
pub use client::{ClientCommand, Tunnel, client, tunnels};
pub use detail::{DetailState, Details, Encoded, EvaluatedDetail, Known};
pub(crate) use evaluate::template_name;
pub use evaluate::{evaluate, sensitive_names};
pub use known_client::{SCRIPT, is_known as is_known_client};
pub use need::{Lookup, ObjectKind, SourceNeed, sources_needed};
pub use refusal::{broken_detail, first_refusal, gone, no_such_detail, refusal};
pub use source::{Content, Found, Lack, SourceState, Sources};
