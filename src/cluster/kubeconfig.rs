//! Kubeconfig files, read as kubectl and helm read them, and the service account of a pod.

use std::ffi::OsString;
use std::path::PathBuf;

use kube::Config;
use kube::config::{ExecInteractiveMode, Kubeconfig, KubeconfigError};

use super::connect::{ConnectOptions, HelmAccess};
use super::error::kubeconfig as words;
use super::target::Target;
use crate::error::{Error, Result};

mod user;

/// What the options chose.
pub(super) struct Place {
    pub config: Config,
    pub target: Target,
    pub namespace: String,
    pub helm: HelmAccess,
    pub chosen_by: String,
    /// The cluster's own `proxy-url`.
    pub own_proxy: Option<String>,
}

/// The contexts of the kubeconfig, for completion and errors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contexts {
    pub names: Vec<String>,
    pub current: Option<String>,
}

impl Contexts {
    fn of(kubeconfig: &Kubeconfig) -> Self {
        let names = kubeconfig.contexts.iter().map(|context| context.name.clone()).collect();
        let current = kubeconfig.current_context.clone().filter(|name| !name.is_empty());
        Self { names, current }
    }
}

/// The contexts there are; connects to nothing.
///
/// # Errors
/// No kubeconfig or an unreadable one.
pub fn contexts(options: &ConnectOptions) -> Result<Contexts> {
    Ok(Contexts::of(&read(&Files::of(options))?))
}

pub(super) fn choose(options: &ConnectOptions) -> Result<Place> {
    let files = Files::of(options);
    if let Some(pod) = options.pod.as_ref().filter(|_| !files.any_exists() && !files.explicit()) {
        return in_cluster(options, pod);
    }
    let kubeconfig = read(&files)?;
    let (context, context_by) = chosen_context(options, &kubeconfig)?;
    let target = user::target(&kubeconfig, &context);
    let own_proxy = own_proxy(&kubeconfig, &context);
    let config = configured(kubeconfig, &context, options.may_prompt)
        .map_err(|error| words::unusable(&error, &context))?;
    let target = Target { server: address(&config.cluster_url), ..target };
    let (namespace, namespace_by) = chosen_namespace(options, &config, "the context")?;
    let chosen_by = format!("context {context} {context_by}, namespace {namespace} {namespace_by}");
    let helm = HelmAccess { kubeconfig: Some(files.for_helm()), context: Some(context) };
    Ok(Place { config, target, namespace, helm, chosen_by, own_proxy })
}

fn own_proxy(kubeconfig: &Kubeconfig, context: &str) -> Option<String> {
    let named = kubeconfig.contexts.iter().find(|named| named.name == context)?;
    let name = &named.context.as_ref()?.cluster;
    let cluster = kubeconfig.clusters.iter().find(|named| named.name == *name)?;
    cluster.cluster.as_ref()?.proxy_url.clone().filter(|url| !url.is_empty())
}

fn chosen_context(options: &ConnectOptions, kubeconfig: &Kubeconfig) -> Result<(String, String)> {
    let contexts = Contexts::of(kubeconfig);
    let (name, by) = match (&options.context, contexts.current) {
        (Some(chosen), _) => (chosen.value.clone(), format!("from {}", chosen.by)),
        (None, Some(current)) => (current, "from the kubeconfig".to_owned()),
        (None, None) => return Err(words::no_current_context(&contexts.names)),
    };
    if contexts.names.contains(&name) {
        Ok((name, by))
    } else {
        Err(words::unknown_context(&name, &contexts.names))
    }
}

fn chosen_namespace(
    options: &ConnectOptions,
    config: &Config,
    known: &str,
) -> Result<(String, String)> {
    let by_default = || ("default".to_owned(), "by default".to_owned());
    let (name, by) = match &options.namespace {
        Some(chosen) => (chosen.value.clone(), format!("from {}", chosen.by)),
        None if config.default_namespace.is_empty() => by_default(),
        None => (config.default_namespace.clone(), format!("from {known}")),
    };
    let inside = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.chars().all(inside) {
        return Ok((name, by));
    }
    Err(Error::usage(format!("\"{name}\", {by}, is not the name of a namespace: a-z 0-9 -")))
}

