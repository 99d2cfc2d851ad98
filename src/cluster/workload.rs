//! The workloads of a release, one by one.

use serde::de::DeserializeOwned;

use super::answer::typed;
use super::ask::Asked;
use super::kind::{DAEMON_SETS, DEPLOYMENTS, JOBS, Kind, STATEFUL_SETS};
use super::watch::{Workload, WorkloadKind};
use super::{Cluster, Found, Scope};
use crate::domain::readiness;
use crate::error::Result;

impl Cluster {
    /// A workload as it is now.
    ///
    /// # Errors
    /// What keeps an answer away; missing and forbidden are answers.
    pub async fn workload(
        &self,
        namespace: &str,
        workload: &Workload,
    ) -> Result<Found<readiness::Workload>> {
        use readiness::Workload as Seen;
        let name = workload.name.as_str();
        Ok(match workload.kind {
            WorkloadKind::StatefulSet => {
                self.one_of(&STATEFUL_SETS, namespace, name).await?.map(Seen::StatefulSet)
            }
            WorkloadKind::Deployment => {
                self.one_of(&DEPLOYMENTS, namespace, name).await?.map(Seen::Deployment)
            }
            WorkloadKind::DaemonSet => {
                self.one_of(&DAEMON_SETS, namespace, name).await?.map(Seen::DaemonSet)
            }
            WorkloadKind::Job => self.one_of(&JOBS, namespace, name).await?.map(Seen::Job),
        })
    }

    async fn one_of<T: DeserializeOwned>(
        &self,
        kind: &Kind,
        namespace: &str,
        name: &str,
    ) -> Result<Found<Box<T>>> {
        let purpose = format!("read {} {name}", kind.plural);
        let asked = Asked::get(kind, Scope::namespace(namespace), name, purpose);
        let answer = self.bytes(&asked).await.and_then(|bytes| typed(&bytes));
        Ok(self.found(answer, &asked)?.map(Box::new))
    }
}
