//! One instance as it is stored: its revisions, its record, and what its templates see.

mod parts;
mod read;
mod source;
mod unreadable;

use futures::future::join_all;
use serde_json::{Map, Value};

use crate::cluster::{Cluster, Found, NamespaceState};
use crate::domain::class::{Class, class_hash};
use crate::domain::connection::{SourceNeed, Sources, sources_needed};
use crate::domain::fullname::fullname;
use crate::domain::instance::{Revision, label};
use crate::domain::path::Path;
use crate::domain::record::Record;
use crate::domain::selector;
use crate::domain::template::{Context, TemplateError};
use crate::error::{Error, Result};
use crate::helm::record::Release;

pub use parts::{conditions, parts, workloads};
pub use read::{find_recorded, read_record, read_record_of, read_to_delete, release};
pub use source::{resource, source};

/// An instance with what one revision of it remembers.
#[derive(Debug)]
pub struct Stored {
    /// All stored revisions, the newest first; never empty.
    pub revisions: Vec<Revision>,
    /// The revision that runs: the newest deployed one, else the newest.
    pub release: Release,
    /// What the class said then; where the release has no record, what it says today.
    pub record: Record,
    /// Whether `record` is the class of today.
    pub record_is_todays: bool,
    /// The class of today, where it can be read.
    pub class: Option<Class>,
}

impl Stored {
    /// The newest revision.
    pub fn newest(&self) -> &Revision {
        &self.revisions[0]
    }

    /// Whether today's class says something else than the newest revision.
    pub fn outdated(&self) -> Option<bool> {
        let recorded = self.newest().labels.get(label::CLASS_HASH)?;
        Some(*recorded != class_hash(&self.class.as_ref()?.spec))
    }

    /// Which pods are its own.
    pub fn pod_selector(&self) -> String {
        self.recorded_pods().unwrap_or_else(|_| selector::standard(&self.release.name))
    }

    /// Which pods its record says are its own.
    ///
    /// # Errors
    /// The record says nothing that the API server takes.
    pub fn recorded_pods(&self) -> Result<String, TemplateError> {
        selector::pods(&self.record.readiness, &self.release.name, &self.context())
    }

    /// What the chart calls its objects.
    pub fn fullname(&self) -> String {
        let release = &self.release;
        fullname(&release.name, &release.chart_name, &release.config)
    }

    /// The sensitive answers as they were sent: to keep them out of logs and errors.
    pub fn sensitive_texts(&self) -> Vec<String> {
        let record = &self.record;
        let sensitive = record.parameters.iter().filter(|known| record.hides(&known.name));
        let sent = sensitive.filter_map(|parameter| self.sent(&parameter.name));
        sent.filter_map(|value| Some(value.as_str()?.to_owned())).collect()
    }

    /// What the templates of the class see.
    pub fn context(&self) -> Context {
        let release = &self.release;
        let fullname = self.fullname();
        let context =
            Context::new(&release.name, &release.namespace, &release.chart_name, &fullname)
                .with_params(self.seen_parameters())
                .with_values(release.config.clone());
        let record = &self.record;
        let sensitive = record.parameters.iter().filter(|known| record.hides(&known.name));
        sensitive.fold(context, |context, parameter| {
            let context = context.sensitive(["params", &parameter.name]);
            parameter.paths.iter().filter_map(|path| path.parse::<Path>().ok()).fold(
                context,
                |context, path| {
                    context.sensitive(["values".to_owned()].into_iter().chain(path.names()))
                },
            )
        })
    }

    /// What a parameter was answered with; sensitive ones as they were sent.
    pub fn answer(&self, parameter: &str) -> Option<Value> {
        let answer = self.record.answers.get(parameter)?;
        if answer.value.is_null() { self.sent(parameter) } else { Some(answer.value.clone()) }
    }

