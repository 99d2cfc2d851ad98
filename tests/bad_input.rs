//! Bad input that needs no cluster: every mistake has its own words and exit status, and nothing
//! is made. What needs a cluster is in `end_to_end`.

#[path = "bad_input/carried.rs"]
mod carried;
#[path = "bad_input/cluster.rs"]
mod cluster;
#[path = "bad_input/full.rs"]
mod full;
#[path = "bad_input/garbage.rs"]
mod garbage;
#[path = "bad_input/garbage_maker.rs"]
mod garbage_maker;
#[path = "bad_input/helm.rs"]
mod helm;
#[path = "bad_input/instance.rs"]
mod instance;
#[path = "bad_input/names.rs"]
mod names;
#[path = "bad_input/place.rs"]
mod place;
#[path = "bad_input/server.rs"]
mod server;
#[path = "bad_input/stumbling.rs"]
mod stumbling;
mod support;
#[path = "bad_input/values.rs"]
mod values;
#[path = "bad_input/watching.rs"]
mod watching;
