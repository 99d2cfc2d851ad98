//! Laying the limits of a plan over those of its class.

use std::fmt::Display;
use std::str::FromStr;

use super::super::class::{
    Kind, ListLimits, NumberLimits, PlanParameter, StringLimits, TextLimits,
};
use super::super::pattern::{Pattern, TextRule};
use super::super::value::{Value, ValueKind};
use super::{Bound, Limits, ListRule, Merged, Range, StringRule};

impl Limits {
    /// The limits of a class under those of a plan.
    ///
    /// # Errors
    /// A limit is not in its notation, or the plan speaks of another kind.
    pub(in super::super) fn merged(
        kind: Kind<'_>,
        plan: Option<&PlanParameter>,
    ) -> Result<Merged, String> {
        if let Some(plan) = plan {
            same_kind(kind, plan)?;
        }
        match kind {
            Kind::String(class) => string(class, plan.and_then(|plan| plan.string.as_ref())),
            Kind::Integer(class) => numbers(
                class,
                plan.and_then(|plan| plan.integer.as_ref()),
                Self::Integer,
                Value::Integer,
            ),
            Kind::Number(class) => numbers(
                class,
                plan.and_then(|plan| plan.number.as_ref()),
                Self::Number,
                Value::Number,
            ),
            Kind::Boolean(class) => {
                let plan = plan.and_then(|plan| plan.boolean.as_ref()?.default);
                let default = plan.or(class.default).map(Value::Boolean);
                Ok((Self::Boolean, default, plan.is_some()))
            }
            Kind::Quantity(class) => texts(
                class,
                plan.and_then(|plan| plan.quantity.as_ref()),
                Self::Quantity,
                Value::Quantity,
            ),
            Kind::Duration(class) => texts(
                class,
                plan.and_then(|plan| plan.duration.as_ref()),
                Self::Duration,
                Value::Duration,
            ),
            Kind::List(class) => list(class, plan.and_then(|plan| plan.list.as_ref())),
        }
    }
}

fn same_kind(kind: Kind<'_>, plan: &PlanParameter) -> Result<(), String> {
    let given = [
        (ValueKind::String, plan.string.is_some()),
        (ValueKind::Integer, plan.integer.is_some()),
        (ValueKind::Number, plan.number.is_some()),
        (ValueKind::Boolean, plan.boolean.is_some()),
        (ValueKind::Quantity, plan.quantity.is_some()),
        (ValueKind::Duration, plan.duration.is_some()),
        (ValueKind::List, plan.list.is_some()),
    ];
    let own = match kind {
        Kind::String(_) => ValueKind::String,
        Kind::Integer(_) => ValueKind::Integer,
        Kind::Number(_) => ValueKind::Number,
        Kind::Boolean(_) => ValueKind::Boolean,
        Kind::Quantity(_) => ValueKind::Quantity,
        Kind::Duration(_) => ValueKind::Duration,
        Kind::List(_) => ValueKind::List,
    };
    match given.into_iter().find(|(kind, given)| *given && *kind != own) {
        Some((other, _)) => Err(format!("is {} in the class, {} here", own.word(), other.word())),
        None => Ok(()),
    }
}

impl<T: PartialOrd + Clone> Range<T> {
    fn new(minimum: Option<T>, maximum: Option<T>, choices: Vec<T>) -> Self {
        let bound = |value| Bound { value, by_plan: false };
        Self { minimum: minimum.map(bound), maximum: maximum.map(bound), choices }
    }

    /// Lays a plan's limits over those of the class; where both have one, the narrower counts.
    fn narrowed(mut self, plan: Self) -> Result<Self, String> {
        let by_plan = |bound: Bound<T>| Bound { by_plan: true, ..bound };
        self.minimum = match (self.minimum, plan.minimum.map(by_plan)) {
            (Some(class), Some(plan)) if plan.value < class.value => Some(class),
            (class, plan) => plan.or(class),
        };
        self.maximum = match (self.maximum, plan.maximum.map(by_plan)) {
            (Some(class), Some(plan)) if plan.value > class.value => Some(class),
            (class, plan) => plan.or(class),
        };
        self.choices = narrowed_choices(self.choices, plan.choices)?;
        Ok(self)
    }

    /// Takes out the choices that the bounds forbid.
    fn settled(mut self) -> Result<Self, String> {
        if let (Some(least), Some(most)) = (&self.minimum, &self.maximum)
            && least.value > most.value
        {
            return Err("allows no value: its minimum is above its maximum".to_owned());
        }
        let had_choices = !self.choices.is_empty();
        let (minimum, maximum) = (self.minimum.as_ref(), self.maximum.as_ref());
        self.choices.retain(|choice| {
            minimum.is_none_or(|bound| *choice >= bound.value)
                && maximum.is_none_or(|bound| *choice <= bound.value)
        });
        if had_choices && self.choices.is_empty() {
            return Err("allows no value: no choice is within its limits".to_owned());
        }
        Ok(self)
    }
}

