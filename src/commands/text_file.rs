//! Files that a command is told to read, and stdin: text, of a length that ends.

use std::fs::File;
use std::io::{self, Read, stdin};
use std::path::Path;

/// The longest file that is read, in bytes: more than any release record or class holds, less than
/// a device without an end.
const LONGEST: u64 = 4 * 1024 * 1024;

/// Why a file was not read.
#[derive(Debug)]
pub enum Unread {
    Failed(io::Error),
    /// In words, with the file's name.
    Unfit(String),
}

/// The text of a file, or of stdin where it is `-`.
///
/// # Errors
/// It cannot be read, is longer than 4 MiB, or is not UTF-8.
pub fn read(path: &Path) -> Result<String, Unread> {
    let bytes = if path == Path::new("-") { limited(stdin()) } else { open(path) };
    let bytes = bytes.map_err(Unread::Failed)?;
    if bytes.len() as u64 > LONGEST {
        return Err(Unread::Unfit(format!("{} is longer than 4 MiB", path.display())));
    }
    let text = String::from_utf8(bytes);
    text.map_err(|_| Unread::Unfit(format!("{} is not UTF-8", path.display())))
}

fn open(path: &Path) -> io::Result<Vec<u8>> {
    File::open(path).and_then(limited)
}

fn limited(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(LONGEST + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
