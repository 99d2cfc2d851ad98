//! Whole commands at a terminal of 80 columns, against the throwaway cluster (interface §3, §4,
//! §9, §11).

#[path = "terminal/change.rs"]
mod change;
#[path = "terminal/connecting.rs"]
mod connecting;
#[path = "terminal/deletion.rs"]
mod deletion;
#[path = "terminal/forms.rs"]
mod forms;
#[path = "terminal/manners.rs"]
mod manners;
#[path = "terminal/reused.rs"]
mod reused;
mod support;

use portable_pty::CommandBuilder;
use support::mask::mask;
use support::stage::Stage;
use support::terminal::{CTRL_C, DOWN, Terminal};

/// Starts a command; its screen is masked where runs differ.
fn start(stage: &Stage, script: &str) -> Terminal {
    start_with(stage, 80, &[], script)
}

/// The same at a terminal of so many columns, and with other variables of the environment.
fn start_with(stage: &Stage, columns: u16, more: &[(&str, &str)], script: &str) -> Terminal {
    let shell = stage.shell("");
    let mut command = CommandBuilder::new("bash");
    command.args(["-c", &format!("exec {script}")]);
    command.env_clear();
    command.cwd(stage.folder());
    for (name, value) in shell.get_envs() {
        if let Some(value) = value.filter(|_| name != "COLUMNS" && name != "NO_COLOR") {
            command.env(name, value);
        }
    }
    command.env("TERM", "xterm-256color");
    command.env("LANG", "C.UTF-8");
    more.iter().for_each(|(name, value)| command.env(name, value));
    Terminal::start_after("", columns, command)
}

const HEAD: &str = "postgres in namespace team-h, context staging\n\n";
const PLANS: &str = "\
Plan (--plan)
▸ small    1 GiB memory, no backups
  medium   4 GiB memory, nightly backups
  large    16 GiB memory, nightly backups";
const STORAGE: &str = "Disk size (storage), 1Gi to 10Gi, cannot change later [1Gi]:";
const SECRET: &str = "Administrator password (admin-password), Enter to generate:";

const SUMMARY: &str = "\
postgres in namespace team-h, context staging

✓ Plan: small
✓ First database (database): orders
✓ Disk size (storage): 10Gi
✓ Topology (mode): standalone
✓ Export metrics (metrics): yes
✓ Administrator password (admin-password): generated

  mydb            postgres, plan small, chart postgresql 16.2.1
  database        orders
  storage         10Gi, cannot change later
  mode            standalone
  metrics         yes
  admin-password  generated

The same without questions:
  svc create mydb --class postgres --plan small --set database=orders \\
    --set storage=10Gi --set mode=standalone --set metrics=true

Create mydb in namespace team-h, context staging? [Y/n]";

#[test]
fn create_asks_what_is_open() {
    let Some(stage) = Stage::new("create_asks_what_is_open", "team-h") else { return };
    let mut terminal = start(&stage, "svc create mydb --class postgres");
    terminal.shows(&format!("{HEAD}{PLANS}"));
    terminal.keys("\r").asks("✓ Plan: small\nFirst database (database):");
    terminal
        .keys("9lives\r")
        .asks("✗ must start with a letter: 1-63 of a-z 0-9 _\nFirst database (database):");
    terminal.keys("orders\r").asks(STORAGE);
    let wrong = format!("✗ 50Gi is more than 10Gi, the most in plan small\n{STORAGE}");
    terminal.keys("50Gi\r").asks(&wrong);
    terminal.keys("10Gi\r").asks("Topology (mode)\n▸ standalone\n  replication");
    terminal.keys("\r").asks("Export metrics (metrics) [y/N]:");
    terminal.keys("y").asks(SECRET);
    terminal.keys("\r").shows(SUMMARY);
    terminal.keys("n").shows(&format!("{SUMMARY} n\nnothing changed"));
    assert_eq!(terminal.ends(), 0);
    assert!(terminal.cursor_is_shown());
    nothing_exists(&stage);
}

