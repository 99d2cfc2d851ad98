//! What svc knows: pure, without clock, network, terminal or threads.

pub mod class;
pub mod command_line;
pub mod duration;
pub mod instance;
pub mod name;
pub mod path;
pub mod plan;
pub mod quantity;
pub mod record;
pub mod suggest;
pub mod value;
