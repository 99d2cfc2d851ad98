//! Every form of question at a pseudo-terminal, as its screen shows it (interface §4).

mod interruptions;
mod lines;
mod menus;
mod secrets;
mod yes_and_no;

#[path = "../support/mod.rs"]
mod support;

use std::path::PathBuf;
use std::time::Duration;

use portable_pty::CommandBuilder;
use support::terminal::{CTRL_C, DOWN, Terminal};

/// Longer than the rest of a paste is waited for.
const AFTER_PASTE: Duration = Duration::from_millis(100);

/// The example `ask` at a terminal of so many columns.
fn ask(columns: u16, arguments: &[&str]) -> Terminal {
    ask_after("", columns, arguments)
}

/// The same, started when these keys have been typed already.
fn ask_after(typed: &str, columns: u16, arguments: &[&str]) -> Terminal {
    let mut command = CommandBuilder::new(example());
    command.args(arguments);
    command.env_clear();
    Terminal::start_after(typed, columns, command)
}

fn example() -> PathBuf {
    let test = std::env::current_exe().expect("this test");
    let folder = test.ancestors().nth(2).expect("target/debug");
    let path = folder.join("examples/ask");
    assert!(path.exists(), "cargo test builds the example ask; else: cargo build --example ask");
    path
}

fn wide(form: &str) -> Terminal {
    ask(80, &[form])
}

fn narrow(form: &str) -> Terminal {
    ask(40, &[form])
}
