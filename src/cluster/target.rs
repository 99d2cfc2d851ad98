//! Which cluster, as whom: the names that errors use.

/// The cluster and the user of one command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// The context of the kubeconfig, or `in-cluster`.
    pub context: String,
    /// `host:port` of the API server.
    pub server: String,
    /// The user as the kubeconfig names it.
    pub user: String,
    /// What the user shows and where it comes from: `token from the kubeconfig`.
    pub credentials: String,
    /// The command line of the login helper, secrets in it as `***`.
    pub helper: Option<String>,
    /// Where to get the login helper, as the kubeconfig says.
    pub helper_hint: Option<String>,
    /// `host:port` of the proxy in between.
    pub proxy: Option<String>,
}

impl Target {
    /// The program that the login helper is.
    pub(super) fn helper_program(&self) -> &str {
        self.helper.as_deref().and_then(|line| line.split(' ').next()).unwrap_or("unknown")
    }
}
