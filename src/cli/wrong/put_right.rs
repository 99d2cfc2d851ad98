//! A command line with one word put right, to paste.

use std::ffi::OsString;

use clap::Command as Clap;

use crate::domain::answers::placeholder;
use crate::domain::command_line::quote;

/// The arguments with `right` for the word or flag `wrong`, where that is all that is wrong with
/// them. What `--set` gives may be a secret: its name in capitals stands for it.
pub(super) fn put_right(
    args: &[OsString],
    wrong: &str,
    right: &str,
    clap: &Clap,
) -> Option<String> {
    let mut words: Vec<String> =
        args.iter().map(|word| word.to_str().map(str::to_owned)).collect::<Option<_>>()?;
    let places: Vec<(usize, String)> = (1..words.len())
        .filter_map(|place| Some((place, replaced(&words[place], wrong, right)?)))
        .collect();
    let [(place, word)] = places.as_slice() else { return None };
    words[*place].clone_from(word);
    clap.clone().try_get_matches_from(&words).ok()?;
    let shown = (1..words.len()).map(|place| quote(&shown(&words[place - 1], &words[place])));
    Some(shown.collect::<Vec<_>>().join(" "))
}

/// `--clas`, `--clas=postgres`, `yml`, `-oyml`, `--output=yml`.
fn replaced(word: &str, wrong: &str, right: &str) -> Option<String> {
    if word == wrong {
        return Some(right.to_owned());
    }
    let (flag, value) = word.split_once('=').unwrap_or((word, ""));
    if wrong.starts_with('-') {
        return (flag == wrong).then(|| format!("{right}={value}"));
    }
    let glued = word.len() == wrong.len() + 2 && !word.starts_with("--");
    let before = word.strip_suffix(wrong).filter(|before| before.starts_with('-'))?;
    (glued || before.ends_with('=')).then(|| format!("{before}{right}"))
}

fn shown(before: &str, word: &str) -> String {
    let hidden = |assignment: &str| match assignment.split_once('=') {
        Some((name, _)) => format!("{name}={}", placeholder(name)),
        None => assignment.to_owned(),
    };
    match word.strip_prefix("--set=") {
        Some(assignment) => format!("--set={}", hidden(assignment)),
        None if before == "--set" => hidden(word),
        None => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::parse::{self, parse};

    fn told(line: &str) -> (Vec<String>, Vec<String>) {
        let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let error = parse(&args, "svc", 80).expect_err("it is wrong");
        (error.tries.into_iter().map(|one| one.command).collect(), error.advice)
    }

    #[test]
    fn the_whole_command_is_there_to_paste() {
        for (line, right) in [
            ("svc list -o yml", "list -o yaml"),
            ("svc list -oyml", "list -oyaml"),
            ("svc -n a list --output=jsn -A", "-n a list --output=json -A"),
            ("svc create mydb --clas postgres", "create mydb --class postgres"),
            ("svc create mydb --clas=postgres -y", "create mydb --class=postgres -y"),
            (
                "svc create a --clas postgres --set pw=hunter2",
                "create a --class postgres --set pw=PW",
            ),
            ("svc create a -c b --sett pw=hunter2", "create a -c b --set pw=PW"),
            ("svc completion zhs", "completion zsh"),
        ] {
            assert_eq!(told(line), (vec![right.to_owned()], Vec::new()), "{line}");
        }
    }

    #[test]
    fn where_more_is_wrong_the_word_is_said() {
        let (tries, advice) = told("svc list -o yml --color blue");
        assert_eq!(
            (tries, advice),
            (vec!["list --help".into()], vec!["Did you mean yaml?".into()])
        );
        assert_eq!(told("svc list -o xml").1, [""; 0]);
        let clap = parse::command("svc", 80);
        let twice = ["svc", "show", "yml", "-o", "yml"].map(OsString::from);
        assert_eq!(put_right(&twice, "yml", "yaml", &clap), None);
    }
}
