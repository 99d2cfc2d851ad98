//! What somebody else made of an instance's answers, and where answers land.

use super::super::settle::Settled;
use crate::domain::class::Parameter;
use crate::domain::difference::{ParameterChange, ValueChange};
use crate::domain::path::Path;
use crate::domain::record::Record;
use crate::ops::change::Base;
use crate::ops::instance::Stored;

/// What somebody made of the answers of a release that has a record: they go back to what svc
/// knows. Where the parameter changes anyway its own row says so; secrets are as they are sent.
pub(super) fn edited(
    base: &Base,
    settled: &Settled,
    changes: &[ParameterChange],
) -> Vec<ValueChange> {
    let Stored { record, release, record_is_todays, .. } = &base.stored;
    let stays = |parameter: &&Parameter| {
        let changes = changes.iter().any(|change| change.name == parameter.name);
        !record_is_todays && !record.hides(&parameter.name) && !changes
    };
    let kept = record.parameters.iter().filter(stays);
    let change = |parameter: &Parameter, path: &str| {
        let before = path.parse::<Path>().ok()?.get(&release.config).cloned();
        let recorded = record.answers.get(&parameter.name).map(|answer| answer.value.clone());
        let mut today = settled.view.parameters.iter();
        let today = today.find(|known| known.name == parameter.name);
        let same = match (&before, &recorded, today) {
            (Some(one), Some(other), Some(known)) => known.same(one, other),
            (one, other, _) => one == other,
        };
        let answer = settled.answers.get(&parameter.name);
        if same || answer.is_some_and(|answer| answer.value.is_secret()) {
            return None;
        }
        let after = answer.map(|answer| answer.value.public_json());
        Some(ValueChange { path: path.to_owned(), before, after })
    };
    let all = kept.flat_map(|one| one.paths.iter().filter_map(move |path| change(one, path)));
    all.filter(|change| change.before != change.after).collect()
}

/// A path of a secret at which another value stands than at its first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Strayed {
    pub path: String,
    pub first: String,
}

impl Strayed {
    /// `text.copy back to what text.password is`: no value is shown.
    pub fn text(&self) -> String {
        format!("{} back to what {} is", self.path, self.first)
    }
}

/// A secret is known from its first path; what somebody wrote to the others goes back to it.
pub(super) fn strayed(base: &Base, settled: &Settled, changes: &[ParameterChange]) -> Vec<Strayed> {
    let Stored { record, release, .. } = &base.stored;
    let stays = |parameter: &&Parameter| {
        let is_secret =
            settled.answers.get(&parameter.name).is_some_and(|one| one.value.is_secret());
        is_secret && changes.iter().all(|change| change.name != parameter.name)
    };
    let value = |path: &Path| path.get(&release.config);
    let strayed = record.parameters.iter().filter(stays).flat_map(|parameter| {
        let paths: Vec<Path> =
            parameter.paths.iter().filter_map(|path| path.parse().ok()).collect();
        let mut today = settled.view.parameters.iter();
        let today = today.find(|known| known.name == parameter.name);
        let lands = |path: &Path| today.is_some_and(|known| known.paths.contains(path));
        let (first, others) = paths.split_first()?;
        let is_another = |path: &Path| value(path).is_some_and(|here| Some(here) != value(first));
        let others = others.iter().filter(|path| lands(path) && is_another(path));
        let strayed = |path: &Path| Strayed { path: path.to_string(), first: first.to_string() };
        Some(others.map(strayed).collect::<Vec<_>>())
    });
    strayed.flatten().collect()
}

/// Where parameters land, then and now: what stands elsewhere is the operations team's.
pub(super) fn places(record: &Record, settled: &Settled) -> Vec<Path> {
    let then = record.parameters.iter().flat_map(|parameter| &parameter.paths);
    let then = then.filter_map(|path| path.parse().ok());
    let now = settled.view.parameters.iter().flat_map(|parameter| parameter.paths.clone());
    then.chain(now).collect::<Vec<Path>>()
}
