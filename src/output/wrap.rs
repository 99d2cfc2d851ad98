//! Where sentences and facts are broken.

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// The column that broken sentences and the times of steps keep to: 73 of 80, so that text
/// does not run to the edge.
pub(super) fn measure(width: usize) -> usize {
    width.min(80).saturating_sub(7).max(20)
}

/// Text after a prefix: as it is where it fits the width, else broken at spaces at the measure,
/// further lines below `hanging`. Words are never broken.
pub fn wrap(prefix: &str, hanging: &str, text: &str, width: usize) -> Vec<String> {
    let whole = format!("{prefix}{text}");
    if console::measure_text_width(&whole) <= width {
        return vec![whole.trim_end().to_owned()];
    }
    let options = Options::new(measure(width))
        .initial_indent(prefix)
        .subsequent_indent(hanging)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    textwrap::wrap(text, options).into_iter().map(|line| line.into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_stays() {
        let line = "x ".repeat(39) + "xx";
        assert_eq!(wrap("", "  ", &line, 80), [line]);
    }

    #[test]
    fn what_does_not_fit_is_broken_before_the_edge() {
        let line = "ten chars ".repeat(9);
        let lines = wrap("note: ", "  ", line.trim_end(), 80);
        assert_eq!(lines.len(), 2);
        assert!(lines[0].len() <= 73 && lines[1].starts_with("  "), "{lines:?}");
    }

    #[test]
    fn a_long_word_is_never_broken() {
        let image = "registry.example/".repeat(8);
        assert_eq!(wrap("  image  ", "         ", &image, 40), [format!("  image  {image}")]);
    }
}
