//! What `update` and `upgrade` add: answers that are kept, or go back to the default.

use std::borrow::Cow;

use secrecy::ExposeSecret;

use super::super::super::class::Change;
use super::super::super::parameter::EffectiveParameter;
use super::super::super::value::Value;
use super::super::settle::{State, hidden};
use super::super::{Answer, Given, How, KeptAnswer, ProblemRow, Raw};
use super::{Walk, fixed};

impl<'a> Walk<'a> {
    /// Enter alone at a question, or `--unset`.
    pub(super) fn without_value(
        &mut self,
        parameter: &EffectiveParameter,
        position: usize,
        given: &Given,
    ) -> State {
        if given.how != How::Unset {
            return match self.kept.answers.get(&parameter.name) {
                Some(kept) => self.kept_state(parameter, kept, false),
                None => self.default_state(parameter, Some(given.how.clone())),
            };
        }
        let refused = match &parameter.default {
            Some(default) => parameter.check(default).err().map(|wrong| wrong.on_command_line()),
            None if parameter.generate.is_some() => Some(
                "was generated; a service that runs keeps it, or gets another by --set-env"
                    .to_owned(),
            ),
            None if parameter.required => Some("has no default".to_owned()),
            None if parameter.change == Change::Never => Some(parameter.cannot_change()),
            None => None,
        };
        let Some(refused) = refused else {
            return self.default_state(parameter, Some(given.how.clone()));
        };
        self.wrong(position, &parameter.name, refused);
        State::Wrong { flag: None, text: None }
    }

    /// The kept secret, where it was given again.
    pub(super) fn same_secret(
        &self,
        parameter: &EffectiveParameter,
        given: &Given,
    ) -> Option<&'a KeptAnswer> {
        let kept = self.kept.answers.get(&parameter.name)?;
        let Raw::Text(text) = &given.raw else { return None };
        let same = kept.value.as_str() == Some(text.expose_secret());
        (same && (parameter.sensitive || kept.secret)).then_some(kept)
    }

    /// A secret that cannot change, given anew.
    pub(super) fn is_another_secret(&self, parameter: &EffectiveParameter, value: &Value) -> bool {
        let Some(kept) = self.kept.answers.get(&parameter.name) else { return false };
        (parameter.sensitive || kept.secret)
            && parameter.change == Change::Never
            && kept.value != value.to_json()
    }

    /// The parameter, sensitive where what is kept of it is a secret.
    pub(super) fn as_secret<'p>(
        &self,
        parameter: &'p EffectiveParameter,
    ) -> Cow<'p, EffectiveParameter> {
        if parameter.sensitive || !self.kept.is_secret(&parameter.name) {
            return Cow::Borrowed(parameter);
        }
        Cow::Owned(EffectiveParameter { sensitive: true, ..parameter.clone() })
    }

    /// The answer stays, whatever today's limits say.
    pub(super) fn kept_state(
        &mut self,
        parameter: &EffectiveParameter,
        kept: &KeptAnswer,
        open: bool,
    ) -> State {
        let parameter = &self.as_secret(parameter);
        let value = match parameter.read_stored(&kept.value) {
            Ok(value) => value,
            // The class changed its kind: the old value means nothing any more.
            Err(_) => return self.default_state(parameter, None),
        };
        let outside = match parameter.check_limits(&value) {
            Err(problem) => Some(problem.on_command_line()),
            Ok(()) if parameter.fixed => fixed(parameter, &value),
            Ok(()) => None,
        };
        if let Some(message) = outside {
            self.settled.outside.push(ProblemRow { name: parameter.name.clone(), message });
        }
        let value = hidden(parameter, value);
        let origin = kept.origin;
        let answer = Answer { name: parameter.name.clone(), value, origin, how: None };
        State::Answered { answer, open }
    }
}
