//! What becomes of waiting when the instance or the cluster goes away.

use std::time::{Duration, Instant};

use crate::instance::{cluster, nothing, page};
use crate::place::Place;
use crate::server::{self, Reply};
use crate::support::Said;

/// Runs svc and says how long it took.
fn timed(port: u16, arguments: &str) -> (Said, Duration) {
    let place = Place::new().with_server(port).with_helm("echo v4.3.1");
    let started = Instant::now();
    (place.svc(arguments), started.elapsed())
}

#[track_caller]
fn within(took: Duration, seconds: u64) {
    assert!(took < Duration::from_secs(seconds), "{took:?}");
}

#[test]
fn an_instance_that_is_deleted_meanwhile_is_waited_for_no_longer() {
    let port = cluster(|asked| if asked < 2 { page("deployed") } else { nothing() });
    let (said, took) = timed(port, "wait mydb --timeout 60s");
    said.ended(1).answers("").tells("error: mydb was deleted meanwhile\ntry: svc list\n");
    within(took, 15);
    let port = cluster(|asked| page(if asked < 2 { "deployed" } else { "uninstalling" }));
    let (said, took) = timed(port, "wait mydb --timeout 60s");
    said.ended(1).tells("error: mydb is being deleted by someone else\n");
    within(took, 15);
    let port = cluster(|asked| if asked < 2 { page("deployed") } else { nothing() });
    let (said, took) = timed(port, "wait mydb --for deleted --timeout 60s");
    said.ok().tells("gone");
    within(took, 15);
}

#[test]
fn a_cluster_that_goes_away_is_the_reason() {
    for goal in ["ready", "deleted"] {
        let port = cluster(|asked| if asked < 2 { page("deployed") } else { Reply::Leave });
        let (said, took) = timed(port, &format!("wait mydb --for {goal} --timeout 8s"));
        said.ended(1)
            .answers("")
            .tells("error: cluster of context staging does not answer\n")
            .tells("says    connection ");
        within(took, 12);
    }
}

#[test]
fn a_time_that_is_over_before_the_watch_leaves_a_first_look() {
    let port = cluster(|_| page("deployed"));
    let (said, took) = timed(port, "wait mydb --timeout 1ms");
    let missing = "error: mydb is not ready after 0s\n  statefulset  mydb: ";
    said.ended(5).answers("").tells(missing);
    within(took, 5);
}

#[test]
fn a_short_outage_is_not_the_end() {
    let down = || Reply::Json(503, serde_json::json!({"kind": "Status", "message": "no leader"}));
    let port = cluster(move |asked| match asked {
        0 | 1 => page("deployed"),
        2..6 => down(),
        _ => nothing(),
    });
    let (said, _) = timed(port, "wait mydb --for deleted --timeout 60s");
    said.ok().tells("gone");
}

#[test]
fn a_cluster_that_hangs_while_it_is_watched_is_the_reason_at_the_deadline() {
    for goal in ["ready", "deleted"] {
        let port = cluster(|asked| if asked < 2 { page("deployed") } else { Reply::Hang });
        let (said, took) = timed(port, &format!("wait mydb --for {goal} --timeout 5s"));
        said.ended(1).answers("").tells("error: cluster of context staging does not answer\n");
        within(took, 8);
    }
}

#[test]
fn a_cluster_that_hangs_from_the_start_is_waited_for_no_longer_than_was_asked() {
    let port = server::start_asked(|_| Reply::Hang);
    for command in [
        "wait mydb --timeout 1s",
        "wait mydb --for deleted --timeout 1s",
        "create mydb -c kinds --timeout 1s",
        "delete mydb --yes --timeout 1s",
    ] {
        let (said, took) = timed(port, command);
        said.ended(1).answers("").tells("error: cluster of context staging does not answer\n");
        within(took, 5);
    }
}

#[test]
fn reading_from_a_cluster_that_hangs_ends_by_itself() {
    let port = server::start_asked(|_| Reply::Hang);
    let commands = ["list", "show mydb", "catalog", "catalog kinds", "delete mydb --yes"];
    let all = commands.map(|command| std::thread::spawn(move || timed(port, command)));
    // It takes the connection, and does not even begin to speak TLS.
    let silent = std::thread::spawn(|| {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let place = Place::new().with_kubeconfig(&format!("https://{address}"), "{token: t}");
        let started = Instant::now();
        (place.svc("list"), started.elapsed())
    });
    for one in all.into_iter().chain([silent]) {
        let (said, took) = one.join().expect("svc ends");
        said.ended(1).answers("").tells("says    no answer within 15s\n");
        within(took, 20);
    }
}

#[test]
fn what_others_are_at_is_waited_for_before_it_is_deleted() {
    let pending = || page("pending-upgrade");
    let port = cluster(move |_| pending());
    let (said, took) = timed(port, "delete mydb --yes --timeout 2s");
    said.ended(5)
        .answers("")
        .tells("mydb is being worked on by someone else, until ")
        .tells("error: mydb is still being worked on by someone else\n");
    assert!(took > Duration::from_secs(1), "{took:?}");
    within(took, 6);
    let port = cluster(move |asked| if asked < 3 { pending() } else { nothing() });
    let (said, _) = timed(port, "delete mydb --yes --timeout 20s");
    said.ended(3).tells("error: no instance mydb");
}
