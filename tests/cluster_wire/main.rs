//! Each question to the API server at the wire: what is asked, and what is made of every answer.

mod access;
mod failures;
mod leftovers;
mod lists;
mod objects;
mod reach;
mod watching;
mod wire;
