//! One instance that might be made: its answers, and what the templates of its class give then.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json, json};

use super::super::Place;
use super::super::templates::{computed_place, condition_place, detail_place, named_or_selected};
use super::choice::usual;
use crate::domain::class::{Chart, Computed, Connection, Object, Plan, ServiceClassSpec};
use crate::domain::connection::{DetailState, Sources, evaluate, template_name, with_details};
use crate::domain::fullname::fullname;
use crate::domain::labels;
use crate::domain::parameter::EffectiveParameter;
use crate::domain::template::{self, Context, MASKS, TemplateError, mentions};
use crate::domain::value::Value;
use crate::domain::values::{ComputedValue, operations_values};

/// A name as every class allows it, and a namespace.
pub(super) const NAME: &str = "mydb";
const NAMESPACE: &str = "team-a";

/// An instance that might be made.
#[derive(Clone)]
pub(super) struct Case<'a> {
    pub(super) spec: &'a ServiceClassSpec,
    pub(super) plan: Option<&'a Plan>,
    pub(super) parameters: &'a [EffectiveParameter],
    /// Answers that are others than the usual ones.
    pub(super) chosen: BTreeMap<&'a str, Value>,
    pub(super) release: String,
    /// What stands for everything that only a running instance has.
    pub(super) text: &'static str,
}

/// An answer, and the parameter that says where it lands.
type Placed<'a> = (&'a EffectiveParameter, Json);

/// A template that gives nothing, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) place: Place,
    pub(super) reason: String,
}

/// The templates of one chart, of which each is evaluated after those above it.
struct Run<'a> {
    failures: Vec<Failure>,
    /// Names at the root whose value here is made up, and parameters that may be without one.
    doubtful: BTreeSet<Vec<String>>,
    text: &'a str,
}

impl Case<'_> {
    /// Every template that gives nothing here.
    pub(super) fn failures(&self) -> Vec<Failure> {
        let mut failures = self.of_the_class().unwrap_or_default();
        failures.extend(self.of_the_binding().unwrap_or_default());
        failures
    }

    /// `None`: the class is broken otherwise.
    fn of_the_class(&self) -> Option<Vec<Failure>> {
        let spec = self.spec;
        let (params, placed) = self.answers();
        let mut run = Run { failures: Vec::new(), doubtful: self.doubtful(), text: self.text };
        let plan = self.plan.map(|plan| &plan.values);
        let fixed = operations_values(&spec.values, plan, &[]).ok()?;
        let begin = context(&self.release, spec.chart.as_ref(), &fixed).with_params(params.clone());
        let hidden = Context::default().hiding(&spec.parameters);
        let sensitive = hidden.sensitive_paths().iter();
        let begin = sensitive.fold(begin, |context, path| context.sensitive(path.clone()));
        let Some(computed) = run.computed(&spec.computed, &begin.public()) else {
            return Some(run.failures);
        };
        let mut tree = operations_values(&spec.values, plan, &computed).ok()?;
        for (parameter, value) in placed {
            for path in &parameter.paths {
                path.set_new(&mut tree, value.clone()).ok()?;
            }
        }
        let context = context(&self.release, spec.chart.as_ref(), &tree)
            .with_params(params)
            .hiding(&spec.parameters);
        run.connection(&spec.connection, &context);
        run.lifecycle(spec, &context.public());
        Some(run.failures)
    }

    fn of_the_binding(&self) -> Option<Vec<Failure>> {
        let binding = self.spec.binding.as_ref()?;
        let doubtful = ["instance", "binding", "consumer"].map(|root| vec![root.to_owned()]);
        let mut run = Run { failures: Vec::new(), doubtful: doubtful.into(), text: self.text };
        let details = self.spec.connection.details.iter();
        let details: Object =
            details.map(|detail| (template_name(&detail.name), json!(self.text))).collect();
        let release = format!("{}--api", self.release);
        let around = |context: Context| {
            context
                .with(
                    "instance",
                    json!({"name": self.release, "namespace": NAMESPACE, "details": details}),
                )
                .with("binding", json!({"name": "api", "role": self.text, "labels": {}}))
                .with("consumer", json!({"namespace": NAMESPACE}))
        };
        let begin = around(context(&release, Some(&binding.chart), &binding.values));
        if let Some(computed) = run.computed(&binding.computed, &begin) {
            let tree = operations_values(&binding.values, None, &computed).ok()?;
            run.connection(
                &binding.connection,
                &around(context(&release, Some(&binding.chart), &tree)),
            );
        }
        let of_binding =
            |failure: Failure| Failure { place: failure.place.of_binding(), ..failure };
        Some(run.failures.into_iter().map(of_binding).collect())
    }

    /// The answers by parameter, and with the parameter that says where they land.
    fn answers(&self) -> (Map<String, Json>, Vec<Placed<'_>>) {
        let mut texts: BTreeMap<&str, String> = BTreeMap::new();
        let (mut params, mut placed) = (Map::new(), Vec::new());
        for parameter in self.parameters {
            let applies = parameter.when.as_ref().is_none_or(|when| {
                texts.get(when.parameter.as_str()).is_some_and(|text| when.any_of.contains(text))
            });
            if !applies {
                continue;
            }
            let chosen = self.chosen.get(parameter.name.as_str()).cloned();
            let value = chosen.unwrap_or_else(|| usual(parameter));
            texts.insert(&parameter.name, value.set_text());
            params.insert(parameter.name.clone(), value.to_json());
            placed.push((parameter, value.to_json()));
        }
        (params, placed)
    }

    /// Where there may be no answer: below `params` and below `values`.
    fn doubtful(&self) -> BTreeSet<Vec<String>> {
        let unsure = self.parameters.iter().filter(|parameter| {
            parameter.when.is_some()
                || (parameter.default.is_none() && parameter.generate.is_none())
        });
        let places = |parameter: &EffectiveParameter| {
            let below =
                parameter.paths.iter().map(|path| [vec!["values".into()], path.names()].concat());
            let own = vec!["params".to_owned(), parameter.name.clone()];
            below.chain([own]).collect::<Vec<_>>()
        };
        unsure.flat_map(places).collect()
    }
}

