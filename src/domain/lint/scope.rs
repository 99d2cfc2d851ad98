//! Which names a template may use at its place in a class.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::{Finding, Place};
use crate::domain::template::{Path, TemplateError, check, mentions, names, unknown_filter};

/// Names at the root, with the names below them; `None` where anything may be below.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    roots: BTreeMap<String, Option<BTreeSet<String>>>,
    /// Names that exist but may not be used here, and why.
    refused: BTreeMap<Path, &'static str>,
    /// Everything that svc may send, below `values`: the same in every scope of a class.
    sent: Rc<BTreeSet<Path>>,
}

impl Scope {
    pub(super) fn add(&mut self, root: &str) {
        self.roots.insert(root.to_owned(), None);
    }

    pub(super) fn add_with<I>(&mut self, root: &str, below: I)
    where
        I: IntoIterator<Item: Into<String>>,
    {
        let below = below.into_iter().map(Into::into).collect();
        self.roots.insert(root.to_owned(), Some(below));
    }

    pub(super) fn refuse(&mut self, path: Path, why: &'static str) {
        self.refused.insert(path, why);
    }

    /// The name `values`, below which these places can be.
    pub(super) fn add_values(&mut self, sent: BTreeSet<Path>) {
        self.add("values");
        self.sent = Rc::new(sent);
    }

    /// What is wrong with a template here.
    pub(super) fn problem(&self, template: &str) -> Option<String> {
        if !template.contains("{{") && !template.contains("{%") {
            // Nothing to compile; a comment must still be closed.
            return template.contains("{#").then(|| check(template).err())?.map(reason);
        }
        let free = match names(template) {
            Ok(free) => free,
            Err(error) => return Some(reason(error)),
        };
        if let Err(error) = unknown_filter(template) {
            return Some(reason(error));
        }
        let chains = mentions(template);
        let unknown = free.iter().find(|name| {
            !self.roots.contains_key(*name) && !self.refused.contains_key(&vec![(*name).clone()])
        });
        if let Some(name) = unknown {
            let lower = name.to_lowercase();
            let near = if lower != *name && self.roots.contains_key(&lower) {
                format!("; did you mean {lower}?")
            } else {
                String::new()
            };
            return Some(format!("\"{name}\" is not defined{near}"));
        }
        let used = || chains.iter().filter(|path| free.contains(&path[0]));
        used().find_map(|path| self.refusal(path)).or_else(|| {
            let guarded = is_guarded(template);
            used().filter(|_| !guarded).find_map(|path| self.never_sent(path))
        })
    }

    /// Whether svc never sends what a chain into `values` names.
    fn never_sent(&self, path: &[String]) -> Option<String> {
        let below = path.strip_prefix(&["values".to_owned()]).filter(|below| !below.is_empty())?;
        let is_on_the_way = |sent: &Path| sent.starts_with(below) || below.starts_with(sent);
        let is_sent = self.sent.iter().any(is_on_the_way);
        (!is_sent).then(|| format!("\"{}\" is not among what is sent", path.join(".")))
    }

    fn refusal(&self, path: &[String]) -> Option<String> {
        let refused = self.refused.iter().find(|(refused, _)| path.starts_with(refused));
        if let Some((refused, why)) = refused {
            return Some(format!("\"{}\" {why}", refused.join(".")));
        }
        let below = self.roots.get(&path[0])?.as_ref()?;
        let name = path.get(1)?;
        (!below.contains(name)).then(|| format!("\"{}.{name}\" is not defined", path[0]))
    }

    /// The finding for a template at this place, if there is one.
    pub(super) fn check(&self, place: Place, template: &str) -> Option<Finding> {
        self.problem(template).map(|problem| Finding::broken(place, problem))
    }
}

/// Whether a template has something for where a value is missing.
pub(super) fn is_guarded(template: &str) -> bool {
    ["default", "defined"].iter().any(|guard| template.contains(guard))
}

fn reason(error: TemplateError) -> String {
    error.reason
}
