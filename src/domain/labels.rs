//! The syntax of labels
//! (<https://kubernetes.io/docs/concepts/overview/working-with-objects/labels>).

/// The most a name or a value of a label may hold, and a prefix of its name.
const LONGEST: usize = 63;
const LONGEST_PREFIX: usize = 253;

/// Passes for the name of a label: `tier`, `svc-cli.dev/class`.
///
/// # Errors
/// It is none, in words.
pub fn key(text: &str) -> Result<(), String> {
    let (prefix, name) = text.split_once('/').map_or((None, text), |(a, b)| (Some(a), b));
    match prefix.is_none_or(is_subdomain) && !name.is_empty() && is_label(name) {
        true => Ok(()),
        false => Err(format!("\"{text}\" is not the name of a label")),
    }
}

/// Passes for the value of a label; it may be empty.
///
/// # Errors
/// It is none, in words.
pub fn value(text: &str) -> Result<(), String> {
    match text.is_empty() || is_label(text) {
        true => Ok(()),
        false => Err(format!("\"{text}\" is not the value of a label")),
    }
}

/// A DNS subdomain (RFC 1123).
fn is_subdomain(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c);
    let part = |part: &str| !part.is_empty() && !part.starts_with('-') && !part.ends_with('-');
    text.len() <= LONGEST_PREFIX && text.chars().all(plain) && text.split('.').all(part)
}

fn is_label(text: &str) -> bool {
    let ends = |c: char| c.is_ascii_alphanumeric();
    let inside = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    text.len() <= LONGEST
        && text.chars().all(inside)
        && text.starts_with(ends)
        && text.ends_with(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_have_a_prefix() {
        for right in ["tier", "Tier_1.a", "svc-cli.dev/class", "1"] {
            assert_eq!(key(right), Ok(()));
        }
        let long = "x".repeat(64);
        for wrong in ["", "a b", "/a", "a/", "a/b/c", "A.dev/a", "a..b/c", "-a.b/c", "-a", &long] {
            assert!(key(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn values_may_be_empty() {
        for right in ["", "a", "A-1_b.c"] {
            assert_eq!(value(right), Ok(()));
        }
        for wrong in [" ", "a b", "a=b", "a,b", "-a", "a.", &"x".repeat(64)] {
            assert!(value(wrong).is_err(), "{wrong}");
        }
    }
}
