//! Deciding, parameter by parameter in the order of the class, what its answer is.

mod later;
mod near;

use std::collections::HashMap;

use secrecy::ExposeSecret;

use super::super::class::Change;
use super::super::limits::Limits;
use super::super::parameter::{EffectiveParameter, Problem};
use super::super::record::Origin;
use super::super::value::Value;
use super::given::placeholder;
use super::settle::{Settled, State, hidden};
use super::{Answer, AnswerValue, Given, How, Kept, ProblemRow, Raw};

/// Settles everything, collecting what is wrong.
pub(super) fn settle<'a>(
    parameters: &'a [EffectiveParameter],
    given: &'a [Given],
    kept: &'a Kept,
) -> Settled<'a> {
    let mut walk =
        Walk { parameters, given, kept, texts: HashMap::new(), settled: Settled::default() };
    walk.strangers();
    for parameter in parameters {
        let state = walk.state(parameter);
        walk.remember(parameter, &state);
        walk.settled.states.push((parameter, state));
    }
    walk.settled.wrong.sort_by_key(|(position, _)| *position);
    walk.settled
}

struct Walk<'a> {
    parameters: &'a [EffectiveParameter],
    given: &'a [Given],
    kept: &'a Kept,
    /// The texts of earlier answers, which conditions are held against.
    texts: HashMap<&'a str, Known>,
    settled: Settled<'a>,
}

struct Known {
    text: Option<String>,
    /// It was given wrongly: the text is only what would be right.
    doubtful: bool,
}

/// Whether the condition of a parameter holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Applies {
    Yes,
    No,
    /// It hangs on an answer that is wrong; it would hold with the right one, or not.
    Unclear {
        with_nearest: bool,
    },
}

impl<'a> Walk<'a> {
    /// Names that no parameter has, and parameters that two flags give.
    fn strangers(&mut self) {
        for (position, given) in self.given.iter().enumerate() {
            if !self.parameters.iter().any(|parameter| parameter.name == given.name) {
                self.wrong(position, &given.name, self.stranger(&given.name));
            } else if given.how.is_flag() && self.flags_before(position) == 1 {
                self.wrong(position, &given.name, "given twice".to_owned());
            }
        }
    }

    fn stranger(&self, name: &str) -> String {
        match self.meant(name) {
            _ if self.kept.later.iter().any(|later| later == name) => {
                "the class has it now; an upgrade brings it".to_owned()
            }
            Some(name) => format!("no such parameter; did you mean {name}?"),
            None => "no such parameter".to_owned(),
        }
    }

    fn flags_before(&self, position: usize) -> usize {
        let name = &self.given[position].name;
        let same = |given: &&Given| given.how.is_flag() && given.name == *name;
        self.given[..position].iter().filter(same).count()
    }

    fn wrong(&mut self, position: usize, name: &str, message: String) {
        self.settled.wrong.push((position, ProblemRow { name: name.to_owned(), message }));
    }

    fn state(&mut self, parameter: &'a EffectiveParameter) -> State {
        let given = self.given_for(parameter);
        let applies = self.applies(parameter);
        match (given, applies) {
            (Some((position, _)), Applies::No) => {
                let when = parameter.condition().unwrap_or_default();
                self.wrong(position, &parameter.name, format!("applies only when {when}"));
                State::NotApplicable
            }
            (None, Applies::No | Applies::Unclear { .. }) => State::NotApplicable,
            (Some((position, given)), Applies::Unclear { with_nearest: false }) => {
                self.given_state(parameter, position, given);
                State::NotApplicable
            }
            (Some((position, given)), _) => self.given_state(parameter, position, given),
            (None, Applies::Yes) => {
                self.meant_state(parameter).unwrap_or_else(|| self.open_state(parameter))
            }
        }
    }

    fn given_for(&self, parameter: &EffectiveParameter) -> Option<(usize, &'a Given)> {
        let own = self.given.iter().enumerate().filter(|(_, given)| given.name == parameter.name);
        own.min_by_key(|(_, given)| given.how.rank())
    }

    fn applies(&self, parameter: &EffectiveParameter) -> Applies {
        let Some(when) = &parameter.when else { return Applies::Yes };
        let holds =
            |text: &Option<String>| text.as_ref().is_some_and(|text| when.any_of.contains(text));
        match self.texts.get(when.parameter.as_str()) {
            Some(known) if known.doubtful => Applies::Unclear { with_nearest: holds(&known.text) },
            Some(known) if holds(&known.text) => Applies::Yes,
            _ => Applies::No,
        }
    }

    fn remember(&mut self, parameter: &'a EffectiveParameter, state: &State) {
        let known = match state {
            State::Answered { answer: Answer { value: AnswerValue::Plain(value), .. }, .. } => {
                Known { text: Some(value.set_text()), doubtful: false }
            }
            State::Wrong { text, .. } => Known { text: text.clone(), doubtful: true },
            State::Missing { .. } => Known { text: None, doubtful: true },
            _ => return,
        };
        self.texts.insert(&parameter.name, known);
    }

