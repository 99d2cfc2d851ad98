//! Nothing is said and nobody waits where the cluster does not answer.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use crate::home::Home;
use crate::server::Server;
use crate::terminal::Terminal;

/// The limit of an answer, and what a start of the program and a busy machine add.
const AT_MOST: Duration = Duration::from_millis(1200);

/// The shortest of three tries: the machine may be busy with other tests.
fn shortest(silent: impl Fn()) -> Duration {
    let tries = [(); 3].map(|()| {
        let begun = Instant::now();
        silent();
        begun.elapsed()
    });
    tries.into_iter().min().unwrap_or_default()
}

/// Takes connections and never answers.
fn black_hole() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    (listener, port)
}

/// A port that nobody listens on.
fn nobody() -> u16 {
    black_hole().1
}

#[test]
fn a_server_that_is_not_there_costs_nothing() {
    let home = Home::new(nobody());
    let took = shortest(|| {
        assert!(home.candidates(&["show", ""]).is_empty());
        assert!(home.candidates(&["create", "db", "-c", "postgres", "--set", "x"]).is_empty());
    });
    assert!(took < Duration::from_millis(500), "{took:?}");
}

#[test]
fn a_server_that_never_answers_costs_a_second() {
    let (_open, port) = black_hole();
    let home = Home::new(port);
    for line in [vec!["show", ""], vec!["show", "mydb", ""], vec!["catalog", ""]] {
        let took = shortest(|| assert!(home.candidates(&line).is_empty()));
        assert!(took < AT_MOST, "{line:?} {took:?}");
    }
}

#[test]
fn a_login_helper_that_prompts_is_not_started() {
    let server = Server::start();
    let helper = "printf x > started; sleep 5";
    let user = |mode: &str| {
        format!(
            "{{exec: {{apiVersion: client.authentication.k8s.io/v1, command: sh, \
             args: [-c, \"{helper}\"], interactiveMode: {mode}}}}}"
        )
    };
    let home = Home::with_user(server.port, &user("Always"));
    assert!(home.candidates(&["show", ""]).is_empty());
    assert!(!home.path().join("started").exists());
    assert!(server.asked().is_empty());
    let hanging =
        Home::with_user(server.port, &user("IfAvailable").replace("printf x > started; ", ""));
    let took = shortest(|| assert!(hanging.candidates(&["show", ""]).is_empty()));
    assert!(took < AT_MOST, "{took:?}");
}

#[test]
fn no_kubeconfig_and_nonsense_are_silent() {
    let home = Home::new(nobody());
    std::fs::write(home.path().join("kubeconfig"), "{").expect("a file");
    assert!(home.candidates(&["show", ""]).is_empty());
    std::fs::remove_file(home.path().join("kubeconfig")).expect("a file");
    for line in [vec!["show", ""], vec!["--context", ""], vec!["show", "-x", "y", ""]] {
        assert!(home.candidates(&line).is_empty(), "{line:?}");
    }
    let unknown = home.run("svc", &[("_SVC_COMPLETE", "tcsh")], &["--", "svc", ""]);
    assert!(unknown.status.success() && unknown.stdout.is_empty() && unknown.stderr.is_empty());
}

#[test]
fn shells_show_nothing_and_go_on() {
    let (_open, port) = black_hole();
    for shell in ["bash", "zsh", "fish"] {
        for port in [nobody(), port] {
            let home = Home::new(port);
            let Some(mut terminal) = Terminal::start(shell, &home) else { continue };
            terminal.types("svc show mydb ").keys("\tx").has("svc show mydb x");
            assert_eq!(terminal.screen(), "$ svc show mydb x", "{shell}");
        }
    }
}
