//! What `update` and `upgrade` keep of the answers that are recorded.

use std::fmt;

use indexmap::IndexMap;
use serde_json::Value as Json;

use super::super::class::{Change, Object, Parameter};
use super::super::parameter::EffectiveParameter;
use super::super::path::Path;
use super::super::record::{Origin, Record};

/// Answers of the recorded revision that `update` and `upgrade` keep. They are not held against
/// today's limits; those that move with a default are not among them.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    pub answers: IndexMap<String, KeptAnswer>,
    /// The parameters that the recorded class had; others are new. Empty for `create`.
    pub parameters: Vec<String>,
    /// Parameters that svc would generate, and does not for a service that runs.
    pub not_generated: Vec<String>,
    /// Parameters that only today's class has, which `update` does not reach.
    pub later: Vec<String>,
    /// Whether kept answers stand open to a question.
    pub asked: bool,
}

/// One answer that is kept, a sensitive one as it stands in the release's values.
#[derive(Clone)]
pub struct KeptAnswer {
    pub value: Json,
    pub origin: Origin,
    /// It was given as a secret, and stays one whatever today's class says of its parameter.
    pub secret: bool,
}

/// Which answers that nobody gave follow today's defaults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moving {
    /// None: `update`.
    Nothing,
    /// Those of the plan: `update --plan`.
    PlanDefaults,
    /// All: `upgrade`.
    Defaults,
}

impl Kept {
    /// Whether what is kept of this parameter was given as a secret.
    pub fn is_secret(&self, name: &str) -> bool {
        self.answers.get(name).is_some_and(|kept| kept.secret)
    }

    /// The answers of a record under the parameters that are to hold now, which get the present
    /// values. `config` are the values that the release was given: sensitive answers stand there
    /// alone. `complete` is false where the record was made up from today's class.
    pub fn of_record(
        record: &Record,
        config: &Object,
        complete: bool,
        parameters: &mut [EffectiveParameter],
        moving: Moving,
    ) -> Self {
        let mut kept = Self {
            parameters: record.parameters.iter().map(|known| known.name.clone()).collect(),
            ..Self::default()
        };
        let today: Vec<String> = parameters.iter().map(|known| known.name.clone()).collect();
        for parameter in parameters {
            let before = name_before(record, parameter, &today).to_owned();
            if before != parameter.name {
                kept.parameters.push(parameter.name.clone());
            }
            let answer = answer(record, config, &before);
            if let Some(answer) = &answer
                && !parameter.sensitive
                && !answer.secret
            {
                parameter.present = parameter.read_stored(&answer.value).ok();
            }
            if parameter.generate.is_some() && !may_be_generated(record, complete, &before) {
                kept.not_generated.push(parameter.name.clone());
            }
            match answer {
                Some(answer) if !moves(parameter, answer.origin, moving) => {
                    kept.answers.insert(parameter.name.clone(), answer);
                }
                _ => {}
            }
        }
        kept
    }
}

/// The name that a parameter had in the recorded class: another one that landed where it lands now
/// and is there no more was renamed.
fn name_before<'n>(
    record: &'n Record,
    parameter: &'n EffectiveParameter,
    today: &[String],
) -> &'n str {
    let first = |known: &Parameter| known.paths.first()?.parse::<Path>().ok();
    let lands_there = |known: &&Parameter| first(known).as_ref() == parameter.paths.first();
    let is_known = record.parameters.iter().any(|known| known.name == parameter.name);
    let mut gone = record.parameters.iter().filter(|known| !today.contains(&known.name));
    match gone.find(lands_there).filter(|_| !is_known) {
        Some(renamed) => &renamed.name,
        None => &parameter.name,
    }
}

/// What a parameter was answered with, a sensitive one as it was sent.
fn answer(record: &Record, config: &Object, name: &str) -> Option<KeptAnswer> {
    let recorded = record.answers.get(name)?;
    let origin = recorded.origin;
    if !recorded.value.is_null() {
        return Some(KeptAnswer { value: recorded.value.clone(), origin, secret: false });
    }
    let parameter = record.parameters.iter().find(|known| known.name == name)?;
    sent(parameter, config).map(|value| KeptAnswer { value: value.clone(), origin, secret: true })
}

/// The value that stands where a parameter lands.
pub fn sent<'a>(parameter: &Parameter, config: &'a Object) -> Option<&'a Json> {
    parameter.paths.first()?.parse::<Path>().ok()?.get(config)
}

