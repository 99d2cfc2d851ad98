//! The rooms of the house: who may use whom. Nothing points back.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Each room with the rooms of this crate it may name.
const MAY_USE: [(&str, &[&str]); 12] = [
    ("process", &[]),
    ("error", &[]),
    ("domain", &["domain", "error"]),
    ("cluster", &["cluster", "domain", "error"]),
    ("helm", &["helm", "domain", "error"]),
    ("ops", &["ops", "cluster", "helm", "domain", "error"]),
    ("prompt", &["prompt", "output", "domain", "error"]),
    ("output", &["output", "domain", "error"]),
    ("cli", &["cli", "complete", "domain", "error"]),
    (
        "complete",
        &["complete", "cli", "context", "process", "cluster", "ops", "output", "domain", "error"],
    ),
    (
        "context",
        &[
            "context", "process", "cli", "cluster", "helm", "ops", "prompt", "output", "domain",
            "error",
        ],
    ),
    (
        "commands",
        &[
            "commands", "complete", "context", "process", "cli", "ops", "prompt", "output",
            "domain", "error", "cluster", "helm",
        ],
    ),
];

/// Crates that belong to some rooms alone.
const CRATES: [(&str, &[&str]); 6] = [
    ("kube", &["cluster"]),
    ("command_fds", &["helm"]),
    ("dialoguer", &["prompt"]),
    ("comfy_table", &["output"]),
    ("clap", &["cli", "complete", "commands"]),
    ("tokio", &["cluster", "helm", "ops", "commands", "context", "complete", "lib"]),
];

#[test]
fn no_room_uses_one_that_it_may_not() {
    let mut wrong = Vec::new();
    for (file, text) in sources() {
        let room = room(&file);
        let Some(may) = MAY_USE.iter().find(|(name, _)| *name == room).map(|(_, may)| *may) else {
            assert!(
                ["main", "lib"].contains(&room.as_str()),
                "{room} is not on the map of the house"
            );
            continue;
        };
        for used in names_after(&text, "crate::") {
            if !may.contains(&used.as_str()) {
                wrong.push(format!("{} uses {used}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn each_library_stays_in_its_room() {
    let mut wrong = Vec::new();
    for (file, text) in sources() {
        let room = room(&file);
        for (name, rooms) in CRATES {
            let used = text.contains(&format!("{name}::"));
            if used && !rooms.contains(&room.as_str()) {
                wrong.push(format!("{} uses {name}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn sources() -> BTreeMap<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = BTreeMap::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = fs::read_to_string(&path).expect("a source file");
                files.insert(path, without_comments(&text));
            }
        }
    }
    files
}

fn without_comments(text: &str) -> String {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.collect::<Vec<_>>().join("\n")
}

/// The first folder or file below `src`.
fn room(file: &Path) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let inside = file.strip_prefix(root).expect("below src");
    let first = inside.components().next().expect("a name");
    first.as_os_str().to_string_lossy().trim_end_matches(".rs").to_owned()
}

/// The names that stand right after `prefix`, also in a list in braces.
fn names_after(text: &str, prefix: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in text.match_indices(prefix) {
        let rest = &text[at + prefix.len()..];
        let group = rest.strip_prefix('{').map(|list| list.split('}').next().unwrap_or(list));
        let listed: Vec<&str> = group.map_or_else(|| vec![rest], |list| list.split(',').collect());
        for name in listed {
            let name = name.trim();
            let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
            names.push(name[..end].to_owned());
        }
    }
    names.retain(|name| !name.is_empty());
    names
}
