//! What a class says of an instance's connection, tried with its answers before anything is made.

use super::Order;
use crate::domain::class::Connection;
use crate::domain::connection::{Sources, evaluate, sources_needed};
use crate::domain::selector;
use crate::domain::template::{self, Context, MASKS, TemplateError};
use crate::error::Result;
use crate::ops::instance::broken_record;

/// Passes when every template gives something that needs nothing of the running service; what a
/// source will hold is not known yet.
///
/// # Errors
/// The class is broken, for these answers at least.
pub(super) fn check(order: &Order<'_>, context: &Context) -> Result<()> {
    let spec = &order.class.spec;
    let wrong = sources_needed(&spec.connection, context).map(drop).map_err(of("source"));
    let pods = || selector::pods(&spec.readiness, order.name, context).map(drop);
    let volumes = || selector::volumes(&spec.deletion, context).map(drop);
    wrong
        .and_then(|()| pods().map_err(|error| error.of("readiness pods")))
        .and_then(|()| volumes().map_err(|error| error.of("deletion volumes")))
        .and_then(|()| conditions(order, context))
        .and_then(|()| details(&spec.connection, context))
        .map_err(|error| broken_record(&order.class.name, &error.reason))
}

/// `source auth: …`
fn of(kind: &str) -> impl Fn(TemplateError) -> TemplateError {
    move |error| TemplateError { reason: format!("{kind} {}", error.reason) }
}

fn conditions(order: &Order<'_>, context: &Context) -> Result<(), TemplateError> {
    let public = context.public();
    order.class.spec.readiness.conditions.iter().try_for_each(|condition| {
        let name = template::render(&condition.name, &public);
        name.map(drop).map_err(|error| error.of(&format!("condition {}", condition.kind)))
    })
}

fn details(connection: &Connection, context: &Context) -> Result<(), TemplateError> {
    let details = evaluate(connection, context, &Sources::default(), &Default::default(), MASKS[0]);
    match details.broken().next() {
        Some((name, reason)) => Err(TemplateError { reason: format!("detail {name}: {reason}") }),
        None => Ok(()),
    }
}
