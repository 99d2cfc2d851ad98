//! What svc knows: pure, without clock, network, terminal or threads.

pub mod answers;
mod charset;
pub mod class;
pub mod command_line;
pub mod duration;
#[cfg(test)]
pub(crate) mod example;
pub mod generate;
pub mod helm_json;
pub mod instance;
pub mod limits;
pub mod name;
pub mod parameter;
pub mod path;
pub mod pattern;
pub mod plan;
pub mod quantity;
pub mod record;
pub mod suggest;
pub mod summary;
pub mod value;
pub mod values;