/// A password is made for what is new to the service alone: for a parameter whose condition did
/// not hold before. Where it held, the service has a password, known to svc or not.
fn may_be_generated(record: &Record, complete: bool, name: &str) -> bool {
    let known = record.parameters.iter().find(|known| known.name == name);
    let conditional = known.is_some_and(|known| known.when.is_some());
    complete && conditional && !record.answers.contains_key(name)
}

fn moves(parameter: &EffectiveParameter, origin: Origin, moving: Moving) -> bool {
    let by_default = matches!(origin, Origin::PlanDefault | Origin::ClassDefault);
    let follows = match moving {
        Moving::Nothing => false,
        Moving::PlanDefaults => parameter.default_by_plan || origin == Origin::PlanDefault,
        Moving::Defaults => true,
    };
    by_default && follows && parameter.may_follow_default()
}

impl KeptAnswer {
    /// Whether what the plan fixes is out of its reach.
    pub(super) fn cannot_follow(&self, parameter: &EffectiveParameter) -> bool {
        parameter.fixed && parameter.change != Change::Allowed && !parameter.may_follow_default()
    }
}

impl fmt::Debug for KeptAnswer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("KeptAnswer")
            .field("value", &"***")
            .field("origin", &self.origin)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::super::example;
    use super::super::super::record::{RecordedAnswer, RecordedChart};
    use super::*;

    fn record() -> Record {
        let chart = RecordedChart {
            name: "postgresql".into(),
            version: "16.2.1".into(),
            source: None,
            digest: String::new(),
        };
        let mut record = Record::of(&example::class(), String::new(), chart);
        let answers = [
            ("database", json!("orders"), Origin::Given),
            ("storage", json!("1Gi"), Origin::PlanDefault),
            ("mode", json!("standalone"), Origin::ClassDefault),
            ("metrics", json!(true), Origin::Given),
            ("admin-password", Json::Null, Origin::Generated),
            ("max-connections", json!(90), Origin::ClassDefault),
        ];
        for (name, value, origin) in answers {
            record.answers.insert(name.into(), RecordedAnswer { value, origin });
        }
        record
    }

    fn kept(plan: &str, moving: Moving, config: Json) -> Kept {
        let config = config.as_object().unwrap().clone();
        Kept::of_record(&record(), &config, true, &mut example::parameters(plan), moving)
    }

    fn names(kept: &Kept) -> Vec<&str> {
        kept.answers.keys().map(String::as_str).collect()
    }

    #[test]
    fn a_secret_is_kept_as_it_was_sent_and_never_made_again() {
        let sent = json!({"auth": {"password": "old secret"}});
        let all = kept("small", Moving::Nothing, sent);
        assert_eq!(all.answers["admin-password"].value, "old secret");
        assert_eq!(all.not_generated, ["admin-password"]);
        assert_eq!(all.answers.len(), 6);
        let lost = kept("small", Moving::Nothing, json!({}));
        assert!(!lost.answers.contains_key("admin-password"));
        assert_eq!(lost.not_generated, ["admin-password"]);
    }

    #[test]
    fn a_parameter_under_another_name_keeps_what_was_given_to_it() {
        let mut parameters = example::parameters("small");
        for (name, renamed) in [("database", "db"), ("admin-password", "admin")] {
            let found = parameters.iter_mut().find(|known| known.name == name).unwrap();
            found.name = renamed.to_owned();
        }
        let config = json!({"auth": {"password": "old secret"}});
        let config = config.as_object().unwrap();
        let kept = Kept::of_record(&record(), config, true, &mut parameters, Moving::Defaults);
        assert_eq!(kept.answers["db"].value, "orders");
        assert!(kept.answers["admin"].secret && kept.answers["admin"].value == "old secret");
        assert_eq!(kept.not_generated, ["admin"]);
        assert!(kept.parameters.contains(&"db".to_owned()), "it is not new");
        let database = parameters.iter().find(|known| known.name == "db").unwrap();
        assert!(database.present.is_some(), "what it may change to hangs on what it is");
    }

    #[test]
    fn defaults_move_where_the_value_may_go_there() {
        let upgraded = kept("small", Moving::Defaults, json!({}));
        assert_eq!(names(&upgraded), ["database", "metrics"]);
        let moved = kept("medium", Moving::PlanDefaults, json!({}));
        assert_eq!(
            names(&moved),
            ["database", "storage", "mode", "metrics", "max-connections"],
            "storage never changes"
        );
        let large = kept("large", Moving::PlanDefaults, json!({}));
        assert!(!names(&large).contains(&"mode"), "the plan fixes it");
    }
}
