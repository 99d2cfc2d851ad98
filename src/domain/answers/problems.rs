//! Everything that is wrong with the answers, at once, and the command that would be right.

use super::super::command_line::CommandLine;

/// One parameter and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProblemRow {
    pub name: String,
    pub message: String,
}

/// All that is wrong: the missing ones first, then the rest in the order it was given.
#[derive(Clone, Debug, PartialEq, Eq, Default, thiserror::Error)]
#[error("{} to put right", counted(rows.len()))]
pub struct Problems {
    pub rows: Vec<ProblemRow>,
    /// The parts of the command to paste, in the order of the class.
    pub(super) flags: Vec<Flag>,
}

/// A part of the command to paste.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Flag {
    pub(super) text: String,
    /// It says what was given, or the nearest to it; else it stands for what is missing.
    pub(super) given: bool,
}

impl Flag {
    pub(super) fn given(text: String) -> Self {
        Self { text, given: true }
    }
}

impl Problems {
    /// `5 parameters to put right for mydb (postgres, plan small)`.
    pub fn headline(&self, instance: &str, class: &str, plan: Option<&str>) -> String {
        let plan = plan.map(|plan| format!(", plan {plan}")).unwrap_or_default();
        format!("{self} for {instance} ({class}{plan})")
    }

    /// The command to paste: `base`, what was right, and the nearest allowed value for what was
    /// wrong; capitals stand for what only the reader knows.
    pub fn command(&self, base: CommandLine) -> CommandLine {
        base.parts(self.flags.iter().map(|flag| flag.text.clone()))
    }

    /// The same without what is missing, as a part of another command.
    pub fn given(&self) -> impl Iterator<Item = String> + '_ {
        self.flags.iter().filter(|flag| flag.given).map(|flag| flag.text.clone())
    }
}

fn counted(count: usize) -> String {
    if count == 1 { "1 parameter".to_owned() } else { format!("{count} parameters") }
}
