//! Every flag and verb on one page (interface §1.2, §2).

pub mod help;
pub mod parse;
mod wrong;

use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use clap_complete::ArgValueCandidates as Live;

use crate::complete;

/// The whole command line.
#[derive(Debug, Parser)]
#[command(name = "svc", version, disable_help_subcommand = true)]
#[command(about = "Databases, queues and other services from your cluster's catalog")]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Flags that work before and after every verb.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub struct Global {
    /// Context of the kubeconfig [env: SVC_CONTEXT]
    #[arg(long, value_name = "NAME", add = Live::new(complete::contexts))]
    pub context: Option<String>,
    /// Kubeconfig to use instead of $KUBECONFIG
    #[arg(long, value_name = "FILE")]
    pub kubeconfig: Option<PathBuf>,
    /// Namespace of the instances [env: SVC_NAMESPACE]
    #[arg(short, long, value_name = "NAME", add = Live::new(complete::namespaces))]
    pub namespace: Option<String>,
    /// Never ask; fail and list what is missing
    #[arg(long)]
    pub no_input: bool,
    /// Print the answer, warnings and errors only
    #[arg(short, long)]
    pub quiet: bool,
    /// Say each step (-vv: each request)
    #[arg(short, long, action = ArgAction::Count)]
    pub verbose: u8,
    /// auto, always or never [default: auto]
    #[arg(long, value_name = "WHEN", hide_possible_values = true)]
    pub color: Option<When>,
}

/// When to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    Auto,
    Always,
    Never,
}

/// The verbs, in the order of the help.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the classes on offer, or explain one
    Catalog(Catalog),
    /// Make an instance and print how to connect
    Create(Create),
    /// List instances
    #[command(visible_alias = "ls")]
    List(List),
    /// Print the connection details of an instance
    Show(Show),
    /// Open a tunnel to an instance and start its client
    Connect(Connect),
    /// Wait until an instance is ready or gone
    Wait(Wait),
    /// Change parameters of an instance
    Update(Update),
    /// Move an instance to what its class says today
    Upgrade(Upgrade),
    /// Delete instances
    #[command(visible_alias = "rm")]
    Delete(Delete),
    /// Make credentials for one consumer
    Bind(Later),
    /// Destroy the credentials of a binding
    Unbind(Later),
    /// List bindings
    Bindings(Later),
    /// Check the cluster, helm and your permissions
    Doctor(Doctor),
    /// Print the completion script of a shell
    Completion(Completion),
    /// Write and check classes, for operations teams
    Class(Class),
    /// Explain a command
    Help(Help),
}

/// What `catalog` takes.
#[derive(Debug, Args)]
pub struct Catalog {
    /// Explain this class
    #[arg(value_name = "CLASS", add = Live::new(complete::classes))]
    pub class: Option<String>,
    /// Only classes with these labels
    #[arg(short = 'l', long = "selector", value_name = "LABELS")]
    pub selector: Option<String>,
    /// Only classes with this tag (can be repeated)
    #[arg(long, value_name = "TAG", value_delimiter = ',')]
    pub tag: Vec<String>,
    /// table, wide, json, yaml or name
    #[arg(short, long, value_name = "FORMAT", hide_possible_values = true)]
    pub output: Option<ListFormat>,
}

/// What `create` takes.
#[derive(Debug, Default, Args)]
pub struct Create {
    /// Name of the instance
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// Class of the catalog
    #[arg(short, long, value_name = "CLASS", add = Live::new(complete::creatable_classes))]
    pub class: Option<String>,
    /// Plan of the class
    #[arg(short, long, value_name = "PLAN", add = Live::new(complete::plans))]
    pub plan: Option<String>,
    #[command(flatten)]
    pub values: Values,
    /// File with class, plan and parameters, YAML or JSON; - is stdin
    #[arg(short = 'f', long, value_name = "FILE")]
    pub answers: Option<PathBuf>,
    /// Ask only what has no default
    #[arg(long)]
    pub defaults: bool,
    /// Ask the advanced parameters too
    #[arg(long, conflicts_with = "defaults")]
    pub advanced: bool,
    /// Do not wait until the instance is ready
    #[arg(long)]
    pub no_wait: bool,
    /// How long hooks and readiness may take together [default: from the class]
    #[arg(long, value_name = "DURATION", allow_hyphen_values = true)]
    pub timeout: Option<String>,
    /// Check everything and print the summary, change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Print what helm would apply, sensitive values masked; with --dry-run
    #[arg(long, requires = "dry_run")]
    pub manifests: bool,
    /// An equal instance that exists is success
    #[arg(long)]
    pub if_not_exists: bool,
    /// Finish a half-made instance
    #[arg(long)]
    pub retry: bool,
    /// Use the volumes that an earlier instance left
    #[arg(long, conflicts_with = "delete_data")]
    pub reuse_data: bool,
    /// Delete the volumes that an earlier instance left
    #[arg(long)]
    pub delete_data: bool,
    /// Do not ask for confirmation
    #[arg(short, long)]
    pub yes: bool,
    /// table, wide, json, yaml or name
    #[arg(short, long, value_name = "FORMAT", hide_possible_values = true)]
    pub output: Option<ListFormat>,
}

