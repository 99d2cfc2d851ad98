//! Evens out what differs from run to run: ages, times, passwords, what pods do meanwhile.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// A pattern whose first group is overwritten by as many marks, so that columns stay.
static SAME_WIDTH: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    patterns(&[
        // A time at the right edge: ` 3s`, `12s`.
        r"(?m)( {2,}\d+m? ?\d*s)$",
        // An age in its column.
        r"(?m)( {2,}\d{1,3}[smhd])(?: |$)",
        // Passwords of ten letters and digits, as the charts make them.
        r"(?m)^password  ([A-Za-z0-9]{10})$",
        r"(?m)^([A-Za-z0-9]{10})$",
        r"app:([A-Za-z0-9]{10})@",
        r"PASSWORD='([A-Za-z0-9]{10})'",
        r"until (\d\d:\d\d:\d\d) at most",
    ])
});

/// A pattern whose first group is replaced by one mark: nothing stands behind it in a column.
static ANY_WIDTH: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    patterns(&[
        r"(?m)^(\d+m? ?\d*s) ",
        r"(\d+m? ?\d*[smhd]) (?:old|ago)",
        r"Waiting, (\d+m? ?\d*s) of",
        r"(?:in|for) (\d+m?s)\b",
        r"127\.0\.0\.1:(\d+)",
        r"(?m)^port +(\d{5})$",
    ])
});

/// Lines that come or not, as fast as the cluster is.
static PASSING: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^\d+s [A-Z][A-Za-z]+ \S+: .*\n").expect("a pattern"));

fn patterns(patterns: &[&str]) -> Vec<Regex> {
    patterns.iter().map(|pattern| Regex::new(pattern).expect("a pattern")).collect()
}

/// The text as every run prints it.
pub fn mask(text: &str) -> String {
    let mut text = PASSING.replace_all(text, "").into_owned();
    for pattern in SAME_WIDTH.iter() {
        text = overwrite(pattern, &text, |width| "#".repeat(width));
    }
    for pattern in ANY_WIDTH.iter() {
        text = overwrite(pattern, &text, |_| "#".to_owned());
    }
    text
}

fn overwrite(pattern: &Regex, text: &str, marks: impl Fn(usize) -> String) -> String {
    let replaced = pattern.replace_all(text, |found: &Captures<'_>| {
        let (whole, group) = (found.get(0).expect("it matched"), found.get(1).expect("a group"));
        let (before, after) = (group.start() - whole.start(), group.end() - whole.start());
        let whole = whole.as_str();
        format!("{}{}{}", &whole[..before], marks(after - before), &whole[after..])
    });
    replaced.into_owned()
}
