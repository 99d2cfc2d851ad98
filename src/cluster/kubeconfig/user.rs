//! Who the kubeconfig makes the user, and with what: the words for an error about credentials.

use kube::config::{AuthInfo, ExecConfig, Kubeconfig};

use super::super::target::Target;

/// Everything but the server.
pub(super) fn target(kubeconfig: &Kubeconfig, context: &str) -> Target {
    let chosen = kubeconfig.contexts.iter().find(|named| named.name == context);
    let user = chosen.and_then(|named| named.context.as_ref()?.user.clone()).unwrap_or_default();
    let info = kubeconfig.auth_infos.iter().find(|named| named.name == user);
    let info = info.and_then(|named| named.auth_info.as_ref());
    let exec = info.and_then(|info| info.exec.as_ref());
    Target {
        context: context.to_owned(),
        server: String::new(),
        credentials: info.map_or_else(|| "no credentials".to_owned(), credentials),
        helper: exec.map(command_line),
        helper_hint: exec.and_then(|exec| exec.install_hint.clone()),
        user,
        proxy: None,
    }
}

/// In the order in which kube takes them.
fn credentials(info: &AuthInfo) -> String {
    let kubeconfig = "the kubeconfig";
    if let Some(provider) = &info.auth_provider {
        format!("token from {}", provider.name)
    } else if info.username.is_some() && info.password.is_some() {
        format!("password from {kubeconfig}")
    } else if info.token.is_some() {
        format!("token from {kubeconfig}")
    } else if let Some(file) = &info.token_file {
        format!("token from {file}")
    } else if let Some(exec) = &info.exec {
        format!("credentials from {}", exec.command.as_deref().unwrap_or("its login helper"))
    } else if info.client_certificate_data.is_some() {
        format!("certificate from {kubeconfig}")
    } else if let Some(file) = &info.client_certificate {
        format!("certificate from {file}")
    } else {
        "no credentials".to_owned()
    }
}

/// The helper's command line; what follows a flag that sounds like a secret is masked.
fn command_line(exec: &ExecConfig) -> String {
    let mut line = exec.command.clone().unwrap_or_default();
    let mut mask_next = false;
    for argument in exec.args.iter().flatten() {
        line.push(' ');
        let (flag, value) = argument.split_once('=').unwrap_or((argument, ""));
        let secret =
            flag.starts_with('-') && ["secret", "password"].iter().any(|w| flag.contains(w));
        match (mask_next, secret, value) {
            (true, ..) => line.push_str("***"),
            (false, true, value) if !value.is_empty() => {
                line.push_str(flag);
                line.push_str("=***");
            }
            _ => line.push_str(argument),
        }
        mask_next = secret && value.is_empty();
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_in_the_helpers_arguments_are_masked() {
        let args = ["get-token", "--client-secret=hunter2", "--password", "pw", "--cluster", "a"];
        let exec = ExecConfig {
            command: Some("corp-login".to_owned()),
            args: Some(args.map(str::to_owned).to_vec()),
            ..ExecConfig::default()
        };
        let line = "corp-login get-token --client-secret=*** --password *** --cluster a";
        assert_eq!(command_line(&exec), line);
    }
}
