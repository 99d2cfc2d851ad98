//! What svc knows: pure, without clock, network, terminal or threads.

pub mod class;
pub mod instance;
pub mod suggest;
pub mod record;