/// kube's own reading of one context. The proxy that it takes from the environment is not used:
/// [`super::proxy`] decides, from what it is handed.
fn configured(
    mut kubeconfig: Kubeconfig,
    context: &str,
    may_prompt: bool,
) -> Result<Config, KubeconfigError> {
    kubeconfig.current_context = Some(context.to_owned());
    let named = kubeconfig.contexts.iter().find(|named| named.name == context);
    let namespace = named.and_then(|named| named.context.as_ref()?.namespace.clone());
    let mut config = Config::try_from(kubeconfig)?;
    config.default_namespace = namespace.unwrap_or_default();
    if let Some(exec) = &mut config.auth_info.exec
        && !may_prompt
        && exec.interactive_mode != Some(ExecInteractiveMode::Always)
    {
        // As client-go does where stdin is no terminal: the helper must not read it.
        exec.interactive_mode = Some(ExecInteractiveMode::Never);
    }
    Ok(config)
}

fn in_cluster(options: &ConnectOptions, pod: &super::PodAddress) -> Result<Place> {
    let mut config = Config::incluster_dns().map_err(|error| words::no_service_account(&error))?;
    let host = if pod.host.contains(':') { format!("[{}]", pod.host) } else { pod.host.clone() };
    config.cluster_url = format!("https://{host}:{}", pod.port)
        .parse()
        .map_err(|_| Error::failed(format!("{host} is not the address of an API server")))?;
    let context = "in-cluster".to_owned();
    let (namespace, by) = chosen_namespace(options, &config, "the service account")?;
    let target = Target {
        server: address(&config.cluster_url),
        user: "the service account".to_owned(),
        credentials: "token of the pod".to_owned(),
        context,
        ..Target::default()
    };
    let chosen_by = format!("service account of the pod, namespace {namespace} {by}");
    let helm = HelmAccess::default();
    Ok(Place { config, target, namespace, helm, chosen_by, own_proxy: None })
}

/// `host:port`
pub(super) fn address(url: &http::Uri) -> String {
    let port = url.port_u16().unwrap_or(if url.scheme_str() == Some("http") { 80 } else { 443 });
    format!("{}:{port}", url.host().unwrap_or_default())
}

/// The files that are read, and why these.
pub(super) struct Files {
    paths: Vec<PathBuf>,
    from: From,
}

enum From {
    Flag,
    Environment,
    Home,
}

impl Files {
    fn of(options: &ConnectOptions) -> Self {
        if let Some(path) = &options.kubeconfig {
            return Self { paths: vec![path.clone()], from: From::Flag };
        }
        if let Some(list) = options.kubeconfig_env.as_ref().filter(|list| !list.is_empty()) {
            // A list of empty names (`:`) is no leave to take the file at home: client-go does not.
            let paths = std::env::split_paths(list).filter(|path| !path.as_os_str().is_empty());
            return Self { paths: paths.collect(), from: From::Environment };
        }
        let home = options.home.iter().map(|home| home.join(".kube/config")).collect();
        Self { paths: home, from: From::Home }
    }

    fn any_exists(&self) -> bool {
        self.paths.iter().any(|path| path.exists())
    }

    fn explicit(&self) -> bool {
        matches!(self.from, From::Flag)
    }

    /// helm runs in a directory of its own, so relative paths are made absolute.
    fn for_helm(&self) -> OsString {
        let absolute =
            self.paths.iter().map(|p| std::path::absolute(p).unwrap_or_else(|_| p.clone()));
        std::env::join_paths(absolute).unwrap_or_else(|_| {
            self.paths.first().map(|path| path.clone().into_os_string()).unwrap_or_default()
        })
    }
}

/// Reads and merges. In list form files that do not exist are passed over, as client-go does.
fn read(files: &Files) -> Result<Kubeconfig> {
    if !files.any_exists() {
        return Err(match files.from {
            From::Home => words::none_at_home(),
            From::Flag | From::Environment => words::none_at(&files.paths),
        });
    }
    let mut merged = Kubeconfig::default();
    for path in files.paths.iter().filter(|path| path.exists()) {
        let next = Kubeconfig::read_from(path).map_err(|error| words::unreadable(&error, path))?;
        merged = merged.merge(next).map_err(|error| words::unreadable(&error, path))?;
    }
    Ok(merged)
}

#[cfg(test)]
mod tests;
