//! Asks one question of each form: `cargo run --example ask -- text`. The tests at a
//! pseudo-terminal run it too.

use std::io;
use std::process::ExitCode;

use secrecy::ExposeSecret;
use svc::error::{Error, Result};
use svc::output::{Caller, Face, Page, Streams};
use svc::prompt::{Choice, Prompt, Terminal, Title};
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};

fn main() -> ExitCode {
    let words: Vec<String> = arguments();
    let face = face(words.iter().any(|word| word == "--ascii"));
    let signals = words.iter().any(|word| word == "--signals");
    let _handled = signals.then(handle_signals);
    let mut prompt = Terminal::new(*face.err());
    let asked = words.first().map_or(Ok("what?".to_owned()), |form| ask(&mut prompt, form));
    match asked.and_then(|answer| face.deliver(format!("answer: {answer}\n"))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            face.error(&error);
            ExitCode::from(error.kind.exit_code())
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "an example reads its arguments itself")]
fn arguments() -> Vec<String> {
    std::env::args().skip(1).collect()
}

fn face(ascii: bool) -> Face {
    let page = Page { terminal: true, width: 80, utf8: !ascii, colour: false };
    Face::new(Streams {
        stdin_terminal: true,
        stdout: page,
        stderr: page,
        quiet: false,
        verbosity: 0,
        caller: Caller::new("svc"),
    })
}

fn ask(prompt: &mut dyn Prompt, form: &str) -> Result<String> {
    let metrics = Title::parameter("Export metrics", "metrics");
    Ok(match form {
        "select" | "filter" => menu(prompt, form == "filter")?,
        "alike" => {
            let name = |number| format!("a-name-as-long-as-the-terminal-{number}");
            let choice = |number| Choice { name: name(number), explanation: String::new() };
            let rows: Vec<Choice> = (1..=8).map(choice).collect();
            rows[prompt.select(&Title::flag("Class", "--class"), &rows, 0)?].name.clone()
        }
        "boolean" => prompt.boolean(&metrics, Some(false))?.to_string(),
        "undecided" => prompt.boolean(&metrics, None)?.to_string(),
        "confirm" => {
            let question = "Create mydb in namespace team-a, context staging?";
            prompt.confirm(question, true)?.to_string()
        }
        _ => line(prompt, form)?,
    })
}

fn menu(prompt: &mut dyn Prompt, many: bool) -> Result<String> {
    let choice = |name: &str, explanation: String| Choice { name: name.to_owned(), explanation };
    let rows: Vec<Choice> = if many {
        "kafka mysql postgres rabbitmq redis minio nats etcd vault"
            .split(' ')
            .map(|name| choice(name, "for development".to_owned()))
            .collect()
    } else {
        let text = |plan| format!("what {plan} gives, größer als nötig – and a long text on it");
        ["small", "medium", "large"].map(|plan| choice(plan, text(plan))).to_vec()
    };
    let (title, default) = match many {
        true => (Title::flag("Class", "--class"), 8),
        false => (Title::flag("Plan", "--plan"), 1),
    };
    Ok(rows[prompt.select(&title, &rows, default)?].name.clone())
}

fn line(prompt: &mut dyn Prompt, form: &str) -> Result<String> {
    Ok(match form {
        "text" => {
            let title = Title::parameter("Disk size", "storage");
            let title = title.constrained("1Gi to 10Gi, cannot change later");
            prompt.text(&title, Some("1Gi"), &at_most_10)?
        }
        "two" => {
            let first = prompt.text(&Title::parameter("First", "first"), None, &no_digit)?;
            let second = prompt.text(&Title::parameter("Second", "second"), None, &no_digit)?;
            format!("{first} {second}")
        }
        "secret" => {
            let title = Title::parameter("Administrator password", "admin-password");
            let title = title.constrained("Enter to generate");
            let secret = prompt.secret(&title, Some("generated"), &long)?;
            secret.map_or("none".to_owned(), |secret| secret.expose_secret().to_owned())
        }
        "list" => {
            let title = Title::parameter("Extensions", "extensions").constrained("an item a line");
            prompt
                .list(&title, &[], &|items| items.last().map_or(Ok(()), |item| no_digit(item)))?
                .join("|")
        }
        "name" => prompt.typed_name("Type mydb to delete it and its data", "mydb")?.to_string(),
        "plain" => prompt.text(&Title::plain("Name"), Some("postgres"), &|_| Ok(()))?,
        other => return Err(Error::usage(format!("no form {other}"))),
    })
}

/// Handlers as the commands have them while helm works.
fn handle_signals() -> io::Result<Runtime> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        for kind in [
            SignalKind::interrupt(),
            SignalKind::terminate(),
            SignalKind::child(),
            SignalKind::window_change(),
        ] {
            drop(signal(kind)?);
        }
        io::Result::Ok(())
    })?;
    Ok(runtime)
}

fn at_most_10(text: &str) -> Result<(), String> {
    match text.strip_suffix("Gi").and_then(|number| number.parse::<u8>().ok()) {
        Some(1..=10) => Ok(()),
        Some(_) => Err(format!("{text} is more than 10Gi, the most in plan small")),
        None => Err(format!("{text} is not a size: 1Gi to 10Gi")),
    }
}

fn no_digit(text: &str) -> Result<(), String> {
    match text.starts_with(|first: char| first.is_ascii_digit()) || text.is_empty() {
        true => Err("must start with a letter: 1-63 of a-z 0-9 _".to_owned()),
        false => Ok(()),
    }
}

fn long(text: &str) -> Result<(), String> {
    if text.len() < 12 { Err("at least 12 characters".to_owned()) } else { Ok(()) }
}
