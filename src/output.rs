//! The only writer to stdout and stderr: answers, messages, tables, formats, progress
//! (interface §1.1, §1.3).

mod caller;
mod cells;
pub mod colour;
mod command;
mod escape;
mod face;
mod failure;
mod format;
mod page;
mod pairs;
mod progress;
mod table;
mod wrap;

pub use caller::Caller;
pub use cells::{Cell, Tone};
pub use command::fold;
pub use escape::escape;
pub use face::{Face, Streams};
pub use format::{Format, Report, json, yaml};
pub use page::{Mark, Page};
pub use pairs::Pairs;
pub use progress::{Progress, Waited};
pub use table::{Column, Table};
pub use wrap::wrap;
