//! svc, its helm, or both are killed at any moment of any change: one more command, the one that
//! `list` names, ends ready or gone, and no volume is lost.

use serde_json::Value;

use super::upgrading::patch;
use crate::support::space::{Space, is_long};

/// What is cut off in one round.
struct Round {
    number: usize,
    name: String,
    class: String,
    verb: &'static str,
}

impl Round {
    fn new(number: usize, class: &str) -> Self {
        let verbs = ["create", "update", "upgrade", "delete"];
        let class = class.to_owned();
        Self { number, name: format!("k{number}"), class, verb: verbs[number % verbs.len()] }
    }

    /// The command that is cut off, once what it needs is there.
    fn prepare(&self, space: &Space) -> String {
        let Self { number, name, class, verb } = self;
        let create = format!("create {name} -c {class}");
        if *verb != "create" {
            space.svc(&create).ok();
        }
        match *verb {
            "create" => create,
            "update" => format!("update {name} --set count=1{number}"),
            "upgrade" => {
                let value = format!(
                    "[{{\"op\":\"add\",\"path\":\"/spec/values\",\"value\":{{\"text\":{{\"round\":\"{number}\"}}}}}}]"
                );
                patch(space, class, &value);
                format!("upgrade {name} --yes")
            }
            _ => format!("delete {name} --yes"),
        }
    }

    /// Starts it in a group of its own and sends a signal to svc, its children or all, after up to
    /// a second and a half; then waits until none of them is left.
    fn cut_off(&self, space: &Space, command: &str) {
        let signal = ["KILL", "INT"][self.number / 4 % 2];
        let aim = [
            "kill -$signal $leader",
            "kill -$signal $(cat /proc/$leader/task/*/children)",
            "kill -$signal -- -$leader",
        ][self.number / 8 % 3];
        let after = self.number * 7919 % 1500;
        space.run(&format!(
            "signal={signal}\nsetsid env --default-signal=INT svc {command} >said 2>&1 & leader=$!\n\
             sleep {}.{:03}\n{{ {aim}; }} 2>/dev/null\nwait $leader 2>/dev/null\n\
             while kill -0 -- -$leader 2>/dev/null; do sleep 0.05; done",
            after / 1000,
            after % 1000
        ));
    }

    /// What `list` says of it.
    fn listed(&self, space: &Space) -> Option<Value> {
        let listed = space.svc("list -o json").ok().json();
        let mut items = listed["items"].as_array().expect("items").iter();
        items.find(|item| item["name"] == *self.name).cloned()
    }

    /// Runs the command that `list` names, if it names one, and says whether it did.
    fn go_on(&self, space: &Space) -> bool {
        let Some(item) = self.listed(space) else { return false };
        let note = item["note"].as_str().unwrap_or_default();
        let way_out = note.split_once("svc ");
        if let Some((_, command)) = way_out {
            let asks = ["upgrade", "delete"].iter().any(|verb| command.starts_with(verb));
            let yes = if asks { " --yes" } else { "" };
            space.svc(&format!("{command}{yes}")).ok();
        }
        if let Some(item) = self.listed(space) {
            let told = space.run("cat said").stdout;
            assert_eq!(item["state"], "deployed", "{} {}: {item}\n{told}", self.verb, self.name);
        }
        way_out.is_some()
    }
}

#[test]
fn one_more_command_ends_ready_or_gone() {
    let Some(space) = Space::new("kill_sweep") else { return };
    let class = space.class("config", &[]);
    let rounds = if is_long() { 200 } else { 12 };
    let mut half_done = 0;
    for number in 0..rounds {
        let round = Round::new(number, &class);
        let command = round.prepare(&space);
        round.cut_off(&space, &command);
        half_done += usize::from(round.go_on(&space));
        space.svc(&format!("delete {} --yes --ignore-not-found", round.name)).ok();
    }
    assert!(!is_long() || half_done > 0, "nothing was cut off in the middle");
    assert_eq!(space.names("configmaps,secrets,pods"), [""; 0]);
}
