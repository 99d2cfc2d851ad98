//! Transcripts: blocks of commands with what they print, in the form of the interface.
//!
//! `$ ` is what is typed, `? N` the exit status when it is not 0; lines that begin with `:` go to
//! stderr, all others to stdout. A block marked `sh` prepares the ground: it must succeed, and
//! what it prints is not looked at.

use std::path::Path;

use super::{Said, run};

/// One command of a block and what it must print.
#[derive(Debug)]
pub struct Step {
    pub line: usize,
    pub script: String,
    pub expected: Said,
    /// Whether it only prepares the ground.
    pub prepares: bool,
}

/// The steps of every block in a document.
pub fn steps(document: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut fence = None;
    for (number, line) in document.lines().enumerate() {
        match (line.strip_prefix("```"), fence) {
            (Some("sh"), None) => {
                steps.push(Step::new(number + 1, "set -e", true));
                fence = Some("sh");
            }
            (Some(kind), None) => fence = Some(kind),
            (Some(_), Some(_)) => fence = None,
            (None, Some("sh")) => {
                let step = steps.last_mut().expect("the fence has begun a step");
                step.script.push('\n');
                step.script.push_str(line);
            }
            (None, Some(_)) => read_line(&mut steps, number + 1, line),
            (None, None) => {}
        }
    }
    steps
}

impl Step {
    fn new(line: usize, script: &str, prepares: bool) -> Self {
        let expected = Said { status: 0, stdout: String::new(), stderr: String::new() };
        Self { line, script: script.to_owned(), expected, prepares }
    }
}

fn read_line(steps: &mut Vec<Step>, number: usize, line: &str) {
    if let Some(script) = line.strip_prefix("$ ") {
        steps.push(Step::new(number, script, false));
        return;
    }
    let Some(step) = steps.last_mut() else { return };
    let said = &mut step.expected;
    let quiet = said.stdout.is_empty() && said.stderr.is_empty() && said.status == 0;
    if quiet && step.script.ends_with('\\') {
        step.script.push('\n');
        step.script.push_str(line);
    } else if let Some(status) = line.strip_prefix("? ") {
        said.status = status.trim().parse().expect("an exit status");
    } else if let Some(text) = line.strip_prefix(':') {
        said.stderr.push_str(text.strip_prefix(' ').unwrap_or(text));
        said.stderr.push('\n');
    } else {
        said.stdout.push_str(line);
        said.stdout.push('\n');
    }
}

/// Runs every step in `folder`; `mask` evens out what differs from run to run on both sides.
///
/// # Panics
/// Where a step printed something else, with both texts.
pub fn check(document: &Path, folder: &Path, mask: impl Fn(&str) -> String) {
    check_with(document, mask, |script| run(script, folder));
}

/// The same where `run` knows how a script is run.
///
/// # Panics
/// Where a step printed something else, with both texts; where a preparation failed.
pub fn check_with(document: &Path, mask: impl Fn(&str) -> String, run: impl Fn(&str) -> Said) {
    let text = std::fs::read_to_string(document).expect("the transcript is readable");
    let steps = steps(&text);
    assert!(!steps.is_empty(), "{} has no steps", document.display());
    let mut wrong = Vec::new();
    for step in steps {
        let said = run(&step.script);
        if step.prepares {
            let place = format!("{}:{}", document.display(), step.line);
            assert!(said.status == 0, "{place}\n{}{}", show(&said), wrong.join("\n"));
            continue;
        }
        if masked(&said, &mask) != masked(&step.expected, &mask) {
            wrong.push(format!(
                "{}:{}\n$ {}\n--- expected\n{}--- was\n{}",
                document.display(),
                step.line,
                step.script,
                show(&step.expected),
                show(&said)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn masked(said: &Said, mask: impl Fn(&str) -> String) -> Said {
    Said { status: said.status, stdout: mask(&said.stdout), stderr: mask(&said.stderr) }
}

fn show(said: &Said) -> String {
    let mut text = format!("? {}\n", said.status);
    for line in said.stderr.lines() {
        text.push_str(&format!(": {line}\n"));
    }
    text.push_str(&said.stdout);
    text
}
