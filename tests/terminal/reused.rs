//! A volume that is used again, in the summary before the last question.

use super::{CTRL_C, SECRET, STORAGE, start};
use crate::support::stage::Stage;

#[test]
fn the_summary_has_the_size_that_will_be() {
    let Some(stage) = Stage::new("the_summary_has", "team-jr") else { return };
    let given = "-c postgres -p small --set database=orders --set mode=standalone --set metrics=no";
    let made = stage.run(&format!("svc create mydb {given} --set storage=2Gi"));
    assert_eq!(made.status, 0, "{made}");
    assert_eq!(stage.run("svc delete mydb --yes").status, 0);
    for (key, row, flag) in [
        ("\r", "2Gi, of volume data-mydb-postgresql-0\n", "--set storage=2Gi"),
        ("3Gi\r", "2Gi, of volume data-mydb-postgresql-0, not 3Gi\n", "--set storage=3Gi"),
    ] {
        let mut terminal = start(&stage, &format!("svc create mydb {given} --reuse-data"));
        terminal.asks(STORAGE);
        terminal.keys(key).asks(SECRET);
        terminal.keys("\r").asks("? [Y/n]");
        let screen = terminal.screen();
        assert!(screen.contains(&format!("\n  storage         {row}")), "{screen}");
        assert!(screen.contains(flag) && screen.contains("--reuse-data"), "{screen}");
        let warned = "warning: volume data-mydb-postgresql-0, 2Gi is used again";
        assert!(screen.contains(warned), "{screen}");
        terminal.keys(CTRL_C);
        assert_eq!(terminal.ends(), 130);
        assert!(terminal.cursor_is_shown());
    }
    stage.run("svc delete mydb --delete-data --yes");
}
