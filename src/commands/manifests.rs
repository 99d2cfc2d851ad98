//! `--manifests`: what helm would apply, sensitive values masked (interface §1.2).

use crate::context::Context;
use crate::domain::answers::Answers;
use crate::domain::manifest::masked;
use crate::helm::Redaction;
use crate::ops::change::preview::Rendered;
use crate::ops::deploy::secrets;

/// The objects, then the hooks, as helm prints them.
pub fn masked_text(rendered: &Rendered, answers: &Answers, context: &Context) -> String {
    let secrets = secrets(answers);
    let redaction = Redaction::new(&secrets);
    let hooks = rendered.hooks.iter().map(|hook| format!("---\n{}\n", hook.trim_end()));
    let whole: String = std::iter::once(rendered.manifest.clone()).chain(hooks).collect();
    masked(&whole, context.face.out().mask(), &|text| redaction.apply(text))
}
