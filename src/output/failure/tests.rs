//! Every block of the interface that begins with `error:`, to the character.

mod create;
mod failed;
mod later;
mod road;

use super::*;

/// Width 80, not a terminal, as `svc`.
#[track_caller]
fn reads(error: Error, expected: &str) {
    assert_eq!(block(&error, &Caller::new("svc"), false, &Page::PLAIN), expected);
}

#[test]
fn found_as_kubectl_svc() {
    let error = Error::not_ready("mydb has no password yet")
        .try_("wait mydb && svc show mydb -o env")
        .close("All parameters: svc catalog postgres");
    let text = "error: mydb has no password yet\n\
                try: kubectl svc wait mydb && kubectl svc show mydb -o env\n\
                All parameters: kubectl svc catalog postgres\n";
    assert_eq!(block(&error, &Caller::new("kubectl svc"), false, &Page::PLAIN), text);
}

#[test]
fn an_interruption_is_no_error() {
    let error = Error::new(
        ErrorKind::Interrupted,
        "stopped waiting; mydb is installed in team-a and still starting",
    )
    .try_for("wait mydb", "go on waiting")
    .try_for("delete mydb", "give it up");
    let text = "stopped waiting; mydb is installed in team-a and still starting\n\
                try:\n  svc wait mydb      go on waiting\n  svc delete mydb    give it up\n";
    reads(error, text);
}

#[test]
fn causes_are_shown_with_v_alone() {
    let cause = anyhow::anyhow!("connection reset").context("reading secrets\n\x1b[2J");
    let error = Error::failed("cluster of context staging does not answer").because(cause);
    let brief = "error: cluster of context staging does not answer\n";
    let causes = "cause: reading secrets\ncause: \\x1b[2J\ncause: connection reset\n";
    assert_eq!(block(&error, &Caller::new("svc"), false, &Page::PLAIN), brief);
    assert_eq!(block(&error, &Caller::new("svc"), true, &Page::PLAIN), format!("{brief}{causes}"));
}

#[test]
fn narrow_terminals_break_sentences_and_commands() {
    let page = Page { terminal: true, width: 40, utf8: true, colour: false };
    let error = Error::failed("an earlier mydb left its data in namespace team-a")
        .fact("volume", "data-mydb-postgresql-0, 10Gi, 12d old")
        .try_("create mydb-2 --class postgres --set database=orders");
    let text = "\
error: an earlier mydb left its
  data in namespace team-a
  volume  data-mydb-postgresql-0,
          10Gi, 12d old
try:
  svc create mydb-2 --class postgres \\
    --set database=orders
";
    assert_eq!(block(&error, &Caller::new("svc"), false, &page), text);
}

#[test]
fn colour_marks_the_word_alone() {
    let page = Page { colour: true, ..Page::PLAIN };
    let text = block(&Error::usage("no command get"), &Caller::new("svc"), false, &page);
    assert_eq!(console::strip_ansi_codes(&text), "error: no command get\n");
    assert!(text.starts_with("\x1b[1m\x1b[31merror:\x1b[0m "), "{text:?}");
}

#[test]
fn cluster_text_is_harmless_everywhere() {
    let error = Error::failed("bad \x1b[2J name\nerror: forged")
        .fact("says\u{202e}", "\r\n")
        .advise("see \u{2066}this")
        .try_for("show \x07x", "why\x1b");
    let text = block(&error, &Caller::new("svc"), false, &Page::PLAIN);
    assert_eq!(text.lines().count(), 4, "{text}");
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
}