    fn given_state(
        &mut self,
        parameter: &EffectiveParameter,
        position: usize,
        given: &Given,
    ) -> State {
        let Some(read) = read(parameter, &given.raw) else {
            return self.without_value(parameter, position, given);
        };
        if parameter.sensitive && given.how == How::Set && !parameter.fixed {
            let kept = self.kept.answers.contains_key(&parameter.name);
            let message = on_command_line(parameter, kept);
            self.wrong(position, &parameter.name, message);
            let flag = parameter.required.then(|| given.how.secret_flag(&parameter.name));
            return State::Wrong { flag, text: None };
        }
        if let Some(kept) = self.same_secret(parameter, given) {
            return self.kept_state(parameter, kept, false);
        }
        let read = match read {
            Ok(value) if parameter.fixed => match fixed(parameter, &value) {
                None => return self.default_state(parameter, None),
                Some(message) => Err((message, None)),
            },
            Err(_) if parameter.fixed => Err((fixed_message(parameter), None)),
            Ok(value) if self.is_another_secret(parameter, &value) => {
                Err((parameter.cannot_change(), None))
            }
            // What means the same stays as it is written.
            Ok(value) => Ok(parameter.present.clone().filter(|now| *now == value).unwrap_or(value)),
            Err(problem) => Err((problem.on_command_line(), problem.nearest().cloned())),
        };
        match read {
            Ok(value) => State::Answered {
                answer: Answer {
                    name: parameter.name.clone(),
                    value: hidden(&self.as_secret(parameter), value),
                    origin: Origin::Given,
                    how: Some(given.how.clone()),
                },
                open: false,
            },
            Err((message, nearest)) => {
                self.wrong(position, &parameter.name, message);
                wrong_state(parameter, given, nearest)
            }
        }
    }

    /// Nothing was given: kept, default, generated, missing, or left out.
    fn open_state(&mut self, parameter: &EffectiveParameter) -> State {
        match self.kept.answers.get(&parameter.name) {
            Some(kept) if !parameter.fixed || kept.cannot_follow(parameter) => {
                let open = self.kept.asked && parameter.change != Change::Never;
                self.kept_state(parameter, kept, open && !parameter.fixed)
            }
            _ => self.default_state(parameter, None),
        }
    }

    fn default_state(&mut self, parameter: &EffectiveParameter, how: Option<How>) -> State {
        let open = how.is_none() && !parameter.fixed;
        if let Some(default) = &parameter.default {
            let origin = if parameter.default_by_plan || parameter.fixed {
                Origin::PlanDefault
            } else {
                Origin::ClassDefault
            };
            let value = hidden(parameter, default.clone());
            let answer = Answer { name: parameter.name.clone(), value, origin, how };
            return State::Answered { answer, open };
        }
        let is_generated = parameter.generate.is_some();
        if is_generated && !self.kept.not_generated.contains(&parameter.name) {
            return State::Generated { how };
        }
        if !parameter.required {
            return State::LeftOut { open };
        }
        self.missing(parameter)
    }

    fn missing(&mut self, parameter: &EffectiveParameter) -> State {
        let known = &self.kept.parameters;
        let new = !known.is_empty() && !known.contains(&parameter.name);
        let missing = if new { "missing, new in the class" } else { "missing" };
        let message = format!("{missing}: {}", parameter.wanted());
        self.settled.missing.push(ProblemRow { name: parameter.name.clone(), message });
        let named = self.near(parameter).is_some();
        State::Missing { flag: self.missing_flag(parameter), named }
    }
}

/// The value that was given; nothing where the default was.
fn read(parameter: &EffectiveParameter, raw: &Raw) -> Option<Result<Value, Problem>> {
    match raw {
        Raw::Text(text) => Some(parameter.parse(text.expose_secret())),
        Raw::Typed(value) => Some(parameter.parse_typed(value)),
        Raw::Bare { written, read } => Some(parameter.parse_bare(written, read)),
        Raw::Default => None,
    }
}

fn wrong_state(parameter: &EffectiveParameter, given: &Given, nearest: Option<Value>) -> State {
    let text = nearest.as_ref().map(Value::set_text);
    let flag = if parameter.fixed {
        None
    } else if parameter.sensitive {
        Some(given.how.secret_flag(&parameter.name))
    } else {
        Some(flag(parameter, nearest))
    };
    State::Wrong { flag, text }
}

fn flag(parameter: &EffectiveParameter, value: Option<Value>) -> String {
    match value {
        Some(value) => How::Set.flag(&parameter.name, &value),
        None if matches!(parameter.limits, Limits::List(_)) => {
            How::Set.flag(&parameter.name, &Value::List(vec![placeholder(&parameter.name)]))
        }
        None => format!("--set {}={}", parameter.name, placeholder(&parameter.name)),
    }
}

fn fixed(parameter: &EffectiveParameter, value: &Value) -> Option<String> {
    (parameter.default.as_ref() != Some(value)).then(|| fixed_message(parameter))
}

fn fixed_message(parameter: &EffectiveParameter) -> String {
    let plan = parameter.plan.as_deref().unwrap_or_default();
    format!("fixed to {} in plan {plan}", parameter.default_text())
}

fn on_command_line(parameter: &EffectiveParameter, kept: bool) -> String {
    let otherwise = match parameter.generate {
        _ if kept => "leave it out to keep it, or use --set-env or --set-file",
        Some(_) => "leave it out to have it generated, or use --set-env or --set-file",
        None => "use --set-env or --set-file",
    };
    format!("sensitive: not on the command line; {otherwise}")
}
