//! Error blocks of interface §14.

use super::reads;
use crate::error::Error;

#[test]
fn no_kubeconfig() {
    reads(
        Error::failed("no kubeconfig: ~/.kube/config does not exist and KUBECONFIG is not set")
            .try_("list --kubeconfig FILE"),
        r#"error: no kubeconfig: ~/.kube/config does not exist and KUBECONFIG is not set
try: svc list --kubeconfig FILE
"#,
    );
}

#[test]
fn no_answer() {
    reads(
        Error::failed("cluster of context staging does not answer")
            .fact("server", "10.0.0.7:6443")
            .fact("says", "connection refused")
            .try_("doctor"),
        r#"error: cluster of context staging does not answer
  server  10.0.0.7:6443
  says    connection refused
try: svc doctor
"#,
    );
}

#[test]
fn expired_credentials() {
    reads(
        Error::not_allowed("credentials of context staging have expired")
            .fact("server", "10.0.0.7:6443 answered 401")
            .fact("user", "dev-1, token from the kubeconfig")
            .advise("Log in again the way you got this kubeconfig."),
        r#"error: credentials of context staging have expired
  server  10.0.0.7:6443 answered 401
  user    dev-1, token from the kubeconfig
Log in again the way you got this kubeconfig.
"#,
    );
}

#[test]
fn login_helper_failed() {
    reads(
        Error::failed("the login helper of context staging failed")
            .fact("runs", "corp-login get-token --cluster staging")
            .fact("says", "session expired, run corp-login login")
            .fact("exit", "1"),
        r#"error: the login helper of context staging failed
  runs    corp-login get-token --cluster staging
  says    session expired, run corp-login login
  exit    1
"#,
    );
}

#[test]
fn login_helper_missing() {
    reads(
        Error::failed("the login helper of context staging is not installed: corp-login"),
        r#"error: the login helper of context staging is not installed: corp-login
"#,
    );
}

#[test]
fn no_helm() {
    reads(
        Error::failed("helm is not installed: not found in PATH; 3.13 or newer is needed")
            .try_("doctor"),
        r#"error: helm is not installed: not found in PATH; 3.13 or newer is needed
try: svc doctor
"#,
    );
}

#[test]
fn catalog_not_allowed() {
    reads(
        Error::not_allowed("not allowed to list the catalog")
            .fact("missing", "list serviceclasses.svc-cli.dev, cluster-wide")
            .fact("user", "dev-1, context staging")
            .try_for("doctor --rbac", "the rules to ask your cluster's admin for"),
        r#"error: not allowed to list the catalog
  missing  list serviceclasses.svc-cli.dev, cluster-wide
  user     dev-1, context staging
try: svc doctor --rbac    the rules to ask your cluster's admin for
"#,
    );
}

#[test]
fn no_catalog() {
    reads(
        Error::failed("context staging has no catalog: serviceclasses.svc-cli.dev is missing")
            .advise(
                "An operations team installs it with:\n  svc class crd | kubectl apply \
                 --server-side -f -",
            ),
        r#"error: context staging has no catalog: serviceclasses.svc-cli.dev is missing
An operations team installs it with:
  svc class crd | kubectl apply --server-side -f -
"#,
    );
}

#[test]
fn no_context() {
    reads(
        Error::usage("no context stagin in the kubeconfig; it has dev, staging"),
        r#"error: no context stagin in the kubeconfig; it has dev, staging
"#,
    );
}

#[test]
fn no_namespace() {
    reads(
        Error::not_found("no namespace team-x in context staging").try_("list -A"),
        r#"error: no namespace team-x in context staging
try: svc list -A
"#,
    );
}