/// Parameters by flag.
#[derive(Clone, Debug, Default, Args)]
pub struct Values {
    /// One parameter (can be repeated)
    #[arg(long, value_name = "NAME=VALUE", add = complete::assignments())]
    pub set: Vec<String>,
    /// One parameter from a variable of the environment (can be repeated)
    #[arg(long, value_name = "NAME=VAR", add = complete::variables())]
    pub set_env: Vec<String>,
    /// One parameter from a file; - is stdin (can be repeated)
    #[arg(long, value_name = "NAME=PATH", add = complete::files())]
    pub set_file: Vec<String>,
}

/// What `list` takes.
#[derive(Debug, Args)]
pub struct List {
    /// Instances of every namespace
    #[arg(short = 'A', long)]
    pub all_namespaces: bool,
    /// Only instances with these labels
    #[arg(short = 'l', long = "selector", value_name = "LABELS")]
    pub selector: Option<String>,
    /// Only instances of this class (can be repeated)
    #[arg(long, value_name = "CLASS", value_delimiter = ',', add = Live::new(complete::classes))]
    pub class: Vec<String>,
    /// Only instances in this state (can be repeated)
    #[arg(long, value_name = "STATE", value_delimiter = ',', add = Live::new(complete::states))]
    pub state: Vec<String>,
    /// Only instances whose class says something newer
    #[arg(long)]
    pub outdated: bool,
    /// table, wide, json, yaml or name
    #[arg(short, long, value_name = "FORMAT", hide_possible_values = true)]
    pub output: Option<ListFormat>,
}

/// What `show` takes.
#[derive(Debug, Args)]
pub struct Show {
    /// Name of the instance
    #[arg(value_name = "NAME", add = Live::new(complete::instances))]
    pub name: String,
    /// Print these details alone
    #[arg(value_name = "DETAIL", add = Live::new(complete::details))]
    pub details: Vec<String>,
    /// Hide sensitive values
    #[arg(long)]
    pub mask: bool,
    /// Prefix of the names in env and dotenv [default: the instance's name and _]
    #[arg(long, value_name = "PREFIX")]
    pub prefix: Option<String>,
    /// table, json, yaml, name, env, dotenv, uri or answers
    #[arg(short, long, value_name = "FORMAT", hide_possible_values = true)]
    pub output: Option<ShowFormat>,
}

/// What `connect` takes.
#[derive(Debug, Args)]
pub struct Connect {
    /// Name of the instance
    #[arg(value_name = "NAME", add = Live::new(complete::instances))]
    pub name: String,
    /// Open the tunnel only, start no client
    #[arg(long)]
    pub tunnel: bool,
    /// Port of this machine [default: a free one]
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    pub port: Option<u16>,
    /// How long until the tunnel must be open
    #[arg(long, value_name = "DURATION", allow_hyphen_values = true)]
    pub timeout: Option<String>,
    /// Program to start, with the details in its environment
    #[arg(value_name = "CMD", last = true)]
    pub command: Vec<std::ffi::OsString>,
}

/// What `wait` takes.
#[derive(Debug, Args)]
pub struct Wait {
    /// Name of the instance
    #[arg(value_name = "NAME", add = Live::new(complete::instances))]
    pub name: String,
    /// ready or deleted
    #[arg(long = "for", value_name = "WHAT", default_value = "ready", hide_possible_values = true)]
    pub what: WaitFor,
    /// How long to wait [default: from the class]
    #[arg(long, value_name = "DURATION", allow_hyphen_values = true)]
    pub timeout: Option<String>,
}

/// What `update` takes.
#[derive(Debug, Default, Args)]
pub struct Update {
    /// Name of the instance
    #[arg(value_name = "NAME", add = Live::new(complete::instances))]
    pub name: String,
    /// Move to this plan of its class
    #[arg(short, long, value_name = "PLAN", add = Live::new(complete::plans))]
    pub plan: Option<String>,
    #[command(flatten)]
    pub values: Values,
    /// Back to the default of the class (can be repeated)
    #[arg(long, value_name = "NAME", add = complete::unsettable())]
    pub unset: Vec<String>,
    #[command(flatten)]
    pub change: Change,
}

/// What `upgrade` takes.
#[derive(Debug, Default, Args)]
pub struct Upgrade {
    /// Name of the instance
    #[arg(value_name = "NAME", add = Live::new(complete::instances_to_upgrade))]
    pub name: String,
    /// Move to this plan of its class
    #[arg(short, long, value_name = "PLAN", add = Live::new(complete::plans))]
    pub plan: Option<String>,
    #[command(flatten)]
    pub values: Values,
    #[command(flatten)]
    pub change: Change,
    /// Do not ask for confirmation
    #[arg(short, long)]
    pub yes: bool,
}

