//! What `update` works with: the recorded chart and class values, today's limits.

use crate::domain::answers::{Kept, Moving};
use crate::domain::class::{Class, Parameter, Plan, ServiceClassSpec};
use crate::domain::parameter::EffectiveParameter;
use crate::domain::record::Record;
use crate::error::{Error, Result};
use crate::ops::change::Base;
use crate::ops::instance::Stored;

/// The class under which a change is settled, and what is kept.
#[derive(Clone, Debug)]
pub struct View {
    /// What shapes the instance.
    pub class: Class,
    pub class_hash: String,
    pub plan: Option<Plan>,
    pub parameters: Vec<EffectiveParameter>,
    pub kept: Kept,
    /// It is the class of today, as the release has no record of its own.
    pub is_todays: bool,
}

/// The view of `update`; `plan` is the one to move to.
///
/// # Errors
/// No such plan, or a class that is broken.
pub fn view(base: &Base, plan: Option<&str>) -> Result<View> {
    let source = base.source();
    let record = &source.record;
    let recorded = record.as_class();
    let today = source.class.as_ref().map(|class| &class.spec);
    let plan_name = plan.or(record.plan.as_deref());
    let plan = plan_name.map(|name| chosen(record, today, name, plan.is_some())).transpose()?;
    let mut class = Class { spec: with_todays_limits(recorded.spec, today), ..recorded };
    if let Some(plan) = &plan
        && !class.spec.plans.iter().any(|known| known.name == plan.name)
    {
        class.spec.plans.push(plan.clone());
    }
    let limits = plan.as_ref().map(|plan| limits_of(plan, &class.spec, today));
    let mut parameters = EffectiveParameter::all(&class.spec, limits.as_ref())
        .map_err(|error| Error::failed(format!("class {} is broken: {error}", class.name)))?;
    let moves = plan.as_ref().map(|plan| &plan.name) != record.plan.as_ref();
    let moving = if moves { Moving::PlanDefaults } else { Moving::Nothing };
    let mut kept = keep(source, &mut parameters, moving);
    kept.later = later(record, today);
    // What is recorded stays what the class said then: limits of today do not shape an instance.
    class.spec.parameters = record.parameters.clone();
    Ok(View {
        class_hash: record.class_hash.clone(),
        is_todays: source.record_is_todays,
        class,
        plan,
        parameters,
        kept,
    })
}

/// What today's class has and the recorded one had not.
fn later(record: &Record, today: Option<&ServiceClassSpec>) -> Vec<String> {
    let is_recorded = |name: &str| record.parameters.iter().any(|known| known.name == name);
    let today = today.into_iter().flat_map(|today| &today.parameters);
    today.map(|new| new.name.clone()).filter(|name| !is_recorded(name)).collect()
}

/// The answers that are kept, and the present values of the parameters.
pub(super) fn keep(source: &Stored, parameters: &mut [EffectiveParameter], moving: Moving) -> Kept {
    let complete = !source.record_is_todays;
    Kept::of_record(&source.record, &source.release.config, complete, parameters, moving)
}

/// The plan as it is recorded; one that the class has since, as it is today.
fn chosen(
    record: &Record,
    today: Option<&ServiceClassSpec>,
    name: &str,
    asked: bool,
) -> Result<Plan> {
    let recorded = record.plans.iter().find(|plan| plan.name == name);
    let Some(today) = today else {
        return recorded.cloned().ok_or_else(|| no_plan(record, &record.plans, name));
    };
    let offered = today.plans.iter().find(|plan| plan.name == name);
    match (recorded, offered) {
        (Some(recorded), Some(_)) => Ok(recorded.clone()),
        (Some(recorded), None) if !asked => Ok(recorded.clone()),
        (None, Some(offered)) => Ok(offered.clone()),
        (_, None) => Err(no_plan(record, &today.plans, name)),
    }
}

fn no_plan(record: &Record, plans: &[Plan], name: &str) -> Error {
    let class = &record.class;
    let names: Vec<&str> = plans.iter().map(|plan| plan.name.as_str()).collect();
    if names.is_empty() {
        return Error::not_found(format!("class {class} has no plan {name}; it has no plans"));
    }
    Error::not_found(format!("class {class} has no plan {name}; it has {}", names.join(", ")))
        .try_(format!("catalog {class}"))
}

/// The recorded parameters, each with the limits, the default and the words of today.
fn with_todays_limits(
    recorded: ServiceClassSpec,
    today: Option<&ServiceClassSpec>,
) -> ServiceClassSpec {
    let Some(today) = today else { return recorded };
    let merged = recorded.parameters.iter().map(|old| {
        let new = today.parameters.iter().find(|new| new.name == old.name);
        new.filter(|new| same_kind(old, new)).map_or_else(|| old.clone(), |new| limited(old, new))
    });
    ServiceClassSpec { parameters: merged.collect(), ..recorded }
}

fn same_kind(old: &Parameter, new: &Parameter) -> bool {
    match (old.kind(), new.kind()) {
        (Some(old), Some(new)) => std::mem::discriminant(&old) == std::mem::discriminant(&new),
        _ => false,
    }
}

/// Where it lands, and when it applies, is the recorded chart's matter.
fn limited(old: &Parameter, new: &Parameter) -> Parameter {
    Parameter {
        paths: old.paths.clone(),
        when: old.when.clone(),
        sensitive: old.sensitive,
        generate: old.generate,
        ..new.clone()
    }
}

/// What today's plan of that name says of the parameters that are recorded.
fn limits_of(plan: &Plan, spec: &ServiceClassSpec, today: Option<&ServiceClassSpec>) -> Plan {
    let offered =
        today.and_then(|today| today.plans.iter().find(|offered| offered.name == plan.name));
    let mut limits = offered.unwrap_or(plan).clone();
    let taken = |name: &str| {
        let of_today =
            today.and_then(|today| today.parameters.iter().find(|known| known.name == name));
        let known = spec.parameters.iter().find(|known| known.name == name);
        known.is_some_and(|known| of_today.is_none_or(|today| same_kind(known, today)))
    };
    limits.parameters.retain(|parameter| taken(&parameter.name));
    limits
}
