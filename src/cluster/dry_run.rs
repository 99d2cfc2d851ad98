//! Whether the server would take an object or a change of one; nothing is stored.
//!
//! <https://kubernetes.io/docs/reference/using-api/api-concepts/#dry-run>

use serde_json::Value;

use super::answer::Failure;
use super::ask::{Asked, Verb};
use super::kind::Kind;
use super::{Cluster, Scope, error};
use crate::error::Result;

/// The object that is asked about.
#[derive(Clone, Copy, Debug)]
pub struct Tried<'a> {
    pub api_version: &'a str,
    pub kind: &'a str,
    /// Where it has none, that of the release.
    pub namespace: &'a str,
    pub name: &'a str,
}

/// What the server says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DryRun {
    Accepted,
    /// The object is not there.
    Missing,
    /// It cannot say: the kind is not served, or an admission webhook knows no dry run.
    Unknown,
    /// It would refuse; `forbidden`: rights, quota, admission.
    Refused {
        forbidden: bool,
        says: String,
    },
}

impl Cluster {
    /// Whether the server would take this merge patch of an object.
    ///
    /// # Errors
    /// What keeps an answer away.
    pub async fn would_patch(&self, tried: Tried<'_>, patch: &Value) -> Result<DryRun> {
        let Some((kind, scope)) = self.place(tried).await? else { return Ok(DryRun::Unknown) };
        let purpose = format!("change {} {}", tried.kind, tried.name);
        let asked = Asked::get(&kind, scope, tried.name, purpose).verb(Verb::Patch).body(patch);
        self.tried(&asked).await
    }

    /// Whether the server would take a new object.
    ///
    /// # Errors
    /// What keeps an answer away.
    pub async fn would_create(&self, tried: Tried<'_>, object: &Value) -> Result<DryRun> {
        let Some((kind, scope)) = self.place(tried).await? else { return Ok(DryRun::Unknown) };
        let purpose = format!("make {} {}", tried.kind, tried.name);
        self.tried(&Asked::new(Verb::Create, &kind, scope, purpose).body(object)).await
    }

    async fn place(&self, tried: Tried<'_>) -> Result<Option<(Kind, Scope)>> {
        let found = self.kind_of(tried.api_version, tried.kind).await?;
        Ok(found.map(|(kind, namespaced)| {
            (kind, if namespaced { Scope::namespace(tried.namespace) } else { Scope::All })
        }))
    }

    async fn tried(&self, asked: &Asked) -> Result<DryRun> {
        let asked = asked.clone().query("dryRun", "All");
        let failure = match self.bytes(&asked).await {
            Ok(_) => return Ok(DryRun::Accepted),
            Err(failure) => failure,
        };
        if failure.is_missing_object() {
            return Ok(DryRun::Missing);
        }
        match &failure {
            Failure::Refused { code: code @ (400 | 403 | 409 | 413 | 422), status, text } => {
                let says = status.as_ref().map_or(text, |status| &status.message);
                if says.contains("does not support dry run") {
                    return Ok(DryRun::Unknown);
                }
                if let Some(namespace) = error::namespace_that_leaves(says) {
                    return Err(error::namespace_leaving(namespace));
                }
                Ok(DryRun::Refused { forbidden: *code == 403, says: says.clone() })
            }
            _ => Err(error::explain(failure, &asked, &self.target)),
        }
    }
}
