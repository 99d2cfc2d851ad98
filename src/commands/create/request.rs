//! What flags and the answers file say of a new instance, read once (interface §1.2).

use std::path::Path;

use super::answers_file::{AnswersFile, Mistake};
use crate::cli::Create;
use crate::commands::given::{self, Reader};
use crate::context::Context;
use crate::domain::answers::{self, Given, Kept};
use crate::domain::class::Class;
use crate::domain::command_line::{self, CommandLine, quote};
use crate::domain::name::InstanceName;
use crate::error::{Error, Result};
use crate::ops::create;
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
        let mut reader = Reader::new(context);
        let file = match &args.answers {
            Some(path) => answers(&mut reader, path)?,
            None => AnswersFile::default(),
        };
        let mut given = reader.values(&args.values);
        given.extend(file.parameters);
        reader.finish("create")?;
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
/// class is not known, any value on the command line may be a secret, and its name stands for it.
pub fn typed(args: &Create, class: Option<&Class>) -> Vec<String> {
    let plan = args.plan.as_deref().map(|plan| format!("--plan {}", quote(plan)));
    plan.into_iter().chain(typed_but_plan(args, class)).collect()
}

impl Request {
    /// The same under this plan, with the nearest allowed values for what is wrong (interface §5);
    /// what is missing is left open.
    pub fn put_right(&self, args: &Create, class: &Class, plan: Option<&str>) -> Vec<String> {
        let flag = plan.map(|plan| format!("--plan {}", quote(plan)));
        let checked = create::choose(class, plan).map(|(_, parameters)| {
            answers::check_given(&parameters, &self.given, &Kept::default())
        });
        let rest = match checked {
            Ok(Err(problems)) => problems.given().chain(asking(args)).chain(manner(args)).collect(),
            Ok(Ok(())) | Err(_) => typed_but_plan(args, Some(class)),
        };
        flag.into_iter().chain(rest).collect()
    }
}

/// The whole command as it was typed.
pub fn again(args: &Create, name: &InstanceName, class: &Class) -> CommandLine {
    let more = command_line::given([
        (args.reuse_data, "--reuse-data"),
        (args.delete_data, "--delete-data"),
        (args.if_not_exists, "--if-not-exists"),
    ]);
    CommandLine::new(format!("create {name}"))
        .flag("--class", &class.name)
        .parts(typed(args, Some(class)))
        .parts(more)
}

/// The same without the plan.
pub fn typed_but_plan(args: &Create, class: Option<&Class>) -> Vec<String> {
    let file = args.answers.as_deref().and_then(Path::to_str);
    // What was read from stdin is not there a second time.
    let file = file.map(|file| if file == "-" { "FILE".to_owned() } else { quote(file) });
    let file = file.map(|file| format!("--answers {file}"));
    let typed = given::typed(&args.values, class);
    file.into_iter().chain(typed).chain(asking(args)).chain(manner(args)).collect()
}

fn asking(args: &Create) -> impl Iterator<Item = String> {
    command_line::given([(args.defaults, "--defaults"), (args.advanced, "--advanced")])
}

/// The flags that say neither what is made nor what is asked.
pub fn manner(args: &Create) -> Vec<String> {
    let flags = command_line::given([
        (args.no_wait, "--no-wait"),
        (args.dry_run, "--dry-run"),
        (args.yes, "--yes"),
    ]);
    let timeout = args.timeout.as_deref().map(|timeout| format!("--timeout {}", quote(timeout)));
    let format = args.output.map(|format| format!("-o {}", Format::from(format).word()));
    flags.chain(timeout).chain(format).collect()
}

fn answers(reader: &mut Reader<'_>, path: &Path) -> Result<AnswersFile> {
    let refused =
        |reason: String| unread(Error::usage(format!("the answers cannot be read: {reason}")));
    let text = reader.content(path, "--answers").map_err(refused)?;
    let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    AnswersFile::parse(&text).map_err(|mistakes| {
        let in_words = |one: Mistake| if is_json { one.in_json() } else { one };
        unread(mistaken(path, mistakes.into_iter().map(in_words).collect()))
    })
}

fn mistaken(path: &Path, mistakes: Vec<Mistake>) -> Error {
    let file = match path == Path::new("-") {
        true => "stdin".to_owned(),
        false => path.display().to_string(),
    };
    let error = Error::usage("the answers cannot be read");
    if let [Mistake { place, reason }] = mistakes.as_slice() {
        let place = place.as_ref().map(|place| format!(", {place}")).unwrap_or_default();
        return error.fact("file", format!("{file}{place}")).fact("wrong", reason);
    }
    mistakes.into_iter().fold(error.fact("file", file), |error, mistake| {
        error.fact(mistake.place.unwrap_or_default(), mistake.reason)
    })
}

fn unread(error: Error) -> Error {
    error.try_for("show INSTANCE -o answers", "a file as it should be")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::answers::How;

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
        assert_eq!(
            typed(&args, None),
            [
                "--plan small",
                "--set database=DATABASE",
                "--set admin-password=ADMIN_PASSWORD",
                "--set strage=STRAGE",
                "--set-env admin-password=ADMIN_PW"
            ]
        );
        let of_stdin = Create { answers: Some("-".into()), ..Create::default() };
        assert_eq!(typed(&of_stdin, Some(&class)), ["--answers FILE"]);
        let args = Create {
            timeout: Some("2m".to_owned()),
            no_wait: true,
            output: Some(crate::cli::ListFormat::Json),
            ..Create::default()
        };
        assert_eq!(typed(&args, Some(&class)), ["--no-wait", "--timeout 2m", "-o json"]);
    }

    #[test]
    fn what_is_wrong_is_put_right_and_what_is_missing_left_open() {
        let class = crate::domain::example::class();
        let args = Create { yes: true, ..Create::default() };
        let right = |name: &str, text: &str| {
            let given = vec![Given::text(name, text, How::Set)];
            Request { given, ..Request::default() }.put_right(&args, &class, Some("small"))
        };
        assert_eq!(right("storage", "50Gi"), ["--plan small", "--set storage=10Gi", "--yes"]);
        assert_eq!(right("strage", "2Gi"), ["--plan small", "--set storage=2Gi", "--yes"]);
        assert_eq!(right("admin-password", "hunter2"), ["--plan small", "--yes"]);
    }
}