#[test]
fn the_command_without_questions_asks_none() {
    let Some(stage) = Stage::new("the_command_without_questions", "team-o") else { return };
    let folded = SUMMARY.split("questions:\n").nth(1).and_then(|rest| rest.split("\n\n").next());
    let command = folded.expect("the summary has a command").replace("\\\n", "");
    let mut terminal = start(&stage, &format!("{} --no-wait", command.trim()));
    assert_eq!(terminal.ends(), 0);
    assert!(
        terminal.screen().starts_with(
            "creating mydb: postgres, plan small, namespace team-o, context staging\n"
        )
    );
    let mut terminal = start(&stage, "svc create other -c postgres -p small --defaults");
    terminal.asks("First database (database):");
    terminal.keys("orders\r").until("Create other").shows(OPEN);
    terminal.keys("n");
    assert_eq!(terminal.ends(), 0);
    let mut terminal = start(&stage, "svc create other --no-input");
    assert_eq!(terminal.ends(), 2);
    terminal.shows(
        "error: create needs a class, and --no-input was given\n\
         try: svc create other --class CLASS\nClasses: svc catalog",
    );
    let mut terminal = start(&stage, "svc delete mydb --no-input");
    assert_eq!(terminal.ends(), 2);
    assert!(terminal.screen().starts_with("error: delete needs --yes beside --no-input\n"));
    stage.run("svc delete mydb --yes --delete-data");
}

const OPEN: &str = "\
postgres in namespace team-o, context staging

✓ First database (database): orders

  other           postgres, plan small, chart postgresql 16.2.1
  database        orders
  storage         1Gi, cannot change later
  mode            standalone
  metrics         no
  admin-password  generated

The same without questions:
  svc create other --class postgres --plan small --set database=orders \\
    --defaults

Create other in namespace team-o, context staging? [Y/n]";

/// No release, and nothing that was said to be made.
#[track_caller]
fn nothing_exists(stage: &Stage) {
    assert_eq!(stage.run("svc list -o name").stdout, "");
    assert_eq!(stage.run("kubectl get secret,pod,pvc -n $SVC_NAMESPACE -o name").stdout, "");
}

const MADE: &str = "\
postgres in namespace team-i, context staging

✓ Export metrics (metrics): yes
✓ Administrator password (admin-password): ••••••••

  mydb            postgres, plan small, chart postgresql 16.2.1
  database        orders
  storage         10Gi, cannot change later
  mode            standalone
  metrics         yes
  admin-password  ••••••••

The same without questions:
  svc create mydb --class postgres --plan small --set database=orders \\
    --set storage=10Gi --set mode=standalone --set metrics=true \\
    --set-env admin-password=ADMIN_PASSWORD

Create mydb in namespace team-i, context staging? [Y/n] y
✓ Chart postgresql 16.2.1                                              1s
✓ Installed, revision 1                                                3s
✓ mydb is ready                                                       52s

host      mydb-postgresql.team-i.svc
port      5432
username  app
password  ••••••••
database  orders
uri       postgresql://app:••••••••@mydb-postgresql.team-i.svc:5432/orders

Next:
  svc show mydb      the same with the password
  svc delete mydb    give it back";

const BLOCK: &str = "    Pod mydb-postgresql-0            running, not ready
    StatefulSet mydb-postgresql      0 of 1 pods ready
    Volume data-mydb-postgresql-0    bound, 10Gi
    Secret mydb-postgresql           here";

const SHOWN: &str = "\
mydb  postgres, plan small, ready, 3d old
      namespace team-i, context staging

host      mydb-postgresql.team-i.svc
port      5432
username  app
password  kX3vT9qLm2
database  orders
uri       postgresql://app:kX3vT9qLm2@mydb-postgresql.team-i.svc:5432/orders

database         orders
storage          10Gi, cannot change
mode             standalone
metrics          yes
admin-password   ••••••••
max-connections  100";

