//! Secrets.

use crate::{CTRL_C, narrow, wide};

const HEAD: &str = "Administrator password (admin-password), Enter to generate:";

#[test]
fn enter_alone_generates() {
    let mut asked = wide("secret");
    asked.shows(HEAD);
    let done = "✓ Administrator password (admin-password): generated";
    asked.keys("\r").shows(&format!("{done}\nanswer: none"));
}

#[test]
fn it_is_never_echoed_and_asked_twice() {
    let mut asked = wide("secret");
    asked.shows(HEAD);
    asked.keys("short\r").shows(&format!("✗ at least 12 characters\n{HEAD}"));
    asked.keys("correct horse\r").shows("✗ at least 12 characters\nAgain:");
    asked.keys("correct house\r").shows(&format!("✗ the two are not the same\n{HEAD}"));
    asked.keys("correct horse\r").shows("✗ the two are not the same\nAgain:");
    asked.keys("two\rlines\r").shows(&format!("✗ one line only\n{HEAD}"));
    asked.keys("correct horse\r").shows("✗ one line only\nAgain:");
    assert!(!asked.raw().contains("correct") && !asked.raw().contains("short"));
    asked.keys("correct horse\r");
    let done = "✓ Administrator password (admin-password): ••••••••";
    asked.shows(&format!("{done}\nanswer: correct horse"));
    assert_eq!(asked.ends(), 0);
}

#[test]
fn ctrl_c_echoes_nothing_either() {
    let mut asked = narrow("secret");
    asked.shows("Administrator password (…:");
    asked.keys("correct horse").keys(CTRL_C);
    assert_eq!(asked.ends(), 130);
    assert!(!asked.raw().contains("correct"));
}
