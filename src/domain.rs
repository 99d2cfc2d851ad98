//! What svc knows: pure, without clock, network, terminal or threads.

pub mod class;
pub mod crd;
pub mod instance;
pub mod record;