const GOES: &str = "\
mydb (postgres, plan small) in namespace team-i, context staging
  goes   release mydb, 1 pod, Service and Secret mydb-postgresql,
         ConfigMap mydb-postgresql-scripts, Service mydb-postgresql-hl
";
const QUESTION: &str = "  stays  volume data-mydb-postgresql-0, 10Gi, with the data
Delete mydb? [y/N]";

#[test]
fn an_instance_from_its_first_question_to_its_last() {
    let Some(stage) = Stage::new("an_instance", "team-i") else { return };
    create(&stage);
    let mut terminal = start(&stage, "svc show mydb");
    assert_eq!(terminal.ends(), 0);
    terminal.shows_masked(SHOWN, mask);
    let mut terminal = start(&stage, "svc show mydb database");
    assert_eq!(terminal.ends(), 0);
    assert_eq!(terminal.raw(), "orders\r\n");
    delete(&stage);
}

fn create(stage: &Stage) {
    let given = "--set database=orders --set storage=10Gi --set mode=standalone";
    let mut terminal = start(stage, &format!("svc create mydb -c postgres -p small {given}"));
    terminal.asks("Export metrics (metrics) [y/N]:");
    terminal.keys("y").asks(SECRET);
    terminal.keys("correct-horse\r").asks("Again:");
    terminal.keys("correct-horse\r").asks("? [Y/n]");
    terminal.keys("y").until("\n• Waiting, ").until(BLOCK);
    terminal.shows_masked(MADE, mask);
    assert_eq!(terminal.ends(), 0);
    assert!(!terminal.raw().contains("correct-horse"));
    assert!(terminal.cursor_is_shown());
}

fn delete(stage: &Stage) {
    let mut terminal = start(stage, "svc delete mydb");
    terminal.shows(&format!("{GOES}{QUESTION}"));
    terminal.keys("\r").shows(&format!("{GOES}{QUESTION} n\nnothing changed"));
    assert_eq!(terminal.ends(), 0);
    let mut terminal = start(stage, "svc delete mydb");
    terminal.asks("Delete mydb? [y/N]").shows(&format!("{GOES}{QUESTION}"));
    terminal.keys("y").shows_masked(
        &format!(
            "{GOES}{QUESTION} y\n\
             ✓ mydb is deleted                                                      6s\n\
             note: the data is kept: volume data-mydb-postgresql-0, 10Gi\n\
             Next: svc delete mydb --delete-data    delete it too"
        ),
        mask,
    );
    assert_eq!(terminal.ends(), 0);
}

#[test]
fn data_goes_by_the_typed_name_alone() {
    let Some(stage) = Stage::new("data_goes", "team-j") else { return };
    stage.run("svc create mydb -c postgres --set database=orders --set storage=10Gi");
    let question = format!(
        "{}  goes   volume data-mydb-postgresql-0, 10Gi, AND THE DATA IN IT\n\
         Type mydb to delete it and its data:",
        GOES.replace("team-i", "team-j")
    );
    let mut terminal = start(&stage, "svc delete mydb --delete-data");
    terminal.shows(&question);
    terminal.keys("\r").shows(&format!("{question}\nnothing changed"));
    assert_eq!(terminal.ends(), 0);
    let mut terminal = start(&stage, "svc delete mydb --delete-data");
    terminal.shows(&question);
    terminal.keys("mydb\r").shows_masked(
        &format!(
            "{question} mydb\n\
             ✓ mydb and its data are deleted                                        9s"
        ),
        mask,
    );
    assert_eq!(terminal.ends(), 0);
    nothing_exists(&stage);
}

#[test]
fn ctrl_c_at_a_question_changes_nothing() {
    let Some(stage) = Stage::new("ctrl_c_at_a_question", "team-k") else { return };
    for (keys, open) in [("", "nightly backups"), ("\r", "First database (database):")] {
        let mut terminal = start(&stage, "svc create mydb --class postgres");
        terminal.until("▸ small");
        terminal.keys(keys).asks(open);
        terminal.keys(CTRL_C);
        assert_eq!(terminal.ends(), 130);
        assert!(terminal.screen().ends_with("\ninterrupted; nothing changed"));
        assert!(terminal.cursor_is_shown());
    }
    nothing_exists(&stage);
}

