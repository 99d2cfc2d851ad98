//! The difference that a change makes, row by row (interface §10).

mod outside;

use serde_json::Value;

use super::Request;
use super::settle::Settled;
use crate::commands::report::plan::Difference;
use crate::domain::answers::Answers;
use crate::domain::class::differing_parts;
use crate::domain::difference::{self, Moved, ObjectChange, ParameterChange, ValueChange};
use crate::domain::record::{Origin, Record};
use crate::domain::summary::json_text;
use crate::ops::change::{Base, Verb};
use crate::ops::deploy::Prepared;
use crate::output::{Page, Pairs};
use outside::{Strayed, edited, places, strayed};

/// Everything that becomes something else.
#[derive(Debug)]
pub struct Differs {
    verb: Verb,
    /// Before and after: `postgresql 16.2.1`.
    chart: Option<(String, String)>,
    plan: Option<(Option<String>, Option<String>)>,
    pub parameters: Vec<ParameterChange>,
    values: Vec<ValueChange>,
    /// What plain helm set since svc sent the values last.
    outside: Vec<ValueChange>,
    /// The same of secrets.
    strayed: Vec<Strayed>,
    /// Parameters that the class has since, with what is said of each.
    new: Vec<(ParameterChange, String)>,
    /// Parameters that the class has no more.
    removed: Vec<ParameterChange>,
    /// Parameters that land elsewhere.
    moved: Vec<Moved>,
    kept: Vec<String>,
    /// What the class says something else of.
    class: Vec<&'static str>,
    /// `None`: nobody has asked.
    objects: Option<Vec<ObjectChange>>,
}

impl Differs {
    /// What can be said before the chart is here: parameters and plan.
    pub fn of_answers(request: &Request<'_>, base: &Base, settled: &Settled) -> Self {
        let Settled { view, answers, .. } = settled;
        let stored = &base.stored;
        let record = &stored.record;
        let changes =
            difference::parameters(record, &stored.parameters(), answers, &view.parameters);
        let edited = edited(base, settled, &changes);
        let strayed = strayed(base, settled, &changes);
        let was_known = |name: &str| record.parameters.iter().any(|known| known.name == name);
        let is_known = |name: &str| view.parameters.iter().any(|known| known.name == name);
        let (new, changes): (Vec<_>, Vec<_>) =
            changes.into_iter().partition(|change| !was_known(&change.name));
        let (removed, mut parameters): (Vec<_>, Vec<_>) =
            changes.into_iter().partition(|change| !is_known(&change.name));
        // What was typed comes first, as it was typed.
        parameters.sort_by_key(|change| {
            let place = request.given.iter().position(|given| given.name == change.name);
            place.unwrap_or(usize::MAX)
        });
        let plan = view.plan.as_ref().map(|plan| plan.name.clone());
        let class = match view.class_hash == record.class_hash {
            true => Vec::new(),
            false => differing_parts(&record.as_class().spec, &view.class.spec),
        };
        Self {
            verb: request.verb,
            chart: None,
            plan: (plan != record.plan).then(|| (record.plan.clone(), plan)),
            kept: kept(answers, &parameters, &new),
            new: new
                .into_iter()
                .map(|change| (change.clone(), new_text(&change, answers)))
                .collect(),
            removed,
            parameters,
            values: Vec::new(),
            outside: edited,
            strayed,
            moved: difference::moved(record, answers, &view.parameters),
            class,
            objects: None,
        }
    }

    /// The same with what the chart and operations change.
    pub fn with_values(mut self, base: &Base, settled: &Settled, prepared: &Prepared) -> Self {
        let release = &base.stored.release;
        let before = (release.chart_name.clone(), release.chart_version.clone());
        let chart = &prepared.record.chart;
        let after = (chart.name.clone(), chart.version.clone());
        let named = |(name, version): &(String, String)| format!("{name} {version}");
        if before != after {
            self.chart = Some((named(&before), named(&after)));
        } else if another_archive(&base.stored.record, &prepared.record) {
            self.chart = Some((named(&before), "another archive of that version".to_owned()));
        }
        let mut trees = [release.config.clone(), prepared.values.reveal().clone()];
        let places = places(&base.stored.record, settled);
        trees.iter_mut().for_each(|tree| places.iter().for_each(|path| path.clear(tree)));
        let changes = difference::values(&trees[0], &trees[1]);
        let (values, outside) = difference::by_author(changes, base.sent_last.as_ref());
        self.values = values;
        self.outside.extend(outside);
        self
    }

    /// The same with what becomes of the objects.
    pub fn with_objects(self, objects: Vec<ObjectChange>) -> Self {
        Self { objects: Some(objects), ..self }
    }

    /// Whether nothing becomes anything else.
    pub fn is_empty(&self) -> bool {
        self.parameters.is_empty()
            && self.plan.is_none()
            && self.chart.is_none()
            && self.values.is_empty()
            && self.outside.is_empty()
            && self.strayed.is_empty()
            && self.new.is_empty()
            && self.removed.is_empty()
            && self.class.is_empty()
    }

