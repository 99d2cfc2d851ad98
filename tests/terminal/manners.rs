//! The same commands at other terminals: narrow, without UTF-8, dumb; and what is pasted.

use super::{start, start_with};
use crate::support::mask::mask;
use crate::support::stage::Stage;
use crate::support::terminal::Terminal;

fn publish(stage: &Stage, name: &str) {
    let script = "sed 's/name: forms$/name: NAME/' \"$SVC_TEST_RUN\"/test-classes/forms.yaml \
                  | kubectl create -f -";
    let said = stage.run(&script.replace("NAME", name));
    assert_eq!(said.status, 0, "{said}");
}

/// Enter at every question.
fn accept(terminal: &mut Terminal, questions: &[&str]) {
    for question in questions {
        terminal.until(question);
        terminal.keys("\r");
    }
}

const TITLES: [&str; 9] = [
    "Topology",
    "Zone",
    "Export metrics",
    "Team to tell",
    "Connections",
    "Share of memory",
    "Cache",
    "Backup window",
    "Extensions",
];

const CREATED: &str = "\
form in namespace team-ga,
  context staging

ok Topology (mode): alone
ok Zone (zone): oslo
ok Export metrics (metrics): yes
ok Team to tell (owner): team-a
ok Connections (connections): 100
ok Share of memory (ratio): 0.5
ok Cache (cache): 1Gi
ok Backup window (window): 90m
ok Extensions (extensions): hstore
ok Disk (disk): 1Gi
ok Password (password): generated

  mydb         form, chart config 0.1.0
  mode         alone
  zone         oslo
  metrics      yes
  owner        team-a
  connections  100
  ratio        0.5
  cache        1Gi
  window       90m
  extensions   hstore
  disk         1Gi, cannot change later
  password     generated

The same without questions:
  svc create mydb --class form \\
    --set mode=alone --set zone=oslo \\
    --set metrics=true \\
    --set owner=team-a \\
    --set connections=100 \\
    --set ratio=0.5 --set cache=1Gi \\
    --set window=90m \\
    --set 'extensions=[\"hstore\"]' \\
    --set disk=1Gi

Create mydb in namespace tea... [Y/n]";

const UPDATED: &str = "\
updating mydb in namespace
  team-ga, context staging

✓ Topology (mode): alone
✓ Zone (zone): oslo
✓ Export metrics (metrics): yes
✓ Team to tell (owner): another-team-of…
✓ Connections (connections): 100
✓ Share of memory (ratio): 0.5
✓ Cache (cache): 1Gi
✓ Backup window (window): 90m
✓ Extensions (extensions): hstore
✓ Password (password): ••••••••

  owner     team-a -> another-team-of-us
  password  another value
✓ Applied, revision 2          0s
✓ mydb is ready                0s";

#[test]
fn forty_columns_with_and_without_utf8() {
    let Some(stage) = Stage::new("forty_columns", "team-ga") else { return };
    publish(&stage, "form");
    let mut terminal = start_with(&stage, 40, &[("LC_ALL", "C")], "svc create mydb --class form");
    terminal.until("Topology (mode)\n> alone\n  pair\n  many");
    accept(&mut terminal, &TITLES);
    accept(&mut terminal, &["Disk (disk), can... [1Gi]:", "Password (password), E...:"]);
    terminal.shows(CREATED);
    assert_eq!(terminal.broken_lines(), [""; 0]);
    terminal.keys("y").until("\nok mydb is ready ");
    assert_eq!(terminal.ends(), 0);
    let mut terminal = start_with(&stage, 40, &[], "svc update mydb");
    accept(&mut terminal, &TITLES[..3]);
    terminal.asks("\nTeam to tell (o… [team-a]:");
    terminal
        .keys("9\r")
        .asks("\n✗ must start with a letter: 1-20 of a-z…\nTeam to tell (o… [team-a]:");
    terminal.keys("another-team-of-us\r");
    accept(&mut terminal, &TITLES[4..]);
    terminal.asks("Password (password), Ent…:");
    terminal.keys("short\r").asks("\n✗ must have 8-64 characters\nPassword (password), Ent…:");
    terminal.keys("correct-horse\r").asks("Again:");
    terminal.keys("correct-horse\r");
    assert_eq!(terminal.ends(), 0);
    terminal.shows_masked(UPDATED, mask);
    assert_eq!(terminal.broken_lines(), [""; 0]);
    stage.run("svc delete mydb --yes; kubectl delete serviceclass form");
}

#[test]
fn a_dumb_terminal_is_none() {
    let Some(stage) = Stage::new("a_dumb_terminal", "team-gb") else { return };
    stage.run("svc create mydb --class redis");
    for (command, words) in [
        (
            "svc create",
            "error: create needs a name and a class, and there is no terminal to ask on\n",
        ),
        ("svc update mydb", "error: update needs --set without a terminal\n"),
        ("svc upgrade mydb", "error: upgrade needs --yes without a terminal\n"),
        ("svc delete mydb", "error: delete needs --yes without a terminal\n"),
    ] {
        let mut terminal = start_with(&stage, 80, &[("TERM", "dumb")], command);
        assert_eq!(terminal.ends(), 2, "{command}");
        assert!(terminal.screen().starts_with(words), "{}", terminal.screen());
        assert!(!terminal.raw().contains('\x1b'), "{:?}", terminal.raw());
    }
    stage.run("svc delete mydb --yes");
}

#[test]
fn a_paste_of_several_lines_answers_nothing() {
    let Some(stage) = Stage::new("a_paste", "team-gc") else { return };
    publish(&stage, "forms-gc");
    assert_eq!(stage.run("svc create mydb --class forms-gc").status, 0);
    let mut terminal = start(&stage, "svc update mydb");
    accept(&mut terminal, &TITLES[..3]);
    terminal.until("Team to tell");
    terminal.keys("one\rtwo\r300\r").asks("✗ one line only\nTeam to tell (owner) [team-a]:");
    std::thread::sleep(std::time::Duration::from_millis(100));
    terminal
        .keys("\r")
        .asks("✓ Team to tell (owner): team-a\nConnections (connections), 20 to 1000 [100]:");
    terminal
        .keys("400\n500\n")
        .asks("✗ one line only\nConnections (connections), 20 to 1000 [100]:");
    std::thread::sleep(std::time::Duration::from_millis(100));
    terminal.keys("\r");
    accept(&mut terminal, &TITLES[5..8]);
    terminal.until("(extensions)");
    terminal.keys("cube\rseg\r").until("✗ one line only\nExtensions");
    std::thread::sleep(std::time::Duration::from_millis(100));
    terminal.keys("\r").until("to keep it:");
    terminal
        .keys("pasted-secret\rpasted-secret\r")
        .asks("✗ one line only\nPassword (password), Enter to keep it:");
    std::thread::sleep(std::time::Duration::from_millis(100));
    terminal.keys("\r");
    assert_eq!(terminal.ends(), 0);
    assert!(terminal.screen().ends_with("\nmydb is like that already; nothing changed"));
    assert!(!terminal.raw().contains("pasted-secret"));
    stage.run("svc delete mydb --yes; kubectl delete serviceclass forms-gc");
}
