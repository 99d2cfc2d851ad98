//! "did you mean": the known name that a mistyped one is nearest to.

/// The candidate nearest to a name, if it is near enough to have been meant.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (strsim::osa_distance(&name, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= (candidate.chars().count() / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
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
}
