//! Menus, with and without a filter.

use crate::{CTRL_C, DOWN, ask, narrow, wide};

#[test]
fn enter_takes_the_marked_row() {
    let mut asked = wide("select");
    asked.shows(
        "Plan (--plan)\n  \
         small    what small gives, größer als nötig – and a long text on it\n\
         ▸ medium   what medium gives, größer als nötig – and a long text on it\n  \
         large    what large gives, größer als nötig – and a long text on it",
    );
    assert!(!asked.cursor_is_shown());
    asked.keys("\r").shows("✓ Plan: medium\nanswer: medium");
    assert_eq!(asked.ends(), 0);
    assert!(asked.cursor_is_shown());
}

#[test]
fn arrows_choose_and_nothing_else_is_touched() {
    let mut asked = narrow("select");
    let rows = |at: usize| {
        let row = |place: usize, text| format!("{} {text}", if at == place { "▸" } else { " " });
        format!(
            "Plan (--plan)\n{}\n{}\n{}",
            row(0, "small    what small gives, größer al…"),
            row(1, "medium   what medium gives, größer a…"),
            row(2, "large    what large gives, größer al…")
        )
    };
    asked.shows(&rows(1));
    asked.keys(DOWN).shows(&rows(2));
    asked.keys(DOWN).shows(&rows(0));
    asked.keys("q").keys("\x1bx").keys("k").shows(&rows(2));
    asked.keys("\r").shows("✓ Plan: large\nanswer: large");
    assert_eq!(asked.ends(), 0);
}

#[test]
fn a_menu_that_is_resized_leaves_nothing_behind() {
    let mut asked = wide("select");
    let at_30 = "Plan (--plan)\n  small    what small gives,…\n  medium   what medium gives…\n\
                 ▸ large    what large gives,…";
    asked.until("▸ medium ");
    asked.resize(30);
    asked.keys(DOWN).shows(at_30);
    asked.resize(80);
    asked
        .keys(DOWN)
        .until("\n▸ small    what small gives, größer als nötig – and a long text on it");
    asked.keys(DOWN).keys(DOWN);
    asked.until("\n▸ large    what large gives, größer als nötig – and a long text on it");
    asked.resize(30);
    asked.keys("q").shows(at_30);
    asked.resize(20);
    asked.keys("\r").shows("✓ Plan: large\nanswer: large");
    let mut asked = wide("filter");
    asked.until("minio");
    asked.resize(20);
    asked.keys("rab").shows("Class (--class), t…\n▸ rabbitmq   for d…");
    asked.resize(50);
    asked.keys("\r").shows("✓ Class: rabbitmq\nanswer: rabbitmq");
    assert_eq!(asked.ends(), 0);
}

#[test]
fn rows_that_are_cut_alike_are_different_answers() {
    let mut asked = ask(20, &["alike"]);
    let row = "a-name-as-long-a…";
    let rows = |at: usize| {
        let mark = |place| if place == at { "▸" } else { " " };
        (0..7).map(|place| format!("\n{} {row}", mark(place))).collect::<String>()
    };
    asked.shows(&format!("Class (--class), t…{}", rows(0)));
    asked.keys(DOWN).shows(&format!("Class (--class), t…{}", rows(1)));
    asked.keys("\r").until("answer: a-name-as-long-as-the-terminal-2");
    assert_eq!(asked.ends(), 0);
}

#[test]
fn many_rows_are_filtered_by_typing() {
    let mut asked = wide("filter");
    let row = |name: &str| format!("\n  {name:<11}for development");
    let rest: String =
        ["kafka", "mysql", "postgres", "rabbitmq", "redis", "minio"].map(row).concat();
    let head = "Class (--class), type to filter";
    asked.shows(&format!("{head}\n▸ vault      for development{rest}"));
    asked.keys("rab").shows(&format!("{head}: rab\n▸ rabbitmq   for development"));
    asked.keys("x").shows(&format!("{head}: rabx"));
    asked.keys("\r").keys("\x7f").shows(&format!("{head}: rab\n▸ rabbitmq   for development"));
    asked.keys("\r").shows("✓ Class: rabbitmq\nanswer: rabbitmq");
    assert_eq!(asked.ends(), 0);
}

#[test]
fn the_filter_fits_forty_columns() {
    let mut asked = narrow("filter");
    asked.until("minio");
    asked.keys("xxxxxxxxxxxxxxxxxxxxxxxxx");
    asked.shows("Class (--class), type to filter: xxxxx…");
    asked.keys(CTRL_C);
    assert_eq!(asked.ends(), 130);
}
