//! Parameters whose values land elsewhere in the chart than before.

use super::super::answers::Answers;
use super::super::parameter::EffectiveParameter;
use super::super::path::Path;
use super::super::record::Record;

/// A parameter with its paths then and now, as the class writes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    pub name: String,
    pub before: String,
    pub after: String,
}

impl Moved {
    /// `greeting text.greeting -> words.greeting`
    pub fn text(&self) -> String {
        format!("{} {} -> {}", self.name, self.before, self.after)
    }
}

/// Those that had an answer and have one, in the order of the class.
pub fn moved(record: &Record, answers: &Answers, now: &[EffectiveParameter]) -> Vec<Moved> {
    let is_answered = |name: &str| record.answers.contains_key(name) && answers.get(name).is_some();
    let kept = now.iter().filter(|parameter| is_answered(&parameter.name));
    let moved = kept.filter_map(|parameter| {
        let name = parameter.name.clone();
        let then = record.parameters.iter().find(|known| known.name == name)?;
        let then: Vec<Path> = then.paths.iter().filter_map(|path| path.parse().ok()).collect();
        let (before, after) = (written(&then), written(&parameter.paths));
        (then != parameter.paths).then_some(Moved { name, before, after })
    });
    moved.collect()
}

fn written(paths: &[Path]) -> String {
    paths.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
