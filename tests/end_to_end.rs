//! The promises of svc on a real cluster with a real helm, each test in a namespace of its own.
//!
//! Without a cluster each test says that it did not run; `tests/end-to-end` runs all with both
//! helms.

mod support;

#[path = "end_to_end/answers.rs"]
mod answers;
#[path = "end_to_end/catalog.rs"]
mod catalog;
#[path = "end_to_end/changing.rs"]
mod changing;
#[path = "end_to_end/charts.rs"]
mod charts;
#[path = "end_to_end/connecting.rs"]
mod connecting;
#[path = "end_to_end/deletion.rs"]
mod deletion;
#[path = "end_to_end/diagnosis.rs"]
mod diagnosis;
#[path = "end_to_end/differential.rs"]
mod differential;
#[path = "end_to_end/dry_runs.rs"]
mod dry_runs;
#[path = "end_to_end/each_right.rs"]
mod each_right;
#[path = "end_to_end/escapes.rs"]
mod escapes;
#[path = "end_to_end/exact.rs"]
mod exact;
#[path = "end_to_end/existing.rs"]
mod existing;
#[path = "end_to_end/faults.rs"]
mod faults;
#[path = "end_to_end/half_made.rs"]
mod half_made;
#[path = "end_to_end/interrupting.rs"]
mod interrupting;
#[path = "end_to_end/kill_sweep.rs"]
mod kill_sweep;
#[path = "end_to_end/leaving.rs"]
mod leaving;
#[path = "end_to_end/limits.rs"]
mod limits;
#[path = "end_to_end/linting.rs"]
mod linting;
#[path = "end_to_end/listing.rs"]
mod listing;
#[path = "end_to_end/masks.rs"]
mod masks;
#[path = "end_to_end/narrowing.rs"]
mod narrowing;
#[path = "end_to_end/own_chart.rs"]
mod own_chart;
#[path = "end_to_end/plans.rs"]
mod plans;
#[path = "end_to_end/policy.rs"]
mod policy;
#[path = "end_to_end/postgres.rs"]
mod postgres;
#[path = "end_to_end/race.rs"]
mod race;
#[path = "end_to_end/refusals.rs"]
mod refusals;
#[path = "end_to_end/retrying.rs"]
mod retrying;
#[path = "end_to_end/reused.rs"]
mod reused;
#[path = "end_to_end/rights.rs"]
mod rights;
#[path = "end_to_end/sensitivity.rs"]
mod sensitivity;
#[path = "end_to_end/showing.rs"]
mod showing;
#[path = "end_to_end/sources.rs"]
mod sources;
#[path = "end_to_end/states.rs"]
mod states;
#[path = "end_to_end/upgrading.rs"]
mod upgrading;
#[path = "end_to_end/waiting.rs"]
mod waiting;
#[path = "end_to_end/ways_out.rs"]
mod ways_out;
