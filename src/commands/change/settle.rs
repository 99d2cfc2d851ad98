//! The answers of a change: given, asked, kept.

use super::Request;
use super::wrong::wrong;
use crate::commands::question;
use crate::commands::story::Story;
use crate::context::Context;
use crate::domain::answers::{self, Answers, Asking, Problems};
use crate::error::Result;
use crate::ops::change::{Base, Verb};
use crate::ops::update::View;

/// Everything that is decided before helm is asked.
#[derive(Debug)]
pub struct Settled {
    pub view: View,
    pub answers: Answers,
    /// Whether a question was open.
    pub asked: bool,
}

/// Settles every parameter; on a terminal what is missing is asked.
///
/// # Errors
/// All that is wrong, at once.
pub fn settle(
    request: &mut Request<'_>,
    base: &Base,
    mut view: View,
    story: &mut Story<'_>,
    context: &Context,
) -> Result<Settled> {
    let mut given = std::mem::take(&mut request.given);
    view.kept.asked = request.asks_all;
    let (parameters, kept) = (&view.parameters, &view.kept);
    let told = |problems: &Problems, given: &[answers::Given]| {
        wrong(problems, request, given, base, &view, context)
    };
    if request.asks(context) {
        answers::check_given(parameters, &given, kept).map_err(|wrong| told(&wrong, &given))?;
        let asking = if request.asks_all { Asking::Advanced } else { Asking::Required };
        question::ask_all(parameters, &mut given, kept, asking, story)?;
    }
    let answers = answers::resolve(parameters, &given, kept, &mut |buffer| {
        getrandom::fill(buffer).expect("the system has a random source");
    })
    .map_err(|wrong| told(&wrong, &given))?;
    let asked = story.asked();
    request.given = given;
    Ok(Settled { view, answers, asked })
}

/// What is kept although today's class would not allow or make it.
pub fn tell(settled: &Settled, request: &Request<'_>, context: &Context) {
    let Settled { view, answers, .. } = settled;
    let face = &context.face;
    if view.is_todays {
        let name = request.name;
        face.note(&format!("{name} has no record of its class; this is what its class says today"));
    }
    if request.verb == Verb::Update && request.plan.is_none() {
        return;
    }
    for row in &answers.outside {
        face.warning(&format!("{} {}; it is kept as it is", row.name, row.message));
    }
    let known = &view.kept.parameters;
    for name in view.kept.not_generated.iter().filter(|name| !known.contains(name)) {
        if answers.get(name).is_none() {
            face.note(&format!(
                "{name} is new in the class and not generated for a service that runs; \
                 give it with --set-env"
            ));
        }
    }
}