fn narrowed_choices<T: PartialEq>(class: Vec<T>, mut plan: Vec<T>) -> Result<Vec<T>, String> {
    if plan.is_empty() {
        return Ok(class);
    }
    if !class.is_empty() {
        plan.retain(|choice| class.contains(choice));
    }
    if plan.is_empty() { Err("allows no value: no choice is left".to_owned()) } else { Ok(plan) }
}

fn numbers<T: PartialOrd + Copy>(
    class: &NumberLimits<T>,
    plan: Option<&NumberLimits<T>>,
    limits: impl Fn(Range<T>) -> Limits,
    value: impl Fn(T) -> Value,
) -> Result<Merged, String> {
    let range = |limits: &NumberLimits<T>| {
        Range::new(limits.minimum, limits.maximum, limits.choices.clone())
    };
    let mut merged = range(class);
    if let Some(plan) = plan {
        merged = merged.narrowed(range(plan))?;
    }
    let by_plan = plan.and_then(|plan| plan.default);
    let default = by_plan.or(class.default).map(value);
    Ok((limits(merged.settled()?), default, by_plan.is_some()))
}

fn texts<T: FromStr<Err: Display> + PartialOrd + Clone>(
    class: &TextLimits,
    plan: Option<&TextLimits>,
    limits: impl Fn(Range<T>) -> Limits,
    value: impl Fn(T) -> Value,
) -> Result<Merged, String> {
    let mut merged = text_range(class)?;
    if let Some(plan) = plan {
        merged = merged.narrowed(text_range(plan)?)?;
    }
    let by_plan = plan.and_then(|plan| plan.default.as_ref());
    let default = by_plan.or(class.default.as_ref()).map(|text| read::<T>("default", text));
    let default = default.transpose()?.map(value);
    Ok((limits(merged.settled()?), default, by_plan.is_some()))
}

fn text_range<T: FromStr<Err: Display> + PartialOrd + Clone>(
    limits: &TextLimits,
) -> Result<Range<T>, String> {
    let bound = |what: &str, text: &Option<String>| {
        text.as_deref().map(|text| read::<T>(what, text)).transpose()
    };
    let choices = limits.choices.iter().map(|text| read::<T>("choice", text));
    Ok(Range::new(
        bound("minimum", &limits.minimum)?,
        bound("maximum", &limits.maximum)?,
        choices.collect::<Result<_, _>>()?,
    ))
}

fn read<T: FromStr<Err: Display>>(what: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|error| format!("{what} \"{text}\" {error}"))
}

fn string(class: &StringLimits, plan: Option<&StringLimits>) -> Result<Merged, String> {
    let narrower = plan.cloned().unwrap_or_default();
    let text = text_rule(
        [class.pattern.as_deref(), narrower.pattern.as_deref()],
        class.min_length.max(narrower.min_length),
        least(class.max_length, narrower.max_length),
    )?;
    let mut choices = narrowed_choices(class.choices.clone(), narrower.choices)?;
    let had_choices = !choices.is_empty();
    choices.retain(|choice| text.complaint(choice).is_none());
    if had_choices && choices.is_empty() {
        return Err("allows no value: no choice is within its limits".to_owned());
    }
    let by_plan = narrower.default.is_some();
    let default = narrower.default.or_else(|| class.default.clone()).map(Value::String);
    let rule = StringRule {
        choices,
        text,
        multiline: class.multiline,
        allow_template: class.allow_template,
    };
    Ok((Limits::String(rule), default, by_plan))
}

fn list(class: &ListLimits, plan: Option<&ListLimits>) -> Result<Merged, String> {
    let narrower = plan.cloned().unwrap_or_default();
    let patterns = [class.pattern.as_deref(), narrower.pattern.as_deref()];
    let rule = ListRule {
        max_items: least(class.max_items, narrower.max_items),
        entry: text_rule(patterns, None, None)?,
    };
    let by_plan = narrower.default.is_some();
    let default = narrower.default.or_else(|| class.default.clone()).map(Value::List);
    Ok((Limits::List(rule), default, by_plan))
}

fn text_rule(
    patterns: [Option<&str>; 2],
    minimum: Option<u32>,
    maximum: Option<u32>,
) -> Result<TextRule, String> {
    let patterns = patterns.into_iter().flatten().map(Pattern::parse);
    let patterns = patterns.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    if let (Some(least), Some(most)) = (minimum, maximum)
        && least > most
    {
        return Err("allows no value: its shortest is above its longest".to_owned());
    }
    Ok(TextRule::new(patterns, minimum, maximum))
}

fn least(one: Option<u32>, other: Option<u32>) -> Option<u32> {
    one.into_iter().chain(other).min()
}
