//! Whatever an API server answers, a command ends in time, says what is wrong in words, names the
//! next command, and does not panic.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::garbage_maker::{Chance, KINDS, SLOW, garbage};
use crate::instance::{answer, nothing, page};
use crate::place::Place;
use crate::server::{self, Reply};
use crate::support::Said;
use crate::support::space::is_long;

/// Those with a deadline come first: they are the ones for servers that do not end.
const COMMANDS: [&str; 7] = [
    "create other -c kinds --timeout 1s",
    "delete mydb --yes --timeout 1s",
    "wait mydb --timeout 1s",
    "catalog",
    "list",
    "show mydb",
    "doctor",
];

/// Good answers until the request of that number, then one bad answer, or nothing else.
fn start(kind: usize, first: usize, ever: bool, seed: u64) -> u16 {
    let asked = AtomicUsize::new(0);
    server::start_asked(move |target| {
        let number = asked.fetch_add(1, Ordering::Relaxed);
        let stored = || if target.contains("other") { nothing() } else { page("deployed") };
        let good = answer(target, stored);
        if number != first && !(ever && number > first) {
            return good;
        }
        let body = if let Reply::Json(_, body) = &good { body.clone() } else { json!({}) };
        garbage(kind, &body, &mut Chance::new(seed ^ (number as u64) << 32))
    })
}

fn case(seed: u64) {
    let mut chance = Chance::new(seed);
    let kind = usize::try_from(seed).expect("a small number") % KINDS;
    let slow = SLOW.contains(&kind);
    let command = COMMANDS[chance.below(if slow { 3 } else { COMMANDS.len() })];
    let (first, ever) = (chance.below(5), chance.below(2) == 0);
    let place = Place::new().with_server(start(kind, first, ever, seed)).with_helm("echo v4.3.1");
    let started = Instant::now();
    let said = place.svc(command);
    let took = started.elapsed();
    let story = format!("case {seed}: {command}, garbage {kind} from request {first}: {said}");
    // The parts of a command that are not bound by its deadline have 15 seconds.
    let most = if slow { Duration::from_secs(9) } else { Duration::from_secs(25) };
    assert!(took < most, "{took:?} {story}");
    clean(&said, command == "doctor", &story);
}

fn clean(said: &Said, is_doctor: bool, story: &str) {
    assert!([0, 1, 3, 4, 5].contains(&said.status), "{} {story}", said.status);
    for words in ["panicked", "RUST_BACKTRACE", "\u{1b}", "\u{202e}", "\u{0}"] {
        assert!(!said.stderr.contains(words), "{words:?} {story}");
        assert!(!said.stdout.contains(words), "{words:?} {story}");
    }
    if said.status == 0 || is_doctor {
        return;
    }
    assert!(said.stdout.is_empty(), "{story}");
    assert_eq!(said.stderr.matches("error: ").count(), 1, "{story}");
    let error = said.stderr.find("error: ").map_or("", |at| &said.stderr[at..]);
    assert!(error.lines().count() <= 15, "{story}");
    // `wait` tells what is missing, in two lines (interface §10).
    if said.status == 5 && error.starts_with("error: mydb is not ready after ") {
        return;
    }
    let next = [
        "\ntry: svc ",
        "\ntry:\n  ",
        "\nLog in again",
        "  svc class crd | kubectl",
        "repair it: svc class lint",
    ];
    assert!(next.iter().any(|words| error.contains(words)), "no next command {story}");
}

#[test]
fn whatever_a_server_answers_is_told() {
    let cases: u64 = if is_long() { 1000 } else { 64 };
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed) as u64;
                    if seed >= cases {
                        return;
                    }
                    case(seed);
                }
            });
        }
    });
}
