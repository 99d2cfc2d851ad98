//! What `upgrade` works with: the class of today, the answers that were given.

use crate::domain::answers::Moving;
use crate::domain::class::{Class, Plan, Sharing, class_hash};
use crate::domain::parameter::EffectiveParameter;
use crate::error::{Error, Result};
use crate::ops::change::Base;
use crate::ops::update::{View, keep};

/// The view of `upgrade`.
///
/// # Errors
/// The class is gone or broken, or has not the plan of the instance any more.
pub fn view(base: &Base) -> Result<View> {
    let source = base.source();
    let record = &source.record;
    let name = &source.release.name;
    let class = source.class.clone().ok_or_else(|| no_class(&record.class, name))?;
    if class.spec.sharing == Sharing::Shared {
        return Err(Error::failed(format!(
            "class {} is shared now; {name} stays as it is",
            class.name
        )));
    }
    let plan = plan(&class, record.plan.as_deref(), name)?;
    let mut parameters = EffectiveParameter::all(&class.spec, plan.as_ref())
        .map_err(|error| Error::failed(format!("class {} is broken: {error}", class.name)))?;
    let kept = keep(source, &mut parameters, Moving::Defaults);
    let hash = class_hash(&class.spec);
    Ok(View { class_hash: hash, is_todays: source.record_is_todays, class, plan, parameters, kept })
}

fn no_class(class: &str, name: &str) -> Error {
    Error::not_found(format!("class {class} of {name} is not in the catalog, or cannot be read"))
        .try_for("catalog", "what there is")
        .try_for(format!("show {name}"), "it lives on")
}

/// The plan of the instance as it is today.
fn plan(class: &Class, recorded: Option<&str>, name: &str) -> Result<Option<Plan>> {
    let plans = &class.spec.plans;
    let Some(recorded) = recorded.filter(|plan| !plan.is_empty()) else {
        if plans.is_empty() {
            return Ok(None);
        }
        return Err(must_choose(format!("class {} has plans now", class.name), plans, name));
    };
    if let Some(plan) = plans.iter().find(|plan| plan.name == recorded) {
        return Ok(Some(plan.clone()));
    }
    if plans.is_empty() {
        return Ok(None);
    }
    let gone = format!("class {} has no plan {recorded} any more", class.name);
    Err(must_choose(gone, plans, name))
}

fn must_choose(what: String, plans: &[Plan], name: &str) -> Error {
    let names: Vec<&str> = plans.iter().map(|plan| plan.name.as_str()).collect();
    let error = Error::failed(format!("{what}; it has {}", names.join(", ")));
    let first = names.first().copied().unwrap_or("PLAN");
    error.try_for(format!("update {name} --plan {first}"), "then upgrade it")
}
