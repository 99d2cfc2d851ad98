//! What differs from run to run: times, generated passwords, and how far a pod was when.

use regex::{Captures, Regex};

/// Evens out both what is written and what was printed.
pub fn times_and_passwords(text: &str) -> String {
    let progress = r"(?m)^\d+s (?:Pod|Volume|Secret|StatefulSet|Deployment) .*\n";
    let text = replaced(progress, text, "");
    let text = replaced(r"(://[^:\s]*:)[A-Za-z0-9]+@", &text, "$1~@");
    let text = replaced(r"(?m)^(password +|.*PASSWORD='?)[A-Za-z0-9]+", &text, "$1~");
    let text = replaced(r"127\.0\.0\.1:\d+", &text, "127.0.0.1:~");
    let alone = Regex::new(r"(?m)^[A-Za-z0-9]{10,24}$").expect("a regular expression");
    let text = alone.replace_all(&text, |word: &Captures<'_>| hidden(&word[0]));
    replaced(r" *\b\d+(?:ms|s|m|h|d)\b(?: \d+s\b)?", &text, " ~")
}

/// A word alone on its line is a password where it looks like no word of a language.
fn hidden(word: &str) -> String {
    let plain = word.chars().all(|letter| letter.is_ascii_lowercase());
    if plain { word.to_owned() } else { "~".to_owned() }
}

fn replaced(pattern: &str, text: &str, by: &str) -> String {
    Regex::new(pattern).expect("a regular expression").replace_all(text, by).into_owned()
}

#[test]
fn two_runs_are_alike_and_two_answers_are_not() {
    let one =
        "0s creating mydb\n1s Pod mydb-0: pulling\n8s ready\nuri  postgres://app:aB3dE6gH9k@h/db\n";
    let other = "0s creating mydb\n52s ready\nuri  postgres://app:Zz9yX8wV7u@h/db\n";
    assert_eq!(times_and_passwords(one), times_and_passwords(other));
    let masked = "0s creating mydb\n52s ready\nuri  postgres://app:********@h/db\n";
    assert_ne!(times_and_passwords(one), times_and_passwords(masked));
    assert_ne!(times_and_passwords("deployment\n"), times_and_passwords("statefulset\n"));
    assert_eq!(times_and_passwords("3mQOCSu4Nc\n"), times_and_passwords("aB3dE6gH9k\n"));
    assert_eq!(times_and_passwords("ready   8s\n"), times_and_passwords("ready  12s\n"));
}
