//! A command to paste: parts that stay together, quoted for the shell, wrapped with ` \`.

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

    /// The parts in order.
    pub fn parts(&self) -> &[String] {
        &self.parts
    }

    /// The command on one line.
    pub fn line(&self) -> String {
        self.parts.join(" ")
    }

    /// The command behind the program's name, in lines that end with ` \` where they go on.
    ///
    /// `width` is in characters and holds the indent of the first line (two) as well; lines that
    /// go on are indented by two more. A part that is longer than the width stays whole.
    pub fn wrapped(&self, program: &str, width: usize) -> Vec<String> {
        let mut lines = Vec::new();
        let mut line = program.to_owned();
        for (position, part) in self.parts.iter().enumerate() {
            let last = position + 1 == self.parts.len();
            let room = width.saturating_sub(if last { 2 } else { 4 });
            let longer = line.chars().count() + 1 + part.chars().count();
            if longer > room && position > 0 {
                lines.push(format!("{line} \\"));
                line = format!("  {part}");
            } else {
                line = format!("{line} {part}");
            }
        }
        lines.push(line);
        lines
    }
}

/// A word as a shell reads it: bare where it may be, else runs in single quotes with `\'` and
/// `\\` outside them, the one form that bash, dash, zsh and fish read alike.
pub fn quote(word: &str) -> String {
    let bare =
        |character: char| character.is_ascii_alphanumeric() || "_-./:@%+,=".contains(character);
    if !word.is_empty() && word.chars().all(bare) {
        return word.to_owned();
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

#[cfg(test)]
mod tests {
    use super::*;

    fn create() -> CommandLine {
        CommandLine::new("create mydb").flag("--class", "postgres").flag("--plan", "small")
    }

    #[test]
    fn the_command_of_the_interface_wraps_there() {
        let command = create()
            .flag("--set", "database=orders")
            .flag("--set", "storage=10Gi")
            .flag("--set", "mode=standalone")
            .flag("--set", "metrics=true");
        let lines = [
            r"svc create mydb --class postgres --plan small --set database=orders \",
            r"  --set storage=10Gi --set mode=standalone --set metrics=true",
        ];
        assert_eq!(command.wrapped("svc", 78), lines);
        assert_eq!(command.wrapped("svc", 500), [format!("svc {}", command.line())]);
    }

    #[test]
    fn a_part_is_never_broken() {
        let long = "x".repeat(100);
        let lines = create().flag("--set", &format!("note={long}")).wrapped("svc", 78);
        assert_eq!(lines[1], format!("  --set note={long}"));
    }

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
}
