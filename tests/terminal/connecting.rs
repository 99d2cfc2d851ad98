//! `svc connect` at a terminal: the client of the class, a consent, a tunnel alone (interface §12).

use super::{CTRL_C, start, start_with};
use crate::support::mask::mask;
use crate::support::stage::Stage;

const TUNNEL: &str = "tunnel 127.0.0.1:# -> mydb-postgresql:5432";

#[test]
fn the_client_of_the_class_is_started() {
    let Some(stage) = Stage::new("the_client_of_the_class", "team-con") else { return };
    stage.run("svc create mydb -c postgres --set database=orders -q").ok();
    let mut terminal = start(&stage, "env PSQL_PAGER=cat svc connect mydb");
    terminal.until("orders=>");
    assert!(mask(&terminal.screen()).starts_with(&format!("{TUNNEL}; it closes with psql\n")));
    terminal.keys("select 40 + 2 as answer \\gx\r").until("answer | 42");
    // Ctrl-C is psql's, which lives on.
    let long = "do $$ begin raise notice 'begun'; perform pg_sleep(60); end $$;\r";
    terminal.keys(long).until("NOTICE:  begun");
    terminal.keys(CTRL_C).until("canceling statement");
    terminal.keys("\\q\r");
    assert_eq!(terminal.ends(), 0);
    let mut alone = start(&stage, "svc connect mydb --tunnel");
    alone.until("uri ");
    alone.shows_masked(&alone_screen("the tunnel is open until Ctrl-C"), mask);
    alone.keys(CTRL_C);
    assert_eq!(alone.ends(), 130);
}

#[test]
fn a_client_that_is_not_installed_leaves_the_tunnel() {
    let Some(stage) = Stage::new("a_client_that_is_not", "team-cop") else { return };
    stage.run("svc create mydb -c postgres --set database=orders -q").ok();
    stage.run("mkdir bin; ln -s $(command -v bash) $(command -v svc) bin").ok();
    let path = format!("{}/bin", stage.folder().display());
    let mut terminal = start_with(&stage, 80, &[("PATH", &path)], "svc connect mydb");
    terminal.until("uri ");
    terminal.shows_masked(
        &alone_screen("psql is not installed; the tunnel is open until Ctrl-C"),
        mask,
    );
    terminal.keys(CTRL_C);
    assert_eq!(terminal.ends(), 130);
}

#[test]
fn a_program_that_is_not_known_is_started_after_one_consent() {
    let Some(stage) = Stage::new("a_program_that_is_not", "team-cou") else { return };
    let class = "kubectl get serviceclass redis -o json | jq '.metadata = {name: \"odd\"} | \
                 .spec.connection.client = {command: \"odd-client\", env: [{name: \"SECRET\", \
                 value: \"{{ password }}\"}]}' | kubectl create -f -";
    stage.run(class).ok();
    stage.run("svc create mydb -c odd -q").ok();
    let client = "mkdir bin; printf '#!/bin/sh\\necho the secret has ${#SECRET} bytes\\n' \
                  >bin/odd-client; chmod +x bin/odd-client";
    stage.run(client).ok();
    let connect = "env PATH=$PWD/bin:$PATH SVC_CACHE_DIR=$PWD/cache svc connect mydb";
    let question = "Class odd starts odd-client on this machine. Start it? [y/N]";
    let mut terminal = start(&stage, connect);
    terminal.asks(question);
    terminal.keys("n").until("odd-client is not started; the tunnel is open until Ctrl-C");
    terminal.keys(CTRL_C);
    assert_eq!(terminal.ends(), 130);
    let mut terminal = start(&stage, connect);
    terminal.asks(question);
    terminal.keys("y").until("the secret has 10 bytes");
    assert_eq!(terminal.ends(), 0);
    let mut terminal = start(&stage, connect);
    terminal.until("the secret has 10 bytes");
    assert_eq!(terminal.ends(), 0);
    assert!(!terminal.screen().contains("[y/N]"), "{}", terminal.screen());
    stage.run("kubectl delete serviceclass odd").ok();
}

fn alone_screen(first: &str) -> String {
    format!(
        "{first}\n{TUNNEL}\n\
         host      127.0.0.1\nport      #\nusername  app\npassword  ••••••••\n\
         database  orders\nuri       postgresql://app:••••••••@127.0.0.1:#/orders"
    )
}
