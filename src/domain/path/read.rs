//! Reading a path from its notation.

use std::str::FromStr;

use super::super::value::shown;
use super::{Path, PathError, Step};

impl FromStr for Path {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        read(text).map(Self).ok_or_else(|| PathError::Notation(shown(text)))
    }
}

fn read(text: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut characters = text.chars().peekable();
    loop {
        let mut key = String::new();
        while let Some(character) = characters.next_if(|next| !matches!(next, '.' | '[')) {
            match character {
                '\\' => key.push(characters.next()?),
                ']' => return None,
                other => key.push(other),
            }
        }
        if key.is_empty() || key.contains(char::is_control) {
            return None;
        }
        steps.push(Step::Key(key));
        while characters.next_if_eq(&'[').is_some() {
            steps.push(Step::Index(index(&mut characters)?));
        }
        match characters.next() {
            None => return Some(steps),
            Some('.') => {}
            Some(_) => return None,
        }
    }
}

/// Digits and the closing bracket; at most what helm's own `--set` would take (65536).
fn index(characters: &mut impl Iterator<Item = char>) -> Option<usize> {
    let mut index = None;
    loop {
        match characters.next()? {
            ']' => return index,
            digit => {
                let digit = usize::try_from(digit.to_digit(10)?).ok()?;
                index = Some(index.unwrap_or(0) * 10 + digit).filter(|index| *index <= 65_536);
                index?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_path_is_refused() {
        for text in [
            "", ".", "a.", ".a", "a..b", "[0]", "a[", "a[]", "a[-1]", "a[x]", "a[0", "a]", "a[0]b",
            "a\\", "a\nb", "a[99999]",
        ] {
            assert!(text.parse::<Path>().is_err(), "{text:?}");
        }
    }
}
