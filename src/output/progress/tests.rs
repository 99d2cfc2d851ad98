//! The blocks of interface §4 and §5.

use super::*;
use crate::output::face::tests::{Shared, streams};
use crate::output::{Page, Streams};

const LIMIT: Duration = Duration::from_secs(300);

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn row(subject: &str, text: &str, ready: bool) -> Waited {
    Waited { subject: subject.to_owned(), text: text.to_owned(), ready }
}

fn rows() -> Vec<Waited> {
    vec![
        row("Secret mydb-postgresql", "here", true),
        row("Pod mydb-postgresql-0", "pulling image postgresql:16.2", false),
    ]
}

fn terminal() -> Streams {
    let page = Page { terminal: true, utf8: true, ..Page::PLAIN };
    Streams { stderr: page, ..streams() }
}

/// What a terminal of 80 columns shows.
fn screen(bytes: &str) -> String {
    let mut parser = vt100::Parser::default();
    parser.process(bytes.replace('\n', "\r\n").as_bytes());
    parser.screen().contents()
}

fn told(streams: Streams, act: impl Fn(&mut Progress)) -> String {
    let err = Shared::default();
    let mut progress = Face::on(streams, Shared::default(), err.clone()).progress();
    act(&mut progress);
    drop(progress);
    err.text()
}

#[test]
fn steps_end_at_the_measure() {
    let text = told(terminal(), |progress| {
        progress.step("Chart postgresql 16.2.1", seconds(1));
        progress.step("Installed, revision 1", seconds(3));
        progress.finish("mydb is ready", "ready", seconds(52));
    });
    let expected = "\
✓ Chart postgresql 16.2.1                                              1s
✓ Installed, revision 1                                                3s
✓ mydb is ready                                                       52s
";
    assert_eq!(text, expected);
    let plain = Streams { stderr: Page { utf8: false, ..terminal().stderr }, ..terminal() };
    let text = told(plain, |progress| progress.finish("mydb is deleted", "deleted", seconds(6)));
    assert_eq!(text, format!("ok mydb is deleted{:>55}\n", "6s"));
}

#[test]
fn waiting_is_redrawn_in_place_and_replaced_at_the_end() {
    let err = Shared::default();
    let mut progress = Face::on(terminal(), Shared::default(), err.clone()).progress();
    progress.begin("creating mydb: postgres, plan small");
    progress.waiting(seconds(40), LIMIT, &rows()[..1]);
    progress.waiting(
        seconds(41),
        LIMIT,
        &[rows(), vec![row("Volume data-mydb-postgresql-0", "bound, 10Gi", true)]].concat(),
    );
    let expected = "\
creating mydb: postgres, plan small
• Waiting, 41s of 5m
    Pod mydb-postgresql-0            pulling image postgresql:16.2
    Secret mydb-postgresql           here
    Volume data-mydb-postgresql-0    bound, 10Gi";
    assert_eq!(screen(&err.text()), expected);
    progress.finish("mydb is ready", "ready", seconds(52));
    let last = format!("✓ mydb is ready{:>58}", "52s");
    assert_eq!(screen(&err.text()), format!("creating mydb: postgres, plan small\n{last}"));
}

#[test]
fn the_block_has_at_most_six_lines_that_fit() {
    let many: Vec<_> =
        (0..9).map(|at| row(&format!("Pod {at}"), &"x".repeat(99), at > 6)).collect();
    let err = Shared::default();
    let mut progress = Face::on(terminal(), Shared::default(), err.clone()).progress();
    progress.waiting(seconds(1), LIMIT, &many);
    let shown = screen(&err.text());
    assert_eq!(shown.lines().count(), 6, "{shown}");
    assert!(shown.ends_with("    and 5 more") && shown.contains('…'), "{shown}");
}

#[test]
fn a_stopped_watch_leaves_its_line() {
    let text = told(terminal(), |progress| {
        progress.waiting(seconds(12), LIMIT, &rows());
        progress.stop(seconds(12), LIMIT);
    });
    assert_eq!(screen(&text), "• Waiting, 12s of 5m");
    assert!(!text.contains("?25l"), "the cursor is never hidden");
}

#[test]
fn a_dropped_block_leaves_nothing() {
    let text = told(terminal(), |progress| progress.waiting(seconds(1), LIMIT, &rows()));
    assert_eq!(screen(&text), "");
}

#[test]
fn a_log_has_a_line_for_each_change() {
    let text = told(streams(), |progress| {
        progress.begin("creating mydb: postgres, plan small, namespace team-a, context staging");
        progress.step("Chart postgresql 16.2.1", seconds(1));
        progress.step("Installed, revision 1", seconds(3));
        progress.waiting(seconds(4), LIMIT, &rows());
        progress.waiting(seconds(5), LIMIT, &rows());
        progress.finish("mydb is ready", "ready", seconds(52));
    });
    let expected = "\
0s creating mydb: postgres, plan small, namespace team-a, context staging
1s chart postgresql 16.2.1
3s installed, revision 1
4s Pod mydb-postgresql-0: pulling image postgresql:16.2
52s ready
";
    assert_eq!(text, expected);
}

#[test]
fn a_silent_log_says_each_minute_what_is_waited_for() {
    let text = told(streams(), |progress| {
        for second in 4..140 {
            progress.waiting(seconds(second), LIMIT, &rows());
        }
    });
    let line = "Pod mydb-postgresql-0: pulling image postgresql:16.2";
    assert_eq!(text, format!("4s {line}\n1m 04s {line}\n2m 04s {line}\n"));
}

#[test]
fn quiet_says_nothing() {
    for streams in [terminal(), streams()] {
        let text = told(Streams { quiet: true, ..streams }, |progress| {
            progress.begin("creating mydb");
            progress.step("Chart postgresql 16.2.1", seconds(1));
            progress.waiting(seconds(4), LIMIT, &rows());
            progress.waiting(seconds(80), LIMIT, &rows());
            progress.finish("mydb is ready", "ready", seconds(90));
        });
        assert_eq!(text, "");
    }
}
