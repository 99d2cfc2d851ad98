//! `svc doctor`: check the cluster, helm and the user's permissions.

use serde::Serialize;
use serde_json::json;

use super::report::API_VERSION;
use crate::cli::Doctor;
use crate::context::Context;
use crate::domain::access::{Command, Resource, role};
use crate::error::{ErrorKind, Result, Try};
use crate::ops::doctor::{Check, NEEDS_CLUSTER, of_cluster};
use crate::output::{Caller, Format, Page, Report, yaml};

/// Prints one line for each part; the exit status is that of the first failed line.
///
/// # Errors
/// stdout cannot be written.
pub async fn run(args: &Doctor, context: &Context) -> Result<u8> {
    if args.rbac {
        return print_role(args, context);
    }
    let checks = examine(context).await;
    let failed: Vec<&Check> = checks.iter().filter(|check| check.ok == Some(false)).collect();
    let status = failed.first().map_or(0, |check| check.kind.exit_code());
    let mut tries: Vec<Try> = Vec::new();
    for one in failed.iter().flat_map(|check| &check.tries) {
        if !tries.contains(one) {
            tries.push(one.clone());
        }
    }
    let report = DoctorReport::new(&checks, context.face.caller(), context.face.is_quiet());
    context.face.report(&report, args.output.map_or(Format::Table, Format::from))?;
    context.face.tries(&tries);
    Ok(status)
}

async fn examine(context: &Context) -> Vec<Check> {
    let helm = helm(context).await;
    let cluster = match context.cluster() {
        Ok(cluster) => cluster,
        Err(error) => {
            let rest = ["cluster", "identity", "catalog", "read", "change", "connect"];
            let rest = rest.map(|name| Check::depends(name, NEEDS_CLUSTER));
            let mut checks = vec![Check::failed("kubeconfig", error.kind, error.message)];
            checks.extend(rest);
            checks.insert(4, helm);
            return checks;
        }
    };
    let (name, namespace) = (&cluster.target.context, &cluster.namespace);
    let mut checks =
        vec![Check::ok("kubeconfig", format!("context {name}, namespace {namespace}"))];
    checks.extend(of_cluster(cluster, &context.context_names()).await);
    checks.insert(4, helm);
    checks
}

async fn helm(context: &Context) -> Check {
    match context.helm().await {
        Ok(helm) => Check::ok("helm", format!("v{}", helm.version())),
        Err(error) => {
            let message = error.message.trim_start_matches("helm is not installed: ").to_owned();
            let mut check = Check::failed("helm", ErrorKind::Failed, message);
            let install = || "Install helm, or set SVC_HELM to its path".to_owned();
            // What else is wrong says itself what helps.
            let command = error.advice.into_iter().next().unwrap_or_else(install);
            check.tries.push(Try { command, explanation: None });
            check
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct DoctorReport {
    api_version: &'static str,
    kind: &'static str,
    checks: Vec<CheckItem>,
    #[serde(skip)]
    failed_only: bool,
}

#[derive(Debug, Serialize)]
struct CheckItem {
    name: &'static str,
    ok: Option<bool>,
    message: String,
    #[serde(rename = "try")]
    tries: Vec<String>,
}

impl DoctorReport {
    fn new(checks: &[Check], caller: &Caller, failed_only: bool) -> Self {
        let item = |check: &Check| CheckItem {
            name: check.name,
            ok: check.ok,
            message: check.message.clone(),
            tries: check.tries.iter().map(|one| caller.command(one)).collect(),
        };
        let checks = checks.iter().map(item).collect();
        Self { api_version: API_VERSION, kind: "Doctor", checks, failed_only }
    }
}

impl Report for DoctorReport {
    fn text(&self, page: &Page) -> String {
        let shown = self.checks.iter().filter(|check| !self.failed_only || check.ok == Some(false));
        let lines = shown.flat_map(|check| {
            let mark = match check.ok {
                Some(true) => "ok",
                Some(false) => "FAIL",
                None => "-",
            };
            let head = format!("{mark:<4}  {:<10}  ", check.name);
            page.hanging(&head, &check.message)
        });
        lines.map(|line| line + "\n").collect()
    }

    fn names(&self) -> Vec<String> {
        self.checks.iter().map(|check| check.name.to_owned()).collect()
    }
}

/// The rules that the commands need, as a Role for the namespace.
#[derive(Debug, Serialize)]
struct Role {
    #[serde(flatten)]
    role: serde_json::Value,
    #[serde(skip)]
    text: String,
}

fn print_role(args: &Doctor, context: &Context) -> Result<u8> {
    let namespace = context.cluster().map(|cluster| cluster.namespace.clone());
    let rules: Vec<_> = role(&Command::ALL, true).iter().map(rule).collect();
    let role = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "Role",
        "metadata": {"name": "svc", "namespace": namespace.unwrap_or_else(|_| "default".to_owned())},
        "rules": rules,
    });
    let note = "# What list, show, wait, create, update, upgrade, delete and connect need; charts may bring more kinds.\n# Bind it: kubectl create rolebinding svc --role svc --user NAME\n";
    let role = Role { text: note.to_owned() + &yaml(&role)?, role };
    context.face.report(&role, args.output.map_or(Format::Table, Format::from)).map(|()| 0)
}

impl Report for Role {
    fn text(&self, _: &Page) -> String {
        self.text.clone()
    }

    fn names(&self) -> Vec<String> {
        vec!["svc".to_owned()]
    }
}

fn rule((resource, verbs): &(Resource, Vec<&str>)) -> serde_json::Value {
    json!({"apiGroups": [resource.group], "resources": [resource.plural], "verbs": verbs})
}