#[test]
fn ctrl_c_while_waiting_stops_the_waiting_alone() {
    let Some(stage) = Stage::new("ctrl_c_while_waiting", "team-l") else { return };
    stage.run("kubectl apply -f $SVC_TEST_RUN/test-classes/late.yaml");
    let mut terminal = start(&stage, "svc create slow -c late --set delay=600");
    terminal.until("• Waiting, ");
    terminal.keys(CTRL_C);
    assert_eq!(terminal.ends(), 130);
    terminal.shows_masked(
        "\
creating slow: late, namespace team-l, context staging
✓ Chart late 0.1.0                                                     1s
✓ Installed, revision 1                                                3s
• Waiting, 12s of 2m
stopped waiting; slow is installed in team-l and still starting
try:
  svc wait slow      go on waiting
  svc delete slow    give it up",
        mask,
    );
    assert!(terminal.cursor_is_shown());
    assert_eq!(stage.run("svc list -o name").stdout, "slow\n");
    stage.run("svc delete slow --yes; kubectl delete serviceclass late");
}

#[test]
fn without_name_and_class_both_are_asked() {
    let Some(stage) = Stage::new("without_name_and_class", "team-m") else { return };
    let mut terminal = start(&stage, "svc create");
    terminal.until("Class (--class)").until("▸ ");
    for _ in 0..20 {
        if terminal.screen().contains("▸ redis ") {
            break;
        }
        let before = terminal.screen();
        terminal.keys(DOWN).changes(&before);
    }
    terminal.keys("\r").shows("✓ Class: redis\nName [redis]:");
    terminal.keys("\r").shows(
        "\
✓ Class: redis
✓ Name: redis

  redis  redis, plan small, chart redis 1.0.0

The same without questions:
  svc create redis --class redis --plan small

Create redis in namespace team-m, context staging? [Y/n]",
    );
    terminal.keys("n");
    assert_eq!(terminal.ends(), 0);
    nothing_exists(&stage);
}

#[test]
fn the_catalog_is_cut_at_the_width() {
    let Some(stage) = Stage::new("the_catalog", "team-n") else { return };
    stage.run("kubectl label serviceclass postgres rabbitmq redis cut=yes");
    let long = r#"{"apiVersion": "svc-cli.dev/v1alpha1", "kind": "ServiceClass", "metadata": {"name": "mysql-8",
        "labels": {"cut": "yes"}}, "spec": {"summary": "MySQL", "deprecated": {"message": "security fixes have ended",
        "replacement": "mysql-9"}, "plans": [{"name": "small"}, {"name": "medium"}], "defaultPlan": "small",
        "chart": {"oci": {"url": "oci://registry.svc.test:5000/charts/config", "version": "0.1.0"}},
        "connection": {"details": [{"name": "port", "value": "3306"}]}}}"#;
    stage.run(&format!("kubectl apply -f - <<'CLASS'\n{long}\nCLASS"));
    let mut terminal = start(&stage, "svc catalog -l cut=yes");
    assert_eq!(terminal.ends(), 0);
    stage.run("kubectl delete serviceclass mysql-8; kubectl label serviceclass postgres rabbitmq redis cut-");
    terminal.shows(
        "\
NAME      STATUS      PLANS                 SUMMARY
mysql-8   deprecated  small, medium         use mysql-9: security fixes have en…
postgres  available   small, medium, large  Disposable PostgreSQL for developme…
rabbitmq  broken      -                     detail uri: \"pasword\" is not defined
redis     available   small                 Redis without persistence
note: rabbitmq cannot be created until its class is repaired
Next: svc catalog NAME",
    );
}
