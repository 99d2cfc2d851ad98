//! What flags and the answers file say, read once (interface §1.2).

use std::io::Read;
use std::path::Path;

use super::answers_file::AnswersFile;
use crate::cli::Create;
use crate::context::Context;
use crate::domain::answers::{Given, How};
use crate::domain::class::Class;
use crate::domain::command_line::quote;
use crate::error::{Error, Fact, Result};
use crate::output::Format;

/// Everything that was said without being asked.
#[derive(Clone, Debug, Default)]
pub struct Request {
    pub name: Option<String>,
    pub class: Option<String>,
    pub plan: Option<String>,
    pub given: Vec<Given>,
}

impl Request {
    /// Reads flags, environment and files; flags win over the file.
    ///
    /// # Errors
    /// Everything that cannot be read, at once.
    pub fn read(args: &Create, context: &Context) -> Result<Self> {
        let mut reader = Reader { stdin: None, wrong: Vec::new(), context };
        let file = match &args.answers {
            Some(path) => reader.answers(path)?,
            None => AnswersFile::default(),
        };
        let mut given: Vec<Given> = Vec::new();
        for assignment in &args.values.set {
            given.extend(reader.set(assignment));
        }
        for assignment in &args.values.set_env {
            given.extend(reader.set_env(assignment));
        }
        for assignment in &args.values.set_file {
            given.extend(reader.set_file(assignment));
        }
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

/// Plan, file, parameters and the rest as they were typed, for commands to paste: without a secret
/// that stands on the command line, and without parameters that the class has not. Where the
/// class is not known, any value on the command line may be a secret.
pub fn typed(args: &Create, class: Option<&Class>) -> Vec<String> {
    let plan = args.plan.as_deref().map(|plan| format!("--plan {}", quote(plan)));
    plan.into_iter().chain(typed_but_plan(args, class)).collect()
}

/// The same without the plan.
pub fn typed_but_plan(args: &Create, class: Option<&Class>) -> Vec<String> {
    let file = args.answers.as_deref().and_then(Path::to_str);
    let file = file.map(|file| format!("--answers {}", quote(file)));
    let values = &args.values;
    let flags = [("--set", &values.set), ("--set-env", &values.set_env)];
    let flags = flags.into_iter().chain([("--set-file", &values.set_file)]);
    let typed = flags.flat_map(|(flag, assignments)| {
        let kept = assignments.iter().filter(move |text| may_be_repeated(flag, text, class));
        kept.map(move |text| format!("{flag} {}", quote(text)))
    });
    let asking = [(args.defaults, "--defaults"), (args.advanced, "--advanced")];
    let asking = asking.into_iter().filter(|(given, _)| *given).map(|(_, flag)| flag.to_owned());
    file.into_iter().chain(typed).chain(asking).chain(manner(args)).collect()
}

/// The flags that say neither what is made nor what is asked.
pub fn manner(args: &Create) -> Vec<String> {
    let flags = [(args.no_wait, "--no-wait"), (args.dry_run, "--dry-run"), (args.yes, "--yes")];
    let flags = flags.into_iter().filter(|(given, _)| *given).map(|(_, flag)| flag.to_owned());
    let timeout = args.timeout.as_deref().map(|timeout| format!("--timeout {}", quote(timeout)));
    let format = args.output.map(|format| format!("-o {}", Format::from(format).word()));
    flags.chain(timeout).chain(format).collect()
}

fn may_be_repeated(flag: &str, assignment: &str, class: Option<&Class>) -> bool {
    let Some(class) = class else { return flag != "--set" };
    let name = assignment.split_once('=').map(|(name, _)| name);
    let known = class.spec.parameters.iter().find(|known| Some(known.name.as_str()) == name);
    known.is_some_and(|known| flag != "--set" || !known.sensitive)
}

struct Reader<'a> {
    /// Who reads stdin: it can be read once.
    stdin: Option<String>,
    wrong: Vec<Fact>,
    context: &'a Context,
}

impl Reader<'_> {
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

    fn content(&mut self, path: &Path, reader: &str) -> Result<String, String> {
        let bytes = if path == Path::new("-") {
            self.take_stdin(reader)?;
            let mut bytes = Vec::new();
            std::io::stdin().read_to_end(&mut bytes).map_err(|error| format!("stdin: {error}"))?;
            bytes
        } else {
            std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?
        };
        String::from_utf8(bytes).map_err(|_| format!("{} is not UTF-8", path.display()))
    }

    fn take_stdin(&mut self, reader: &str) -> Result<(), String> {
        match self.stdin.replace(reader.to_owned()) {
            Some(first) => Err(format!("stdin is read by {first} already")),
            None => Ok(()),
        }
    }

    fn answers(&mut self, path: &Path) -> Result<AnswersFile> {
        let refused =
            |reason: String| Error::usage(format!("the answers cannot be read: {reason}"));
        let text = self.content(path, "--answers").map_err(refused)?;
        AnswersFile::parse(&text).map_err(|mistake| {
            let file = match path == Path::new("-") {
                true => "stdin".to_owned(),
                false => path.display().to_string(),
            };
            let place = mistake.place.map(|place| format!(", {place}")).unwrap_or_default();
            Error::usage("the answers cannot be read")
                .fact("file", format!("{file}{place}"))
                .fact("wrong", mistake.reason)
        })
    }

    fn finish(self) -> Result<()> {
        if self.wrong.is_empty() {
            return Ok(());
        }
        let count = self.wrong.len();
        let what = if count == 1 { "1 value".to_owned() } else { format!("{count} values") };
        let mut error = Error::usage(format!("{what} cannot be read"));
        error.facts = self.wrong;
        Err(error)
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

    #[test]
    fn what_was_typed_is_repeated_but_for_secrets_and_strangers() {
        let class = crate::domain::example::class();
        let mut args = Create { plan: Some("small".to_owned()), ..Create::default() };
        args.values.set = ["database=my db", "admin-password=hunter2", "strage=1Gi", "storage"]
            .map(str::to_owned)
            .to_vec();
        args.values.set_env = vec!["admin-password=ADMIN_PW".to_owned()];
        assert_eq!(
            typed(&args, Some(&class)),
            ["--plan small", "--set 'database=my db'", "--set-env admin-password=ADMIN_PW"]
        );
        assert_eq!(typed(&args, None), ["--plan small", "--set-env admin-password=ADMIN_PW"]);
        let args = Create {
            timeout: Some("2m".to_owned()),
            no_wait: true,
            output: Some(crate::cli::ListFormat::Json),
            ..Create::default()
        };
        assert_eq!(typed(&args, Some(&class)), ["--no-wait", "--timeout 2m", "-o json"]);
    }
}
