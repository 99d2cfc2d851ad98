//! Kinds of objects as the API's paths name them.

use std::borrow::Cow;
use std::fmt;

/// A group, a version and a plural: `""/v1/secrets`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Kind {
    /// Empty for the core group.
    pub group: Cow<'static, str>,
    pub version: Cow<'static, str>,
    /// Lower case: `secrets`.
    pub plural: Cow<'static, str>,
}

impl Kind {
    /// A kind whose three words are known when svc is built.
    pub const fn fixed(group: &'static str, version: &'static str, plural: &'static str) -> Self {
        Self {
            group: Cow::Borrowed(group),
            version: Cow::Borrowed(version),
            plural: Cow::Borrowed(plural),
        }
    }

    /// A kind of the core group.
    pub const fn core(plural: &'static str) -> Self {
        Self::fixed("", "v1", plural)
    }

    /// A kind that a class names.
    pub fn named(group: &str, version: &str, plural: &str) -> Self {
        Self {
            group: Cow::Owned(group.to_owned()),
            version: Cow::Owned(version.to_owned()),
            plural: Cow::Owned(plural.to_owned()),
        }
    }

    /// Where the API serves the group and version: `/api/v1`, `/apis/apps/v1`.
    pub fn root(&self) -> String {
        if self.group.is_empty() {
            format!("/api/{}", self.version)
        } else {
            format!("/apis/{}/{}", self.group, self.version)
        }
    }
}

impl fmt::Display for Kind {
    /// As access rules name it: `secrets`, `statefulsets.apps`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.plural)?;
        if self.group.is_empty() { Ok(()) } else { write!(formatter, ".{}", self.group) }
    }
}

pub(super) const CLASSES: Kind = Kind::fixed("svc-cli.dev", "v1alpha1", "serviceclasses");
pub(super) const CLAIMS: Kind = Kind::core("persistentvolumeclaims");
pub(super) const CONFIG_MAPS: Kind = Kind::core("configmaps");
pub(super) const DAEMON_SETS: Kind = Kind::fixed("apps", "v1", "daemonsets");
pub(super) const DEPLOYMENTS: Kind = Kind::fixed("apps", "v1", "deployments");
pub(super) const EVENTS: Kind = Kind::core("events");
pub(super) const JOBS: Kind = Kind::fixed("batch", "v1", "jobs");
pub(super) const NAMESPACES: Kind = Kind::core("namespaces");
pub(super) const PODS: Kind = Kind::core("pods");
pub(super) const SECRETS: Kind = Kind::core("secrets");
pub(super) const SERVICES: Kind = Kind::core("services");
pub(super) const STATEFUL_SETS: Kind = Kind::fixed("apps", "v1", "statefulsets");
pub(super) const VOLUMES: Kind = Kind::core("persistentvolumes");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_names_follow_the_group() {
        assert_eq!(SECRETS.root(), "/api/v1");
        assert_eq!(SECRETS.to_string(), "secrets");
        assert_eq!(CLASSES.root(), "/apis/svc-cli.dev/v1alpha1");
        assert_eq!(CLASSES.to_string(), "serviceclasses.svc-cli.dev");
    }
}
