//! Below HTTP.
