//! `update` and `upgrade` at a terminal (interface §10).

use super::start;
use crate::support::mask::mask;
use crate::support::stage::Stage;
use crate::support::terminal::Terminal;

const CLASS: &str = "sed 's/name: config$/name: settings/' \"$SVC_TEST_RUN\"/test-classes/config.yaml | kubectl create -f -";
const OWNER: &str = r#"kubectl patch serviceclass settings --type=json -p '[{"op": "add", "path": "/spec/parameters/-",
  "value": {"name": "owner", "paths": ["text.owner"], "title": "Team to tell", "required": true, "string": {"maxLength": 20}}}]'"#;

const DEFAULT: &str = r#"kubectl patch serviceclass settings --type=json -p '[{"op": "replace",
  "path": "/spec/parameters/1/integer/default", "value": 2}]'"#;

/// Waits for each question and presses the keys.
fn answer(terminal: &mut Terminal, questions: &[(&str, &str)]) {
    for (question, keys) in questions {
        terminal.until(question);
        terminal.keys(keys);
    }
}

#[test]
fn update_asks_what_can_change_and_upgrade_what_is_new() {
    let Some(stage) = Stage::new("update_asks_what_can_change", "team-v") else { return };
    for script in [CLASS, "svc create mydb --class settings"] {
        let said = stage.run(script);
        assert_eq!(said.status, 0, "{said}");
    }
    let mut terminal = start(&stage, "svc update mydb");
    answer(&mut terminal, &[("(greeting)", "hi\r"), ("(count)", "\r"), ("to keep it:", "\r")]);
    assert_eq!(terminal.ends(), 0);
    assert_eq!(
        mask(&terminal.screen()).trim_end(),
        mask(
            "updating mydb in namespace team-v, context staging\n\n\
             ✓ greeting (greeting): hi\n✓ count (count): 1\n✓ password (password): kept\n\n  greeting  hello -> hi\n\
             ✓ Applied, revision 2                                                  0s\n\
             ✓ mydb is ready                                                        0s"
        )
    );
    let mut terminal = start(&stage, "svc update mydb --set greeting=hi");
    assert_eq!(terminal.ends(), 0);
    terminal.shows("mydb is like that already; nothing changed");
    assert_eq!(stage.run(OWNER).status, 0);
    let mut terminal = start(&stage, "svc upgrade mydb");
    answer(&mut terminal, &[("(owner)", "team-a\r"), ("Upgrade mydb? [y/N]", "n")]);
    assert_eq!(terminal.ends(), 0);
    assert!(
        terminal.screen().contains("  new parameter  owner = team-a\n"),
        "{}",
        terminal.screen()
    );
    assert!(terminal.screen().trim_end().ends_with("nothing changed"), "{}", terminal.screen());
    let mut terminal = start(&stage, "svc upgrade mydb --set owner=team-b");
    terminal.until("Upgrade mydb? [y/N]");
    assert_eq!(stage.run(DEFAULT).status, 0);
    answer(&mut terminal, &[("Upgrade mydb? [y/N]", "y")]);
    terminal.until("warning: class settings changed while the question was open");
    answer(&mut terminal, &[("  count          1 -> 2", "y")]);
    assert_eq!(terminal.ends(), 0);
    assert!(terminal.screen().contains("✓ Upgraded, revision 3"), "{}", terminal.screen());
    stage.run("svc delete mydb --yes; kubectl delete serviceclass settings");
}

#[test]
fn create_looks_at_the_class_again_before_it_makes_something() {
    let Some(stage) = Stage::new("create_looks_at_the_class", "team-w") else { return };
    let class = CLASS.replace("settings", "settings-w");
    assert_eq!(stage.run(&class).status, 0);
    let mut terminal = start(&stage, "svc create mydb --class settings-w");
    answer(&mut terminal, &[("(greeting)", "\r"), ("(count)", "\r"), ("(password)", "\r")]);
    terminal.until("Create mydb in namespace team-w, context staging? [Y/n]");
    assert_eq!(stage.run(&DEFAULT.replace("settings", "settings-w")).status, 0);
    terminal.keys("y");
    assert_eq!(terminal.ends(), 1);
    let screen = terminal.screen();
    assert!(
        screen.contains("error: class settings-w changed while the questions were open"),
        "{screen}"
    );
    assert_eq!(stage.run("svc show mydb").status, 3);
    stage.run("kubectl delete serviceclass settings-w");
}

#[test]
fn upgrade_asks_for_a_plan_where_the_old_one_is_gone() {
    let Some(stage) = Stage::new("upgrade_asks_for_a_plan", "team-p") else { return };
    for script in [
        &CLASS.replace("settings", "settings-p"),
        r#"kubectl patch serviceclass settings-p --type=json -p '[{"op": "add", "path": "/spec/plans",
            "value": [{"name": "small"}, {"name": "medium"}, {"name": "large"}]}]'"#,
        "svc create mydb --class settings-p --plan small",
        r#"kubectl patch serviceclass settings-p --type=json -p '[{"op": "remove", "path": "/spec/plans/0"},
            {"op": "add", "path": "/spec/defaultPlan", "value": "large"}]'"#,
    ] {
        let said = stage.run(script);
        assert_eq!(said.status, 0, "{said}");
    }
    let mut terminal = start(&stage, "svc upgrade mydb");
    answer(&mut terminal, &[("▸ large", "\r"), ("Upgrade mydb? [y/N]", "y")]);
    assert_eq!(terminal.ends(), 0);
    for words in ["✓ Plan: large\n", "  plan     small -> large\n", "✓ Upgraded, revision 2"] {
        assert!(terminal.screen().contains(words), "{words}: {}", terminal.screen());
    }
    stage.run("svc delete mydb --yes; kubectl delete serviceclass settings-p");
}

#[test]
fn what_no_plan_allows_is_told_before_one_is_asked_for() {
    let Some(stage) = Stage::new("what_no_plan_allows", "team-q") else { return };
    let mut terminal = start(&stage, "svc create mydb --class postgres --set storage=500Gi");
    assert_eq!(terminal.ends(), 2);
    let wrong = "error: 1 parameter to put right for mydb (postgres, plan small)";
    assert!(terminal.screen().contains(wrong), "{}", terminal.screen());
    assert!(!terminal.screen().contains("Plan (--plan)"), "{}", terminal.screen());
}

#[test]
fn a_name_that_is_missing_counts_beside_a_no() {
    let Some(stage) = Stage::new("a_name_that_is_missing", "team-n") else { return };
    let class = CLASS.replace("settings", "settings-n");
    for script in [&class, "svc create mydb --class settings-n"] {
        assert_eq!(stage.run(script).status, 0);
    }
    let mut terminal = start(&stage, "svc delete mydb nodb");
    answer(&mut terminal, &[("Delete mydb? [y/N]", "n")]);
    assert_eq!(terminal.ends(), 3);
    stage.run("svc delete mydb --yes; kubectl delete serviceclass settings-n");
}
