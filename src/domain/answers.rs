//! The answers of a class: what was given, checked all at once, and what stands for the rest.

mod given;
mod kept;
mod problems;
mod settle;
mod walk;

use indexmap::IndexMap;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value as Json;

use super::class::Object;
use super::command_line::CommandLine;
use super::parameter::EffectiveParameter;
use super::record::{Origin, RecordedAnswer};
use super::value::Value;

pub use given::{Given, How, Raw, placeholder};
pub use kept::{Kept, KeptAnswer, Moving, sent};
pub use problems::{ProblemRow, Problems};

/// One answer that goes into the chart's values.
#[derive(Clone, Debug)]
pub struct Answer {
    pub name: String,
    pub value: AnswerValue,
    pub origin: Origin,
    /// How it was said in this command; nothing for a default, a generated or a kept one.
    pub how: Option<How>,
}

/// The value of an answer; that of a sensitive parameter is hidden.
#[derive(Clone, Debug)]
pub enum AnswerValue {
    Plain(Value),
    Secret(SecretString),
}

/// Answers in the order of the class. One whose parameter does not apply, or that is optional
/// and was left out, is not among them.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    answers: IndexMap<String, Answer>,
    /// Kept answers that today's limits would refuse: name and why.
    pub outside: Vec<ProblemRow>,
}

/// Which open parameters are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// Only what has no default (`--defaults`).
    Required,
    /// All but the advanced ones.
    Usual,
    /// The advanced ones too (`--advanced`).
    Advanced,
}

/// What a Secret, and so a release record, holds at most, in bytes.
const RECORD_LIMIT: usize = 1 << 20;

/// Fills a buffer with random bytes fit for passwords.
pub type RandomBytes<'a> = dyn FnMut(&mut [u8]) + 'a;

/// All answers, or everything that is wrong.
///
/// # Errors
/// Something is missing, unknown, given twice, not allowed, or must not be given that way.
pub fn resolve(
    parameters: &[EffectiveParameter],
    given: &[Given],
    kept: &Kept,
    random: &mut RandomBytes<'_>,
) -> Result<Answers, Problems> {
    walk::settle(parameters, given, kept).into_answers(random)
}

/// What is wrong with what was given, whatever is still missing: said before anything is asked.
///
/// # Errors
/// As [`resolve`], without the missing ones.
pub fn check_given(
    parameters: &[EffectiveParameter],
    given: &[Given],
    kept: &Kept,
) -> Result<(), Problems> {
    walk::settle(parameters, given, kept).given_problems()
}

/// The next parameter to ask for: in the order of the class, applicable, not given, not fixed.
///
/// An answer at the prompt is pushed onto `given` ([`How::Typed`], or [`How::Accepted`] with
/// [`Raw::Default`] for Enter alone), and the function asked again.
pub fn next_question<'p>(
    parameters: &'p [EffectiveParameter],
    given: &[Given],
    kept: &Kept,
    asking: Asking,
) -> Option<&'p EffectiveParameter> {
    questions(parameters, given, kept, asking).next()
}

/// Whether something is open that a question is needed for: anything but secrets that svc would
/// generate, unless everything is to be asked.
pub fn is_open(
    parameters: &[EffectiveParameter],
    given: &[Given],
    kept: &Kept,
    asking: Asking,
) -> bool {
    let mut questions = questions(parameters, given, kept, asking);
    questions.any(|parameter| parameter.generate.is_none() || asking == Asking::Advanced)
}

fn questions<'p>(
    parameters: &'p [EffectiveParameter],
    given: &[Given],
    kept: &Kept,
    asking: Asking,
) -> impl Iterator<Item = &'p EffectiveParameter> {
    let settled = walk::settle(parameters, given, kept);
    let open: Vec<bool> =
        parameters.iter().map(|parameter| settled.is_open(&parameter.name)).collect();
    let asked = move |parameter: &EffectiveParameter| match asking {
        Asking::Required => parameter.required,
        Asking::Usual => parameter.required || !parameter.advanced,
        Asking::Advanced => true,
    };
    let both = parameters.iter().zip(open);
    both.filter(move |(parameter, open)| *open && asked(parameter)).map(|(parameter, _)| parameter)
}

impl Answers {
    /// The answers in the order of the class.
    pub fn iter(&self) -> impl Iterator<Item = &Answer> {
        self.answers.values()
    }

