//! The command lines of helm: pure.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use super::label;
use super::request::{
    Deployment, InstallRequest, RollbackRequest, Target, TemplateRequest, UninstallRequest,
    UpgradeRequest,
};
use crate::domain::command_line::quote;

/// `helm install`; `values` is the path of the values file.
pub(super) fn install(request: &InstallRequest, values: &str) -> Vec<OsString> {
    let deployment = &request.deployment;
    let mut args = positional(["install", &deployment.release], &deployment.chart);
    args.extend(target(&request.target));
    args.extend(values_flags(deployment, values));
    args.extend(record_flags(deployment));
    args
}

/// `helm upgrade`. Without `--reset-values` an empty values file means those of the last revision.
pub(super) fn upgrade(request: &UpgradeRequest, values: &str) -> Vec<OsString> {
    let deployment = &request.deployment;
    let mut args = positional(["upgrade", &deployment.release], &deployment.chart);
    args.extend(target(&request.target));
    args.push("--reset-values".into());
    args.extend(values_flags(deployment, values));
    args.extend(record_flags(deployment));
    args
}

/// An install or upgrade that changes nothing: the release as JSON.
pub(super) fn dry_run(mut args: Vec<OsString>) -> Vec<OsString> {
    args.extend(["--dry-run=server", "--output", "json"].map(OsString::from));
    args
}

/// `helm template`. helm 3 asks for the cluster's version and kinds with `--validate` alone, which
/// helm 4 does not take beside `--dry-run` (measured on 3.17 and 4.3).
pub(super) fn template(request: &TemplateRequest, validates: bool, values: &str) -> Vec<OsString> {
    let deployment = &request.deployment;
    let mut args = positional(["template", &deployment.release], &deployment.chart);
    args.extend(target(&request.target));
    if request.ask_cluster {
        args.push("--dry-run=server".into());
    }
    if validates {
        args.push("--validate".into());
    }
    if request.is_upgrade {
        args.push("--is-upgrade".into());
    }
    args.extend(values_flags(deployment, values));
    args
}

/// `helm uninstall`
pub(super) fn uninstall(request: &UninstallRequest) -> Vec<OsString> {
    let mut args: Vec<OsString> = vec!["uninstall".into(), request.release.clone().into()];
    args.extend(target(&request.target));
    if request.without_hooks {
        args.push("--no-hooks".into());
    }
    args.extend(timeout(request.timeout));
    args
}

/// `helm rollback`
pub(super) fn rollback(request: &RollbackRequest) -> Vec<OsString> {
    let revision = request.revision.to_string();
    let mut args: Vec<OsString> =
        vec!["rollback".into(), request.release.clone().into(), revision.into()];
    args.extend(target(&request.target));
    args.extend(timeout(request.timeout));
    args
}

fn positional(words: [&str; 2], chart: &Path) -> Vec<OsString> {
    words.iter().map(OsString::from).chain([chart.into()]).collect()
}

fn target(target: &Target) -> Vec<OsString> {
    let mut args: Vec<OsString> = vec!["--namespace".into(), target.namespace.clone().into()];
    if let Some(context) = &target.context {
        args.extend(["--kube-context".into(), context.into()]);
    }
    args
}

fn values_flags(deployment: &Deployment, values: &str) -> Vec<OsString> {
    let integers = deployment.integers.iter();
    let set = integers.map(|assignment| format!("--set={assignment}").into());
    ["--values".into(), values.into()].into_iter().chain(set).collect()
}

fn record_flags(deployment: &Deployment) -> Vec<OsString> {
    let mut args = timeout(deployment.timeout);
    if !deployment.labels.is_empty() {
        args.extend(["--labels".into(), label::flag_value(&deployment.labels).into()]);
    }
    args.extend(["--description".into(), deployment.description.clone().into()]);
    args
}

/// helm wants a unit, and takes 0 for "no limit".
fn timeout(timeout: Duration) -> Vec<OsString> {
    vec!["--timeout".into(), format!("{}s", timeout.as_secs().max(1)).into()]
}

