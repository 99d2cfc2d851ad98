//! "Did you mean": the known word nearest to the one that was typed.

/// Below this, words have too little in common to be a slip of the finger.
const ALIKE: f64 = 0.8;

/// The known word that is most like `typed`, where one is alike enough.
pub fn nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let scored = known.into_iter().map(|word| (strsim::jaro_winkler(typed, word), word));
    scored
        .filter(|(score, _)| *score > ALIKE)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_word_and_another_word_finds_none() {
        let known = ["postgres", "redis", "storage"];
        assert_eq!(nearest("postgers", known), Some("postgres"));
        assert_eq!(nearest("strage", known), Some("storage"));
        assert_eq!(nearest("kafka", known), None);
    }
}
