//! The machine forms of what commands print: `cli.svc-cli.dev/v1`.

pub mod class;
pub mod instance;
pub mod plan;

/// Within it fields are added, never renamed, removed or retyped.
pub const API_VERSION: &str = "cli.svc-cli.dev/v1";
