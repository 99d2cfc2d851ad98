//! What the program answers, without a shell in between.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::home::{Home, text};
use crate::server::Server;

const CREATE: [&str; 4] = ["create", "db", "-c", "postgres"];

fn after<'a>(line: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [line, more].concat()
}

#[test]
fn classes() {
    let home = Home::new(Server::start().port);
    let summary = "Disposable PostgreSQL for development";
    assert_eq!(
        home.candidates(&["create", "db", "--class", ""]),
        [format!("postgres\t{summary}"), "mysql-8\tdeprecated: use mysql-9".to_owned()]
    );
    let all = home.candidates(&["catalog", ""]);
    let rest = ["rabbitmq", "redis"].map(|name| format!("{name}\t{summary}"));
    assert_eq!(all[2..], [&rest[0], "zipcodes\tPostal codes", &rest[1]]);
}

#[test]
fn plans_parameters_and_values() {
    let home = Home::new(Server::start().port);
    let create = |more: &[&str]| home.candidates(&after(&CREATE, more));
    assert_eq!(create(&["--plan", ""]), ["small\t1 GiB memory", "medium\t4 GiB memory"]);
    assert_eq!(
        create(&["--set", "mode=standalone", "--set", ""]),
        [
            "database=\trequired",
            "storage=\tDisk size, default 2Gi, 1Gi to 10Gi",
            "metrics=\tdefault no"
        ]
    );
    assert_eq!(
        create(&["--set-env", "ad"]),
        ["admin-password=\trequired"].map(|_| "admin-password=")
    );
    assert_eq!(create(&["--set-env", "admin-password=SVC_C"]), ["admin-password=SVC_CACHE_DIR"]);
    let storage = ["storage=2Gi\tdefault", "storage=1Gi\tsmallest", "storage=10Gi\tlargest"];
    assert_eq!(create(&["--set", "storage="]), storage);
    let medium = ["storage=8Gi\tdefault", "storage=1Gi\tsmallest", "storage=100Gi\tlargest"];
    assert_eq!(create(&["-p", "medium", "--set", "storage="]), medium);
    assert_eq!(create(&["--set", "metrics="]), ["metrics=true", "metrics=false\tdefault"]);
    assert!(create(&["--set", "admin-password="]).is_empty());
    assert!(create(&["--set", "no-such="]).is_empty());
}

#[test]
fn what_stands_behind_the_cursor_counts_too() {
    let home = Home::new(Server::start().port);
    let asks = [("_SVC_COMPLETE", "zsh"), ("_CLAP_COMPLETE_INDEX", "4")];
    let line = ["--", "svc", "create", "db", "--set", "storage=", "-p", "medium", "-c", "postgres"];
    let answer = home.run("svc", &asks, &line).stdout;
    assert_eq!(text(answer), "storage=8Gi:default\nstorage=1Gi:smallest\nstorage=100Gi:largest\n");
}

#[test]
fn instances_details_and_words() {
    let home = Home::new(Server::start().port);
    let said = "postgres, plan small, deployed";
    let both = [format!("cache\t{said}"), format!("mydb\t{said}")];
    assert_eq!(home.candidates(&["show", ""]), both);
    assert_eq!(home.candidates(&["wait", ""]), both);
    assert_eq!(home.candidates(&["delete", "mydb", ""]), both[..1]);
    assert_eq!(
        home.candidates(&["show", "mydb", ""]),
        ["host", "port", "password\tsensitive", "uri\tsensitive"]
    );
    assert_eq!(home.candidates(&["show", "mydb", "port", "p"]), ["password\tsensitive"]);
    assert_eq!(home.candidates(&["list", "-n", ""]), ["default", "team-a\tcurrent", "team-b"]);
    assert_eq!(home.candidates(&["--context", ""]), ["dev", "staging\tcurrent"]);
    assert_eq!(
        home.candidates(&["list", "--state", "ready,d"]),
        ["ready,degraded", "ready,deleting", "ready,deployed"]
    );
    assert_eq!(home.candidates(&["list", "--color", ""]), ["auto", "always", "never"]);
    assert!(home.candidates(&["create", ""]).is_empty());
}

#[test]
fn commands_to_explain() {
    let server = Server::start();
    let home = Home::new(server.port);
    let all = home.candidates(&["help", ""]);
    assert_eq!(all[0], "catalog\tList the classes on offer, or explain one");
    let lint = home.candidates(&["help", "class", "l"]);
    assert!(lint.len() == 1 && lint[0].starts_with("lint\t"), "{lint:?}");
    assert!(home.candidates(&["help", "list", ""]).is_empty());
    assert_eq!(server.asked(), [""; 0]);
}

/// The first answer: on a busy machine the second that there is may be over before there is one.
fn answered_in_time(home: &Home, server: &Server, line: &[&str]) -> (Vec<String>, Vec<String>) {
    for _ in 0..10 {
        let first = home.candidates(line);
        let asked = server.asked();
        if !first.is_empty() {
            return (first, asked);
        }
    }
    (Vec::new(), Vec::new())
}

#[test]
fn an_answer_costs_two_requests_at_most_and_is_kept_for_a_while() {
    let server = Server::start();
    let home = Home::new(server.port);
    for (line, most) in [
        (vec!["show", ""], 1),
        (vec!["show", "mydb", ""], 2),
        (vec!["create", "db", "--class", ""], 2),
        (after(&CREATE, &["--set", ""]), 1),
        (vec!["list", "-n", ""], 1),
    ] {
        let (first, asked) = answered_in_time(&home, &server, &line);
        assert!(!first.is_empty(), "{line:?}");
        assert!((1..=most).contains(&asked.len()), "{line:?} asked {asked:?}");
        assert_eq!(home.candidates(&line), first);
        assert_eq!(server.asked(), [""; 0], "{line:?} again");
    }
    for file in fs::read_dir(home.cache().join("completion")).expect("a folder").flatten() {
        let mode = file.metadata().expect("a file").permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{file:?}");
    }
}

#[test]
fn kubectl_gets_its_own_form() {
    let home = Home::new(Server::start().port);
    let asked = |words: &[&str]| text(home.run("kubectl_complete-svc", &[], words).stdout);
    assert_eq!(asked(&["create", "db", "--cl"]), "--class\tClass of the catalog\n:4\n");
    let said = "postgres, plan small, deployed";
    assert_eq!(asked(&["show", ""]), format!("cache\t{said}\nmydb\t{said}\n:4\n"));
    assert_eq!(
        asked(&["create", "db", "--class", "po"]),
        "postgres\tDisposable PostgreSQL for development\n:4\n"
    );
    let storage = "storage=\tDisk size, default 2Gi, 1Gi to 10Gi\n:6\n";
    assert_eq!(asked(&after(&CREATE, &["--set", "sto"])), storage);
    assert_eq!(asked(&["create", ""]), ":4\n");
}
