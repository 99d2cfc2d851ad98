//! What the user may do, asked before it is done.

use std::fmt;

use futures::{StreamExt as _, TryStreamExt as _, stream};
use serde::Deserialize;
use serde_json::json;

use super::ask::{Asked, Verb};
use super::kind::Kind;
use super::{Cluster, Scope};
use crate::error::Result;

const ACCESS: Kind = Kind::fixed("authorization.k8s.io", "v1", "selfsubjectaccessreviews");
const RULES: Kind = Kind::fixed("authorization.k8s.io", "v1", "selfsubjectrulesreviews");
/// Reviews asked at the same time.
const SIDE_BY_SIDE: usize = 8;

/// A verb on a resource.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Right {
    pub verb: String,
    /// Empty for the core group.
    pub group: String,
    /// The plural, with a subresource as `pods/log`.
    pub resource: String,
    /// One object; `None`: all.
    pub name: Option<String>,
    /// `None`: cluster-wide. `use` of a class is asked so: with a namespace, a RoleBinding there
    /// would give a wrong yes.
    pub namespace: Option<String>,
}

/// The rules that hold for the user in one namespace, those of the whole cluster included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rights {
    rules: Vec<Rule>,
    /// The server could not name all rules: a no may be wrong.
    pub incomplete: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Rule {
    verbs: Vec<String>,
    api_groups: Vec<String>,
    resources: Vec<String>,
    resource_names: Vec<String>,
}

#[derive(Deserialize)]
struct AccessReview {
    status: AccessStatus,
}

#[derive(Deserialize)]
struct AccessStatus {
    allowed: bool,
}

#[derive(Deserialize)]
struct RulesReview {
    status: RulesStatus,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RulesStatus {
    #[serde(default)]
    resource_rules: Option<Vec<Rule>>,
    #[serde(default)]
    incomplete: bool,
}

impl Right {
    /// A verb on all objects of a resource of a namespace.
    pub fn new(verb: &str, group: &str, resource: &str, namespace: &str) -> Self {
        Self {
            verb: verb.to_owned(),
            group: group.to_owned(),
            resource: resource.to_owned(),
            name: None,
            namespace: Some(namespace.to_owned()),
        }
    }

    /// `use` of a class, as the admission policy checks it.
    pub fn use_of_class(class: &str) -> Self {
        let cluster_wide = Self::new("use", crate::domain::class::GROUP, "serviceclasses", "");
        Self { name: Some(class.to_owned()), namespace: None, ..cluster_wide }
    }

    fn review(&self) -> serde_json::Value {
        let (resource, subresource) = self.resource.split_once('/').unwrap_or((&self.resource, ""));
        json!({
            "apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview",
            "spec": {"resourceAttributes": {
                "verb": self.verb, "group": self.group, "resource": resource,
                "subresource": subresource, "name": self.name.as_deref().unwrap_or_default(),
                "namespace": self.namespace.as_deref().unwrap_or_default(),
            }},
        })
    }
}

impl fmt::Display for Right {
    /// `create secrets`, `create statefulsets.apps`
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.verb, self.resource)?;
        if self.group.is_empty() { Ok(()) } else { write!(formatter, ".{}", self.group) }
    }
}

impl Rights {
    /// Whether a rule allows it. Semantics of wildcards: Kubernetes' RBAC.
    pub fn allows(&self, verb: &str, group: &str, resource: &str, name: Option<&str>) -> bool {
        let has = |list: &[String], word: &str| list.iter().any(|w| w == "*" || w == word);
        let any_sub = resource.split_once('/').map(|(_, sub)| format!("*/{sub}"));
        self.rules.iter().any(|rule| {
            has(&rule.verbs, verb)
                && has(&rule.api_groups, group)
                && (has(&rule.resources, resource)
                    || any_sub.as_ref().is_some_and(|any| rule.resources.contains(any)))
                && (rule.resource_names.is_empty()
                    || name.is_some_and(|n| rule.resource_names.iter().any(|one| one == n)))
        })
    }
}

