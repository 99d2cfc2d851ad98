//! Below HTTP: connections, certificates, proxies, login helpers; on real sockets.

use std::path::Path;
use std::sync::{Arc, Mutex};

use svc::cluster::{Cluster, ConnectOptions, Proxies, RequestLog, Scope};
use svc::error::{Error, ErrorKind};

use crate::server::{self, Served};
use crate::wire::told;

/// A kubeconfig for a server and a user.
fn options(directory: &Path, url: &str, user: &str) -> ConnectOptions {
    let text = format!(
        "{{apiVersion: v1, kind: Config, current-context: staging,
          clusters: [{{name: s, cluster: {{server: \"{url}\"}}}}],
          contexts: [{{name: staging, context: {{cluster: s, user: dev-1, namespace: team-a}}}}],
          users: [{{name: dev-1, user: {user}}}]}}"
    );
    let path = directory.join("config");
    std::fs::write(&path, text).unwrap();
    ConnectOptions { kubeconfig: Some(path), ..ConnectOptions::default() }
}

const EMPTY: &str = r#"{"kind":"List","items":[]}"#;

async fn list(options: ConnectOptions) -> Result<(), Error> {
    let cluster = Cluster::open(options).unwrap();
    cluster.revisions(Scope::namespace("team-a"), "").await.map(|_| ())
}

async fn says(url: &str) -> Vec<String> {
    let home = tempfile::tempdir().unwrap();
    told(&list(options(home.path(), url, "{token: abc}")).await.unwrap_err())
}

#[tokio::test]
async fn nobody_listens() {
    let port = server::free_port();
    let server = format!("127.0.0.1:{port}");
    let lines = [
        "cluster of context staging does not answer".to_owned(),
        format!("server: {server}"),
        "says: connection refused".to_owned(),
        "try: doctor".to_owned(),
    ];
    assert_eq!(says(&format!("http://{server}")).await, lines);
}

#[tokio::test]
async fn a_connection_that_is_closed() {
    let closes = server::raw(|_| Vec::new());
    let line = says(&closes.url("http")).await[2].clone();
    assert!(line.starts_with("says: connection closed"), "{line}");
    let half = b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"items\":[".to_vec();
    let cut = server::raw(move |_| half.clone());
    let line = says(&cut.url("http")).await[2].clone();
    assert!(line.starts_with("says: answer cut off: "), "{line}");
}

#[tokio::test]
async fn no_tls_behind_https() {
    let plain = server::raw(|_| b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec());
    assert_eq!(says(&plain.url("https")).await[2], "says: no TLS is spoken there");
}

#[tokio::test]
async fn certificates_that_cannot_be_trusted() {
    let cases = [
        (
            server::Certificate::Good,
            false,
            "is not trusted",
            "certificate signed by an unknown authority",
        ),
        (
            server::Certificate::Expired,
            true,
            "has expired",
            "certificate expired, or this machine's clock is wrong",
        ),
        (
            server::Certificate::OtherName,
            true,
            "is for another name",
            "certificate does not name this server",
        ),
    ];
    for (certificate, trusted, what, reason) in cases {
        let (served, pem) = server::tls(certificate, EMPTY);
        let other = server::authority();
        let home = tempfile::tempdir().unwrap();
        let authority = home.path().join("ca.crt");
        std::fs::write(&authority, if trusted { pem } else { other }).unwrap();
        let url =
            format!("{}\", certificate-authority: \"{}", served.url("https"), authority.display());
        let lines = told(&list(options(home.path(), &url, "{token: abc}")).await.unwrap_err());
        assert_eq!(lines[0], format!("the certificate of the cluster of context staging {what}"));
        assert_eq!(lines[2], format!("says: {reason}"));
    }
}

#[tokio::test]
async fn a_trusted_certificate_is_enough() {
    let (served, pem) = server::tls(server::Certificate::Good, EMPTY);
    let home = tempfile::tempdir().unwrap();
    let authority = home.path().join("ca.crt");
    std::fs::write(&authority, pem).unwrap();
    let url =
        format!("{}\", certificate-authority: \"{}", served.url("https"), authority.display());
    list(options(home.path(), &url, "{token: abc}")).await.unwrap();
    assert!(served.heads()[0].contains("authorization: Bearer abc"), "{:?}", served.heads());
}

#[tokio::test]
async fn each_request_is_a_line_and_counted() {
    let served = server::json(EMPTY);
    let home = tempfile::tempdir().unwrap();
    let lines = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&lines);
    let log = RequestLog::new(move |line| sink.lock().unwrap().push(line.to_owned()));
    let given = options(home.path(), &served.url("http"), "{token: abc}");
    list(ConnectOptions { log: log.clone(), ..given }).await.unwrap();
    let line = lines.lock().unwrap()[0].clone();
    let start = "GET secrets owner=helm,svc-cli.dev/class in team-a, metadata only: 200 in ";
    assert!(line.starts_with(start) && line.ends_with("ms"), "{line}");
    assert_eq!(log.count(), 1);
}

#[tokio::test]
async fn a_proxy_is_used_and_named() {
    let refuses = server::raw(|_| b"HTTP/1.1 403 Forbidden\r\n\r\n".to_vec());
    let home = tempfile::tempdir().unwrap();
    let mut given = options(home.path(), "https://10.255.255.1:6443", "{token: abc}");
    given.proxies = Proxies { https: Some(refuses.url("http")), no: None };
    let lines = told(&list(given).await.unwrap_err());
    assert_eq!(lines[2], format!("proxy: {}", refuses.address()));
    assert!(refuses.heads()[0].starts_with("CONNECT 10.255.255.1:6443"), "{:?}", refuses.heads());
}

fn helper(directory: &Path, script: &str) -> String {
    use std::os::unix::fs::PermissionsExt as _;
    let path = directory.join("corp-login");
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    format!(
        "{{exec: {{apiVersion: client.authentication.k8s.io/v1, interactiveMode: IfAvailable,
          command: \"{}\", args: [get-token, --cluster, staging], installHint: \"brew install it\"}}}}",
        path.display()
    )
}

async fn with_helper(script: &str) -> (Result<(), Error>, Served, tempfile::TempDir) {
    let home = tempfile::tempdir().unwrap();
    let served = server::json(EMPTY);
    let user = helper(home.path(), script);
    let result = list(options(home.path(), &served.url("http"), &user)).await;
    (result, served, home)
}

#[tokio::test]
async fn a_login_helper_runs_once_and_reads_no_stdin() {
    let script = "echo run >>\"$0.runs\"; cat >/dev/null
        echo '{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",\"status\":{\"token\":\"t0k\"}}'";
    let (result, served, home) = with_helper(script).await;
    result.unwrap();
    assert!(served.heads()[0].contains("authorization: Bearer t0k"), "{:?}", served.heads());
    let runs = std::fs::read_to_string(home.path().join("corp-login.runs")).unwrap();
    assert_eq!(runs.lines().count(), 1);
}

#[tokio::test]
async fn a_login_helper_that_fails_is_quoted() {
    let script = "echo 'session expired, run corp-login login' >&2; echo more >&2; exit 7";
    let (result, _, home) = with_helper(script).await;
    let error = result.unwrap_err();
    let program = home.path().join("corp-login").display().to_string();
    let lines = [
        "the login helper of context staging failed".to_owned(),
        format!("runs: {program} get-token --cluster staging"),
        "says: session expired, run corp-login login".to_owned(),
        "exit: 7".to_owned(),
    ];
    assert_eq!((error.kind, told(&error)), (ErrorKind::Failed, lines.to_vec()));
}

#[tokio::test]
async fn a_login_helper_that_says_nothing_useful() {
    let (result, ..) = with_helper("echo hello").await;
    assert_eq!(told(&result.unwrap_err())[2], "says: nothing that is a credential");
}

#[tokio::test]
async fn a_login_helper_that_is_not_installed() {
    let home = tempfile::tempdir().unwrap();
    let user = "{exec: {apiVersion: client.authentication.k8s.io/v1, command: no-such-corp-login,
        installHint: \"brew install it\"}}";
    let error = list(options(home.path(), "http://127.0.0.1:1", user)).await.unwrap_err();
    let words = "the login helper of context staging is not installed: no-such-corp-login";
    assert_eq!(told(&error), [words, "brew install it"]);
}
