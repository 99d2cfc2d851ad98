//! Pages of the documentation and the blocks in them.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// What the first line of a fence asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Nothing: an illustration.
    Nothing,
    /// `console`: commands that are run, and what they print.
    Console,
    /// `console cluster`: the same in the throwaway cluster.
    ClusterConsole,
    /// `yaml`: can be read.
    Yaml,
    /// `yaml class`: a ServiceClass without findings.
    Class,
    /// `yaml spec`: fields of a spec, laid over the class before them.
    Spec,
    /// `json`: can be read.
    Json,
    Unknown,
}

/// A fenced block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Where its fence is, counted from 1.
    pub line: usize,
    pub uses: Use,
    /// `file=NAME`: the commands of the page find the block under that name.
    pub file: Option<String>,
    pub text: String,
}

/// One file.
#[derive(Clone, Debug)]
pub struct Page {
    /// Below the root of the project.
    pub name: String,
    pub text: String,
    pub blocks: Vec<Block>,
}

/// The read-me, then the pages of `docs/` by name.
pub fn pages() -> Vec<Page> {
    let files = fs::read_dir(root().join("docs")).expect("docs is a folder");
    let mut names: Vec<PathBuf> = files
        .map(|file| Path::new("docs").join(file.expect("a file").file_name()))
        .filter(|name| name.extension().is_some_and(|extension| extension == "md"))
        .collect();
    names.sort();
    names.insert(0, PathBuf::from("README.md"));
    names.iter().map(|name| Page::read(name)).collect()
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

impl Page {
    /// Reads a page by its name below the root.
    pub fn read(name: &Path) -> Self {
        let path = root().join(name);
        let text =
            fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let blocks = blocks(&text);
        Self { name: name.display().to_string(), text, blocks }
    }

    /// A new folder with the files that the page's blocks are.
    pub fn folder(&self) -> TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for block in &self.blocks {
            if let Some(file) = &block.file {
                fs::write(folder.path().join(file), &block.text).expect("the file can be written");
            }
        }
        folder
    }

    /// Writes the page with the blocks of one use alone, line by line where they are, each line
    /// as `change` has it; `None`: the page has no such block.
    pub fn transcript(
        &self,
        uses: Use,
        folder: &Path,
        change: impl Fn(&str) -> String,
    ) -> Option<PathBuf> {
        let mut lines = vec![String::new(); self.text.lines().count()];
        for block in self.blocks.iter().filter(|block| block.uses == uses) {
            let fenced = format!("```\n{}```", block.text);
            for (number, line) in fenced.lines().enumerate() {
                lines[block.line - 1 + number] = change(line);
            }
        }
        if lines.iter().all(String::is_empty) {
            return None;
        }
        let path = folder.join(self.name.replace('/', "-"));
        fs::write(&path, lines.join("\n")).expect("the transcript can be written");
        Some(path)
    }
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut inside = false;
    for (number, line) in text.lines().enumerate() {
        match (inside, line.strip_prefix("```")) {
            (false, Some(info)) => {
                inside = true;
                blocks.push(block(number + 1, info));
            }
            (true, Some(_)) => inside = false,
            (true, None) => {
                let block = blocks.last_mut().expect("a fence was opened");
                block.text.push_str(line);
                block.text.push('\n');
            }
            (false, None) => {}
        }
    }
    blocks
}

fn block(line: usize, info: &str) -> Block {
    let (files, words): (Vec<&str>, Vec<&str>) =
        info.split_whitespace().partition(|word| word.starts_with("file="));
    let uses = match words.as_slice() {
        [] => Use::Nothing,
        ["console"] => Use::Console,
        ["console", "cluster"] => Use::ClusterConsole,
        ["yaml"] => Use::Yaml,
        ["yaml", "class"] => Use::Class,
        ["yaml", "spec"] => Use::Spec,
        ["json"] => Use::Json,
        _ => Use::Unknown,
    };
    let file = files.first().and_then(|word| word.strip_prefix("file=")).map(str::to_owned);
    Block { line, uses, file, text: String::new() }
}
