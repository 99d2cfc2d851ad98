//! How it stands with every parameter, and the answers or problems that come of it.

use secrecy::SecretString;

use super::super::generate::generate;
use super::super::parameter::EffectiveParameter;
use super::super::record::Origin;
use super::super::value::Value;
use super::problems::Flag;
use super::{Answer, AnswerValue, Answers, How, ProblemRow, Problems, RandomBytes};

/// How it stands with every parameter.
#[derive(Default)]
pub(super) struct Settled<'a> {
    pub(super) states: Vec<(&'a EffectiveParameter, State)>,
    pub(super) missing: Vec<ProblemRow>,
    /// With the position in what was given.
    pub(super) wrong: Vec<(usize, ProblemRow)>,
    pub(super) outside: Vec<ProblemRow>,
}

/// How it stands with one parameter.
pub(super) enum State {
    /// It was given, accepted, kept, or has a default that stands open to a question.
    Answered { answer: Answer, open: bool },
    /// It is made at the end.
    Generated { how: Option<How> },
    /// It was given wrongly; this flag would be right.
    Wrong { flag: Option<String>, text: Option<String> },
    /// It is required and not there; `named`: a near name gave it.
    Missing { flag: String, named: bool },
    /// It is optional and not there.
    LeftOut { open: bool },
    /// Its condition does not hold, or it hangs on something that is wrong.
    NotApplicable,
}

impl Settled<'_> {
    /// Whether a question could still change the answer.
    pub(super) fn is_open(&self, name: &str) -> bool {
        self.states.iter().any(|(parameter, state)| {
            parameter.name == name
                && match state {
                    State::Answered { open, .. } | State::LeftOut { open } => *open,
                    State::Generated { how } => how.is_none(),
                    State::Missing { .. } => true,
                    State::Wrong { .. } | State::NotApplicable => false,
                }
        })
    }

    /// What is wrong with what was given.
    pub(super) fn given_problems(mut self) -> Result<(), Problems> {
        self.missing.clear();
        self.problems()
    }

    fn problems(&mut self) -> Result<(), Problems> {
        let mut rows = std::mem::take(&mut self.missing);
        rows.extend(std::mem::take(&mut self.wrong).into_iter().map(|(_, row)| row));
        if rows.is_empty() {
            return Ok(());
        }
        let flag = |state: &State| match state {
            State::Answered { answer, .. } => answer.flag().map(Flag::given),
            State::Wrong { flag, .. } => flag.clone().map(Flag::given),
            State::Missing { flag, named } => Some(Flag { text: flag.clone(), given: *named }),
            State::Generated { .. } | State::LeftOut { .. } | State::NotApplicable => None,
        };
        let flags = self.states.iter().filter_map(|(_, state)| flag(state)).collect();
        Err(Problems { rows, flags })
    }

    /// The answers, with the generated ones made.
    pub(super) fn into_answers(
        mut self,
        random: &mut RandomBytes<'_>,
    ) -> Result<Answers, Problems> {
        self.problems()?;
        let mut answers = Answers { outside: self.outside, ..Answers::default() };
        for (parameter, state) in self.states {
            let answer = match state {
                State::Answered { answer, .. } => answer,
                State::Generated { how } => generated(parameter, how, random)?,
                _ => continue,
            };
            answers.answers.insert(answer.name.clone(), answer);
        }
        Ok(answers)
    }
}

fn generated(
    parameter: &EffectiveParameter,
    how: Option<How>,
    random: &mut RandomBytes<'_>,
) -> Result<Answer, Problems> {
    let value = generate(parameter, random).map_err(|message| Problems {
        rows: vec![ProblemRow { name: parameter.name.clone(), message }],
        flags: Vec::new(),
    })?;
    let name = parameter.name.clone();
    let value = hidden(parameter, value);
    Ok(Answer { name, value, origin: Origin::Generated, how })
}

/// The value, hidden where the parameter is sensitive.
pub(super) fn hidden(parameter: &EffectiveParameter, value: Value) -> AnswerValue {
    match value {
        Value::String(text) if parameter.sensitive => AnswerValue::Secret(SecretString::from(text)),
        value => AnswerValue::Plain(value),
    }
}
