//! Values as shells and files of variables read them.

/// Runs in single quotes, with `\'` and `\\` outside them: what bash, dash, zsh and fish read alike.
pub fn shell_quoted(value: &str) -> String {
    if value.is_empty() {
        return "''".to_owned();
    }
    let mut quoted = String::with_capacity(value.len() + 2);
    let mut open = false;
    for character in value.chars() {
        let outside = matches!(character, '\'' | '\\');
        if open == outside {
            quoted.push('\'');
            open = !open;
        }
        if outside {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    if open {
        quoted.push('\'');
    }
    quoted
}

/// Bare, else in single quotes, else in double quotes with `\\ \" \$ \n` (and `\r`, which readers
/// of such files would otherwise take for a line break).
pub fn dotenv_quoted(value: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || "_./:@%+,-".contains(c);
    if value.chars().all(bare) {
        return value.to_owned();
    }
    if !value.contains(['\'', '\n', '\r']) {
        return format!("'{value}'");
    }
    let escaped: String = value.chars().fold(String::new(), |mut text, character| {
        match character {
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\\' | '"' | '$' => text.extend(['\\', character]),
            other => text.push(other),
        }
        text
    });
    format!("\"{escaped}\"")
}
