//! A question of a shell: the words of the line, and which of them is being typed.

use std::ffi::{OsStr, OsString};

use super::shell::{Asker, VARIABLE};
use crate::cli::Shell;
use crate::process::Process;

/// Who asks, and about what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub asker: Asker,
    /// The words as a command would get them, the program first.
    pub words: Vec<OsString>,
    /// The place of the word that is being typed.
    pub index: usize,
}

/// Whether this is a question at all: a registered shell asks by variable and `--`, kubectl by
/// the name it calls.
pub fn is_asked(process: &Process) -> bool {
    process.completes_for_kubectl()
        || (process.var(VARIABLE).is_some() && process.args.get(1).is_some_and(|word| word == "--"))
}

impl Request {
    /// Reads the question; `None` where it makes no sense.
    pub fn of(process: &Process) -> Option<Self> {
        if process.completes_for_kubectl() {
            let words = process.args.clone();
            return Some(Self { asker: Asker::Kubectl, index: words.len() - 1, words }.mended());
        }
        let asker = Asker::named(process.text(VARIABLE)?)?;
        let mut words: Vec<_> = process.args.iter().skip(2).cloned().collect();
        if asker == Asker::Shell(Shell::Bash) {
            words = words.into_iter().map(unquoted).collect();
        }
        let index = process.text("_CLAP_COMPLETE_INDEX").and_then(|index| index.parse().ok());
        let index = index.unwrap_or(words.len().saturating_sub(1));
        (index <= words.len()).then(|| Self { asker, words, index }.mended())
    }

    /// The program's own name is never completed, and an empty word is there.
    fn mended(mut self) -> Self {
        if self.words.is_empty() {
            self.words.push("svc".into());
        }
        self.index = self.index.max(1);
        if self.index == self.words.len() {
            self.words.push(OsString::new());
        }
        self
    }

    /// The word that is being typed.
    pub fn typed(&self) -> &OsStr {
        &self.words[self.index]
    }
}

/// bash hands words over as they are typed, quotes and all.
fn unquoted(word: OsString) -> OsString {
    let Some(text) = word.to_str().filter(|text| text.contains(['\'', '"', '\\'])) else {
        return word;
    };
    let closed = ["", "\"", "'"].iter().find_map(|quote| shlex::split(&format!("{text}{quote}")));
    match closed.as_deref() {
        Some([one]) => one.into(),
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(variables: &[(&str, &str)], args: &[&str]) -> Process {
        let env = variables.iter().map(|(name, value)| (name.into(), value.into())).collect();
        Process { args: args.iter().map(Into::into).collect(), env, ..Process::default() }
    }

    fn words(request: &Request) -> Vec<&str> {
        request.words.iter().filter_map(|word| word.to_str()).collect()
    }

    #[test]
    fn other_runs_are_no_questions() {
        assert!(!is_asked(&asked(&[], &["svc", "--", "list"])));
        assert!(!is_asked(&asked(&[(VARIABLE, "bash")], &["svc", "list"])));
        assert!(!is_asked(&asked(&[(VARIABLE, "")], &["svc", "--"])));
        assert!(!is_asked(&asked(&[("COMPLETE", "bash")], &["svc", "--", "list"])));
    }

    #[test]
    fn the_last_word_is_typed_unless_an_index_says_otherwise() {
        let line = ["svc", "--", "svc", "show", "--mask", "my"];
        let request = Request::of(&asked(&[(VARIABLE, "fish")], &line)).unwrap();
        assert_eq!((request.typed().to_str(), request.index), (Some("my"), 3));
        let index = [(VARIABLE, "zsh"), ("_CLAP_COMPLETE_INDEX", "1")];
        let request = Request::of(&asked(&index, &line)).unwrap();
        assert_eq!(request.typed(), "show");
    }

    #[test]
    fn an_empty_word_is_there_and_the_program_is_not_typed() {
        let index = [(VARIABLE, "zsh"), ("_CLAP_COMPLETE_INDEX", "1")];
        assert_eq!(
            words(&Request::of(&asked(&index, &["svc", "--", "svc"])).unwrap()),
            ["svc", ""]
        );
        let request = Request::of(&asked(&[], &["kubectl_complete-svc"])).unwrap();
        assert_eq!((request.index, words(&request).len()), (1, 2));
        assert_eq!(Request::of(&asked(&[(VARIABLE, "fish")], &["svc", "--"])).unwrap().index, 1);
    }

    #[test]
    fn nonsense_is_no_question() {
        let far = [(VARIABLE, "zsh"), ("_CLAP_COMPLETE_INDEX", "9")];
        assert_eq!(Request::of(&asked(&far, &["svc", "--", "svc"])), None);
        assert_eq!(Request::of(&asked(&[(VARIABLE, "tcsh")], &["svc", "--", "svc"])), None);
    }

    #[test]
    fn words_of_bash_lose_their_quotes() {
        let line = ["svc", "--", "svc", "\"my db\"", "a\\ b", "mode='re", "it's", "#x", "plain"];
        let request = Request::of(&asked(&[(VARIABLE, "bash")], &line)).unwrap();
        assert_eq!(words(&request), ["svc", "my db", "a b", "mode=re", "its", "#x", "plain"]);
    }
}
