//! A text that a rule allows, as a stand-in for one that nobody has typed yet.

use regex_syntax::hir::{Class, Hir, HirKind};

use super::TextRule;

/// How often what may be repeated without an end is repeated beyond what it must.
const MORE: [u32; 7] = [0, 1, 3, 7, 15, 31, 63];
/// What stands for any character, where it may.
const USUAL: [char; 2] = ['a', '1'];

impl TextRule {
    /// A text of the right form and length, as far as both are easily had together.
    pub fn sample(&self) -> String {
        let least = self.minimum.unwrap_or(1).max(1) as usize;
        let Some(pattern) = self.patterns.last() else { return "a".repeat(least) };
        let Ok(hir) = regex_syntax::parse(pattern.as_str()) else { return "a".repeat(least) };
        let text = |more: u32| {
            let mut text = String::new();
            write(&hir, more, &mut text);
            text
        };
        let mut texts = MORE.into_iter().map(text);
        let long_enough = texts.find(|text| text.chars().count() >= least);
        long_enough.unwrap_or_else(|| text(0))
    }
}

fn write(hir: &Hir, more: u32, text: &mut String) {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.push_str(&String::from_utf8_lossy(&literal.0)),
        HirKind::Class(class) => text.extend(one_of(class)),
        HirKind::Repetition(repetition) => {
            let most = repetition.max.unwrap_or(u32::MAX);
            let times = repetition.min.saturating_add(more).min(most);
            (0..times).for_each(|_| write(&repetition.sub, more, text));
        }
        HirKind::Capture(capture) => write(&capture.sub, more, text),
        HirKind::Concat(parts) => parts.iter().for_each(|part| write(part, more, text)),
        HirKind::Alternation(parts) => {
            parts.iter().take(1).for_each(|part| write(part, more, text));
        }
    }
}

fn one_of(class: &Class) -> Option<char> {
    match class {
        Class::Unicode(class) => {
            let ranges = class.ranges();
            let holds =
                |c: &char| ranges.iter().any(|range| range.start() <= *c && *c <= range.end());
            USUAL.into_iter().find(holds).or_else(|| ranges.first().map(|range| range.start()))
        }
        Class::Bytes(class) => class.ranges().first().map(|range| char::from(range.start())),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Pattern;
    use super::*;

    #[test]
    fn a_sample_is_allowed() {
        for (pattern, minimum) in [
            ("[a-z][a-z0-9_]*", None),
            ("[a-z][a-z0-9_]*", Some(12)),
            ("(dev|test)-[0-9]{2,}", None),
            ("[A-Z]+@x[.]example", Some(20)),
            (".*", Some(8)),
        ] {
            let rule = TextRule::new(vec![Pattern::parse(pattern).unwrap()], minimum, Some(63));
            let sample = rule.sample();
            assert_eq!(rule.complaint(&sample), None, "{sample}");
        }
        assert_eq!(TextRule::default().sample(), "a");
        assert_eq!(TextRule::new(Vec::new(), Some(3), None).sample(), "aaa");
    }
}
