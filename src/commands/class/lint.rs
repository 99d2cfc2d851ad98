//! `svc class lint`: everything that is wrong with classes, at once.

mod file;
mod report;

use crate::cli::ClassLint;
use crate::context::Context;
use crate::domain::class::{self, readers};
use crate::domain::lint::{Finding, Severity};
use crate::error::{Error, Result};
use crate::ops;
use crate::output::{Format, yaml};

use report::LintReport;

/// One class that was looked at.
pub struct Checked {
    /// Its name, or what stands for it where it has none.
    pub class: String,
    /// The file it is in; `None` in the cluster.
    pub file: Option<String>,
    /// What is wrong, each with its line, from 1.
    pub findings: Vec<(Option<usize>, Finding)>,
    /// The class, where it can be read.
    pub read: Option<class::Class>,
}

/// Prints the findings; the exit status is 1 when a class cannot be used.
///
/// # Errors
/// A file that cannot be read; for classes of the cluster, what keeps them away.
pub async fn run(args: &ClassLint, context: &Context) -> Result<u8> {
    let (checked, unread) = check(args, context).await?;
    if args.rbac {
        return match unread.into_iter().next() {
            Some(unread) => Err(unread),
            None => print_roles(&checked, context),
        };
    }
    let status = match checked.is_empty() && !unread.is_empty() {
        true => 0,
        false => print(&checked, args, context)?,
    };
    unread.iter().for_each(|unread| context.face.error(unread));
    Ok(unread.iter().map(|unread| unread.kind.exit_code()).fold(status, u8::max))
}

fn print(checked: &[Checked], args: &ClassLint, context: &Context) -> Result<u8> {
    let report = LintReport::new(checked);
    context.face.report(&report, args.output.map_or(Format::Table, Format::from))?;
    if readers(checked.iter().filter_map(|one| one.read.as_ref())).is_some() {
        context.face.note(
            "charts or credentials lie in other namespaces: --rbac prints who must read them",
        );
    }
    tell(checked, context)
}

fn tell(checked: &[Checked], context: &Context) -> Result<u8> {
    let all = format!("{} class{}", checked.len(), if checked.len() == 1 { "" } else { "es" });
    let broken = checked.iter().filter(|one| one.is_broken()).count();
    if broken > 0 {
        context.face.error(&Error::failed(format!("{broken} of {all} cannot be used")));
        return Ok(1);
    }
    let is_clean = checked.iter().all(|one| one.findings.is_empty());
    let verdict = if is_clean { "nothing wrong" } else { "usable, with warnings" };
    context.face.note(&format!("{all}: {verdict}"));
    Ok(0)
}

/// What was looked at, and why a file was not.
async fn check(args: &ClassLint, context: &Context) -> Result<(Vec<Checked>, Vec<Error>)> {
    let (files, names): (Vec<&String>, Vec<&String>) =
        args.places.iter().partition(|place| file::is_file(place.as_str()));
    let (read, unread): (Vec<_>, Vec<_>) =
        files.iter().flat_map(|file| file::check(file)).partition(Result::is_ok);
    let mut checked: Vec<Checked> = read.into_iter().flatten().flatten().collect();
    if files.is_empty() || !names.is_empty() {
        let found = ops::lint::classes(context.cluster()?, &names).await?;
        checked.extend(found.into_iter().map(|one| Checked {
            class: one.name,
            file: None,
            findings: one.findings.into_iter().map(|finding| (None, finding)).collect(),
            read: one.class,
        }));
    }
    Ok((checked, unread.into_iter().filter_map(Result::err).collect()))
}

fn print_roles(checked: &[Checked], context: &Context) -> Result<u8> {
    let roles = readers(checked.iter().filter_map(|one| one.read.as_ref()));
    let documents =
        roles.into_iter().flatten().map(|role| yaml(&role)).collect::<Result<Vec<_>>>()?;
    context.face.deliver(documents.join("---\n")).map(|()| 0)
}

impl Checked {
    fn is_broken(&self) -> bool {
        self.findings.iter().any(|(_, finding)| finding.severity == Severity::Broken)
    }
}
