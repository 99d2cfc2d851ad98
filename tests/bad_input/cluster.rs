//! Clusters that are not there, do not answer, or are no clusters.

use serde_json::json;

use crate::place::Place;
use crate::server::{self, not_found};

const COMMANDS: [&str; 6] =
    ["catalog", "create mydb -c kinds", "list", "show mydb", "wait mydb", "delete mydb --yes"];

#[test]
fn no_kubeconfig() {
    let place = Place::new();
    for command in COMMANDS {
        place.svc(command).fails(
            1,
            "error: no kubeconfig: ~/.kube/config does not exist and KUBECONFIG is not set\n\
             try: svc list --kubeconfig FILE\n",
        );
    }
    place.svc("list --kubeconfig none.yaml").fails(
        1,
        "error: no kubeconfig: none.yaml does not exist\ntry: svc list --kubeconfig FILE\n",
    );
}

#[test]
fn a_kubeconfig_that_is_none() {
    let place = Place::new();
    place.write("bad.yaml", "clusters: [");
    let said = place.svc("list --kubeconfig bad.yaml").ended(1).answers("");
    said.tells("bad.yaml");
    place.write("empty.yaml", "");
    place.svc("list --kubeconfig empty.yaml").ended(1).answers("");
}

#[test]
fn a_context_that_is_not_there() {
    let place = Place::new().with_server(1);
    for command in COMMANDS {
        place
            .svc(&format!("{command} --context stagin"))
            .fails(2, "error: no context stagin in the kubeconfig; it has dev, staging\n");
    }
}

#[test]
fn a_server_that_is_gone() {
    let place = Place::new().with_server(1);
    for command in COMMANDS {
        place.svc(command).fails(
            1,
            "error: cluster of context staging does not answer\n  server  127.0.0.1:1\n  \
             says    connection refused\ntry: svc doctor\n",
        );
    }
}

#[test]
fn credentials_that_have_expired() {
    let refused = json!({"kind": "Status", "status": "Failure", "message": "Unauthorized",
        "reason": "Unauthorized", "code": 401});
    let port = server::start(move |_| (401, refused.clone()));
    let place = Place::new().with_server(port);
    for command in COMMANDS {
        place.svc(command).fails(
            4,
            &format!(
                "error: credentials of context staging have expired\n  \
                 server  127.0.0.1:{port} answered 401\n  \
                 user    dev-1, token from the kubeconfig\n\
                 Log in again the way you got this kubeconfig.\n"
            ),
        );
    }
}

#[test]
fn a_login_helper_that_is_not_installed_or_fails() {
    let exec = |command: &str| {
        format!(
            "{{exec: {{apiVersion: client.authentication.k8s.io/v1, command: {command}, \
             args: [get-token], interactiveMode: Never}}}}"
        )
    };
    let missing = Place::new().with_kubeconfig("https://127.0.0.1:1", &exec("corp-login"));
    for command in COMMANDS {
        missing
            .svc(command)
            .fails(1, "error: the login helper of context staging is not installed: corp-login\n");
    }
    let place = Place::new().with_helm("echo session expired, run corp-login login >&2; exit 1");
    let fails = place.with_kubeconfig("https://127.0.0.1:1", &exec("./helm"));
    let said = fails.svc("list").ended(1).answers("");
    said.tells("error: the login helper of context staging failed\n  runs    ./helm get-token\n")
        .tells("  says    session expired, run corp-login login\n  exit    1\n");
}

#[test]
fn a_login_helper_that_always_asks_is_not_run_where_nobody_may_be_asked() {
    let exec = "{exec: {apiVersion: client.authentication.k8s.io/v1, command: ./helm, \
                args: [login], interactiveMode: Always}}";
    let place = Place::new().with_helm("read -r answer; echo $answer >asked");
    let place = place.with_kubeconfig("https://127.0.0.1:1", exec);
    for command in COMMANDS {
        place.run(&format!("echo secret | svc {command}")).fails(
            1,
            "error: the login helper of context staging always asks, and nobody may be asked here\n  \
             runs  ./helm login\nIt needs a terminal, without --no-input and SVC_NO_INPUT.\n",
        );
    }
    assert_ne!(place.run("cat asked").status, 0, "it was run");
}

#[test]
fn a_cluster_without_a_catalog() {
    let port = server::start(|path| match path {
        _ if path.contains("svc-cli.dev") => not_found(),
        _ => server::catalog(path),
    });
    let place = Place::new().with_server(port).with_helm("echo v4.3.1");
    for command in ["catalog", "catalog kinds", "create mydb -c kinds"] {
        place.svc(command).fails(
            1,
            "error: context staging has no catalog: serviceclasses.svc-cli.dev is missing\n\
             An operations team installs it with:\n  \
             svc class crd | kubectl apply --server-side -f -\n",
        );
    }
}

#[test]
fn something_else_that_listens_there() {
    let port = server::start(|_| (200, json!("<html>Please log in</html>")));
    let place = Place::new().with_server(port);
    for command in COMMANDS {
        let said = place.svc(command).ended(1).answers("");
        said.tells("error: server of context staging does not answer as Kubernetes\n")
            .tells(&format!("  server  127.0.0.1:{port}\n"));
    }
}

#[test]
fn a_server_in_trouble() {
    let port = server::start(|_| {
        (
            503,
            json!({"kind": "Status", "status": "Failure", "message": "etcd \u{1b}[31mleader changed",
            "code": 503}),
        )
    });
    let said = Place::new().with_server(port).svc("list").ended(1).answers("");
    said.tells("error: cluster of context staging failed\n")
        .tells(&format!("127.0.0.1:{port} answered 503\n"))
        .tells(r"etcd \x1b[31mleader changed");
}

#[test]
fn a_class_that_is_not_there() {
    let place = Place::with_catalog();
    for (command, meant) in [
        ("create mydb -c kind", "create mydb --class kinds"),
        (
            "create mydb -c kind --set size=2Gi --no-wait",
            "create mydb --class kinds --set size=2Gi --no-wait",
        ),
        ("catalog kind", "catalog kinds"),
    ] {
        let told = format!("error: no class kind in context staging\ntry: svc {meant}\n");
        place.svc(command).fails(3, &told);
    }
    place
        .svc("create mydb -c zzzzzz")
        .fails(3, "error: no class zzzzzz in context staging\ntry: svc catalog\n");
}

#[test]
fn a_list_of_kubeconfigs_that_names_none() {
    let place = Place::new().with("KUBECONFIG", ":");
    place.svc("list").fails(
        1,
        "error: no kubeconfig: KUBECONFIG is set and names no file\n\
         try: svc list --kubeconfig FILE\n",
    );
}

#[test]
fn selectors_that_are_none() {
    let place = Place::new();
    for (command, verb) in [("list", "list"), ("list -A", "list"), ("catalog", "catalog")] {
        place.svc(&format!("{command} -l '!!'")).fails(
            2,
            &format!(
                "error: \"!!\" is not a label selector: \"!\" is not the name of a label, \
                 like tier=dev,team!=a or tier in (dev, test)\ntry: svc {verb}    without it\n"
            ),
        );
    }
}
