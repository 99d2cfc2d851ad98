//! What svc knows: pure, without clock, network, terminal or threads.

pub mod access;
pub mod age;
pub mod answers;
mod charset;
pub mod class;
pub mod command_line;
pub mod connection;
pub mod connection_format;
pub mod crd;
pub mod diagnosis;
pub mod duration;
#[cfg(test)]
pub(crate) mod example;
pub mod fullname;
pub mod generate;
pub mod happening;
pub mod helm_json;
pub mod instance;
pub mod leftovers;
pub mod limits;
pub mod lint;
pub mod manifest;
pub mod name;
pub mod parameter;
pub mod path;
pub mod pattern;
pub mod plan;
pub mod quantity;
pub mod readiness;
pub mod record;
pub mod selector;
pub mod state;
pub mod suggest;
pub mod summary;
pub mod template;
pub mod value;
pub mod values;
