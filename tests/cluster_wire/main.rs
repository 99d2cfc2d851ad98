//! Each question to the API server at the wire: what is asked, and what is made of every answer.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod access;
mod failures;
mod leaving;
mod leftovers;
mod lists;
mod objects;
mod reach;
mod server;
mod watching;
mod wire;