    /// The answer of a parameter.
    pub fn get(&self, name: &str) -> Option<&Answer> {
        self.answers.get(name)
    }

    /// Puts a value in the place of a default, as if it had been given.
    pub fn take_up(&mut self, name: &str, value: Value) {
        if let Some(answer) = self.answers.get_mut(name) {
            answer.value = AnswerValue::Plain(value);
            answer.origin = Origin::Given;
            answer.how = Some(How::Set);
        }
    }

    /// What the record keeps: sensitive ones without their value.
    pub fn recorded(&self) -> IndexMap<String, RecordedAnswer> {
        let recorded = |answer: &Answer| RecordedAnswer {
            value: answer.value.public_json(),
            origin: answer.origin,
        };
        self.iter().map(|answer| (answer.name.clone(), recorded(answer))).collect()
    }

    /// `params` of templates outside details: without the sensitive ones.
    pub fn public_params(&self) -> Object {
        let plain = self.iter().filter(|answer| !answer.value.is_secret());
        plain.map(|answer| (answer.name.clone(), answer.value.public_json())).collect()
    }

    /// `params` of the templates of details: with the sensitive ones, revealed.
    pub fn revealed_params(&self) -> Object {
        self.iter().map(|answer| (answer.name.clone(), answer.value.reveal_json())).collect()
    }

    /// The same command without questions: `base` and a flag for each answer that was given or
    /// accepted at a question; nothing that is generated.
    pub fn command(&self, base: CommandLine) -> CommandLine {
        base.parts(self.iter().filter_map(Answer::flag))
    }

    /// The largest answer and its bytes, where all of them together are more than a release record
    /// holds: helm keeps the values in one Secret, and no Secret holds more than a mebibyte
    /// (<https://kubernetes.io/docs/concepts/configuration/secret/#restriction-data-size>).
    pub fn too_large(&self) -> Option<(&str, usize)> {
        let size = |answer: &Answer| answer.value.reveal_json().to_string().len();
        let sizes: Vec<_> =
            self.iter().map(|answer| (answer.name.as_str(), size(answer))).collect();
        let whole: usize = sizes.iter().map(|(_, size)| size).sum();
        let largest = sizes.into_iter().max_by_key(|(_, size)| *size);
        largest.filter(|_| whole > RECORD_LIMIT)
    }

    /// Whether that command would still have a question to ask on a terminal.
    pub fn leaves_open(&self, parameters: &[EffectiveParameter]) -> bool {
        let said = self.iter().filter(|answer| answer.flag().is_some());
        let given: Vec<Given> = said.map(Answer::again).collect();
        is_open(parameters, &given, &Kept::default(), Asking::Usual)
    }
}

impl Answer {
    /// Whether nobody has named a value: it is the default, or Enter alone took it.
    pub fn is_default(&self) -> bool {
        let of_class = matches!(self.origin, Origin::ClassDefault | Origin::PlanDefault);
        of_class || self.how == Some(How::Accepted)
    }

    /// `--set storage=10Gi`; for a sensitive one the flag that keeps it off the command line.
    fn flag(&self) -> Option<String> {
        let how = self.how.as_ref()?;
        match &self.value {
            _ if self.origin == Origin::Generated => None,
            AnswerValue::Secret(_) => Some(how.secret_flag(&self.name)),
            AnswerValue::Plain(value) => Some(how.flag(&self.name, value)),
        }
    }

    /// The answer as its flag would give it.
    fn again(&self) -> Given {
        match &self.value {
            AnswerValue::Plain(value) => Given::typed(&self.name, value.to_json()),
            AnswerValue::Secret(secret) => Given::secret(&self.name, secret.clone()),
        }
    }
}

impl AnswerValue {
    /// Whether it is hidden.
    pub fn is_secret(&self) -> bool {
        matches!(self, Self::Secret(_))
    }

    /// What may be recorded and shown: `null` for a sensitive one.
    pub fn public_json(&self) -> Json {
        match self {
            Self::Plain(value) => value.to_json(),
            Self::Secret(_) => Json::Null,
        }
    }

    /// What the chart gets, with a sensitive value revealed.
    pub fn reveal_json(&self) -> Json {
        match self {
            Self::Plain(value) => value.to_json(),
            Self::Secret(secret) => Json::from(secret.expose_secret()),
        }
    }
}

#[cfg(test)]
mod tests;
