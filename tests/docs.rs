//! The documentation is tried: its commands are run, its classes read, its links followed.
//!
//! A fence says what is done with its block; see `docs/page.rs`.

#[path = "docs/links.rs"]
mod links;
#[path = "docs/mask.rs"]
mod mask;
#[path = "docs/page.rs"]
mod page;
#[path = "docs/rights.rs"]
mod rights;
mod support;
#[path = "docs/throwaway.rs"]
mod throwaway;

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;
use svc::domain::{class, lint};
use svc::error::ErrorKind;

use page::{Block, Page, Use, pages};
use support::transcript;

#[test]
fn every_fence_says_what_it_is() {
    let wrong: Vec<String> = pages()
        .iter()
        .flat_map(|page| page.blocks.iter().map(move |block| (page, block)))
        .filter(|(_, block)| block.uses == Use::Unknown)
        .map(|(page, block)| format!("{}:{}", page.name, block.line))
        .collect();
    assert!(wrong.is_empty(), "nobody knows what to do with {wrong:?}");
}

#[test]
fn commands_without_a_cluster_print_what_is_written() {
    let mut tried = 0;
    for page in pages() {
        let folder = page.folder();
        let document = page.transcript(Use::Console, folder.path(), str::to_owned);
        if let Some(document) = document {
            transcript::check(&document, folder.path(), mask::times_and_passwords);
            tried += 1;
        }
    }
    assert!(tried > 0, "no page has a transcript");
}

#[test]
fn commands_on_a_cluster_print_what_is_written() {
    if support::on_a_cluster("commands_on_a_cluster_print_what_is_written") {
        let pages = pages();
        let wrong = pages.iter().enumerate().filter(|(number, page)| {
            // What differs has been printed by then; the other pages are tried all the same.
            std::panic::catch_unwind(|| throwaway::try_page(page, *number)).is_err()
        });
        let wrong: Vec<&str> = wrong.map(|(_, page)| page.name.as_str()).collect();
        assert!(wrong.is_empty(), "not what is written: {wrong:?}");
    }
}

/// Classes and parts of classes, with where they are written.
fn classes() -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for page in pages() {
        let mut whole = Value::Null;
        for block in &page.blocks {
            let place = format!("{}:{}", page.name, block.line);
            match block.uses {
                Use::Class => whole = yaml(&place, &block.text),
                Use::Spec => {}
                _ => continue,
            }
            all.push((place.clone(), with_spec(&place, &whole, block)));
        }
    }
    all
}

/// A part of a spec stands for the same fields of the class before it on the page.
fn with_spec(place: &str, whole: &Value, block: &Block) -> Value {
    let mut class = whole.clone();
    if block.uses == Use::Spec {
        let spec = class["spec"].as_object_mut();
        let spec = spec.unwrap_or_else(|| panic!("{place} has no class before it"));
        let part = yaml(place, &block.text);
        let part = part.as_object().unwrap_or_else(|| panic!("{place} is no part of a spec"));
        spec.extend(part.clone());
    }
    class
}

fn yaml(place: &str, text: &str) -> Value {
    serde_yaml::from_str(text).unwrap_or_else(|error| panic!("{place}: {error}"))
}

#[test]
fn every_class_is_one_that_svc_can_use() {
    let classes = classes();
    assert!(classes.len() > 3, "{} classes", classes.len());
    for (place, object) in classes {
        let class = class::read(&object).unwrap_or_else(|broken| panic!("{place}: {broken}"));
        let findings: Vec<String> =
            lint::findings(&class).iter().map(ToString::to_string).collect();
        assert!(findings.is_empty(), "{place}: {findings:?}");
    }
}

#[test]
fn every_class_is_one_that_the_cluster_takes() {
    if support::on_a_cluster("every_class_is_one_that_the_cluster_takes") {
        classes().iter().for_each(|(place, class)| throwaway::takes(place, class));
    }
}

#[test]
fn yaml_and_json_can_be_read() {
    for page in pages() {
        for block in &page.blocks {
            let place = format!("{}:{}", page.name, block.line);
            match block.uses {
                Use::Yaml => {
                    let documents = block.text.split("\n---\n");
                    documents.for_each(|text| drop(yaml(&place, text)));
                }
                Use::Json => {
                    let read: Result<Value, _> = serde_json::from_str(&block.text);
                    read.unwrap_or_else(|error| panic!("{place}: {error}"));
                }
                _ => {}
            }
        }
    }
}

#[test]
fn every_link_leads_somewhere() {
    let wrong: Vec<String> = pages().iter().flat_map(links::broken).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_page_can_be_reached_from_the_read_me() {
    let pages = pages();
    let linked: BTreeSet<String> = links::of(&pages[0]).into_iter().map(|link| link.file).collect();
    for page in &pages[1..] {
        assert!(linked.contains(&page.name), "the read-me does not link {}", page.name);
    }
}

#[test]
fn the_table_of_exit_statuses_is_that_of_the_program() {
    use ErrorKind::{Failed, Interrupted, NotAllowed, NotFound, NotReady, Terminated, Usage};
    let kinds = [Failed, Usage, NotFound, NotAllowed, NotReady, Interrupted, Terminated];
    let mut codes: Vec<u8> = kinds.iter().map(|kind| kind.exit_code()).collect();
    codes.insert(0, 0);
    let written: Vec<u8> = Page::read(Path::new("docs/scripting-and-ci.md"))
        .text
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split_once(" |")?.0.parse().ok())
        .collect();
    assert_eq!(written, codes);
}
