//! A command to paste: its parts, quoted for the shell.

use super::charset::is_hidden;

/// A command without the program's name, in parts that are never broken: `create mydb`,
/// `--class postgres`, `--set storage=10Gi`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct CommandLine {
    parts: Vec<String>,
}

impl CommandLine {
    /// A command that begins with this verb and its names, as `create mydb`.
    pub fn new(verb: impl Into<String>) -> Self {
        Self { parts: vec![verb.into()] }
    }

    /// Adds a part as it is.
    pub fn part(mut self, part: impl Into<String>) -> Self {
        self.parts.push(part.into());
        self
    }

    /// Adds a flag with its value, quoted where a shell needs it.
    pub fn flag(self, flag: &str, value: &str) -> Self {
        self.part(format!("{flag} {}", quote(value)))
    }

    /// Adds parts as they are.
    pub fn parts(mut self, parts: impl IntoIterator<Item = String>) -> Self {
        self.parts.extend(parts);
        self
    }

    /// The command on one line.
    pub fn line(&self) -> String {
        self.parts.join(" ")
    }
}

/// The flags by which kubectl finds what lies in a namespace: `-n team-a --context staging`.
pub fn kubectl_place(namespace: &str, context: Option<&str>) -> String {
    place(namespace, "--context", context)
}

/// The same flags as helm calls them: `-n team-a --kube-context staging`.
pub fn helm_place(namespace: &str, context: Option<&str>) -> String {
    place(namespace, "--kube-context", context)
}

fn place(namespace: &str, flag: &str, context: Option<&str>) -> String {
    let context = context.map(|context| format!(" {flag} {}", quote(context)));
    format!("-n {}{}", quote(namespace), context.unwrap_or_default())
}

/// The words of those flags that were given.
pub fn given<const N: usize>(flags: [(bool, &str); N]) -> impl Iterator<Item = String> {
    flags.into_iter().filter(|(given, _)| *given).map(|(_, flag)| flag.to_owned())
}

/// A word as a shell reads it: bare where it may be, else runs in single quotes with `\'` and
/// `\\` outside them, the one form that bash, dash, zsh and fish read alike.
pub fn quote(word: &str) -> String {
    let bare =
        |character: char| character.is_ascii_alphanumeric() || "_-./:@%+,=".contains(character);
    if !word.is_empty() && word.chars().all(bare) {
        return word.to_owned();
    }
    if word.chars().any(is_hidden) {
        return escaped(word);
    }
    let runs = word.split_inclusive(['\'', '\\']).map(|run| {
        let plain = run.trim_end_matches(['\'', '\\']);
        let quoted = if plain.is_empty() { String::new() } else { format!("'{plain}'") };
        match run.chars().last() {
            Some(special @ ('\'' | '\\')) => format!("{quoted}\\{special}"),
            _ => quoted,
        }
    });
    if word.is_empty() { "''".to_owned() } else { runs.collect() }
}

/// The form of bash and zsh that has escapes: nothing else says it in what can be seen. Bytes in
/// octal, as the bash of macOS knows no `\u`, and others take it only where the locale is UTF-8.
fn escaped(word: &str) -> String {
    let character = |character: char| match character {
        '\'' | '\\' => format!("\\{character}"),
        '\n' => "\\n".to_owned(),
        '\t' => "\\t".to_owned(),
        hidden if is_hidden(hidden) => octal(hidden),
        seen => seen.to_string(),
    };
    format!("$'{}'", word.chars().map(character).collect::<String>())
}

fn octal(character: char) -> String {
    character.to_string().bytes().map(|byte| format!("\\{byte:03o}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        for (word, quoted) in [
            ("a=10Gi", "a=10Gi"),
            ("", "''"),
            ("two words", "'two words'"),
            ("it's", r"'it'\''s'"),
            (r"a\b", r"'a'\\'b'"),
            ("$HOME", "'$HOME'"),
            ("~", "'~'"),
            ("'", r"\'"),
        ] {
            assert_eq!(quote(word), quoted);
            assert_eq!(shell_words::split(quoted).unwrap(), [word]);
        }
    }

    #[test]
    fn what_nobody_sees_is_spelled() {
        assert_eq!(quote("a\u{202e}'b"), r"$'a\342\200\256\'b'");
        assert_eq!(quote("a\u{7}\nb"), r"$'a\007\nb'");
        assert_eq!(
            quote("a\u{2061}b"),
            r"$'a\342\201\241b'",
            "whatever is escaped where it is shown"
        );
    }
}
