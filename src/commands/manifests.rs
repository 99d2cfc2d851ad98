//! `--manifests`: what helm would apply, sensitive values masked (interface §1.2).

use crate::context::Context;
use crate::domain::answers::Answers;
use crate::domain::manifest::masked;
use crate::error::Result;
use crate::helm::Redaction;
use crate::ops::change::preview::Rendered;
use crate::ops::deploy::secrets;

/// Writes the objects, then the hooks, as helm prints them.
///
/// # Errors
/// stdout cannot be written.
pub fn print(rendered: &Rendered, answers: &Answers, context: &Context) -> Result<()> {
    let secrets = secrets(answers);
    let redaction = Redaction::new(&secrets);
    let face = &context.face;
    let hooks = rendered.hooks.iter().map(|hook| format!("---\n{}\n", hook.manifest));
    let whole: String = std::iter::once(rendered.manifest.clone()).chain(hooks).collect();
    face.deliver(masked(&whole, face.out().mask(), &|text| redaction.apply(text)))
}
