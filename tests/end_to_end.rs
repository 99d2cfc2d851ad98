//! The promises of svc on a real cluster with a real helm, each test in a namespace of its own.
//!
//! Without a cluster each test says that it did not run; `tests/end-to-end` runs all with both
//! helms.

mod support;

#[path = "end_to_end/exact.rs"]
mod exact;
#[path = "end_to_end/postgres.rs"]
mod postgres;