/// What both take.
#[derive(Clone, Debug, Default, Args)]
pub struct Change {
    /// Do not wait until the instance is ready
    #[arg(long)]
    pub no_wait: bool,
    /// How long hooks and readiness may take together [default: from the class]
    #[arg(long, value_name = "DURATION", allow_hyphen_values = true)]
    pub timeout: Option<String>,
    /// Check everything and print the difference, change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Print what helm would apply, sensitive values masked; with --dry-run
    #[arg(long, requires = "dry_run")]
    pub manifests: bool,
    /// Finish a change that failed or was cut off
    #[arg(long)]
    pub retry: bool,
    /// Go on although objects outside the namespace belong to it
    #[arg(long)]
    pub allow_outside_namespace: bool,
    /// table, wide, json, yaml or name
    #[arg(short, long, value_name = "FORMAT", hide_possible_values = true)]
    pub output: Option<ListFormat>,
}

/// How long a deletion may take.
pub const DEFAULT_TIMEOUT: &str = "5m";

/// What `delete` takes.
#[derive(Debug, Args)]
pub struct Delete {
    /// Names of the instances
    #[arg(value_name = "NAME", required = true, add = Live::new(complete::instances))]
    pub names: Vec<String>,
    /// Do not ask for confirmation
    #[arg(short, long)]
    pub yes: bool,
    /// A missing instance is success
    #[arg(long)]
    pub ignore_not_found: bool,
    /// Delete the volumes and the data in them too
    #[arg(long, conflicts_with = "keep_data")]
    pub delete_data: bool,
    /// Keep the volumes, whatever the class says
    #[arg(long)]
    pub keep_data: bool,
    /// Delete although the class protects its instances
    #[arg(long)]
    pub force: bool,
    /// Go on although objects outside the namespace belong to it
    #[arg(long)]
    pub allow_outside_namespace: bool,
    /// Do not wait until it is gone
    #[arg(long)]
    pub no_wait: bool,
    /// How long it may take
    #[arg(long, value_name = "DURATION", default_value = DEFAULT_TIMEOUT, allow_hyphen_values = true)]
    pub timeout: String,
    /// Print what would go and what would stay, change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// table, json, yaml or name
    #[arg(short, long, value_name = "FORMAT", hide_possible_values = true)]
    pub output: Option<ListFormat>,
}

/// What `doctor` takes.
#[derive(Debug, Args)]
pub struct Doctor {
    /// Print the rules that the commands need, as a Role
    #[arg(long)]
    pub rbac: bool,
    /// table, json, yaml or name
    #[arg(short, long, value_name = "FORMAT", hide_possible_values = true)]
    pub output: Option<ListFormat>,
}

/// What `completion` takes.
#[derive(Debug, Args)]
pub struct Completion {
    /// bash, zsh, fish, powershell or elvish
    #[arg(value_name = "SHELL", hide_possible_values = true)]
    pub shell: Shell,
}

/// What `class` takes.
#[derive(Debug, Args)]
pub struct Class {
    #[command(subcommand)]
    pub command: ClassCommand,
}

/// The verbs of operations teams.
#[derive(Debug, Subcommand)]
pub enum ClassCommand {
    /// Print what the cluster needs once: the definition of classes and who may read them
    Crd,
    /// Print the admission policy that lets only those make instances of a class who may use it
    Policy,
    /// Print a first class to fill in
    Init(ClassInit),
    /// Check classes in files or of the cluster, and list everything that is wrong
    Lint(ClassLint),
}

/// What `class init` takes.
#[derive(Debug, Args)]
pub struct ClassInit {
    /// Name of the class
    #[arg(value_name = "CLASS", default_value = "postgres", hide_default_value = true)]
    pub name: String,
}

/// What `class lint` takes.
#[derive(Debug, Args)]
pub struct ClassLint {
    /// Files (- is stdin), folders of them, or names of classes of the cluster [default: all of the
    /// cluster]
    #[arg(value_name = "FILE|CLASS", add = Live::new(complete::classes))]
    pub places: Vec<String>,
    /// Print the Roles that readers of charts and credentials need
    #[arg(long)]
    pub rbac: bool,
    /// table, json, yaml or name
    #[arg(short, long, value_name = "FORMAT", hide_possible_values = true)]
    pub output: Option<ListFormat>,
}

/// What `help` takes.
#[derive(Debug, Args)]
pub struct Help {
    /// The command to explain
    #[arg(value_name = "COMMAND", add = Live::new(complete::verbs))]
    pub command: Vec<String>,
}

/// A verb that this version knows by name only.
#[derive(Debug, Args)]
#[command(disable_help_flag = false)]
pub struct Later {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub rest: Vec<String>,
}

/// Formats of reads and changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    Table,
    Wide,
    Json,
    Yaml,
    Name,
}

/// Formats of `show`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ShowFormat {
    Table,
    Wide,
    Json,
    Yaml,
    Name,
    Env,
    Dotenv,
    Uri,
    Secret,
    Answers,
}

/// What `wait` waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WaitFor {
    Ready,
    Deleted,
}

/// Shells with completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shell {
    Bash,
    Zsh,
    Fish,
    #[value(alias = "pwsh")]
    Powershell,
    Elvish,
}