/// The command line for people: quoted for a shell where needed, values as `***`.
pub(super) fn shown(args: &[OsString]) -> String {
    let mut line = "helm".to_owned();
    let mut before = String::new();
    for arg in args.iter().map(|arg| arg.to_string_lossy()) {
        let assigned = arg.strip_prefix("--set=").and_then(|rest| rest.split_once('='));
        line.push(' ');
        line.push_str(&match (before.as_str(), assigned) {
            ("--values", _) => "'***'".to_owned(),
            (_, Some((path, _))) => quote(&format!("--set={path}=***")),
            _ => quote(&arg),
        });
        before = arg.into_owned();
    }
    line
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn target() -> Target {
        Target {
            kubeconfig: Some("/home/dev/.kube/config".into()),
            context: Some("staging".to_owned()),
            namespace: "team-a".to_owned(),
        }
    }

    fn deployment() -> Deployment {
        Deployment {
            release: "mydb".to_owned(),
            chart: "/w/chart.tgz".into(),
            values: "{}".into(),
            integers: vec![r"a.b\.c=12345678".to_owned()],
            labels: BTreeMap::from([("svc-cli.dev/class".to_owned(), "postgres".to_owned())]),
            description: "svc create".to_owned(),
            timeout: Duration::from_mins(5),
        }
    }

    fn line(args: &[OsString]) -> String {
        let words: Vec<_> = args.iter().map(|arg| arg.to_string_lossy()).collect();
        words.join(" ")
    }

    #[test]
    fn install_says_everything_and_nothing_that_waits_or_takes_over() {
        let request = InstallRequest { target: target(), deployment: deployment() };
        assert_eq!(
            line(&install(&request, "/dev/fd/3")),
            "install mydb /w/chart.tgz --namespace team-a --kube-context staging \
             --values /dev/fd/3 --set=a.b\\.c=12345678 --timeout 300s \
             --labels svc-cli.dev/class=postgres --description svc create"
        );
    }

    #[test]
    fn upgrade_never_takes_values_of_the_last_revision() {
        let request = UpgradeRequest { target: target(), deployment: deployment() };
        let line = line(&upgrade(&request, "/dev/fd/3"));
        assert!(line.starts_with("upgrade mydb /w/chart.tgz --namespace team-a"), "{line}");
        assert!(line.contains(" --reset-values --values /dev/fd/3 "), "{line}");
        assert!(!line.contains("--install"), "{line}");
    }

    #[test]
    fn a_dry_run_is_the_same_command() {
        let request = UpgradeRequest { target: target(), deployment: deployment() };
        let real = upgrade(&request, "/dev/fd/3");
        let dry = line(&dry_run(real.clone()));
        assert_eq!(dry, line(&real) + " --dry-run=server --output json");
    }

    #[test]
    fn inside_a_pod_there_is_no_context() {
        let target = Target { kubeconfig: None, context: None, ..target() };
        let request = InstallRequest { target, deployment: deployment() };
        assert!(!line(&install(&request, "/dev/fd/3")).contains("--kube-context"));
    }

    #[test]
    fn template_asks_the_cluster_only_where_it_may() {
        let mut request = TemplateRequest {
            target: target(),
            deployment: deployment(),
            is_upgrade: true,
            ask_cluster: true,
        };
        assert_eq!(
            line(&template(&request, false, "/dev/fd/3")),
            "template mydb /w/chart.tgz --namespace team-a --kube-context staging \
             --dry-run=server --is-upgrade --values /dev/fd/3 --set=a.b\\.c=12345678"
        );
        let of_helm_3 = line(&template(&request, true, "/dev/fd/3"));
        assert!(of_helm_3.contains(" --dry-run=server --validate --is-upgrade "), "{of_helm_3}");
        (request.is_upgrade, request.ask_cluster) = (false, false);
        assert!(!line(&template(&request, false, "/dev/fd/3")).contains("--dry-run"));
    }

    #[test]
    fn values_are_not_shown() {
        let request = InstallRequest { target: target(), deployment: deployment() };
        assert_eq!(
            shown(&install(&request, "/dev/fd/3")),
            "helm install mydb /w/chart.tgz --namespace team-a --kube-context staging \
             --values '***' '--set=a.b'\\\\'.c=***' --timeout 300s \
             --labels svc-cli.dev/class=postgres --description 'svc create'"
        );
        assert_eq!(shown(&["".into(), "it's".into()]), r"helm '' 'it'\''s'");
    }

    #[test]
    fn uninstall_and_rollback_name_one_release() {
        let mut request = UninstallRequest {
            target: target(),
            release: "mydb".to_owned(),
            without_hooks: false,
            timeout: Duration::from_millis(1),
        };
        let expected = "uninstall mydb --namespace team-a --kube-context staging --timeout 1s";
        assert_eq!(line(&uninstall(&request)), expected);
        request.without_hooks = true;
        assert!(line(&uninstall(&request)).contains(" --no-hooks "));

        let request = RollbackRequest {
            target: target(),
            release: "mydb".to_owned(),
            revision: 3,
            timeout: Duration::from_mins(2),
        };
        assert_eq!(
            line(&rollback(&request)),
            "rollback mydb 3 --namespace team-a --kube-context staging --timeout 120s"
        );
    }
}
