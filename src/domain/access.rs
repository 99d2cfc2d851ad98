//! The rights that commands need (design §7, interface §13): one table for `svc doctor`, for
//! `docs/security.md` and for the tests that take them away one by one.

mod table;

use std::fmt;

pub use table::NEEDS;

/// Verbs on one resource, who needs them, and how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    pub commands: &'static [Command],
    pub on: On,
    pub verbs: &'static [&'static str],
    pub level: Level,
}

/// A command that asks the API server for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    Catalog,
    List,
    /// `list -A`
    ListAll,
    Show,
    Wait,
    /// `wait --for deleted`
    WaitDeleted,
    Create,
    Update,
    Upgrade,
    Delete,
    Connect,
}

/// What a right is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// A resource of the instance's namespace.
    Namespace(Resource),
    Cluster(Resource),
    /// Every object that the chart makes.
    Made,
    /// The pods' makers among them.
    Workloads,
    /// What the class names as a source of details.
    Sources,
    /// What the class names as a condition of readiness.
    Conditions,
}

/// A resource as access rules name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Empty for the core group.
    pub group: &'static str,
    /// The plural, with a subresource as `pods/log`.
    pub plural: &'static str,
}

/// What becomes of a command without the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// It ends with 4.
    Needed,
    /// The same, with helm 4 alone: it applies on the server's side.
    NeededByHelm4,
    /// The same, where it is asked so: `for one class`.
    NeededWhere(&'static str),
    /// It goes without: what is lost.
    Wanted(&'static str),
}

/// What the lines of `svc doctor` are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// `list`, `show`, `wait`
    Read,
    /// `create`, `update`, `upgrade`, `delete`
    Change,
    /// `connect`
    Connect,
}

/// A verb on a resource of the namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    pub resource: Resource,
    pub verb: &'static str,
}

/// What most charts make, with the objects of which nothing starts.
pub const MADE: [Resource; 5] = [
    core("secrets"),
    core("configmaps"),
    core("services"),
    of("apps", "deployments"),
    of("apps", "statefulsets"),
];

/// What some charts make besides.
const MADE_BY_SOME: [Resource; 3] =
    [core("serviceaccounts"), of("apps", "daemonsets"), of("batch", "jobs")];

const fn of(group: &'static str, plural: &'static str) -> Resource {
    Resource { group, plural }
}

const fn core(plural: &'static str) -> Resource {
    of("", plural)
}

impl Command {
    /// As it is typed.
    pub fn words(self) -> &'static str {
        match self {
            Self::Catalog => "catalog",
            Self::List => "list",
            Self::ListAll => "list -A",
            Self::Show => "show",
            Self::Wait => "wait",
            Self::WaitDeleted => "wait --for deleted",
            Self::Create => "create",
            Self::Update => "update",
            Self::Upgrade => "upgrade",
            Self::Delete => "delete",
            Self::Connect => "connect",
        }
    }

    /// All, in the order in which they are told.
    pub const ALL: [Self; 11] = [
        Self::Catalog,
        Self::List,
        Self::ListAll,
        Self::Show,
        Self::Wait,
        Self::WaitDeleted,
        Self::Create,
        Self::Update,
        Self::Upgrade,
        Self::Delete,
        Self::Connect,
    ];

    fn purpose(self) -> Option<Purpose> {
        match self {
            Self::List | Self::Show | Self::Wait => Some(Purpose::Read),
            Self::Create | Self::Update | Self::Upgrade | Self::Delete => Some(Purpose::Change),
            Self::Connect => Some(Purpose::Connect),
            Self::Catalog | Self::ListAll | Self::WaitDeleted => None,
        }
    }
}

impl Level {
    /// Whether a command ends without it, however it is asked.
    pub fn is_needed(self) -> bool {
        matches!(self, Self::Needed | Self::NeededByHelm4)
    }
}

