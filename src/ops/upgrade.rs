//! What `upgrade` works with: the class of today, the answers that were given.

use crate::domain::answers::Moving;
use crate::domain::class::{Class, Plan, Sharing, class_hash};
use crate::domain::parameter::EffectiveParameter;
use crate::error::{Error, Result};
use crate::ops::change::Base;
use crate::ops::update::{View, keep};

/// The view of `upgrade`; `asked` is the plan to move to.
///
/// # Errors
/// The class is gone or broken, or has not the plan of the instance any more.
pub fn view(base: &Base, asked: Option<&str>) -> Result<View> {
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
    let plan = plan(&class, asked, record.plan.as_deref())?;
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

/// The plan that was asked for, else that of the instance, as it is today.
fn plan(class: &Class, asked: Option<&str>, recorded: Option<&str>) -> Result<Option<Plan>> {
    let (name, plans) = (&class.name, &class.spec.plans);
    let recorded = recorded.filter(|plan| !plan.is_empty());
    let wanted = asked.or(recorded);
    if let Some(plan) = plans.iter().find(|plan| Some(plan.name.as_str()) == wanted) {
        return Ok(Some(plan.clone()));
    }
    let there = match plans.is_empty() {
        true => "no plans".to_owned(),
        false => plans.iter().map(|plan| plan.name.as_str()).collect::<Vec<_>>().join(", "),
    };
    match (asked, recorded) {
        (Some(asked), _) => {
            Err(Error::not_found(format!("class {name} has no plan {asked}; it has {there}")))
        }
        _ if plans.is_empty() => Ok(None),
        (None, Some(gone)) => {
            let sentence = format!("class {name} has no plan {gone} any more; it has {there}");
            Err(Error::not_found(sentence))
        }
        (None, None) => Err(Error::usage(format!("class {name} has plans now; it has {there}"))),
    }
}

/// The plan to name where there is not the one that [`view`] looks for: the class's default, else
/// its first.
pub fn better_plan(base: &Base, asked: Option<&str>) -> Option<String> {
    let source = base.source();
    let class = source.class.as_ref()?;
    plan(class, asked, source.record.plan.as_deref()).err()?;
    let default = class.spec.default_plan.clone();
    default.or_else(|| Some(class.spec.plans.first()?.name.clone()))
}
