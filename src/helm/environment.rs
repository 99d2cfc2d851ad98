//! What helm is handed of svc's own environment, and what it must never see.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// The parts of the process's environment that this room works with; read elsewhere.
#[derive(Clone, Debug, Default)]
pub struct HelmEnvironment {
    /// All variables of svc itself.
    pub vars: Vec<(OsString, OsString)>,
    /// `PATH`, to find helm in.
    pub path: Option<OsString>,
    /// `SVC_HELM`: the path of helm.
    pub svc_helm: Option<PathBuf>,
    /// Whether questions may be asked; only then do helm's login helpers get stdin.
    pub may_prompt: bool,
}

/// Where helm keeps what belongs to its user; everything else of `HELM_*` would redirect it to
/// another cluster or make it print secrets.
const KEPT: [&str; 7] = [
    "HELM_CACHE_HOME",
    "HELM_CONFIG_HOME",
    "HELM_DATA_HOME",
    "HELM_REGISTRY_CONFIG",
    "HELM_REPOSITORY_CONFIG",
    "HELM_REPOSITORY_CACHE",
    "HELM_CONTENT_CACHE",
];

const FIXED: [(&str, &str); 3] =
    [("HELM_DRIVER", "secret"), ("HELM_NO_PLUGINS", "1"), ("NO_COLOR", "1")];

impl HelmEnvironment {
    /// The whole environment of one helm: the parent's without foreign settings of helm, with
    /// exactly this kubeconfig (`KUBECONFIG`, list form kept) or none.
    pub(super) fn for_helm(&self, kubeconfig: Option<&OsStr>) -> Vec<(OsString, OsString)> {
        let fixed = FIXED.iter().map(|(name, value)| (name.into(), value.into()));
        let kubeconfig = kubeconfig.map(|list| ("KUBECONFIG".into(), list.to_owned()));
        self.vars
            .iter()
            .filter(|(name, _)| is_inherited(name))
            .cloned()
            .chain(fixed)
            .chain(kubeconfig)
            .collect()
    }
}

fn is_inherited(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let replaced = name == "KUBECONFIG" || name == "NO_COLOR";
    !replaced && (!name.starts_with("HELM_") || KEPT.contains(&&*name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(vars: &[(&str, &str)]) -> HelmEnvironment {
        let vars = vars.iter().map(|(name, value)| (name.into(), value.into())).collect();
        HelmEnvironment { vars, ..HelmEnvironment::default() }
    }

    #[test]
    fn foreign_helm_settings_are_taken_away_and_the_users_own_homes_are_kept() {
        let parent = environment(&[
            ("HOME", "/home/dev"),
            ("HELM_DEBUG", "1"),
            ("HELM_NAMESPACE", "other"),
            ("HELM_KUBETOKEN", "t"),
            ("HELM_DRIVER", "configmap"),
            ("HELM_MAX_HISTORY", "1"),
            ("HELM_CACHE_HOME", "/c"),
            ("HELM_REGISTRY_CONFIG", "/r"),
            ("KUBECONFIG", "/theirs"),
        ]);
        let env = parent.for_helm(Some(OsStr::new("/a:/b")));
        let expected: Vec<(OsString, OsString)> = [
            ("HOME", "/home/dev"),
            ("HELM_CACHE_HOME", "/c"),
            ("HELM_REGISTRY_CONFIG", "/r"),
            ("HELM_DRIVER", "secret"),
            ("HELM_NO_PLUGINS", "1"),
            ("NO_COLOR", "1"),
            ("KUBECONFIG", "/a:/b"),
        ]
        .iter()
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
        assert_eq!(env, expected);
    }

    #[test]
    fn without_a_kubeconfig_helm_gets_none() {
        let env = environment(&[("KUBECONFIG", "/theirs")]).for_helm(None);
        assert!(env.iter().all(|(name, _)| name != "KUBECONFIG"));
    }
}
