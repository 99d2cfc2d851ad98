//! Transcripts that need no cluster: help, wrong usage, no kubeconfig.

mod support;

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};

fn document(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts").join(name)
}

#[test]
fn getting_oriented() {
    let folder = tempfile::tempdir().expect("a folder");
    support::transcript::check(&document("orientation.md"), folder.path(), str::to_owned);
}

#[test]
fn wrong_usage_and_no_cluster() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("two.yaml"), TWO_CONTEXTS).expect("a kubeconfig");
    for (name, status, body) in SERVERS {
        let server = format!("http://{}", serve(status, body));
        let kubeconfig = TWO_CONTEXTS.replace("https://127.0.0.1:1", &server);
        std::fs::write(folder.path().join(name), kubeconfig).expect("a kubeconfig");
    }
    support::transcript::check(&document("offline.md"), folder.path(), str::to_owned);
}

const TWO_CONTEXTS: &str = "\
apiVersion: v1
kind: Config
clusters:
- {name: c, cluster: {server: \"https://127.0.0.1:1\"}}
users:
- {name: dev-1, user: {token: t}}
- {name: missing, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: corp-login, args: [get-token, --cluster, staging], interactiveMode: Never}}}
contexts:
- {name: dev, context: {cluster: c, user: missing}}
- {name: staging, context: {cluster: c, user: dev-1}}
current-context: staging
";

/// Kubeconfigs of servers that give one answer to everything.
const SERVERS: [(&str, &str, &str); 3] = [
    (
        "nothing.yaml",
        "200 OK",
        r#"{"apiVersion": "svc-cli.dev/v1alpha1", "kind": "ServiceClassList", "metadata": {}, "items": []}"#,
    ),
    (
        "missing.yaml",
        "404 Not Found",
        r#"{"apiVersion": "v1", "kind": "Status", "status": "Failure", "reason": "NotFound", "code": 404}"#,
    ),
    (
        "forbidden.yaml",
        "403 Forbidden",
        r#"{"apiVersion": "v1", "kind": "Status", "status": "Failure", "reason": "Forbidden", "code": 403,
            "message": "serviceclasses.svc-cli.dev is forbidden: User \"dev-1\" cannot list resource"}"#,
    ),
];

/// Serves this answer until the tests are over.
fn serve(status: &'static str, body: &'static str) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("it has an address");
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || answer(stream, status, body));
        }
    });
    address
}

fn answer(mut stream: TcpStream, status: &str, body: &str) {
    let Ok(reading) = stream.try_clone() else { return };
    // An empty line ends each request; none has a body.
    for line in BufReader::new(reading).lines().map_while(Result::ok) {
        let kind = "Content-Type: application/json";
        let length = body.len();
        let answer =
            format!("HTTP/1.1 {status}\r\n{kind}\r\nContent-Length: {length}\r\n\r\n{body}");
        if line.is_empty() && stream.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}
