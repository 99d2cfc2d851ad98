//! Labels on a release (`helm --labels`, from 3.13 on).

use std::collections::BTreeMap;

/// The most characters of a label value.
/// <https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set>
const MAX_LENGTH: usize = 63;

/// The text cut to what a label may hold: letters, digits, `-`, `_`, `.`, at most 63, a letter or
/// digit at both ends; everything else (`+` of a version) becomes `_`.
pub fn label_value(text: &str) -> String {
    let legal: String = text.chars().map(|c| if is_legal(c) { c } else { '_' }).collect();
    let start = legal.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    let cut = &start[..start.len().min(MAX_LENGTH)];
    cut.trim_end_matches(|c: char| !c.is_ascii_alphanumeric()).to_owned()
}

fn is_legal(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')
}

/// The value of the flag: `key=value,…`.
pub(super) fn flag_value(labels: &BTreeMap<String, String>) -> String {
    let pairs: Vec<_> =
        labels.iter().map(|(key, value)| format!("{key}={}", label_value(value))).collect();
    pairs.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_cut_to_what_a_label_may_hold() {
        assert_eq!(label_value("postgresql_1.2.3+build"), "postgresql_1.2.3_build");
        assert_eq!(label_value("-a, b/ü="), "a__b");
        assert_eq!(label_value(&"x".repeat(80)).len(), 63);
        let dot_at_the_cut = format!("{}.tail", "x".repeat(62));
        assert_eq!(label_value(&dot_at_the_cut), "x".repeat(62));
        assert_eq!(label_value(""), "");
        assert_eq!(label_value("+++"), "");
    }

    #[test]
    fn labels_are_one_flag_in_a_stable_order() {
        let labels = BTreeMap::from([
            ("svc-cli.dev/plan".to_owned(), "small".to_owned()),
            ("svc-cli.dev/class".to_owned(), "postgres,x=y".to_owned()),
        ]);
        assert_eq!(flag_value(&labels), "svc-cli.dev/class=postgres_x_y,svc-cli.dev/plan=small");
    }
}
