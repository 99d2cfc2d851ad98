//! The limits of a parameter, typed, with those of a plan laid over them: always the narrower.

mod merge;

use super::duration::Duration;
use super::pattern::TextRule;
use super::quantity::Quantity;
use super::value::{Value, ValueKind};

/// What values of a parameter are allowed.
#[derive(Clone, Debug, PartialEq)]
pub enum Limits {
    String(StringRule),
    Integer(Range<i64>),
    Number(Range<f64>),
    Boolean,
    Quantity(Range<Quantity>),
    Duration(Range<Duration>),
    List(ListRule),
}

/// A smallest or largest value, and whether the plan set it.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound<T> {
    pub value: T,
    pub by_plan: bool,
}

/// From the smallest to the largest; of the choices only, where there are any.
#[derive(Clone, Debug, PartialEq)]
pub struct Range<T> {
    pub minimum: Option<Bound<T>>,
    pub maximum: Option<Bound<T>>,
    pub choices: Vec<T>,
}

/// Limits of a string.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StringRule {
    pub choices: Vec<String>,
    pub text: TextRule,
    /// Line breaks and tabs are allowed.
    pub multiline: bool,
    /// `{{` is allowed.
    pub allow_template: bool,
}

/// Limits of a list: how many entries, and of each one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListRule {
    pub max_items: Option<u32>,
    pub entry: TextRule,
}

/// Limits, the default, and whether the default is the plan's.
pub(super) type Merged = (Limits, Option<Value>, bool);

impl Limits {
    /// The kind of the values.
    pub fn kind(&self) -> ValueKind {
        match self {
            Self::String(_) => ValueKind::String,
            Self::Integer(_) => ValueKind::Integer,
            Self::Number(_) => ValueKind::Number,
            Self::Boolean => ValueKind::Boolean,
            Self::Quantity(_) => ValueKind::Quantity,
            Self::Duration(_) => ValueKind::Duration,
            Self::List(_) => ValueKind::List,
        }
    }

    /// The only values allowed, in the order of the class; empty where others are allowed too.
    pub fn choices(&self) -> Vec<Value> {
        match self {
            Self::String(rule) => rule.choices.iter().cloned().map(Value::String).collect(),
            Self::Integer(range) => range.choices.iter().copied().map(Value::Integer).collect(),
            Self::Number(range) => range.choices.iter().copied().map(Value::Number).collect(),
            Self::Quantity(range) => range.choices.iter().cloned().map(Value::Quantity).collect(),
            Self::Duration(range) => range.choices.iter().cloned().map(Value::Duration).collect(),
            Self::Boolean | Self::List(_) => Vec::new(),
        }
    }

    /// The smallest value, of kinds that have an order.
    pub fn minimum(&self) -> Option<Value> {
        match self {
            Self::Integer(range) => range.minimum.clone().map(|bound| Value::Integer(bound.value)),
            Self::Number(range) => range.minimum.clone().map(|bound| Value::Number(bound.value)),
            Self::Quantity(range) => {
                range.minimum.clone().map(|bound| Value::Quantity(bound.value))
            }
            Self::Duration(range) => {
                range.minimum.clone().map(|bound| Value::Duration(bound.value))
            }
            Self::String(_) | Self::Boolean | Self::List(_) => None,
        }
    }

    /// The largest value, of kinds that have an order.
    pub fn maximum(&self) -> Option<Value> {
        match self {
            Self::Integer(range) => range.maximum.clone().map(|bound| Value::Integer(bound.value)),
            Self::Number(range) => range.maximum.clone().map(|bound| Value::Number(bound.value)),
            Self::Quantity(range) => {
                range.maximum.clone().map(|bound| Value::Quantity(bound.value))
            }
            Self::Duration(range) => {
                range.maximum.clone().map(|bound| Value::Duration(bound.value))
            }
            Self::String(_) | Self::Boolean | Self::List(_) => None,
        }
    }
}
