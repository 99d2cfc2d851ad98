//! Ctrl-C, signals, and what was typed before.

use std::thread;
use std::time::Duration;

use nix::sys::signal::Signal;

use crate::{CTRL_C, Terminal, ask, ask_after, wide};

#[test]
fn ctrl_c_restores_the_cursor_and_ends_with_130() {
    for form in ["text", "list", "secret", "name", "select", "filter", "boolean", "confirm"] {
        let mut asked = wide(form);
        asked.begins();
        asked.keys(CTRL_C);
        assert_eq!(asked.ends(), 130, "{form}");
        assert!(asked.cursor_is_shown(), "{form}");
        assert!(asked.raw().contains("\x1b[?25h"), "{form}: {:?}", asked.raw());
        assert!(asked.screen().ends_with("\ninterrupted; nothing changed"), "{}", asked.screen());
    }
}

#[test]
fn the_terminal_is_as_before() {
    let mut asked = wide("select");
    let local = |asked: &Terminal| asked.master.get_termios().map(|modes| format!("{modes:?}"));
    asked.begins();
    let during = local(&asked);
    asked.keys(CTRL_C);
    assert_eq!(asked.ends(), 130);
    let after = local(&asked);
    assert_ne!(during, after);
    assert_eq!(after, local(&ask(80, &["nothing"])));
}

#[test]
fn handled_signals_do_not_end_a_question_but_sigterm_does() {
    for form in ["text", "select", "boolean"] {
        let mut asked = ask(80, &[form, "--signals"]);
        asked.begins();
        let before = asked.screen();
        for signal in [Signal::SIGCHLD, Signal::SIGWINCH] {
            asked.signal(signal);
        }
        thread::sleep(Duration::from_millis(50));
        asked.shows(&before);
        asked.signal(Signal::SIGTERM);
        assert_eq!(asked.ends(), 130, "{form}");
        assert!(asked.cursor_is_shown(), "{form}");
    }
}

#[test]
fn ctrl_c_with_a_handler_is_told_once() {
    for form in ["text", "filter", "confirm"] {
        let mut asked = ask(80, &[form, "--signals"]);
        asked.begins();
        asked.keys(CTRL_C);
        assert_eq!(asked.ends(), 130, "{form}");
    }
}

#[test]
fn what_was_typed_before_a_question_is_not_its_answer() {
    let asked = ask_after("early\r", 80, &["two"]);
    asked.shows("early\nFirst (first):");
}

#[test]
fn a_question_fits_a_terminal_that_is_resized() {
    let wide_head = "Disk size (storage), 1Gi to 10Gi, cannot change later [1Gi]:";
    let narrow_head = "Disk size (storage… [1Gi]:";
    let mut asked = wide("text");
    asked.shows(wide_head);
    asked.resize(40);
    asked.keys("50").shows(&format!("{narrow_head} 50"));
    asked.keys("Gi\r");
    asked.shows(&format!("✗ 50Gi is more than 10Gi, the most in p…\n{narrow_head}"));
    asked.resize(80);
    asked.keys("2").until(&format!("{wide_head} 2"));
    asked.keys("Gi\r");
    asked.shows("✓ Disk size (storage): 2Gi\nanswer: 2Gi");
    assert_eq!(asked.ends(), 0);
}

#[test]
fn lines_that_are_broken_by_a_resize_leave_nothing_behind() {
    let (mut asked, head) = (wide("list"), "Extensions (ex…:");
    asked.until("an item a line:");
    asked.keys("pgvector\r").until("  pgvector\n");
    asked.keys("9\r").until("✗ must start with a letter: 1-63 of a-z 0-9 _\n");
    asked.resize(30);
    asked.keys("a").until(&format!("{head} a"));
    asked.keys("\x7f9\r").shows(&format!("  pgvector\n✗ must start with a letter: 1…\n{head}"));
    asked.keys("\r").until("✓ Extensions (extensions): pg…\nanswer: pgvector");
    for (form, key, shown) in [
        ("confirm", "y", "Create mydb in …: y\nanswer: true"),
        ("boolean", "y", "✓ Export metrics (m…\nanswer: true"),
        ("text", "\r", "✓ Disk size (storag…\nanswer: 1Gi"),
        ("name", "mydb\r", "Type…: mydb\nanswer: true"),
        ("secret", "\r", "✓ Administrator pas…\nanswer: none"),
    ] {
        let mut asked = wide(form);
        asked.begins();
        asked.resize(20);
        asked.keys(key).shows(shown);
    }
}

#[test]
fn every_form_goes_on_after_a_resize() {
    for (form, keys, answer) in [
        ("select", "\x1b[B\r", "answer: large"),
        ("filter", "rab\r", "answer: rabbitmq"),
        ("boolean", "y", "answer: true"),
        ("confirm", "n", "answer: false"),
        ("list", "pgvector\r", "Extensions (extensions)"),
        ("name", "mydb\r", "answer: true"),
        ("secret", "\r", "answer: none"),
    ] {
        for signals in [&[][..], &["--signals"]] {
            let mut asked = ask(80, &[&[form], signals].concat());
            asked.begins();
            asked.resize(40);
            asked.keys(keys).until(answer);
            assert!(form == "list" || asked.ends() == 0, "{form}");
        }
    }
}
