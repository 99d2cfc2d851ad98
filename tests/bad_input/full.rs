//! A disk behind stdout that is full: an answer that nobody has is no success.

use crate::instance::{cluster, page};
use crate::place::Place;

#[test]
fn an_answer_that_cannot_be_written_is_an_error() {
    let port = cluster(|_| page("deployed"));
    let place = Place::new().with_server(port).with_helm("echo v4.3.1");
    for command in [
        "list",
        "list -o json",
        "catalog",
        "show mydb host",
        "show mydb -o answers",
        "doctor",
        "class crd",
        "class init",
        "completion bash",
        "",
        "--help",
        "--version",
    ] {
        let said = place.run(&format!("svc {command} >/dev/full")).ended(1).answers("");
        said.tells("error: cannot write the answer to stdout: no space left on device\n");
    }
}
