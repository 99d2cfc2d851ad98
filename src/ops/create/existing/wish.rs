//! What is wanted where something is in the way, and the commands that lead on.

use super::super::same::Difference;
use crate::domain::answers::Given;
use crate::domain::class::Class;
use crate::domain::command_line::CommandLine;
use crate::domain::name::InstanceName;
use crate::error::Error;

/// What is wanted, as far as commands to paste repeat it.
#[derive(Clone, Copy, Debug)]
pub struct Wish<'a> {
    pub class: &'a Class,
    pub name: &'a InstanceName,
    /// `--set database=orders`: flags as they were typed, quoted.
    pub typed: &'a [String],
    /// The plan that was asked for.
    pub plan: Option<&'a str>,
    /// What was given for parameters.
    pub given: &'a [Given],
    /// Whether it was said what becomes of volumes that are left.
    pub answers_for_volumes: bool,
}

impl Wish<'_> {
    /// `create mydb-2 --class postgres --set database=orders`
    pub(super) fn create(&self, name: &str, class_flag: &str, more: &[String]) -> String {
        let start = CommandLine::new(format!("create {name}")).flag(class_flag, &self.class.name);
        start.parts(self.typed.iter().chain(more).cloned()).line()
    }

    pub(super) fn beside(&self) -> String {
        self.create(&next_name(self.class, self.name), "--class", &[])
    }

    /// The ways on beside an instance of the same class, which is different in these.
    pub fn ways_on(&self, error: Error, differences: &[Difference]) -> Error {
        let name = self.name.as_str();
        let error = self.beside_it(error);
        let flags: Vec<String> = differences.iter().filter_map(|one| one.flag.clone()).collect();
        let what = match flags.len() == differences.len() {
            true => "make it so",
            false => "change what can change",
        };
        match (differences.is_empty(), flags.is_empty()) {
            (true, _) => {
                let accepted = self.create(name, "-c", &["--if-not-exists".to_owned()]);
                error.try_for(accepted, "accept it, in scripts")
            }
            (false, true) => error,
            (false, false) => {
                let update = CommandLine::new(format!("update {name}")).parts(flags);
                error.try_for(update.line(), what)
            }
        }
    }

    pub(super) fn beside_it(&self, error: Error) -> Error {
        error
            .try_for(format!("show {}", self.name), "connect to it")
            .try_for(self.beside(), "make another")
    }

    /// The name with its class behind it: `create mydb-redis --class redis`.
    pub fn with_class_in_name(&self) -> String {
        let limit = self.class.spec.instance_name.max_length;
        let beside = self.name.with_suffix(&self.class.name, limit);
        let beside = beside.map_or_else(|| "NAME".to_owned(), |name| name.to_string());
        self.create(&beside, "--class", &[])
    }

    /// The secrets that the old data keeps, where nobody has given them.
    pub(super) fn old_secrets(&self) -> Vec<String> {
        let given = |name: &str| self.typed.iter().any(|flag| flag.contains(&format!(" {name}=")));
        let secrets = self.class.spec.parameters.iter().filter(|known| known.sensitive);
        let secrets: Vec<_> = secrets.filter(|secret| !given(&secret.name)).collect();
        let variable = |name: &str| match secrets.len() {
            1 => "OLD_PW".to_owned(),
            _ => format!("OLD_{}", name.to_uppercase().replace('-', "_")),
        };
        let flag = |name: &str| format!("--set-env {name}={}", variable(name));
        secrets.iter().map(|secret| flag(&secret.name)).collect()
    }
}

fn next_name(class: &Class, name: &InstanceName) -> String {
    let length = class.spec.instance_name.max_length;
    let next = InstanceName::first_free(name.as_str(), length, |taken| taken == name.as_str());
    next.map_or_else(|| "NAME".to_owned(), |name| name.to_string())
}