impl Cluster {
    /// Whether the user has one right.
    ///
    /// # Errors
    /// What keeps an answer away.
    pub async fn may(&self, right: &Right) -> Result<bool> {
        let asked = Asked::new(Verb::Create, &ACCESS, Scope::All, "ask what is allowed");
        let review: AccessReview = self.read(&asked.body(&right.review())).await?;
        Ok(review.status.allowed)
    }

    /// Those of the rights that the user has not, in the order given. A yes of the rules is
    /// believed; a no is asked about one by one, as the rules are seldom complete.
    ///
    /// # Errors
    /// What keeps an answer away.
    pub async fn missing(&self, namespace: &str, rights: &[Right]) -> Result<Vec<Right>> {
        let rules = self.rights(namespace).await?;
        let doubtful: Vec<_> = rights.iter().filter(|r| !rules.give(r, namespace)).collect();
        let doubtful: Vec<Right> = doubtful.into_iter().cloned().collect();
        self.missing_of(&doubtful).await
    }

    /// The same without a look at the rules: each right is asked about.
    ///
    /// # Errors
    /// What keeps an answer away.
    pub async fn missing_of(&self, rights: &[Right]) -> Result<Vec<Right>> {
        let answers: Vec<bool> = stream::iter(rights.iter().map(|right| self.may(right)))
            .buffered(SIDE_BY_SIDE)
            .try_collect()
            .await?;
        let missing = rights.iter().zip(answers).filter(|(_, allowed)| !allowed);
        Ok(missing.map(|(right, _)| right.clone()).collect())
    }

    /// The user's rules in a namespace; one request.
    ///
    /// # Errors
    /// What keeps an answer away.
    pub async fn rights(&self, namespace: &str) -> Result<Rights> {
        let body = json!({
            "apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectRulesReview",
            "spec": {"namespace": namespace},
        });
        let asked = Asked::new(Verb::Create, &RULES, Scope::All, "ask what is allowed").body(&body);
        let review: RulesReview = self.read(&asked).await?;
        let rules = review.status.resource_rules.unwrap_or_default();
        Ok(Rights { rules, incomplete: review.status.incomplete })
    }
}

impl Rights {
    /// A right of the same namespace; the rules of a namespace say nothing sure of the cluster.
    fn give(&self, right: &Right, namespace: &str) -> bool {
        right.namespace.as_deref() == Some(namespace)
            && self.allows(&right.verb, &right.group, &right.resource, right.name.as_deref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(rule: serde_json::Value) -> Rights {
        Rights { rules: vec![serde_json::from_value(rule).unwrap()], incomplete: false }
    }

    #[test]
    fn names_restrict_and_stars_do_not() {
        let group = "svc-cli.dev";
        let named = rules(json!({"verbs": ["use"], "apiGroups": [group],
            "resources": ["serviceclasses"], "resourceNames": ["redis"]}));
        assert!(named.allows("use", group, "serviceclasses", Some("redis")));
        assert!(!named.allows("use", group, "serviceclasses", Some("postgres")));
        assert!(!named.allows("use", group, "serviceclasses", None));
        let all = rules(json!({"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]}));
        assert!(all.allows("use", group, "serviceclasses", Some("postgres")));
        assert!(all.allows("get", "", "pods/log", None));
    }

    #[test]
    fn a_resource_is_not_its_subresource() {
        let pods = rules(json!({"verbs": ["get"], "apiGroups": [""], "resources": ["pods"]}));
        assert!(!pods.allows("get", "", "pods/log", None));
        let logs = rules(json!({"verbs": ["get"], "apiGroups": [""], "resources": ["*/log"]}));
        assert!(logs.allows("get", "", "pods/log", None));
        assert!(!logs.allows("get", "", "pods", None));
    }
}
