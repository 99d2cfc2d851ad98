//! Values as shells and `.env` files read them (interface §9).

/// A value in a command to paste: bare where every shell takes it so, else quoted.
pub fn quote(value: &str) -> String {
    let safe = |c: char| c.is_ascii_alphanumeric() || "_./:@%+,-=".contains(c);
    if !value.is_empty() && !value.starts_with('=') && value.chars().all(safe) {
        value.to_owned()
    } else {
        single_quoted(value)
    }
}

/// A value in single quotes, with `\'` and `\\` outside them: the one form that bash, dash, zsh
/// and fish read alike.
pub fn single_quoted(value: &str) -> String {
    let mut quoted = String::with_capacity(value.len() + 2);
    let mut open = false;
    for character in value.chars() {
        let special = matches!(character, '\'' | '\\');
        if open == special {
            quoted.push('\'');
            open = !open;
        }
        if special {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    if open || value.is_empty() {
        quoted.push_str(if open { "'" } else { "''" });
    }
    quoted
}

/// A value in a `.env` file: bare, else in single quotes, else in double quotes with escapes.
pub fn dotenv(value: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || "_./:@%+,-".contains(c);
    if value.chars().all(bare) {
        value.to_owned()
    } else if !value.contains(['\'', '\\', '\n', '\r']) {
        format!("'{value}'")
    } else {
        let mut quoted = String::from("\"");
        for character in value.chars() {
            match character {
                '\\' | '"' | '$' => quoted.extend(['\\', character]),
                '\n' => quoted.push_str("\\n"),
                '\r' => quoted.push_str("\\r"),
                other => quoted.push(other),
            }
        }
        quoted + "\""
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn safe_values_stay_bare() {
        for value in ["orders", "10Gi", "a/b:c@d", "x=1", "--set", "1.5", "50%"] {
            assert_eq!(quote(value), value);
        }
    }

    #[test]
    fn all_else_is_quoted() {
        assert_eq!(quote(""), "''");
        assert_eq!(quote("two words"), "'two words'");
        assert_eq!(quote("=ls"), "'=ls'");
        assert_eq!(quote("~"), "'~'");
        assert_eq!(quote("$(id)"), "'$(id)'");
    }

    #[test]
    fn quotes_and_backslashes_stand_outside() {
        assert_eq!(single_quoted("it's"), r"'it'\''s'");
        assert_eq!(single_quoted(r"a\b"), r"'a'\\'b'");
        assert_eq!(single_quoted("'"), r"\'");
        assert_eq!(single_quoted("5432"), "'5432'");
    }

    #[test]
    fn dotenv_takes_the_plainest_form() {
        assert_eq!(dotenv("mydb.team-a.svc"), "mydb.team-a.svc");
        assert_eq!(dotenv("a b$c"), "'a b$c'");
        assert_eq!(dotenv("it's $5\n\\"), r#""it's \$5\n\\""#);
        assert_eq!(dotenv(""), "");
    }
}
