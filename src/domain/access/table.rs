//! Who needs what.

use super::{Command, Level, Need, On, Resource, core, of};

use Command::{
    Catalog, Connect, Create, Delete, List, ListAll, Show, Update, Upgrade, Wait, WaitDeleted,
};
use Level::{Needed, NeededByHelm4, NeededWhere, Wanted};
use On::{Cluster, Conditions, Made, Namespace, Sources, Workloads};

const CLASSES: Resource = of("svc-cli.dev", "serviceclasses");
const SECRETS: Resource = core("secrets");
const PODS: Resource = core("pods");
const CONFIG_MAPS: Resource = core("configmaps");
const CLAIMS: Resource = core("persistentvolumeclaims");
/// Those that find an instance.
const FIND: &[Command] = &[List, Show, Wait, WaitDeleted, Create, Update, Upgrade, Delete, Connect];
/// Those that wait until it is ready.
const WATCH: &[Command] = &[Wait, Create, Update, Upgrade];
const CHANGE: &[Command] = &[Update, Upgrade];
const MAKE: &[Command] = &[Create, Update, Upgrade];

const fn need(
    commands: &'static [Command],
    on: On,
    verbs: &'static [&'static str],
    level: Level,
) -> Need {
    Need { commands, on, verbs, level }
}

/// Everything that svc asks for itself, and what helm needs of the user's rights.
pub const NEEDS: [Need; 52] = [
    need(&[Catalog], Cluster(CLASSES), &["list"], Needed),
    need(&[Catalog], Cluster(CLASSES), &["get"], NeededWhere("one class is named")),
    need(
        &[Catalog],
        Cluster(CONFIG_MAPS),
        &["get"],
        Wanted("whether the chart of a class that has it in one is there"),
    ),
    need(&[Create], Cluster(CLASSES), &["get", "use"], Needed),
    need(&[Upgrade], Cluster(CLASSES), &["get"], Needed),
    need(FIND, Namespace(SECRETS), &["list"], Needed),
    need(&[ListAll], Cluster(SECRETS), &["list"], NeededWhere("namespaces may not be listed")),
    need(
        &[ListAll],
        Cluster(core("namespaces")),
        &["list"],
        NeededWhere("Secrets may be listed in some of them only"),
    ),
    need(&[ListAll], Cluster(PODS), &["list"], Wanted("the state, which is `deployed` else")),
    need(&[List, ListAll], Cluster(CLASSES), &["list"], Wanted("which are outdated")),
    need(
        &[Show, Wait, Create, Update, Upgrade, Delete, Connect],
        Namespace(SECRETS),
        &["get"],
        Needed,
    ),
    need(&[Show, Connect], Sources, &["get"], Needed),
    need(WATCH, Sources, &["list"], Needed),
    need(WATCH, Sources, &["watch"], Wanted("what comes while it is waited for")),
    need(MAKE, Namespace(SECRETS), &["create", "update"], Needed),
    need(MAKE, Made, &["get"], Needed),
    need(&[Create], Made, &["create"], Needed),
    need(CHANGE, Made, &["create"], NeededWhere("the object is new")),
    need(MAKE, Made, &["patch"], NeededByHelm4),
    need(CHANGE, Made, &["patch"], NeededWhere("the object changes")),
    need(CHANGE, Made, &["delete"], NeededWhere("the object goes")),
    need(
        CHANGE,
        Namespace(SECRETS),
        &["delete"],
        NeededWhere("ten revisions are stored: the oldest goes"),
    ),
    need(&[Delete], Namespace(SECRETS), &["delete"], Needed),
    need(&[Delete], Namespace(SECRETS), &["update"], Wanted("that others see it go")),
    need(&[Delete], Made, &["get", "delete"], Needed),
    need(&[WaitDeleted, Delete], Namespace(PODS), &["list"], Wanted("whether they are gone")),
    need(
        &[Create, Delete],
        Namespace(CLAIMS),
        &["list", "get", "delete"],
        NeededWhere("`--delete-data` is given"),
    ),
    need(&[List, Show], Namespace(PODS), &["list"], Wanted("the state, which is `deployed` else")),
    need(WATCH, Namespace(PODS), &["list", "watch"], Wanted("what is in the way")),
    need(WATCH, Namespace(PODS), &["get"], Wanted("the images that are really run")),
    need(WATCH, Namespace(core("pods/log")), &["get"], Wanted("why a pod does not start")),
    need(WATCH, Namespace(CLAIMS), &["list", "watch"], Wanted("what is in the way")),
    need(WATCH, Namespace(core("events")), &["list", "watch"], Wanted("what is in the way")),
    need(WATCH, Workloads, &["list", "watch"], Wanted("whether all of it is new")),
    need(WATCH, Conditions, &["list", "watch"], Wanted("whether they hold")),
    need(WATCH, Namespace(CONFIG_MAPS), &["list", "watch"], Wanted("details that lie in them")),
    need(&[Show], Namespace(CONFIG_MAPS), &["get"], Wanted("details that lie in them")),
    need(&[Show], Workloads, &["get"], Wanted("the state")),
    need(&[Show], Conditions, &["get"], Wanted("the state")),
    need(&[Show, Delete], Namespace(CLAIMS), &["list"], Wanted("which volumes there are")),
    need(&[Create], Namespace(CLAIMS), &["list"], Wanted("whether old data is there")),
    need(&[Show, Delete], Cluster(CLASSES), &["get"], Wanted("what it says today")),
    need(&[Update], Cluster(CLASSES), &["get"], Wanted("today's limits")),
    need(&[Create], Cluster(core("namespaces")), &["get"], Wanted("whether it is there")),
    need(
        &[Create],
        Cluster(SECRETS),
        &["get"],
        Wanted("the registry's credentials that the class names; your own login is used else"),
    ),
    need(
        &[Create, WaitDeleted],
        Made,
        &["list"],
        Wanted("whether an earlier instance is still going"),
    ),
    need(&[WaitDeleted], Namespace(SECRETS), &["get"], Wanted("which objects it had")),
    need(&[WaitDeleted], Made, &["get"], Wanted("whether they are gone")),
    need(
        &[Delete],
        Cluster(core("persistentvolumes")),
        &["get"],
        Wanted("whether the disks stay too"),
    ),
    need(&[Connect], Namespace(core("services")), &["get"], Needed),
    need(&[Connect], Namespace(PODS), &["list"], Needed),
    // The server asks for get where the tunnel is a websocket, and for create too from 1.35 on.
    need(&[Connect], Namespace(core("pods/portforward")), &["get", "create"], Needed),
];
