//! Parameters as flags, environment and files say them, read once (interface §1.2).

use std::path::Path;

use crate::cli::Values;
use crate::commands::text_file::{self, Unread};
use crate::context::Context;
use crate::domain::answers::{Given, How, placeholder};
use crate::domain::class::Class;
use crate::domain::command_line::quote;
use crate::error::{Error, Fact, Result, cause_words};

/// The flags as they were typed, for commands to paste: without a secret that stands on the
/// command line, and without parameters that the class has not. Where the class is not known, any
/// value on the command line may be a secret: its name in capitals stands for it.
pub fn typed<'a>(
    values: &'a Values,
    class: Option<&'a Class>,
) -> impl Iterator<Item = String> + 'a {
    typed_of(values, class, |_| true)
}

/// The same of some parameters, by their names.
pub fn typed_of<'a>(
    values: &'a Values,
    class: Option<&'a Class>,
    is_meant: impl Fn(&str) -> bool + Copy + 'a,
) -> impl Iterator<Item = String> + 'a {
    let flags = [("--set", &values.set), ("--set-env", &values.set_env)];
    let flags = flags.into_iter().chain([("--set-file", &values.set_file)]);
    flags.flat_map(move |(flag, assignments)| {
        let name = |text: &str| text.split('=').next().unwrap_or_default().to_owned();
        let meant = assignments.iter().filter(move |text| is_meant(&name(text)));
        let kept = meant.filter_map(move |text| repeated(flag, text, class));
        kept.map(move |text| format!("{flag} {}", quote(&text)))
    })
}

fn repeated(flag: &str, assignment: &str, class: Option<&Class>) -> Option<String> {
    let (name, _) = assignment.split_once('=')?;
    let Some(class) = class else {
        return Some(match flag {
            "--set" => format!("{name}={}", placeholder(name)),
            _ => assignment.to_owned(),
        });
    };
    let known = class.spec.parameters.iter().find(|known| known.name == name)?;
    (flag != "--set" || !known.sensitive).then(|| assignment.to_owned())
}

/// Reads flags, environment and files, and collects what cannot be read.
pub struct Reader<'a> {
    /// Who reads stdin: it can be read once.
    stdin: Option<String>,
    wrong: Vec<Fact>,
    context: &'a Context,
}

impl<'a> Reader<'a> {
    pub fn new(context: &'a Context) -> Self {
        Self { stdin: None, wrong: Vec::new(), context }
    }

    /// Every parameter that a flag gives.
    pub fn values(&mut self, values: &Values) -> Vec<Given> {
        let mut given: Vec<Given> = Vec::new();
        for assignment in &values.set {
            given.extend(self.set(assignment));
        }
        for assignment in &values.set_env {
            given.extend(self.set_env(assignment));
        }
        for assignment in &values.set_file {
            given.extend(self.set_file(assignment));
        }
        given
    }

    fn set(&mut self, assignment: &str) -> Option<Given> {
        let (name, value) = self.split("--set", assignment, "VALUE")?;
        Some(Given::text(name, value, How::Set))
    }

    fn set_env(&mut self, assignment: &str) -> Option<Given> {
        let (name, variable) = self.split("--set-env", assignment, "VAR")?;
        let value = self.context.process.env.get(std::ffi::OsStr::new(variable));
        match value.map(|value| value.to_str()) {
            Some(Some(text)) => Some(Given::text(name, text, How::SetEnv(variable.to_owned()))),
            Some(None) => self.refuse(name, format!("variable {variable} is not UTF-8")),
            None => self.refuse(name, format!("variable {variable} is not set")),
        }
    }

    fn set_file(&mut self, assignment: &str) -> Option<Given> {
        let (name, path) = self.split("--set-file", assignment, "PATH")?;
        match self.content(Path::new(path), name) {
            Ok(text) => {
                let text = without_only_line_break(&text);
                Some(Given::text(name, text, How::SetFile(path.to_owned())))
            }
            Err(reason) => self.refuse(name, reason),
        }
    }

    /// Cut at the first `=`; the rest is the value as it is.
    fn split<'t>(&mut self, flag: &str, text: &'t str, value: &str) -> Option<(&'t str, &'t str)> {
        match text.split_once('=') {
            Some(("", _)) => self.refuse(flag, format!("has no name: {text}")),
            Some(parts) => Some(parts),
            None => self.refuse(text, format!("has no value: {flag} {text}={value}")),
        }
    }

    fn refuse<T>(&mut self, name: &str, reason: String) -> Option<T> {
        self.wrong.push(Fact { name: name.to_owned(), value: reason });
        None
    }

    /// The text of a file or of stdin; `reader` is who reads it.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn content(&mut self, path: &Path, reader: &str) -> Result<String, String> {
        let stdin = path == Path::new("-");
        if stdin {
            self.take_stdin(reader)?;
        }
        text_file::read(path).map_err(|unread| match unread {
            Unread::Failed(error) if stdin => format!("stdin: {}", cause_words(&error)),
            Unread::Failed(error) => format!("{}: {}", path.display(), cause_words(&error)),
            Unread::Unfit(reason) => reason,
        })
    }

    fn take_stdin(&mut self, reader: &str) -> Result<(), String> {
        match self.stdin.replace(reader.to_owned()) {
            Some(first) => Err(format!("stdin is read by {first} already")),
            None => Ok(()),
        }
    }

    /// Ends the reading for this verb.
    ///
    /// # Errors
    /// Everything that cannot be read, at once.
    pub fn finish(self, verb: &str) -> Result<()> {
        if self.wrong.is_empty() {
            return Ok(());
        }
        let count = self.wrong.len();
        let what = if count == 1 { "1 value".to_owned() } else { format!("{count} values") };
        let mut error = Error::usage(format!("{what} cannot be read"));
        error.facts = self.wrong;
        Err(error.try_for(format!("{verb} --help"), "how values are given"))
    }
}

/// One final line break is dropped when it is the only one.
fn without_only_line_break(text: &str) -> &str {
    match text.strip_suffix('\n') {
        Some(line) if !line.contains('\n') => line.strip_suffix('\r').unwrap_or(line),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_single_line_break_is_dropped() {
        assert_eq!(without_only_line_break("secret\n"), "secret");
        assert_eq!(without_only_line_break("secret\r\n"), "secret");
        assert_eq!(without_only_line_break("a\nb\n"), "a\nb\n");
        assert_eq!(without_only_line_break("secret"), "secret");
        assert_eq!(without_only_line_break("\n"), "");
    }
}
