//! What flags and the answers file say of a new instance, read once (interface §1.2).

use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::cli::Create;
use crate::commands::given::{self, Reader};
use crate::context::Context;
use crate::domain::answers::Given;
use crate::domain::class::Class;
use crate::domain::command_line::quote;
use crate::error::{Error, Result};

/// Everything that was said without being asked.
#[derive(Clone, Debug, Default)]
pub struct Request {
    pub name: Option<String>,
    pub class: Option<String>,
    pub plan: Option<String>,
    pub given: Vec<Given>,
}

/// The file of `--answers`; unknown keys are errors.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswersFile {
    class: Option<String>,
    plan: Option<String>,
    #[serde(default)]
    parameters: Map<String, Value>,
}

impl Request {
    /// Reads flags, environment and files; flags win over the file.
    ///
    /// # Errors
    /// Everything that cannot be read, at once.
    pub fn read(args: &Create, context: &Context) -> Result<Self> {
        let mut reader = Reader::new(context);
        let file = match &args.answers {
            Some(path) => answers_file(&mut reader, path)?,
            None => AnswersFile::default(),
        };
        let mut given = reader.values(&args.values);
        let typed = file.parameters.into_iter().map(|(name, value)| Given::typed(name, value));
        given.extend(typed);
        reader.finish()?;
        Ok(Self {
            name: args.name.clone(),
            class: args.class.clone().or(file.class),
            plan: args.plan.clone().or(file.plan),
            given,
        })
    }
}

/// Plan, file and parameters as they were typed, for commands to paste.
pub fn typed(args: &Create, class: &Class) -> Vec<String> {
    let plan = args.plan.as_deref().map(|plan| format!("--plan {}", quote(plan)));
    let file = args.answers.as_deref().and_then(Path::to_str);
    let file = file.map(|file| format!("--answers {}", quote(file)));
    plan.into_iter().chain(file).chain(given::typed(&args.values, class)).collect()
}

fn answers_file(reader: &mut Reader<'_>, path: &Path) -> Result<AnswersFile> {
    let refused = |reason: String| Error::usage(format!("the answers cannot be read: {reason}"));
    let text = reader.content(path, "--answers").map_err(refused)?;
    serde_yaml::from_str(&text).map_err(|error| {
        let reason = error.to_string();
        let reason = reason.lines().next().unwrap_or_default().to_owned();
        refused(format!("{}: {reason}", path.display()))
            .advise("It has class, plan and parameters.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_typed_is_repeated_but_for_secrets_and_strangers() {
        let class = crate::domain::example::class();
        let mut args = Create { plan: Some("small".to_owned()), ..Create::default() };
        args.values.set = ["database=my db", "admin-password=hunter2", "strage=1Gi", "storage"]
            .map(str::to_owned)
            .to_vec();
        args.values.set_env = vec!["admin-password=ADMIN_PW".to_owned()];
        assert_eq!(
            typed(&args, &class),
            ["--plan small", "--set 'database=my db'", "--set-env admin-password=ADMIN_PW"]
        );
    }

    #[test]
    fn an_answers_file_has_no_other_keys() {
        let read = |text: &str| serde_yaml::from_str::<AnswersFile>(text);
        let file = read("class: postgres\nparameters: {storage: 2Gi, metrics: true}").unwrap();
        assert_eq!(file.class.as_deref(), Some("postgres"));
        assert_eq!(file.parameters["metrics"], Value::Bool(true));
        assert!(read("klass: postgres").is_err());
    }
}
