//! The plain shape of a pattern: which characters, how many, and which may begin and end.

use std::collections::BTreeSet;
use std::fmt;

use regex_syntax::hir::{Class, Hir, HirKind, Look};

/// A set of printable ASCII characters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Characters(BTreeSet<char>);

/// Texts of `minimum` to `maximum` characters out of `all`, the first out of `first`, the last of
/// several out of `last`. The description is exact: what it names is what the pattern matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    first: Characters,
    all: Characters,
    last: Characters,
    minimum: u32,
    maximum: Option<u32>,
}

/// More single characters than this are not read any more.
const MOST_RANGES: usize = 12;

impl Characters {
    fn of(hir: &Hir) -> Option<Self> {
        match hir.kind() {
            HirKind::Literal(literal) => {
                let text = std::str::from_utf8(&literal.0).ok()?;
                let mut characters = text.chars();
                let only = characters.next().filter(|_| characters.next().is_none())?;
                Self::from_ranges([(only, only)])
            }
            HirKind::Class(Class::Unicode(class)) => {
                Self::from_ranges(class.iter().map(|range| (range.start(), range.end())))
            }
            HirKind::Class(Class::Bytes(class)) => Self::from_ranges(
                class.iter().map(|range| (char::from(range.start()), char::from(range.end()))),
            ),
            HirKind::Capture(capture) => Self::of(&capture.sub),
            _ => None,
        }
    }

    fn from_ranges(ranges: impl IntoIterator<Item = (char, char)>) -> Option<Self> {
        let mut characters = BTreeSet::new();
        for (start, end) in ranges {
            if !(start.is_ascii_graphic() && end.is_ascii_graphic()) {
                return None;
            }
            characters.extend(start..=end);
        }
        Some(Self(characters)).filter(|characters| characters.ranges().len() <= MOST_RANGES)
    }

    fn and(&self, other: &Self) -> Self {
        Self(self.0.intersection(&other.0).copied().collect())
    }

    fn contains(&self, character: char) -> bool {
        self.0.contains(&character)
    }

    /// The characters as a person reads them: small letters, capitals, digits, others.
    pub(super) fn ranges(&self) -> Vec<String> {
        let mut ranges = Vec::new();
        for group in ['a'..='z', 'A'..='Z', '0'..='9'] {
            let members = group.filter(|character| self.contains(*character));
            push_runs(&mut ranges, members);
        }
        let others = self.0.iter().filter(|character| !character.is_ascii_alphanumeric());
        ranges.extend(others.map(char::to_string));
        ranges
    }

    /// How a first or last character is called.
    fn name(&self) -> String {
        let letters = self.0.iter().filter(|character| character.is_ascii_alphabetic()).count();
        let digits = self.0.iter().filter(|character| character.is_ascii_digit()).count();
        let others = self.0.len() - letters - digits;
        match (letters, digits, others) {
            (26 | 52, 0, 0) => "a letter".to_owned(),
            (0, 10, 0) => "a digit".to_owned(),
            (26 | 52, 10, 0) => "a letter or digit".to_owned(),
            _ => format!("one of {self}"),
        }
    }
}

fn push_runs(ranges: &mut Vec<String>, members: impl Iterator<Item = char>) {
    let mut runs: Vec<(char, char)> = Vec::new();
    for character in members {
        match runs.last_mut() {
            Some((_, end)) if u32::from(*end) + 1 == u32::from(character) => *end = character,
            _ => runs.push((character, character)),
        }
    }
    for (start, end) in runs {
        match u32::from(end) - u32::from(start) {
            0 => ranges.push(start.to_string()),
            1 => ranges.extend([start.to_string(), end.to_string()]),
            _ => ranges.push(format!("{start}-{end}")),
        }
    }
}

impl Shape {
    /// The shape of a pattern: `C{m,n}`, `F R{m,n}`, `F R* L` or `F (R* L)?`; nothing for others.
    pub(super) fn of(hir: &Hir) -> Option<Self> {
        let mut parts = Vec::new();
        flatten(hir, &mut parts);
        // Anchors at the ends say nothing in a full match.
        let is_look = |part: &&Hir, look| matches!(part.kind(), HirKind::Look(at) if *at == look);
        let parts = match parts.as_slice() {
            [start, rest @ ..] if is_look(start, Look::Start) => rest,
            parts => parts,
        };
        let parts = match parts {
            [rest @ .., end] if is_look(end, Look::End) => rest,
            parts => parts,
        };
        match parts {
            [only] => Self::repeated(only),
            [first, rest] => Self::first_and(first, rest),
            [first, rest, last] => Self::ends(first, rest, last, false),
            _ => None,
        }
    }

    fn repeated(hir: &Hir) -> Option<Self> {
        let (all, minimum, maximum) = repetition(hir)?;
        Some(Self { first: all.clone(), last: all.clone(), all, minimum, maximum })
    }