    /// Every answer by its parameter; sensitive ones are taken from the values that were sent.
    pub fn parameters(&self) -> Map<String, Value> {
        let names = self.record.answers.keys();
        names.filter_map(|name| Some((name.clone(), self.answer(name)?))).collect()
    }

    /// The same as templates see it: where the release is without a record, nobody saw to it that
    /// each has a value.
    fn seen_parameters(&self) -> Map<String, Value> {
        let mut seen = self.parameters();
        if self.record_is_todays {
            seen.extend(self.record.stand_ins(&seen));
        }
        seen
    }

    fn sent(&self, parameter: &str) -> Option<Value> {
        let parameter = self.record.parameters.iter().find(|known| known.name == parameter)?;
        let path: Path = parameter.paths.first()?.parse().ok()?;
        path.get(&self.release.config).cloned()
    }

    /// Reads every source of the connection; `ever_here` says of one whether it was there once.
    ///
    /// # Errors
    /// A template of a source that gives nothing, and what keeps an answer away.
    pub async fn sources(
        &self,
        cluster: &Cluster,
        ever_here: impl Fn(&SourceNeed) -> bool,
    ) -> Result<Sources> {
        let needs = sources_needed(&self.record.connection, &self.context())
            .map_err(|error| broken_record(&self.record.class, &error.reason))?;
        let namespace = &self.release.namespace;
        let asked = needs.iter().map(|need| source(cluster, namespace, need, ever_here(need)));
        let states = join_all(asked).await.into_iter().collect::<Result<Vec<_>>>()?;
        Ok(needs.into_iter().map(|need| need.source).zip(states).collect())
    }
}

/// The error for a class whose templates give nothing.
pub fn broken_record(class: &str, reason: &str) -> Error {
    Error::failed(format!("class {class} is broken: {reason}"))
        .advise("Only its operations team can repair it: svc class lint")
}

/// Finds an instance of the cluster's namespace by name.
///
/// # Errors
/// No such instance or namespace, a release that svc did not make, a record that cannot be read.
pub async fn find(cluster: &Cluster, name: &str) -> Result<Stored> {
    let revisions = revisions(cluster, name).await?;
    read_record(cluster, revisions).await
}

/// The stored revisions of an instance, the newest first; at least one.
///
/// # Errors
/// No such instance or namespace; a release that svc did not make.
pub async fn revisions(cluster: &Cluster, name: &str) -> Result<Vec<Revision>> {
    let namespace = &cluster.namespace;
    let revisions = stored_revisions(cluster, name).await?;
    let Some(newest) = revisions.first() else {
        return Err(no_instance(cluster, name).await);
    };
    if !newest.labels.contains_key(label::CLASS) {
        return Err(Error::not_found(format!(
            "{name} is a Helm release in namespace {namespace} that svc did not make"
        ))
        .try_("list"));
    }
    Ok(revisions)
}

/// The stored revisions of a name, none for what cannot be the name of a release: it would be
/// more than a name in a selector.
///
/// # Errors
/// What keeps an answer away.
pub async fn stored_revisions(cluster: &Cluster, name: &str) -> Result<Vec<Revision>> {
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '.';
    if name.is_empty() || !name.chars().all(is_name) {
        return Ok(Vec::new());
    }
    cluster.revisions_of(&cluster.namespace, name).await
}

/// The error for a name that no instance has. An unknown namespace is named instead.
pub async fn no_instance(cluster: &Cluster, name: &str) -> Error {
    let namespace = &cluster.namespace;
    let state = cluster.namespace_state(namespace).await;
    if let Ok(Found::Missing) = state {
        return cluster.no_namespace(namespace);
    }
    let context = &cluster.target.context;
    let sentence = format!("no instance {name} in namespace {namespace}, context {context}");
    let error = Error::not_found(sentence).try_("list -A");
    match state {
        Ok(Found::Here(NamespaceState::Terminating)) => {
            error.advise("The namespace is being deleted.")
        }
        _ => error,
    }
}
