//! Parse, run, exit.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(svc::run(svc::process::Process::read()))
}
