//! svc: databases, queues and other services from a cluster's catalog.
//!
//! The rooms, and who may use whom: `main → lib → commands → ops → {cluster, helm} → domain`,
//! and `commands → prompt, output → domain`. Nothing points back.

pub mod cluster;
pub mod domain;
pub mod error;
