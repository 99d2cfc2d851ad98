//! What svc knows: pure, without clock, network, terminal or threads.

pub mod age;
pub mod class;
pub mod command_line;
pub mod connection;
pub mod connection_format;
pub mod duration;
pub mod field_path;
pub mod fullname;
pub mod instance;
pub mod name;
pub mod path;
pub mod plan;
pub mod quantity;
pub mod record;
pub mod selector;
pub mod suggest;
pub mod template;
pub mod value;
