//! The rights that commands need in the namespace of the instances (design §7, interface §13).

/// Verbs on one resource, and what they are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    pub purpose: Purpose,
    /// Empty for the core group.
    pub group: &'static str,
    /// The plural, with a subresource as `pods/log`.
    pub resource: &'static str,
    pub verbs: &'static [&'static str],
    /// Done without where it is missing: less is said, nothing fails.
    pub optional: bool,
}

/// What a right is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// `list`, `show`, `wait`
    Read,
    /// `create`, `delete`
    Change,
    /// `connect`
    Connect,
}

const fn need(
    purpose: Purpose,
    group: &'static str,
    resource: &'static str,
    verbs: &'static [&'static str],
) -> Need {
    Need { purpose, group, resource, verbs, optional: false }
}

const fn helpful(
    purpose: Purpose,
    group: &'static str,
    resource: &'static str,
    verbs: &'static [&'static str],
) -> Need {
    Need { optional: true, ..need(purpose, group, resource, verbs) }
}

/// Everything svc itself asks for, and the kinds that most charts bring, which helm makes with
/// the user's own rights.
pub const NEEDS: [Need; 19] = [
    need(Purpose::Read, "", "secrets", &["get", "list", "watch"]),
    helpful(Purpose::Read, "", "configmaps", &["get", "list", "watch"]),
    helpful(Purpose::Read, "", "pods", &["get", "list", "watch"]),
    helpful(Purpose::Read, "", "persistentvolumeclaims", &["get", "list", "watch"]),
    helpful(Purpose::Read, "", "events", &["list", "watch"]),
    helpful(Purpose::Read, "", "pods/log", &["get"]),
    helpful(Purpose::Read, "apps", "deployments", &["get", "list", "watch"]),
    helpful(Purpose::Read, "apps", "statefulsets", &["get", "list", "watch"]),
    helpful(Purpose::Read, "apps", "daemonsets", &["get", "list", "watch"]),
    helpful(Purpose::Read, "batch", "jobs", &["get", "list", "watch"]),
    need(Purpose::Change, "", "secrets", &["create", "update", "patch", "delete"]),
    need(Purpose::Change, "", "services", &["get", "create", "update", "patch", "delete"]),
    need(Purpose::Change, "", "configmaps", &["get", "create", "update", "patch", "delete"]),
    need(Purpose::Change, "apps", "deployments", &["create", "update", "patch", "delete"]),
    need(Purpose::Change, "apps", "statefulsets", &["create", "update", "patch", "delete"]),
    helpful(Purpose::Change, "", "serviceaccounts", &["get", "create", "patch", "delete"]),
    helpful(Purpose::Change, "batch", "jobs", &["create", "patch", "delete"]),
    helpful(Purpose::Change, "", "persistentvolumeclaims", &["delete"]),
    need(Purpose::Connect, "", "pods/portforward", &["create"]),
];

/// The needs of one purpose.
pub fn needs_of(purpose: Purpose) -> impl Iterator<Item = &'static Need> {
    NEEDS.iter().filter(move |need| need.purpose == purpose)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_purpose_has_something_that_it_cannot_do_without() {
        for purpose in [Purpose::Read, Purpose::Change, Purpose::Connect] {
            assert!(needs_of(purpose).any(|need| !need.optional), "{purpose:?}");
        }
    }
}
