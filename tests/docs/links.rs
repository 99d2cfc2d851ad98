//! Links between pages.

use regex::Regex;

use crate::page::{Page, root};

/// A link to a file of the project.
#[derive(Debug, PartialEq, Eq)]
pub struct Link {
    /// Below the root of the project; the page's own name for a link within it.
    pub file: String,
    pub heading: Option<String>,
}

/// The links of a page outside its blocks; those to other sites are left out.
pub fn of(page: &Page) -> Vec<Link> {
    let pattern = Regex::new(r"\]\(([^)\s]+)\)").expect("a regular expression");
    let found = pattern.captures_iter(&page.text).map(|found| found[1].to_owned());
    found.filter(|target| !target.contains("://")).map(|target| link(page, &target)).collect()
}

fn link(page: &Page, target: &str) -> Link {
    let (file, heading) = match target.split_once('#') {
        Some((file, heading)) => (file, Some(heading.to_owned())),
        None => (target, None),
    };
    let folder = page.name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let file = match file.strip_prefix("../") {
        _ if file.is_empty() => page.name.clone(),
        Some(above) => above.to_owned(),
        None if folder.is_empty() => file.to_owned(),
        None => format!("{folder}/{file}"),
    };
    Link { file, heading }
}

/// Links of a page that lead nowhere.
pub fn broken(page: &Page) -> Vec<String> {
    let wrong = of(page).into_iter().filter_map(|link| Some((problem(&link)?, link)));
    wrong.map(|(problem, link)| format!("{}: {}: {problem}", page.name, link.file)).collect()
}

fn problem(link: &Link) -> Option<String> {
    let path = root().join(&link.file);
    if !path.exists() {
        return Some("is not there".to_owned());
    }
    let heading = link.heading.as_ref()?;
    let text = std::fs::read_to_string(path).ok()?;
    let there =
        text.lines().filter(|line| line.starts_with('#')).any(|line| anchor(line) == *heading);
    (!there).then(|| format!("has no heading {heading}"))
}

/// The name that a heading gets where Markdown is shown.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept =
        text.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

#[test]
fn a_heading_has_the_name_that_it_gets_on_the_web() {
    assert_eq!(anchor("## Streams, questions, `stdin`"), "streams-questions-stdin");
}
