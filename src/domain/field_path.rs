//! Dotted paths into an object: `spec.ports[0].port`, `\.` for a dot in a key.

use serde_json::Value;

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Key(String),
    Index(usize),
}

/// Reads a path; `None` for an empty step or an index that is not a number.
pub fn parse(path: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut key = String::new();
    let mut characters = path.chars();
    let mut after_index = false;
    while let Some(character) = characters.next() {
        match character {
            '\\' => key.push(characters.next()?),
            '.' if after_index && key.is_empty() => after_index = false,
            '.' => finish(&mut key, &mut steps)?,
            '[' => {
                if !after_index || !key.is_empty() {
                    finish(&mut key, &mut steps)?;
                }
                let digits: String = characters.by_ref().take_while(|c| *c != ']').collect();
                steps.push(Step::Index(digits.parse().ok()?));
                after_index = true;
            }
            _ if after_index => return None,
            other => key.push(other),
        }
    }
    if !after_index {
        finish(&mut key, &mut steps)?;
    }
    (!steps.is_empty()).then_some(steps)
}

fn finish(key: &mut String, steps: &mut Vec<Step>) -> Option<()> {
    if key.is_empty() {
        return None;
    }
    steps.push(Step::Key(std::mem::take(key)));
    Some(())
}

/// What is at a path.
pub fn lookup<'a>(value: &'a Value, steps: &[Step]) -> Option<&'a Value> {
    steps.iter().try_fold(value, |place, step| match step {
        Step::Key(key) => place.get(key),
        Step::Index(at) => place.get(at),
    })
}

/// The steps as text, as templates name them.
pub fn names(steps: &[Step]) -> Vec<String> {
    steps
        .iter()
        .map(|step| match step {
            Step::Key(key) => key.clone(),
            Step::Index(at) => at.to_string(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn paths_are_read() {
        let value = json!({"a": {"b.c": [{"d": 1}, {"d": [[2]]}]}});
        let at = |path: &str| lookup(&value, &parse(path).unwrap()).cloned();
        assert_eq!(at(r"a.b\.c[1].d[0][0]"), Some(json!(2)));
        assert_eq!(at(r"a.b\.c[0].d"), Some(json!(1)));
        assert_eq!(at("a.x"), None);
    }

    #[test]
    fn bad_paths_are_refused() {
        for path in ["", ".", "a.", ".a", "a..b", "a[", "a[x]", "a[-1]", "a[0]b", "[", r"a\"] {
            assert_eq!(parse(path), None, "{path}");
        }
    }
}
