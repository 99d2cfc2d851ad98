//! Every form of question, as `update` and `upgrade` ask it (interface §4, §10).

use super::start;
use crate::support::stage::Stage;
use crate::support::terminal::{CTRL_C, DOWN, Terminal};

/// Publishes the class with every form under a name of this test's own.
fn publish(stage: &Stage, name: &str, change: &str) {
    let script = format!(
        "set -o pipefail; sed 's/name: forms$/name: {name}/' \"$SVC_TEST_RUN\"/test-classes/forms.yaml \
         | kubectl create --dry-run=client -o json -f - | jq '{change}' | kubectl apply --server-side -f -"
    );
    let said = stage.run(&script);
    assert_eq!(said.status, 0, "{said}");
}

/// A question as it is asked, and keys that go on to the next one.
type Asked<'a> = (&'a str, &'a str);

/// What `update` offers: what the instance has.
const OFFERED: [Asked<'_>; 10] = [
    ("Topology (mode)\n  alone\n▸ pair\n  many", "\r"),
    ("Zone (zone), type to filter\n▸ riga\n  bern\n  bonn\n  kyiv\n  lima\n  oslo\n  rome", "\r"),
    ("Export metrics (metrics) [y/N]:", "\r"),
    ("Team to tell (owner) [team-b]:", "\r"),
    ("Connections (connections), 20 to 1000 [200]:", "\r"),
    ("Share of memory (ratio), 0 to 1 [0.25]:", "\r"),
    ("Cache (cache), 1Gi to 8Gi [2Gi]:", "\r"),
    ("Backup window (window), 1m to 24h [30m]:", "\r"),
    ("Extensions (extensions), an item a line, Enter a… [ltree, hstore]:", "\r"),
    ("Password (password), Enter to keep it:", "\r"),
];

/// What stays on the screen of each.
const KEPT: &str = "\
✓ Topology (mode): pair
✓ Zone (zone): riga
✓ Export metrics (metrics): no
✓ Team to tell (owner): team-b
✓ Connections (connections): 200
✓ Share of memory (ratio): 0.25
✓ Cache (cache): 2Gi
✓ Backup window (window): 30m
✓ Extensions (extensions): ltree, hstore
✓ Password (password): kept";

const MADE: &str = "svc create mydb --class NAME --set mode=pair --set zone=riga --set metrics=no \
    --set owner=team-b --set connections=200 --set ratio=0.25 --set cache=2Gi --set window=30m \
    --set 'extensions=[\"ltree\",\"hstore\"]'";

fn made(stage: &Stage, class: &str) {
    publish(stage, class, ".");
    let said = stage.run(&MADE.replace("NAME", class));
    assert_eq!(said.status, 0, "{said}");
}

fn gone(stage: &Stage, class: &str) {
    stage.run(&format!("svc delete mydb --yes; kubectl delete serviceclass {class}"));
}

#[track_caller]
fn revision(stage: &Stage) -> String {
    stage.run("svc show mydb -o json | jq -r .revision").stdout
}

