//! What was given under a name that is near to that of a parameter.

use super::super::super::parameter::EffectiveParameter;
use super::super::super::suggest::nearest;
use super::super::super::value::Value;
use super::super::How;
use super::super::settle::State;
use super::{Walk, flag, read};

impl<'a> Walk<'a> {
    /// The parameter that a wrong name stands for: one that lands at that path, or a near name.
    pub(super) fn meant(&self, name: &str) -> Option<&'a str> {
        if self.kept.later.iter().any(|later| later == name) {
            return None;
        }
        let by_path = self
            .parameters
            .iter()
            .find(|parameter| parameter.paths.iter().any(|path| path.to_string() == name));
        let names = self.parameters.iter().map(|parameter| parameter.name.as_str());
        by_path.map(|parameter| parameter.name.as_str()).or_else(|| nearest(name, names))
    }

    /// Nothing was given under its name, but something that is right under a name near to it.
    pub(super) fn meant_state(&self, parameter: &EffectiveParameter) -> Option<State> {
        let parameter = &*self.as_secret(parameter);
        let is_kept = self.kept.answers.contains_key(&parameter.name);
        if parameter.fixed || (parameter.required && !is_kept) {
            return None;
        }
        let (how, value) = self.near(parameter)?;
        let flag = match how {
            How::Set | How::AnswersFile if parameter.sensitive => None,
            _ => Some(flag_again(parameter, how, &value)),
        };
        Some(State::Wrong { flag, text: Some(value.set_text()) })
    }

    /// What was given under a name near to this one, where it is right.
    pub(super) fn near(&self, parameter: &EffectiveParameter) -> Option<(&'a How, Value)> {
        let known = |name: &str| self.parameters.iter().any(|known| known.name == name);
        self.given.iter().filter(|given| !known(&given.name)).find_map(|given| {
            let meant = self.meant(&given.name) == Some(parameter.name.as_str());
            let value = match read(parameter, &given.raw).filter(|_| meant) {
                Some(value) => value.ok()?,
                None if given.how == How::Unset => parameter.default.clone()?,
                None => return None,
            };
            (meant && parameter.check(&value).is_ok()).then_some((&given.how, value))
        })
    }

    /// What was given under a name near to this one, else the first choice, else capitals.
    pub(super) fn missing_flag(&self, parameter: &EffectiveParameter) -> String {
        match self.near(parameter) {
            Some((how, value)) => flag_again(parameter, how, &value),
            None if parameter.sensitive => How::Set.secret_flag(&parameter.name),
            None => flag(parameter, parameter.limits.choices().into_iter().next()),
        }
    }
}

/// The flag that gives this value as it was given; a secret without its value.
fn flag_again(parameter: &EffectiveParameter, how: &How, value: &Value) -> String {
    match parameter.sensitive {
        true => how.secret_flag(&parameter.name),
        false => how.flag(&parameter.name, value),
    }
}
