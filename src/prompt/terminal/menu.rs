//! A menu: the arrows choose a row, in a long one typing filters them first.

use console::{Key, Term};
use fuzzy_matcher::FuzzyMatcher;
use fuzzy_matcher::skim::SkimMatcherV2;

use super::entry::{Entry, Typed};
use super::layout;
use crate::output::Page;
use crate::prompt::{Choice, Title};

/// A menu of more rows is filtered by typing, and shows so many at once.
const ROWS: usize = 7;

/// What is offered, and what of it is seen.
pub(super) struct Menu<'m> {
    title: Title,
    choices: &'m [Choice],
    /// Places in `choices`, as they are offered now.
    offered: Vec<usize>,
    /// The marked row, a place in `offered`.
    marked: usize,
    /// The first row that is seen.
    first: usize,
    /// What is typed, where typing filters; and the order without it.
    filter: Option<(Entry, Vec<usize>)>,
}

/// What a key led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chosen {
    /// Nothing yet.
    More,
    /// A place in the choices.
    Row(usize),
    Interrupt,
}

impl<'m> Menu<'m> {
    /// The default is marked; where a menu is long it comes first.
    pub(super) fn new(title: &Title, choices: &'m [Choice], default: usize) -> Self {
        let mut offered: Vec<usize> = (0..choices.len()).collect();
        if choices.len() <= ROWS {
            let title = title.clone();
            return Self { title, choices, offered, marked: default, first: 0, filter: None };
        }
        offered[..=default].rotate_right(1);
        let constraint = [title.constraint.as_deref(), Some("type to filter")];
        let constraint = constraint.into_iter().flatten().collect::<Vec<_>>().join(", ");
        let title = title.clone().constrained(constraint);
        let filter = Some((Entry::default(), offered.clone()));
        Self { title, choices, offered, marked: 0, first: 0, filter }
    }

    /// The head and the rows that are seen.
    pub(super) fn lines(&mut self, page: &Page, term: &Term) -> Vec<String> {
        let height = usize::from(term.size().0).saturating_sub(2).clamp(1, ROWS);
        self.first = self.first.clamp((self.marked + 1).saturating_sub(height), self.marked);
        let typed = self.filter.as_ref().map(|(entry, _)| entry.text()).unwrap_or_default();
        let head = layout::menu_head(&self.title, &typed, page);
        let rows = layout::rows(self.choices, page);
        let seen = self.offered.iter().enumerate().skip(self.first).take(height);
        let row =
            |(at, place): (usize, &usize)| layout::row(&rows[*place], at == self.marked, page);
        std::iter::once(head).chain(seen.map(row)).collect()
    }

    /// Takes a key.
    pub(super) fn key(&mut self, key: &Key) -> Chosen {
        let count = self.offered.len();
        match (key, &mut self.filter) {
            (Key::CtrlC, _) => return Chosen::Interrupt,
            (Key::Enter, _) | (Key::Char(' '), None) => {
                return self.offered.get(self.marked).map_or(Chosen::More, |at| Chosen::Row(*at));
            }
            (Key::ArrowDown | Key::Tab, _) | (Key::Char('j'), None) if count > 0 => {
                self.marked = (self.marked + 1) % count;
            }
            (Key::ArrowUp | Key::BackTab, _) | (Key::Char('k'), None) if count > 0 => {
                self.marked = (self.marked + count - 1) % count;
            }
            (key, Some((entry, _))) => {
                let before = entry.text();
                if entry.key(key) == Typed::More && entry.text() != before {
                    self.filter();
                }
            }
            _ => {}
        }
        Chosen::More
    }

    /// Offers what fits what is typed, the best first.
    fn filter(&mut self) {
        let Some((entry, order)) = &self.filter else { return };
        let (typed, matcher) = (entry.text(), SkimMatcherV2::default());
        let score = |at: &usize| {
            let Choice { name, explanation } = &self.choices[*at];
            matcher.fuzzy_match(&format!("{name} {explanation}"), &typed)
        };
        let mut scored: Vec<_> =
            order.iter().filter_map(|at| score(at).map(|score| (score, *at))).collect();
        scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        self.offered = scored.into_iter().map(|(_, at)| at).collect();
        (self.marked, self.first) = (0, 0);
    }
}