#[track_caller]
fn answer(terminal: &mut Terminal, questions: &[Asked<'_>]) {
    for (question, keys) in questions {
        terminal.asks(question);
        terminal.keys(keys);
    }
}

#[test]
fn update_offers_what_the_instance_has() {
    let Some(stage) = Stage::new("update_offers", "team-fa") else { return };
    made(&stage, "forms-a");
    let mut terminal = start(&stage, "svc update mydb");
    terminal.until("updating mydb in namespace team-fa, context staging\n\n");
    answer(&mut terminal, &OFFERED);
    assert_eq!(terminal.ends(), 0);
    terminal.shows(&format!(
        "updating mydb in namespace team-fa, context staging\n\n{KEPT}\n\
         mydb is like that already; nothing changed"
    ));
    assert_eq!(revision(&stage), "1\n");
    for (place, (question, _)) in OFFERED.iter().enumerate() {
        let mut terminal = start(&stage, "svc update mydb");
        answer(&mut terminal, &OFFERED[..place]);
        terminal.asks(question);
        terminal.keys(CTRL_C);
        assert_eq!(terminal.ends(), 130, "{question}");
        assert!(terminal.cursor_is_shown(), "{question}");
        assert!(terminal.screen().ends_with("\ninterrupted; nothing changed"), "{question}");
    }
    assert_eq!(revision(&stage), "1\n");
    gone(&stage, "forms-a");
}

/// Wrong entries with their reasons, and then others than before.
const OTHERS: [Asked<'_>; 31] = [
    ("▸ pair\n  many", DOWN),
    ("  pair\n▸ many", "\r"),
    ("Zone (zone), type to filter\n▸ riga\n  bern\n  bonn\n  kyiv\n  lima\n  oslo\n  rome", "sof"),
    ("Zone (zone), type to filter: sof\n▸ sofia", "x"),
    ("Zone (zone), type to filter: sofx", "\r"),
    ("Zone (zone), type to filter: sofx", "\x7f"),
    ("Zone (zone), type to filter: sof\n▸ sofia", "\r"),
    ("Export metrics (metrics) [y/N]:", "x"),
    ("Export metrics (metrics) [y/N]:", "y"),
    ("(owner) [team-b]:", "Team\r"),
    ("✗ must start with a letter: 1-20 of a-z -\nTeam to tell (owner) [team-b]:", "team-c\r"),
    ("[200]:", "many\r"),
    ("✗ many is not an integer, like 100\nConnections (connections), 20 to 1000 [200]:", "5\r"),
    (
        "✗ 5 is less than 20, the least allowed\nConnections (connections), 20 to 1000 [200]:",
        "300\r",
    ),
    ("[0.25]:", "1,5\r"),
    ("✗ 1,5 is not a number, like 0.5\nShare of memory (ratio), 0 to 1 [0.25]:", "1.5\r"),
    ("✗ 1.5 is more than 1, the most allowed\nShare of memory (ratio), 0 to 1 [0.25]:", "0.75\r"),
    ("[2Gi]:", "2GB\r"),
    ("✗ 2GB is not a quantity, like 1Gi\nCache (cache), 1Gi to 8Gi [2Gi]:", "1Gi\r"),
    ("✗ 1Gi is less than 2Gi; it can only grow\nCache (cache), 1Gi to 8Gi [2Gi]:", "9Gi\r"),
    ("✗ 9Gi is more than 8Gi, the most allowed\nCache (cache), 1Gi to 8Gi [2Gi]:", "4Gi\r"),
    ("[30m]:", "soon\r"),
    ("✗ soon is not a duration, like 90m\nBackup window (window), 1m to 24h [30m]:", "45m\r"),
    ("[ltree, hstore]:", "cube\r"),
    ("  cube\nExtensions (extensions), an item a line, Enter alone ends:", "9\r"),
    (
        "✗ must be 1 or more of a-z\nExtensions (extensions), an item a line, Enter alone ends:",
        "isn\r",
    ),
    ("  cube, isn\nExtensions (extensions), an item a line, Enter alone ends:", "seg\r"),
    (
        "✗ has 3 entries; at most 2 entries\nExtensions (extensions), an item a line, Enter alone ends:",
        "\r",
    ),
    ("to keep it:", "short\r"),
    ("✗ must have 8-64 characters\nPassword (password), Enter to keep it:", "correct-horse\r"),
    ("Again:", "correct-horse\r"),
];

#[test]
fn update_takes_other_values_and_says_what_is_wrong() {
    let Some(stage) = Stage::new("update_takes", "team-fb") else { return };
    made(&stage, "forms-b");
    let mut terminal = start(&stage, "svc update mydb");
    answer(&mut terminal, &OTHERS);
    assert_eq!(terminal.ends(), 0);
    let screen = terminal.screen();
    for part in [
        "✓ Topology (mode): many\n✓ Zone (zone): sofia\n✓ Export metrics (metrics): yes\n\
         ✓ Team to tell (owner): team-c\n✓ Connections (connections): 300\n\
         ✓ Share of memory (ratio): 0.75\n✓ Cache (cache): 4Gi\n✓ Backup window (window): 45m\n\
         ✓ Extensions (extensions): cube, isn\n✓ Password (password): ••••••••\n",
        "  mode         pair -> many\n  zone         riga -> sofia\n  metrics      no -> yes\n  \
         owner        team-b -> team-c\n  connections  200 -> 300\n  ratio        0.25 -> 0.75\n  \
         cache        2Gi -> 4Gi\n  window       30m -> 45m\n  extensions   ltree, hstore -> cube, isn\n  \
         password     another value\n✓ Applied, revision 2",
    ] {
        assert!(screen.contains(part), "no\n{part}\nin\n{screen}");
    }
    assert!(!terminal.raw().contains("correct-horse"));
    assert_eq!(stage.run("svc show mydb password").stdout, "correct-horse");
    let data = stage.run(
        "kubectl get configmap mydb-config -n team-fb -o json | jq -c '.data | del(.given, .host)'",
    );
    assert_eq!(
        data.stdout,
        "{\"cache\":\"4Gi\",\"connections\":\"300\",\"disk\":\"1Gi\",\"extensions\":\"[cube isn]\",\
         \"metrics\":\"true\",\"mode\":\"many\",\"owner\":\"team-c\",\"ratio\":\"0.75\",\
         \"window\":\"45m\",\"zone\":\"sofia\"}\n"
    );
    gone(&stage, "forms-b");
}

/// The same parameters without defaults.
const REQUIRED: &str = ".spec.parameters[] |= (.required = true | del(.[\"string\", \"boolean\", \"integer\", \"number\", \
     \"quantity\", \"duration\", \"list\"]?.default, .generate))";

/// What `upgrade` asks of each, with a wrong entry before the right one.
const NEW: [Asked<'_>; 22] = [
    ("Topology (mode)\n▸ alone\n  pair\n  many", DOWN),
    ("Topology (mode)\n  alone\n▸ pair\n  many", "\r"),
    ("Zone (zone), type to filter\n▸ bern\n  bonn\n  kyiv\n  lima\n  oslo\n  riga\n  rome", "wi"),
    ("Zone (zone), type to filter: wi\n▸ wien", "\r"),
    ("Export metrics (metrics) [y/n]:", "\r"),
    ("Export metrics (metrics) [y/n]:", "n"),
    ("\nTeam to tell (owner):", "\r"),
    ("✗ must be 1-20 of a-z -\nTeam to tell (owner):", "team-b\r"),
    ("\nConnections (connections), 20 to 1000:", "2000\r"),
    ("✗ 2000 is more than 1000, the most allowed\nConnections (connections), 20 to 1000:", "30\r"),
    ("\nShare of memory (ratio), 0 to 1:", "-1\r"),
    ("✗ -1 is less than 0, the least allowed\nShare of memory (ratio), 0 to 1:", "1\r"),
    ("\nCache (cache), 1Gi to 8Gi:", "\r"),
    ("✗ \"\" is not a quantity, like 1Gi\nCache (cache), 1Gi to 8Gi:", "2Gi\r"),
    ("\nBackup window (window), 1m to 24h:", "25h\r"),
    ("✗ 25h is more than 24h, the most allowed\nBackup window (window), 1m to 24h:", "1h\r"),
    ("\nExtensions (extensions), an item a line, Enter alone ends:", "cube\r"),
    ("  cube\nExtensions (extensions), an item a line, Enter alone ends:", "\r"),
    ("\nDisk (disk), cannot change later:", "3Gi\r"),
    ("\nPassword (password):", "correct-horse\r"),
    ("Again:", "wrong-horse\r"),
    ("✗ the two are not the same\nPassword (password):", "correct-horse\r"),
];

#[test]
fn upgrade_asks_what_is_new_in_every_form() {
    let Some(stage) = Stage::new("upgrade_asks", "team-fc") else { return };
    publish(&stage, "forms-c", "del(.spec.parameters)");
    assert_eq!(stage.run("svc create mydb --class forms-c").status, 0);
    publish(&stage, "forms-c", REQUIRED);
    for place in [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 19, 20] {
        let mut terminal = start(&stage, "svc upgrade mydb");
        answer(&mut terminal, &NEW[..place]);
        terminal.asks(NEW[place].0);
        terminal.keys(CTRL_C);
        assert_eq!(terminal.ends(), 130, "{}", NEW[place].0);
        assert!(terminal.cursor_is_shown(), "{}", NEW[place].0);
        assert!(terminal.screen().ends_with("\ninterrupted; nothing changed"));
    }
    let asked = |keys: &str| {
        let mut terminal = start(&stage, "svc upgrade mydb");
        answer(&mut terminal, &NEW);
        terminal.asks("Again:");
        terminal.keys("correct-horse\r").asks("Upgrade mydb? [y/N]");
        terminal.keys(keys);
        terminal
    };
    let mut terminal = asked(CTRL_C);
    assert_eq!(terminal.ends(), 130);
    assert!(terminal.cursor_is_shown());
    let mut terminal = asked("\r");
    assert_eq!(terminal.ends(), 0);
    assert!(terminal.screen().ends_with("Upgrade mydb? [y/N] n\nnothing changed"));
    assert_eq!(revision(&stage), "1\n");
    let mut terminal = asked("y");
    assert_eq!(terminal.ends(), 0);
    let screen = terminal.screen();
    let rows = "  new parameter  mode = pair\n                 zone = wien\n                 \
        metrics = no\n                 owner = team-b\n                 connections = 30\n                 \
        ratio = 1\n                 cache = 2Gi\n                 window = 1h\n                 \
        extensions = cube\n                 disk = 3Gi\n                 password = as given\n";
    assert!(screen.contains(rows), "{screen}");
    assert!(screen.contains("✓ Upgraded, revision 2"), "{screen}");
    assert!(!terminal.raw().contains("horse"));
    assert_eq!(stage.run("svc show mydb password").stdout, "correct-horse");
    gone(&stage, "forms-c");
}

#[test]
fn an_accepted_default_moves_with_its_class() {
    let Some(stage) = Stage::new("an_accepted_default", "team-fd") else { return };
    publish(&stage, "forms-d", ".");
    assert_eq!(stage.run("svc create mydb --class forms-d").status, 0);
    let mut terminal = start(&stage, "svc update mydb");
    let keep = [
        ("(mode)", "\r"),
        ("type to filter\n▸ oslo\n", "\r"),
        ("(metrics) [Y/n]:", "\r"),
        ("(owner) [team-a]:", "team-b\r"),
        ("[100]:", "\r"),
        ("[0.5]:", "\r"),
        ("[1Gi]:", "\r"),
        ("[90m]:", "\r"),
        ("[hstore]:", "\r"),
        ("to keep it:", "\r"),
    ];
    for (question, keys) in keep {
        terminal.until(question);
        terminal.keys(keys);
    }
    assert_eq!(terminal.ends(), 0);
    let defaults = ".spec.parameters[0].string.default = \"many\" | .spec.parameters[1].string.default = \"rome\" \
        | .spec.parameters[2].boolean.default = false | .spec.parameters[3].string.default = \"team-z\" \
        | .spec.parameters[4].integer.default = 400";
    publish(&stage, "forms-d", defaults);
    let said = stage.run("svc upgrade mydb --dry-run");
    let rows = "  mode         alone -> many\n  zone         oslo -> rome\n  metrics      yes -> no\n  \
                connections  100 -> 400\n";
    assert!(said.stderr.contains(rows), "{said}");
    assert!(!said.stderr.contains("team-z"), "{said}");
    gone(&stage, "forms-d");
}
