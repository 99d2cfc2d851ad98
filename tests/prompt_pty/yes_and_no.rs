//! yes or no by the key alone.

use crate::{narrow, wide};

#[test]
fn the_key_alone_answers() {
    let mut asked = wide("boolean");
    asked.shows("Export metrics (metrics) [y/N]:");
    asked.keys("x").keys("y").shows("✓ Export metrics (metrics): yes\nanswer: true");
    let mut asked = wide("boolean");
    asked.shows("Export metrics (metrics) [y/N]:");
    asked.keys("\r").shows("✓ Export metrics (metrics): no\nanswer: false");
    assert_eq!(asked.ends(), 0);
    assert!(asked.cursor_is_shown());
}

#[test]
fn without_a_default_enter_does_nothing() {
    let mut asked = wide("undecided");
    asked.shows("Export metrics (metrics) [y/n]:");
    asked.keys("\r").keys("n").shows("✓ Export metrics (metrics): no\nanswer: false");
}

#[test]
fn a_confirmation_stays_with_its_answer() {
    let line = "Create mydb in namespace team-a, context staging? [Y/n]";
    for (key, answer) in
        [("y", "y\nanswer: true"), ("\r", "y\nanswer: true"), ("N", "n\nanswer: false")]
    {
        let mut asked = wide("confirm");
        asked.shows(line);
        asked.keys(key).shows(&format!("{line} {answer}"));
        assert_eq!(asked.ends(), 0);
    }
    let mut asked = narrow("confirm");
    asked.shows("Create mydb in namespace team-… [Y/n]");
    asked.keys("y").shows("Create mydb in namespace team-… [Y/n] y\nanswer: true");
}
