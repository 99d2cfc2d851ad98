//! The tables and Roles of `docs/security.md` are those of `svc::domain::access`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use svc::domain::access::{Command, Level, NEEDS, Need, On, role};

/// Set to write the page anew.
const UPDATE: &str = "SVC_TEST_UPDATE";
/// Commands that only look.
const LOOKING: [Command; 3] = [Command::List, Command::Show, Command::Wait];

fn on(need: &Need) -> String {
    match need.on {
        On::Namespace(resource) => format!("`{} {resource}`", verbs(need)),
        On::Cluster(resource) => format!("`{} {resource}` (outside the namespace)", verbs(need)),
        On::Made => format!("`{}` on what the chart makes", verbs(need)),
        On::Workloads => format!("`{}` on the chart's workloads", verbs(need)),
        On::Sources => format!("`{}` on what the class names as source", verbs(need)),
        On::Conditions => format!("`{}` on what the class names as condition", verbs(need)),
    }
}

fn verbs(need: &Need) -> String {
    need.verbs.join("`, `")
}

fn table() -> String {
    let mut text = "| command | needs | wanted, and what for |\n| --- | --- | --- |\n".to_owned();
    for command in Command::ALL {
        let (mut needed, mut wanted) = (Vec::new(), Vec::new());
        for need in NEEDS.iter().filter(|need| need.commands.contains(&command)) {
            match need.level {
                Level::Needed => needed.push(on(need)),
                Level::NeededByHelm4 => needed.push(format!("{}, with helm 4", on(need))),
                Level::NeededWhere(case) => needed.push(format!("{}, where {case}", on(need))),
                Level::Wanted(why) => wanted.push(format!("{}: {why}", on(need))),
            }
        }
        let (needed, wanted) = (needed.join("; "), wanted.join("; "));
        writeln!(text, "| `{}` | {needed} | {wanted} |", command.words()).expect("a string grows");
    }
    text
}

/// A Role, one line for resources that have the same verbs.
fn written(name: &str, commands: &[Command]) -> String {
    let mut text = format!(
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\n\
         metadata: {{namespace: team-a, name: {name}}}\nrules:\n"
    );
    let mut lines: Vec<(String, String, Vec<String>)> = Vec::new();
    for (resource, verbs) in role(commands, false) {
        let (group, verbs) = (resource.group.to_owned(), verbs.join(", "));
        let plural = resource.plural.to_owned();
        match lines.iter_mut().find(|line| line.0 == group && line.1 == verbs) {
            Some((_, _, plurals)) => plurals.push(plural),
            None => lines.push((group, verbs, vec![plural])),
        }
    }
    for (group, verbs, plurals) in lines {
        let group = if group.is_empty() { "\"\"".to_owned() } else { group };
        let plurals = plurals.join(", ");
        writeln!(text, "- apiGroups: [{group}]\n  resources: [{plurals}]\n  verbs: [{verbs}]")
            .expect("a string grows");
    }
    text
}

fn between(text: &str, name: &str, part: &str) -> String {
    let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
    let (before, rest) = text.split_once(&start).expect("the mark where the part starts");
    let (_, after) = rest.split_once(&end).expect("the mark where the part ends");
    format!("{before}{start}\n{part}\n{end}{after}")
}

#[test]
#[expect(clippy::disallowed_methods, reason = "tests are asked through their environment")]
fn the_rights_are_those_that_svc_knows() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/security.md");
    let text = fs::read_to_string(&path).expect("the page is there");
    let fence = |fence: &str, role: String| format!("```yaml{fence}\n{role}```\n");
    let all = fence(" file=role.yaml", written("services", &Command::ALL));
    let looking = fence("", written("services-look", &LOOKING));
    let wanted = between(&text, "rights", &table());
    let wanted = between(&wanted, "role", &all);
    let wanted = between(&wanted, "looking", &looking);
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&path, &wanted).expect("the page can be written");
    }
    let found = fs::read_to_string(&path).expect("the page is there");
    assert!(found == wanted, "docs/security.md: run the tests with {UPDATE}=1");
}
