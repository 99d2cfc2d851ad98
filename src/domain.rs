//! What svc knows: pure, without clock, network, terminal or threads.

pub mod age;
pub mod class;
pub mod connection;
pub mod connection_format;
pub mod diagnosis;
pub mod field_path;
pub mod fullname;
pub mod instance;
pub mod leftovers;
pub mod lint;
pub mod manifest;
pub mod readiness;
pub mod record;
pub mod selector;
pub mod state;
pub mod template;
