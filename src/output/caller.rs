//! How svc was called, and so how its commands to paste are written: under the same name, and
//! with the flags that chose where they act.

use crate::domain::command_line::quote;
use crate::error::Try;

/// Verbs that talk to a cluster; the others need none of the flags.
const ON_A_CLUSTER: [&str; 15] = [
    "catalog", "create", "list", "ls", "show", "connect", "wait", "update", "upgrade", "delete",
    "rm", "bind", "unbind", "bindings", "doctor",
];

/// What stands before a command of svc inside a sentence or a longer command.
const BEFORE: [&str; 5] = [": ", "&& ", "| ", "$(", "\n  "];

/// The name svc was found by and the flags of this call that say where it acts.
///
/// What the environment or the kubeconfig say is not among them: a pasted command sees it too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// `svc`, or `kubectl svc`.
    pub program: String,
    /// `-n`, as it was given.
    pub namespace: Option<String>,
    /// `--context`, as it was given.
    pub context: Option<String>,
    /// `--kubeconfig`, as it was given.
    pub kubeconfig: Option<String>,
}

impl Caller {
    /// Called without any of the flags.
    pub fn new(program: impl Into<String>) -> Self {
        Self { program: program.into(), namespace: None, context: None, kubeconfig: None }
    }

    /// The same for what lies in this namespace.
    pub fn in_namespace(&self, namespace: &str) -> Self {
        Self { namespace: Some(namespace.to_owned()), ..self.clone() }
    }

    /// A command to paste. What begins with a capital letter is a sentence and stays.
    pub fn command(&self, one: &Try) -> String {
        match one.command.starts_with(|first: char| first.is_ascii_uppercase()) {
            true => one.command.clone(),
            false => self.text(&format!("svc {}", one.command)),
        }
    }

    /// Text in which every command of svc is written so: at the start, after `: ` and `&& `, and
    /// on lines of their own.
    pub fn text(&self, text: &str) -> String {
        let mut written = String::new();
        let mut rest = text;
        while let Some(start) = next_command(rest, written.is_empty()) {
            let (before, command) = rest.split_at(start);
            let (command, after) = command.split_at(end_of_command(command));
            written += before;
            written += &self.written(command);
            rest = after;
        }
        written + rest
    }

    /// One command that begins with `svc `: the flags stand behind what it names.
    fn written(&self, command: &str) -> String {
        let mut named: Vec<&str> = Vec::new();
        let mut options: Vec<&str> = Vec::new();
        for word in words(command).skip(1) {
            let behind = !options.is_empty() || word.starts_with('-');
            if behind { options.push(word) } else { named.push(word) }
        }
        let place = match named.first() {
            Some(verb) if ON_A_CLUSTER.contains(verb) => self.place(&options),
            _ => Vec::new(),
        };
        let place = place.iter().map(String::as_str);
        let parts = [self.program.as_str()].into_iter().chain(named).chain(place).chain(options);
        parts.collect::<Vec<_>>().join(" ")
    }

    /// The flags that a command with these options does not say itself.
    fn place(&self, options: &[&str]) -> Vec<String> {
        if options.iter().any(|option| ["-h", "--help"].contains(option)) {
            return Vec::new();
        }
        let all = says(options, "-A", "--all-namespaces");
        let flags = [
            ("-n", "--namespace", self.namespace.as_ref().filter(|_| !all)),
            ("--context", "--context", self.context.as_ref()),
            ("--kubeconfig", "--kubeconfig", self.kubeconfig.as_ref()),
        ];
        let open = flags.into_iter().filter(|(short, long, _)| !says(options, short, long));
        let given = open.filter_map(|(flag, _, value)| Some((flag, value?)));
        given.map(|(flag, value)| format!("{flag} {}", quote(value))).collect()
    }
}

/// Whether one of these options is the flag, with its value beside it or behind a `=`.
fn says(options: &[&str], short: &str, long: &str) -> bool {
    let own = options.iter().take_while(|option| **option != "--");
    let glued = |option: &str| short.len() == 2 && option.starts_with(short);
    own.into_iter().any(|option| {
        let name = option.split('=').next().unwrap_or_default();
        name == short || name == long || glued(option)
    })
}

/// Where the next command begins; `first` where the text begins with this.
fn next_command(text: &str, first: bool) -> Option<usize> {
    if first && text.starts_with("svc ") {
        return Some(0);
    }
    let starts = BEFORE.iter().filter_map(|before| {
        text.find(&format!("{before}svc ")).map(|position| position + before.len())
    });
    starts.min()
}

/// Where a command ends: at the line's end, or before what a shell does next.
fn end_of_command(command: &str) -> usize {
    let line = unquoted(command).find(|(_, character)| *character == '\n');
    let line = line.map_or(command.len(), |(position, _)| position);
    let mut end = 0;
    for word in words(&command[..line]) {
        if ["&&", "||", "|", ">", "<", ";"].contains(&word) {
            break;
        }
        end = word.as_ptr().addr() - command.as_ptr().addr();
        if let Some((closing, _)) = unquoted(word).find(|(_, character)| *character == ')') {
            return end + closing;
        }
        end += word.len();
    }
    end
}

/// The words of a command as they are written; a blank inside quotes does not part them.
fn words(command: &str) -> impl Iterator<Item = &str> {
    let blanks = unquoted(command).filter(|(_, character)| *character == ' ');
    let mut blanks: Vec<usize> = blanks.map(|(position, _)| position).collect();
    blanks.push(command.len());
    let mut start = 0;
    let words = blanks.into_iter().map(move |blank| {
        let word = &command[start..blank];
        start = (blank + 1).min(command.len());
        word
    });
    words.filter(|word| !word.is_empty())
}

/// The characters outside of quotes, with their positions.
fn unquoted(command: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut quoted, mut escaped) = (false, false);
    command.char_indices().filter(move |(_, character)| {
        let plain = !quoted && !escaped;
        quoted ^= *character == '\'' && !escaped;
        escaped = *character == '\\' && !quoted && !escaped;
        plain
    })
}

#[cfg(test)]
mod tests;
