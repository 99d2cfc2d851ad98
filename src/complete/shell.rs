//! How each shell asks and is answered. The scripts of bash and zsh are svc's own: with the stock
//! ones `--set storage=` completes nothing in bash, and zsh puts a space after `=`.

use std::borrow::Cow;
use std::io;

use clap_complete::engine::CompletionCandidate;
use clap_complete::env::{Elvish, EnvCompleter, Fish, Powershell};

use crate::cli::Shell;
use crate::output::escape;

/// The variable by which a registered shell asks. It is not clap's `COMPLETE`: a login helper
/// inherits it, and would take that one for a question to itself.
pub const VARIABLE: &str = "_SVC_COMPLETE";

const BASH: &str = include_str!("shell/bash.sh");
const ZSH: &str = include_str!("shell/zsh.sh");

/// Who asks for candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asker {
    Shell(Shell),
    /// kubectl, on behalf of whatever shell it runs in.
    Kubectl,
}

/// What a shell has to run once so that it completes `bin`.
pub fn registration(shell: Shell, bin: &str) -> String {
    match shell {
        Shell::Bash => own(BASH, bin),
        Shell::Zsh => own(ZSH, bin),
        Shell::Fish => stock(&Fish, bin),
        Shell::Powershell => stock(&Powershell, bin),
        Shell::Elvish => stock(&Elvish, bin),
    }
}

fn own(script: &str, bin: &str) -> String {
    let name = bin.replace('-', "_");
    script.replace("BIN", bin).replace("NAME", &name).replace("VAR", VARIABLE)
}

fn stock(shell: &dyn EnvCompleter, bin: &str) -> String {
    let mut script = Vec::new();
    let written: io::Result<()> = shell.write_registration(VARIABLE, bin, bin, bin, &mut script);
    written.expect("a vector takes what is written");
    format!("{}\n", String::from_utf8_lossy(&script).trim())
}

impl Asker {
    /// The shell that a registration names.
    pub fn named(name: &str) -> Option<Self> {
        let shell = match name {
            "bash" => Shell::Bash,
            "zsh" => Shell::Zsh,
            "fish" => Shell::Fish,
            "powershell" => Shell::Powershell,
            "elvish" => Shell::Elvish,
            _ => return None,
        };
        Some(Self::Shell(shell))
    }

    /// The candidates in the form that the asker reads.
    ///
    /// One with a control character is left out: no form can carry it. bash and PowerShell put
    /// what they read on the line as it is, so there it is quoted; kubectl's scripts differ, so
    /// what would need quotes is left out.
    pub fn answer(self, candidates: &[CompletionCandidate]) -> String {
        let pairs: Vec<_> =
            candidates.iter().filter_map(|candidate| self.pair(candidate)).collect();
        let mut text = String::new();
        for (value, about) in &pairs {
            text.push_str(&self.line(value, about));
            text.push('\n');
        }
        if self == Self::Kubectl {
            text.push_str(directive(&pairs));
        }
        text
    }

    fn pair(self, candidate: &CompletionCandidate) -> Option<(String, String)> {
        let value = candidate.get_value().to_str()?;
        let unfit = value.is_empty() || value.contains(char::is_control);
        if unfit || (self == Self::Kubectl && !value.chars().all(is_plain)) {
            return None;
        }
        let about = candidate.get_help().map(ToString::to_string).unwrap_or_default();
        let first = about.lines().next().unwrap_or_default();
        Some((value.to_owned(), escape(first).into_owned()))
    }

    fn line(self, value: &str, about: &str) -> String {
        match self {
            Self::Shell(Shell::Bash) => backslashed(value).into_owned(),
            Self::Shell(Shell::Elvish) => value.to_owned(),
            Self::Shell(Shell::Zsh) => {
                let value = value.replace('\\', r"\\").replace(':', r"\:");
                if about.is_empty() { value } else { format!("{value}:{about}") }
            }
            Self::Shell(Shell::Powershell) => described(&single_quoted(value), about),
            Self::Shell(Shell::Fish) | Self::Kubectl => described(value, about),
        }
    }
}

/// cobra's directives: 4 no file names, 2 no space.
fn directive(pairs: &[(String, String)]) -> &'static str {
    let open = !pairs.is_empty() && pairs.iter().all(|(value, _)| value.ends_with('='));
    if open { ":6\n" } else { ":4\n" }
}

fn described(value: &str, about: &str) -> String {
    if about.is_empty() { value.to_owned() } else { format!("{value}\t{about}") }
}

/// Letters, digits and signs that no shell reads as its own.
fn is_plain(character: char) -> bool {
    character.is_alphanumeric() || "-_./:=@%+,".contains(character)
}

fn backslashed(value: &str) -> Cow<'_, str> {
    if value.chars().all(is_plain) {
        return Cow::Borrowed(value);
    }
    let quoted = value.chars().flat_map(|character| {
        let backslash = (!is_plain(character)).then_some('\\');
        backslash.into_iter().chain([character])
    });
    Cow::Owned(quoted.collect())
}

fn single_quoted(value: &str) -> Cow<'_, str> {
    if value.chars().all(|character| is_plain(character) && !"@%,".contains(character)) {
        return Cow::Borrowed(value);
    }
    Cow::Owned(format!("'{}'", value.replace('\'', "''")))
}

#[cfg(test)]
mod tests;