    /// The rows below the head.
    pub fn text(&self, page: &Page) -> String {
        let mut rows = Pairs::difference();
        if let Some((before, after)) = &self.chart {
            rows.row("chart", version_text(before, after));
        }
        if let Some((before, after)) = &self.plan {
            let text = |plan: &Option<String>| plan.clone().unwrap_or_else(|| "-".to_owned());
            rows.row("plan", format!("{} -> {}", text(before), text(after)));
        }
        let texts = self.values.iter().map(ValueChange::text);
        labelled(&mut rows, "by operations", texts);
        let texts = self.outside.iter().map(ValueChange::text_of_outside);
        labelled(&mut rows, "outside svc", texts.chain(self.strayed.iter().map(Strayed::text)));
        let news = self.new.iter().map(|(change, value)| format!("{} = {value}", change.name));
        labelled(&mut rows, "new parameter", news);
        labelled(&mut rows, "parameter gone", self.removed.iter().map(ParameterChange::gone_text));
        for change in &self.parameters {
            rows.row(&change.name, change.text());
        }
        if self.verb == Verb::Upgrade {
            self.upgrade_rows(&mut rows);
        }
        rows.render(page)
    }

    fn upgrade_rows(&self, rows: &mut Pairs) {
        labelled(rows, "moved", self.moved.iter().map(Moved::text));
        if !self.kept.is_empty() {
            rows.row("kept", self.kept.join(", "));
        }
        let outside = !self.outside.is_empty() || !self.strayed.is_empty();
        let values = !self.values.is_empty() || outside;
        let parameters = [&self.parameters, &self.removed].iter().any(|rows| !rows.is_empty());
        let parameters = parameters || !self.new.is_empty() || !self.moved.is_empty();
        if !self.class.is_empty() && self.chart.is_none() && !values && !parameters {
            rows.row("class", format!("says something else of {}", listed(&self.class)));
        }
        let Some(objects) = &self.objects else { return };
        if objects.is_empty() {
            rows.row("objects", "no pod restarts");
        }
        labelled(rows, "objects", objects.iter().map(ToString::to_string));
    }

    /// The rows of a machine format.
    pub fn report(&self) -> Vec<Difference> {
        let pair = |of, name: &str, before: Option<String>, after: Option<String>| Difference {
            of,
            name: name.to_owned(),
            before: before.map(Value::from),
            after: after.map(Value::from),
        };
        let chart = self.chart.iter().map(|(before, after)| {
            pair("chart", "chart", Some(before.clone()), Some(after.clone()))
        });
        let plan = self
            .plan
            .iter()
            .map(|(before, after)| pair("plan", "plan", before.clone(), after.clone()));
        let new = self.new.iter().map(|(change, _)| Difference::from(change));
        let removed = self.removed.iter().map(Difference::from);
        let strayed = self.strayed.iter().map(|one| pair("value", &one.path, None, None));
        let moved = self
            .moved
            .iter()
            .map(|one| pair("path", &one.name, Some(one.before.clone()), Some(one.after.clone())));
        let objects = self.objects.iter().flatten();
        let objects =
            objects.map(|one| pair("object", &one.object, None, Some(one.change.to_string())));
        chart
            .chain(plan)
            .chain(self.values.iter().map(Difference::from))
            .chain(
                self.outside
                    .iter()
                    .map(|change| Difference { before: None, ..Difference::from(change) }),
            )
            .chain(strayed)
            .chain(self.parameters.iter().map(Difference::from))
            .chain(new)
            .chain(removed)
            .chain(moved)
            .chain(objects)
            .collect()
    }
}

/// The first row has the label, the others stand below it.
fn labelled(rows: &mut Pairs, label: &str, texts: impl Iterator<Item = String>) {
    for (place, text) in texts.enumerate() {
        rows.row(if place == 0 { label } else { "" }, text);
    }
}

/// `connection, readiness and deletion`
fn listed(words: &[&str]) -> String {
    match words.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => words.concat(),
    }
}

/// `postgresql 16.2.1 -> 16.4.0`, with both names where they differ.
fn version_text(before: &str, after: &str) -> String {
    let name = before.split(' ').next().unwrap_or_default();
    match after.strip_prefix(name).and_then(|rest| rest.strip_prefix(' ')) {
        Some(version) => format!("{before} -> {version}"),
        None => format!("{before} -> {after}"),
    }
}

fn another_archive(before: &Record, after: &Record) -> bool {
    !before.chart.digest.is_empty() && before.chart.digest != after.chart.digest
}

/// Answers that stay what they are, the sensitive ones last.
fn kept(answers: &Answers, changed: &[ParameterChange], new: &[ParameterChange]) -> Vec<String> {
    let stays = |name: &str| changed.iter().chain(new).all(|change| change.name != name);
    let kept = answers.iter().filter(|answer| stays(&answer.name));
    let (secret, plain): (Vec<_>, Vec<_>) = kept.partition(|answer| answer.value.is_secret());
    plain.into_iter().chain(secret).map(|answer| answer.name.clone()).collect()
}

fn new_text(change: &ParameterChange, answers: &Answers) -> String {
    let generated =
        answers.get(&change.name).is_some_and(|answer| answer.origin == Origin::Generated);
    match &change.after {
        _ if generated => "generated".to_owned(),
        Some(value) if !change.sensitive => json_text(value),
        _ => "as given".to_owned(),
    }
}
