//! Lines of text, lists, names to type.

use std::thread;

use crate::{AFTER_PASTE, ask, narrow, wide};

const HEAD: &str = "Disk size (storage), 1Gi to 10Gi, cannot change later [1Gi]:";

#[test]
fn enter_takes_the_default() {
    let mut asked = wide("text");
    asked.shows(HEAD);
    asked.keys("\r").shows("✓ Disk size (storage): 1Gi\nanswer: 1Gi");
    assert_eq!(asked.ends(), 0);
}

#[test]
fn a_wrong_entry_is_replaced_by_its_error_and_that_by_the_answer() {
    let mut asked = wide("text");
    asked.shows(HEAD);
    asked.keys("50Gi").shows(&format!("{HEAD} 50Gi"));
    let wrong = "✗ 50Gi is more than 10Gi, the most in plan small";
    asked.keys("\r").shows(&format!("{wrong}\n{HEAD}"));
    asked.keys("x\r").shows(&format!("✗ x is not a size: 1Gi to 10Gi\n{HEAD}"));
    asked.keys("10Gi\r").shows("✓ Disk size (storage): 10Gi\nanswer: 10Gi");
    assert_eq!(asked.ends(), 0);
}

#[test]
fn keys_edit_the_line() {
    let mut asked = wide("text");
    asked.shows(HEAD);
    asked.keys("99\x15").keys("4Gi\x1b[D\x1b[D\x1b[D1\x1b[3~0\x7f0");
    asked.shows(&format!("{HEAD} 10Gi"));
    asked.keys("\r").shows("✓ Disk size (storage): 10Gi\nanswer: 10Gi");
}

#[test]
fn a_paste_of_several_lines_is_thrown_away() {
    let mut asked = wide("two");
    asked.shows("First (first):");
    asked.keys("one\rtwo\rthree\r").shows("✗ one line only\nFirst (first):");
    asked.keys("a\nb\nc").shows("✗ one line only\nFirst (first):");
    thread::sleep(AFTER_PASTE);
    asked.keys("alpha\r").shows("✓ First (first): alpha\nSecond (second):");
    asked.keys("beta\r");
    asked.shows("✓ First (first): alpha\n✓ Second (second): beta\nanswer: alpha beta");
    assert_eq!(asked.ends(), 0);
}

#[test]
fn a_long_entry_scrolls_on_its_line() {
    let mut asked = narrow("plain");
    asked.shows("Name [postgres]:");
    asked.keys("abcdefghijklmnopqrstuvwxyz");
    asked.shows("Name [postgres]: efghijklmnopqrstuvwxyz");
    asked
        .keys("\r")
        .shows("✓ Name: abcdefghijklmnopqrstuvwxyz\nanswer: abcdefghijklmnopqrstuvwxyz");
}

#[test]
fn forty_columns_cut_questions_and_errors() {
    let mut asked = narrow("text");
    asked.shows("Disk size (storage… [1Gi]:");
    asked.keys("50Gi\r");
    asked.shows("✗ 50Gi is more than 10Gi, the most in p…\nDisk size (storage… [1Gi]:");
    asked.keys("2Gi\r").shows("✓ Disk size (storage): 2Gi\nanswer: 2Gi");
    assert_eq!(asked.ends(), 0);
}

#[test]
fn without_utf8_there_are_words() {
    let mut asked = ask(40, &["text", "--ascii"]);
    asked.shows("Disk size (stora... [1Gi]:");
    asked.keys("50Gi\r");
    asked.shows("x 50Gi is more than 10Gi, the most in...\nDisk size (stora... [1Gi]:");
    asked.keys("2Gi\r").shows("ok Disk size (storage): 2Gi\nanswer: 2Gi");
}

#[test]
fn a_list_has_an_item_a_line() {
    let mut asked = wide("list");
    let head = "Extensions (extensions), an item a line:";
    asked.shows(head);
    asked.keys("pgvector\r").shows(&format!("  pgvector\n{head}"));
    let wrong = "✗ must start with a letter: 1-63 of a-z 0-9 _";
    asked.keys("9\r").shows(&format!("  pgvector\n{wrong}\n{head}"));
    asked.keys("hstore\r").shows(&format!("  pgvector, hstore\n{head}"));
    asked.keys("a\rb\r").shows(&format!("  pgvector, hstore\n✗ one line only\n{head}"));
    asked.keys("\r");
    asked.shows("✓ Extensions (extensions): pgvector, hstore\nanswer: pgvector|hstore");
    assert_eq!(asked.ends(), 0);
}

#[test]
fn an_empty_list_is_an_answer() {
    let mut asked = wide("list");
    asked.shows("Extensions (extensions), an item a line:");
    asked.keys("\r").shows("✓ Extensions (extensions): none\nanswer:");
}

#[test]
fn a_name_is_typed_in_full() {
    let mut asked = wide("name");
    let head = "Type mydb to delete it and its data:";
    asked.shows(head);
    let wrong = "✗ that is not mydb; Enter alone changes nothing";
    asked.keys("my\r").shows(&format!("{wrong}\n{head}"));
    asked.keys("mydb\r").shows(&format!("{head} mydb\nanswer: true"));
    let mut asked = wide("name");
    asked.shows(head);
    asked.keys("\r").shows(&format!("{head}\nanswer: false"));
}
