//! Each right that a command cannot do without is taken away in turn: the command ends with 4, says
//! which right is missing and where, and has changed nothing.

use serde_json::{Value, json};
use svc::domain::access::{Command, Level, Resource, Rule, needed_by, role};

use crate::support::space::{Space, variable};

/// What a command could touch.
const KINDS: &str = "secrets,services,configmaps,deployments,statefulsets";

const fn core(plural: &'static str) -> Resource {
    Resource { group: "", plural }
}

/// What the chart of class redis makes.
const REDIS: [Resource; 3] =
    [core("secrets"), core("services"), Resource { group: "apps", plural: "deployments" }];
/// What the chart of class config makes.
const CONFIG: [Resource; 2] = [core("secrets"), core("configmaps")];

impl Space {
    /// Gives a person of the namespace everything but one right; `None`: everything.
    fn give_all_but(&self, person: &str, taken: Option<Rule>) {
        let rules: Vec<Value> = role(&Command::ALL, false)
            .into_iter()
            .filter_map(|(resource, mut verbs)| {
                verbs.retain(|verb| Some(Rule { resource, verb }) != taken);
                let Resource { group, plural } = resource;
                (!verbs.is_empty())
                    .then(|| json!({"apiGroups": [group], "resources": [plural], "verbs": verbs}))
            })
            .collect();
        let role = json!({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role",
            "metadata": {"name": person, "namespace": self.namespace}, "rules": rules});
        self.apply(&role.to_string());
    }

    /// A person whose rights can be given.
    fn ruled(&self, person: &str) {
        self.person(person);
        self.run(&format!(
            "kubectl create rolebinding {person} --context staging --role={person} \
             --serviceaccount=$NS:{person}"
        ))
        .ok();
    }

    /// The objects of the namespace, each with what tells that somebody touched it.
    fn touched(&self) -> Vec<String> {
        let list = self.get(KINDS);
        let line = |object: &Value| {
            let meta = &object["metadata"];
            // The status of a workload changes by itself.
            let workload = object["apiVersion"] == "apps/v1";
            let stamp = if workload { &meta["generation"] } else { &meta["resourceVersion"] };
            format!("{} {} {} {stamp}", object["kind"], meta["name"], meta["uid"])
        };
        list["items"].as_array().expect("a list").iter().map(line).collect()
    }
}

/// One command with what it needs taken away.
struct Trial {
    command: Command,
    /// After `svc`; `{}` is a number that is never the same.
    line: &'static str,
    made: &'static [Resource],
}

impl Trial {
    fn run(&self, space: &Space, class: Option<&str>) {
        let person = "worker";
        let name = self.command.words();
        for (turn, (rule, level)) in needed_by(self.command, self.made).into_iter().enumerate() {
            if level == Level::NeededByHelm4 && !is_helm_4() {
                continue;
            }
            if let (Command::Upgrade, Some(class)) = (self.command, class) {
                let patch = format!(
                    "[{{\"op\": \"replace\", \"path\": \"/spec/parameters/1/integer/default\", \
                     \"value\": {}}}]",
                    turn + 100
                );
                super::upgrading::patch(space, class, &patch);
            }
            space.give_all_but(person, Some(rule));
            let before = space.touched();
            let line = self.line.replace("{}", &(turn + 10).to_string());
            let said = space.svc(&format!("{line} --context {person}"));
            assert_eq!(space.touched(), before, "{name} without {rule} changed something: {said}");
            assert_eq!(said.status, 4, "{name} without {rule}: {said}");
            let words = format!("{}{}", said.stdout, said.stderr);
            let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words.contains(&rule.to_string()), "{name}: no {rule} in {said}");
            assert!(words.contains(&space.namespace), "{name} without {rule}: {said}");
        }
    }
}

fn is_helm_4() -> bool {
    let chosen = variable("SVC_HELM");
    chosen.is_none() || chosen == variable("HELM4")
}

/// Takes the rights of a command away on an instance of the class that is there.
fn on_an_instance(command: Command, of: &str, line: &'static str) {
    let Some(space) = Space::new(&format!("right_{}", command.words())) else { return };
    space.ruled("worker");
    let own = (of == "config").then(|| space.class("config", &[]));
    let class = own.as_deref().unwrap_or(of);
    space.svc(&format!("create cache -c {class}")).ok();
    let made: &[Resource] = if own.is_some() { &CONFIG } else { &REDIS };
    Trial { command, line, made }.run(&space, own.as_deref());
    // With all of it the same command does its work.
    space.give_all_but("worker", None);
    space.svc(&format!("{} --context worker", line.replace("{}", "9"))).ok();
}

#[test]
fn list() {
    on_an_instance(Command::List, "redis", "list");
}

#[test]
fn show() {
    on_an_instance(Command::Show, "redis", "show cache");
}

#[test]
fn wait() {
    on_an_instance(Command::Wait, "redis", "wait cache --timeout 20s");
}

#[test]
fn create() {
    on_an_instance(Command::Create, "redis", "create other -c redis --timeout 60s");
}

#[test]
fn update() {
    on_an_instance(Command::Update, "config", "update cache --set count={} --timeout 60s");
}

#[test]
fn upgrade() {
    on_an_instance(Command::Upgrade, "config", "upgrade cache --yes --timeout 60s");
}

#[test]
fn delete() {
    on_an_instance(Command::Delete, "redis", "delete cache --yes --timeout 60s");
}

/// Doctor itself needs nothing; it names what the others lack.
#[test]
fn doctor() {
    let Some(space) = Space::new("right_doctor") else { return };
    space.ruled("worker");
    let all = Command::ALL
        .into_iter()
        .filter(|one| !matches!(one, Command::Catalog | Command::ListAll | Command::WaitDeleted));
    let mut tried = Vec::new();
    for (rule, _) in all.flat_map(|command| needed_by(command, &REDIS)) {
        if tried.contains(&rule) {
            continue;
        }
        space.give_all_but("worker", Some(rule));
        let said = space.svc("doctor --context worker").ended(4);
        let place = format!("missing in {}: {rule}\n", space.namespace);
        assert!(said.stdout.contains(&place), "{place}: {said}");
        tried.push(rule);
    }
    space.give_all_but("worker", None);
    space.svc("doctor --context worker").ok();
}