    fn first_and(first: &Hir, rest: &Hir) -> Option<Self> {
        if let Some(tail) = optional(rest) {
            let mut parts = Vec::new();
            flatten(tail, &mut parts);
            let [rest, last] = parts.as_slice() else { return None };
            return Self::ends(first, rest, last, true);
        }
        let first = Characters::of(first)?;
        let (all, least, most) = repetition(rest)?;
        let maximum = most.map(|most| most.saturating_add(1));
        // The first character has to be one of all, or the list of characters would hide it.
        first.0.is_subset(&all.0).then(|| Self {
            first,
            last: all.clone(),
            all,
            minimum: least.saturating_add(1),
            maximum,
        })
    }

    fn ends(first: &Hir, rest: &Hir, last: &Hir, optional: bool) -> Option<Self> {
        let (first, last) = (Characters::of(first)?, Characters::of(last)?);
        let (all, least, most) = repetition(rest)?;
        let within = first.0.is_subset(&all.0) && last.0.is_subset(&all.0);
        // One character alone is both first and last; with a minimum inside there would be a gap.
        let simple = !optional || (first.0.is_subset(&last.0) && least == 0);
        let maximum = most.map(|most| most.saturating_add(2));
        let minimum = if optional { 1 } else { least.saturating_add(2) };
        (within && simple).then_some(Self { first, all, last, minimum, maximum })
    }

    /// The texts that have both shapes.
    pub(super) fn and(&self, other: &Self) -> Self {
        let (first, all, last) =
            (self.first.and(&other.first), self.all.and(&other.all), self.last.and(&other.last));
        Self { first: first.and(&all), last: last.and(&all), all, ..self.clone() }
            .and_length(self.minimum.max(other.minimum), other.maximum)
    }

    /// The same within these lengths as well.
    pub(super) fn and_length(mut self, minimum: u32, maximum: Option<u32>) -> Self {
        self.minimum = self.minimum.max(minimum);
        self.maximum = match (self.maximum, maximum) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        self
    }

    /// Whether any text at all has this shape.
    pub(super) fn is_possible(&self) -> bool {
        !self.first.0.is_empty() && self.maximum.is_none_or(|most| most >= self.minimum)
    }

    /// The rule that the first or the last character breaks, if it is only that.
    pub(super) fn broken_end(&self, text: &str) -> Option<String> {
        let (first, last) = (text.chars().next()?, text.chars().last()?);
        if !text.chars().all(|character| self.all.contains(character)) {
            let starts_wrong = self.first != self.all && !self.first.contains(first);
            return starts_wrong.then(|| format!("start with {}", self.first.name()));
        }
        if !self.first.contains(first) {
            return Some(format!("start with {}", self.first.name()));
        }
        (!self.last.contains(last)).then(|| format!("end with {}", self.last.name()))
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { all, minimum, .. } = self;
        match (minimum, self.maximum) {
            (least, Some(most)) if *least == most => write!(formatter, "{most} of {all}"),
            (0, Some(most)) => write!(formatter, "at most {most} of {all}"),
            (least, Some(most)) => write!(formatter, "{least}-{most} of {all}"),
            (0, None) => write!(formatter, "any number of {all}"),
            (least, None) => write!(formatter, "{least} or more of {all}"),
        }
    }
}

/// The parts of a pattern in order.
fn flatten<'a>(hir: &'a Hir, parts: &mut Vec<&'a Hir>) {
    match hir.kind() {
        HirKind::Concat(inner) => inner.iter().for_each(|part| flatten(part, parts)),
        HirKind::Capture(capture) => flatten(&capture.sub, parts),
        _ => parts.push(hir),
    }
}

/// A class of characters and how often it stands.
fn repetition(hir: &Hir) -> Option<(Characters, u32, Option<u32>)> {
    match hir.kind() {
        HirKind::Repetition(repetition) => {
            Some((Characters::of(&repetition.sub)?, repetition.min, repetition.max))
        }
        HirKind::Capture(capture) => self::repetition(&capture.sub),
        _ => Some((Characters::of(hir)?, 1, Some(1))),
    }
}

/// What stands in `( … )?`, where that is a sequence.
fn optional(hir: &Hir) -> Option<&Hir> {
    let HirKind::Repetition(repetition) = hir.kind() else { return None };
    let sequence = match repetition.sub.kind() {
        HirKind::Capture(capture) => &capture.sub,
        _ => &repetition.sub,
    };
    let is_sequence = matches!(sequence.kind(), HirKind::Concat(_));
    (repetition.min == 0 && repetition.max == Some(1) && is_sequence).then_some(sequence)
}
/// Control characters, bidi marks, line separators and invisible operators: what a terminal obeys
/// or leaves out instead of showing it.
pub fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{061c}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2061}'..='\u{2064}'
                | '\u{2066}'..='\u{2069}'
        )
}