impl Need {
    /// The rules in the namespace, where the chart makes these kinds.
    pub fn rules(&self, made: &[Resource]) -> Vec<Rule> {
        let workload = |one: &&Resource| matches!(one.group, "apps" | "batch");
        let resources: Vec<Resource> = match self.on {
            On::Namespace(resource) => vec![resource],
            On::Made => made.to_vec(),
            On::Workloads => made.iter().filter(workload).copied().collect(),
            On::Sources => vec![core("secrets")],
            // Of a kind that the class alone knows, or of the cluster: no Role gives that.
            On::Conditions | On::Cluster(_) => Vec::new(),
        };
        let rules = resources
            .into_iter()
            .flat_map(|resource| self.verbs.iter().map(move |verb| Rule { resource, verb }));
        rules.collect()
    }
}

/// What a command cannot do without in the namespace, each right once.
pub fn needed_by(command: Command, made: &[Resource]) -> Vec<(Rule, Level)> {
    let mut all: Vec<(Rule, Level)> = Vec::new();
    let needs = NEEDS.iter().filter(|need| need.commands.contains(&command));
    for need in needs.filter(|need| need.level.is_needed()) {
        for rule in need.rules(made) {
            match all.iter_mut().find(|(known, _)| *known == rule) {
                Some((_, level)) if *level == Level::NeededByHelm4 => *level = need.level,
                Some(_) => {}
                None => all.push((rule, need.level)),
            }
        }
    }
    all
}

/// What the commands of one purpose cannot do without.
pub fn needed_for(purpose: Purpose) -> Vec<Rule> {
    let mut rules = Vec::new();
    let commands = Command::ALL.into_iter().filter(|one| one.purpose() == Some(purpose));
    for (rule, _) in commands.flat_map(|command| needed_by(command, &MADE)) {
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    rules
}

/// Everything that these commands ask for in the namespace, a resource a line with its verbs.
pub fn role(commands: &[Command], with_rare_kinds: bool) -> Vec<(Resource, Vec<&'static str>)> {
    let rare: &[Resource] = if with_rare_kinds { &MADE_BY_SOME } else { &[] };
    let made = [&MADE, rare].concat();
    let mut lines: Vec<(Resource, Vec<&'static str>)> = Vec::new();
    let needs = NEEDS.iter().filter(|need| commands.iter().any(|one| need.commands.contains(one)));
    for rule in needs.flat_map(|need| need.rules(&made)) {
        match lines.iter_mut().find(|(resource, _)| *resource == rule.resource) {
            Some((_, verbs)) if verbs.contains(&rule.verb) => {}
            Some((_, verbs)) => verbs.push(rule.verb),
            None => lines.push((rule.resource, vec![rule.verb])),
        }
    }
    for (_, verbs) in &mut lines {
        verbs.sort_by_key(|verb| VERBS.iter().position(|known| known == verb));
    }
    lines
}

/// The order in which rules are written.
const VERBS: [&str; 7] = ["get", "list", "watch", "create", "update", "patch", "delete"];

/// `statefulsets.apps`
impl fmt::Display for Resource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.plural)?;
        if self.group.is_empty() { Ok(()) } else { write!(formatter, ".{}", self.group) }
    }
}

/// `create statefulsets.apps`
impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.verb, self.resource)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_purpose_has_something_that_it_cannot_do_without() {
        for purpose in [Purpose::Read, Purpose::Change, Purpose::Connect] {
            assert!(!needed_for(purpose).is_empty(), "{purpose:?}");
        }
    }

    #[test]
    fn the_role_gives_what_is_needed() {
        let role = role(&Command::ALL, true);
        for command in Command::ALL {
            for (rule, _) in needed_by(command, &MADE) {
                let line = role.iter().find(|(resource, _)| *resource == rule.resource);
                assert!(line.is_some_and(|(_, verbs)| verbs.contains(&rule.verb)), "{rule}");
            }
        }
        let known = |verb: &&str| VERBS.contains(verb);
        assert!(role.iter().all(|(_, verbs)| verbs.iter().all(&known)));
    }
}
