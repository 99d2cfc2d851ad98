//! "did you mean": the known name that a mistyped one is nearest to.

/// The candidate nearest to a name, if it is near enough to have been meant; of two that are as
/// near, the one with the same letters.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (strsim::osa_distance(&name, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= (candidate.chars().count() / 3).max(1))
        .min_by_key(|(distance, candidate)| (*distance, letters(candidate) != letters(&name)))
        .map(|(_, candidate)| candidate)
}

fn letters(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.to_lowercase().chars().collect();
    letters.sort_unstable();
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised_another_word_is_not() {
        let names = ["storage", "mode", "metrics"];
        assert_eq!(nearest("strage", names), Some("storage"));
        assert_eq!(nearest("stroage", names), Some("storage"));
        assert_eq!(nearest("MODE", names), Some("mode"));
        assert_eq!(nearest("cluster", names), None);
        assert_eq!(nearest("", names), None);
    }

    #[test]
    fn swapped_letters_are_nearer_than_another_letter() {
        assert_eq!(nearest("lnit", ["crd", "init", "import", "lint"]), Some("lint"));
        assert_eq!(nearest("inti", ["crd", "lint", "import", "init"]), Some("init"));
    }
}
