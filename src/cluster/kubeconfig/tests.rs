use std::path::Path;

use super::super::{Chosen, Cluster, PodAddress, Proxies};
use super::*;

const STAGING: &str = r#"
apiVersion: v1
kind: Config
current-context: staging
clusters:
- {name: s, cluster: {server: "https://10.0.0.7:6443"}}
contexts:
- {name: staging, context: {cluster: s, user: dev-1, namespace: team-a}}
- {name: bare, context: {cluster: s, user: dev-1}}
- {name: broken, context: {cluster: gone, user: dev-1}}
users:
- {name: dev-1, user: {token: abc}}
"#;
const DEV: &str = r#"
apiVersion: v1
kind: Config
current-context: dev
clusters:
- {name: d, cluster: {server: "http://localhost:8001"}}
contexts:
- {name: dev, context: {cluster: d, user: dev-2}}
users:
- name: dev-2
  user:
    exec: {apiVersion: client.authentication.k8s.io/v1, command: corp-login, args: [get-token]}
"#;

fn written(directory: &Path, name: &str, text: &str) -> PathBuf {
    let path = directory.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn flag(path: PathBuf) -> ConnectOptions {
    ConnectOptions { kubeconfig: Some(path), ..ConnectOptions::default() }
}

fn chosen(value: &str, by: &str) -> Option<Chosen> {
    Some(Chosen { value: value.to_owned(), by: by.to_owned() })
}

fn refused(options: ConnectOptions) -> Error {
    Cluster::open(options).err().expect("no cluster is chosen")
}

#[test]
fn the_context_gives_server_user_and_namespace() {
    let home = tempfile::tempdir().unwrap();
    let path = written(home.path(), "config", STAGING);
    let cluster = Cluster::open(flag(path.clone())).unwrap();
    assert_eq!(cluster.target.context, "staging");
    assert_eq!(cluster.target.server, "10.0.0.7:6443");
    assert_eq!(cluster.target.user, "dev-1");
    assert_eq!(cluster.target.credentials, "token from the kubeconfig");
    assert_eq!(cluster.namespace, "team-a");
    assert_eq!(cluster.helm.context.as_deref(), Some("staging"));
    assert_eq!(cluster.helm.kubeconfig.as_deref(), Some(path.as_os_str()));
}

#[test]
fn flags_and_variables_win_and_are_named() {
    let home = tempfile::tempdir().unwrap();
    let mut options = flag(written(home.path(), "config", STAGING));
    options.namespace = chosen("team-b", "SVC_NAMESPACE");
    let cluster = Cluster::open(options.clone()).unwrap();
    let words = "context staging from the kubeconfig, namespace team-b from SVC_NAMESPACE";
    assert_eq!(cluster.chosen_by, words);
    options.context = chosen("bare", "--context");
    options.namespace = None;
    let cluster = Cluster::open(options).unwrap();
    assert_eq!(cluster.chosen_by, "context bare from --context, namespace default by default");
}

#[test]
fn listed_files_are_merged_the_first_wins_and_missing_ones_are_passed_over() {
    let home = tempfile::tempdir().unwrap();
    let files = [
        home.path().join("gone"),
        written(home.path(), "one", DEV),
        written(home.path(), "two", STAGING),
    ];
    let list = std::env::join_paths(&files).unwrap();
    let options = ConnectOptions { kubeconfig_env: Some(list.clone()), ..Default::default() };
    let all = contexts(&options).unwrap();
    assert_eq!(all.names, ["dev", "staging", "bare", "broken"]);
    assert_eq!(all.current.as_deref(), Some("dev"));
    let cluster = Cluster::open(options).unwrap();
    assert_eq!(cluster.helm.kubeconfig, Some(list));
    assert_eq!(cluster.target.server, "localhost:8001");
    assert_eq!(cluster.target.helper.as_deref(), Some("corp-login get-token"));
}

#[test]
fn a_helper_that_may_not_ask_is_not_given_stdin() {
    let mode = |may_prompt| {
        let kubeconfig = Kubeconfig::from_yaml(DEV).unwrap();
        configured(kubeconfig, "dev", may_prompt).unwrap().auth_info.exec.unwrap().interactive_mode
    };
    assert_eq!(mode(false), Some(ExecInteractiveMode::Never));
    assert_eq!(mode(true), None);
}

#[test]
fn no_kubeconfig_says_where_it_was_looked_for() {
    let home = tempfile::tempdir().unwrap();
    let at_home = ConnectOptions { home: Some(home.path().to_owned()), ..Default::default() };
    let error = refused(at_home.clone());
    let words = "no kubeconfig: ~/.kube/config does not exist and KUBECONFIG is not set";
    assert_eq!(error.message, words);
    assert_eq!(error.tries[0].command, "list --kubeconfig FILE");
    let error = refused(flag(home.path().join("x")));
    let path = home.path().join("x").display().to_string();
    assert_eq!(error.message, format!("no kubeconfig: {path} does not exist"));
    let empty = ConnectOptions { kubeconfig_env: Some("".into()), ..at_home };
    assert_eq!(refused(empty).message, words);
}

#[test]
fn unknown_and_unusable_contexts() {
    let home = tempfile::tempdir().unwrap();
    let mut options = flag(written(home.path(), "config", STAGING));
    options.context = chosen("stagin", "--context");
    let error = refused(options.clone());
    let words = "no context stagin in the kubeconfig; it has staging, bare, broken";
    assert_eq!((error.message.as_str(), error.kind.exit_code()), (words, 2));
    options.context = chosen("broken", "--context");
    let error = refused(options);
    assert_eq!(error.message, "context broken of the kubeconfig cannot be used");
    assert_eq!(error.facts[0].value, "no cluster gone");
}

#[test]
fn a_kubeconfig_that_is_none_is_not_quoted() {
    let home = tempfile::tempdir().unwrap();
    let text = STAGING.replace("{token: abc}", "{token: [s3cret");
    let error = refused(flag(written(home.path(), "config", &text)));
    assert_eq!(error.message, "the kubeconfig cannot be read");
    assert!(error.facts[1].value.starts_with("not a kubeconfig: line "), "{error:?}");
    assert!(!format!("{error:?}").contains("s3cret"));
}

#[test]
fn inside_a_pod_without_its_files_there_is_no_service_account() {
    let pod = PodAddress { host: "10.96.0.1".to_owned(), port: 443 };
    let options = ConnectOptions { pod: Some(pod), ..Default::default() };
    let error = refused(options);
    assert_eq!(error.message, "no kubeconfig, and no service account in this pod");
}

#[test]
fn a_context_without_a_name_is_asked_for() {
    let home = tempfile::tempdir().unwrap();
    let text = STAGING.replace("current-context: staging", "current-context: ''");
    let error = refused(flag(written(home.path(), "config", &text)));
    let words = "no context is chosen in the kubeconfig; it has staging, bare, broken";
    assert_eq!(error.message, words);
    let error = refused(flag(written(home.path(), "empty", "")));
    assert_eq!(error.message, "the kubeconfig has no contexts");
}

#[test]
fn a_proxy_of_no_known_kind_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let mut options = flag(written(home.path(), "config", STAGING));
    options.proxies = Proxies { https: Some("ftp://proxy:21".to_owned()), no: None };
    assert_eq!(refused(options).message, "proxy of context staging is of no known kind");
}
