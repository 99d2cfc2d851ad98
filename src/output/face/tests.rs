//! What goes where, and what is left out.

use super::*;

/// Collects what is written.
#[derive(Clone, Default)]
pub(in crate::output) struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    pub(in crate::output) fn text(&self) -> String {
        String::from_utf8_lossy(&lock(&self.0)).into_owned()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        lock(&self.0).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Nothing on a terminal.
pub(in crate::output) fn streams() -> Streams {
    Streams {
        stdin_terminal: false,
        stdout: Page::PLAIN,
        stderr: Page::PLAIN,
        quiet: false,
        verbosity: 0,
        caller: Caller::new("svc"),
    }
}

fn said(streams: Streams, act: impl Fn(&Face)) -> String {
    let (out, err) = (Shared::default(), Shared::default());
    act(&Face::on(streams, out.clone(), err.clone()));
    assert_eq!(out.text(), "", "messages go to stderr");
    err.text()
}

fn terminal() -> Streams {
    let page = Page { terminal: true, utf8: true, ..Page::PLAIN };
    Streams { stdin_terminal: true, stdout: page, stderr: page, ..streams() }
}

fn show_mydb() -> [Try; 1] {
    [Try { command: "show mydb/api".to_owned(), explanation: None }]
}

#[test]
fn notes_and_warnings_begin_with_their_word() {
    let text = said(streams(), |face| {
        face.note(
            "3 of 5 namespaces were skipped: not allowed to list secrets in billing, infra, \
                 payments",
        );
        face.warning("class mysql-8 is deprecated: security fixes have ended; use mysql-9");
    });
    let expected = "\
note: 3 of 5 namespaces were skipped: not allowed to list secrets in
  billing, infra, payments
warning: class mysql-8 is deprecated: security fixes have ended; use mysql-9
";
    assert_eq!(text, expected);
}

#[test]
fn quiet_leaves_warnings_and_errors() {
    let text = said(Streams { quiet: true, ..terminal() }, |face| {
        face.echo("creating mydb");
        face.note("good to know");
        face.next(&show_mydb());
        face.hint("Operations teams publish the first one with: svc class init");
        face.warning("take care");
        face.error(&Error::failed("no"));
    });
    assert_eq!(text, "warning: take care\nerror: no\n");
}

#[test]
fn hints_after_success_need_a_terminal_and_hints_after_errors_do_not() {
    let hints = |face: &Face| {
        face.next(&show_mydb());
        face.next_below(&show_mydb());
    };
    let next = "Next: svc show mydb/api\nNext:\n  svc show mydb/api\n";
    assert_eq!(said(terminal(), hints), next);
    assert_eq!(said(streams(), hints), "");
    let failed = said(streams(), |face| face.error(&Error::failed("no").try_("doctor")));
    assert_eq!(failed, "error: no\ntry: svc doctor\n");
}

#[test]
fn verbosity_decides_on_steps_and_requests() {
    let lines = |face: &Face| {
        face.verbose("context staging from the kubeconfig");
        face.trace("GET serviceclasses/postgres: 200 in 19ms");
    };
    let with = |verbosity| said(Streams { verbosity, ..streams() }, lines).lines().count();
    assert_eq!([with(0), with(1), with(2)], [0, 1, 2]);
}

#[test]
fn a_question_needs_stdin_and_stderr() {
    let on = |streams| Face::on(streams, Shared::default(), Shared::default());
    assert!(on(terminal()).is_interactive());
    assert!(on(Streams { stdout: Page::PLAIN, ..terminal() }).is_interactive());
    assert!(!on(Streams { stderr: Page::PLAIN, ..terminal() }).is_interactive());
    assert!(!on(Streams { stdin_terminal: false, ..terminal() }).is_interactive());
}
