//! What answers may be: one for each parameter to begin with, and the others that its limits name.

use crate::domain::limits::{Limits, StringRule};
use crate::domain::parameter::EffectiveParameter;
use crate::domain::value::Value;

/// What stands for the answer: the default, else something that is allowed.
pub(super) fn usual(parameter: &EffectiveParameter) -> Value {
    let known = parameter.default.clone().or_else(|| named(parameter).into_iter().next());
    known.unwrap_or_else(|| match &parameter.limits {
        Limits::String(StringRule { text, .. }) => Value::String(text.sample()),
        Limits::Integer(_) => Value::Integer(1),
        Limits::Number(_) => Value::Number(1.0),
        Limits::Boolean => Value::Boolean(false),
        Limits::Quantity(_) => Value::Quantity("1Gi".parse().expect("a quantity")),
        Limits::Duration(_) => Value::Duration("1m".parse().expect("a duration")),
        Limits::List(rule) => Value::List(vec![rule.entry.sample()]),
    })
}

/// The values that the limits name, without the one that stands for the answer already.
pub(super) fn others(parameter: &EffectiveParameter) -> Vec<Value> {
    if parameter.fixed {
        return Vec::new();
    }
    let usual = usual(parameter);
    let mut others = named(parameter);
    if let Limits::List(_) = parameter.limits {
        others.push(Value::List(Vec::new()));
    }
    others.retain(|other| *other != usual);
    others
}

fn named(parameter: &EffectiveParameter) -> Vec<Value> {
    let limits = &parameter.limits;
    let choices = limits.choices();
    match limits {
        Limits::Boolean => vec![Value::Boolean(false), Value::Boolean(true)],
        _ if !choices.is_empty() => choices,
        _ => limits.minimum().into_iter().chain(limits.maximum()).collect(),
    }
}