fn context(release: &str, chart: Option<&Chart>, values: &Object) -> Context {
    let chart = chart.and_then(Chart::name_and_version).map_or("chart", |(name, _)| name);
    let fullname = fullname(release, chart, values);
    Context::new(release, NAMESPACE, chart, &fullname).with_values(values.clone())
}

impl Run<'_> {
    /// What a template gives, or that it gives nothing.
    fn note<T>(
        &mut self,
        place: Place,
        template: &str,
        made: Result<T, TemplateError>,
    ) -> Option<T> {
        let error = match made {
            Ok(made) => return Some(made),
            Err(error) => error,
        };
        // What is not there may still come with a real value.
        let is_doubtful = error.is_undefined() && self.is_doubtful(template);
        if !is_doubtful {
            self.failures.push(Failure { place, reason: error.reason });
        }
        None
    }

    fn is_doubtful(&self, template: &str) -> bool {
        let touches = |path: &Vec<String>| {
            let meet = |known: &Vec<String>| path.starts_with(known) || known.starts_with(path);
            self.doubtful.iter().any(meet)
        };
        mentions(template).iter().any(touches)
    }

    /// `None` where one of them gives nothing.
    fn computed(&mut self, computed: &[Computed], context: &Context) -> Option<Vec<ComputedValue>> {
        let values: Vec<_> = computed
            .iter()
            .enumerate()
            .map(|(index, one)| {
                let made = template::evaluate(&one.value, context);
                let value = self.note(computed_place(index, one), &one.value, made)?;
                Some(ComputedValue { paths: one.paths.clone(), value })
            })
            .collect();
        values.into_iter().collect()
    }

    fn text(&mut self, place: Place, template: &str, context: &Context) {
        self.note(place, template, template::render(template, context));
    }

    fn selector(&mut self, place: &Place, labels: &BTreeMap<String, String>, context: &Context) {
        for (name, template) in labels {
            let value = template::render(template, context)
                .and_then(|value| labels::value(&value).map_err(TemplateError::new));
            self.note(place.below(name), template, value);
        }
    }

    fn connection(&mut self, connection: &Connection, context: &Context) {
        let public = context.public();
        for (index, source) in connection.sources.iter().enumerate() {
            let place = Place::entry("source", &source.name, "connection.sources", index);
            let (name, labels) = named_or_selected(source);
            if let Some(template) = name {
                self.text(place.clone(), template, &public);
            }
            if let Some((kind, labels)) = labels {
                self.selector(&place.below(kind).below("selector"), labels, &public);
            }
        }
        self.details(connection, context);
    }

    fn details(&mut self, connection: &Connection, context: &Context) {
        let taken = connection.details.iter().filter(|detail| detail.from.is_some());
        let taken: BTreeMap<String, String> =
            taken.map(|detail| (detail.name.clone(), self.text.to_owned())).collect();
        let details = evaluate(connection, context, &Sources::default(), &taken, MASKS[0]);
        let mut failed: BTreeSet<String> = BTreeSet::new();
        for (index, (detail, made)) in connection.details.iter().zip(&details.0).enumerate() {
            let template = detail.value.as_deref().unwrap_or_default();
            let name = template_name(&detail.name);
            if taken.contains_key(&detail.name) || self.is_doubtful(template) {
                self.doubtful.insert(vec![name.clone()]);
            }
            let DetailState::Broken(reason) = &made.state else { continue };
            let follows = mentions(template).iter().any(|path| failed.contains(&path[0]));
            failed.insert(name);
            if !follows {
                let error = TemplateError::new(reason.clone());
                self.note::<()>(detail_place(index, detail), template, Err(error));
            }
        }
        if failed.is_empty() {
            self.after_details(connection, &with_details(context, &details));
        }
    }

    fn after_details(&mut self, connection: &Connection, context: &Context) {
        let public = context.public();
        for (index, forward) in connection.forward.iter().enumerate() {
            let place = Place::entry("forward", &forward.name, "connection.forward", index);
            self.text(place, &forward.service, &public);
        }
        let Some(client) = &connection.client else { return };
        for (index, arg) in client.args.iter().enumerate() {
            let field = format!("connection.client.args[{index}]");
            self.text(Place::new("client args", field), arg, &public);
        }
        for (index, variable) in client.env.iter().enumerate() {
            let place = Place::entry("client env", &variable.name, "connection.client.env", index);
            self.text(place, &variable.value, context);
        }
    }

    fn lifecycle(&mut self, spec: &ServiceClassSpec, public: &Context) {
        if let Some(pods) = &spec.readiness.pods {
            let place = Place::new("readiness pods", "readiness.pods.selector");
            self.selector(&place, &pods.selector, public);
        }
        for (index, condition) in spec.readiness.conditions.iter().enumerate() {
            self.text(condition_place(index, condition), &condition.name, public);
        }
        if let Some(volumes) = &spec.deletion.volumes {
            let place = Place::new("deletion volumes", "deletion.volumes.selector");
            self.selector(&place, &volumes.selector, public);
        }
    }
}
