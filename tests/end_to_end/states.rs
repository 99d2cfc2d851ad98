//! One state in `show`, `wait` and "exists already"; `list` knows the pods alone and never says
//! more than they tell.

use crate::support::space::Space;

impl Space {
    /// What `list`, `show` and "exists already" say, one word each.
    pub fn states(&self, name: &str, class: &str) -> [String; 3] {
        let list = self.svc("list -o json").ok().json();
        let items = list["items"].as_array().expect("a list");
        let item = items.iter().find(|item| item["name"] == name).expect("it is listed");
        let shown = self.svc(&format!("show {name} -o json")).ok().json();
        let exists = self.svc(&format!("create {name} -c {class}")).ended(1).stderr;
        let (_, exists) = exists.split_once("\n  state  ").expect("a state");
        let exists = exists.split([',', '\n']).next().unwrap_or_default();
        let word = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        [word(&item["state"]), word(&shown["state"]), exists.to_owned()]
    }
}

#[test]
fn without_pods_there_is_nothing_to_start() {
    let Some(space) = Space::new("states_no_pods") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class}")).ok();
    assert_eq!(space.states("mydb", &class), ["deployed", "ready", "ready"]);
    space.svc("wait mydb --timeout 5s").ok();
    space.run("kubectl delete secret mydb-config").ok();
    assert_eq!(space.states("mydb", &class), ["deployed", "degraded", "degraded"]);
    space.svc("wait mydb --timeout 1s").ended(5);
}

#[test]
fn a_secret_without_its_key_is_not_ready() {
    let Some(space) = Space::new("states_key") else { return };
    space.svc("create mydb -c redis").ok();
    assert_eq!(space.states("mydb", "redis"), ["ready", "ready", "ready"]);
    space.run("kubectl patch secret mydb-redis --type=json -p '[{\"op\": \"replace\", \"path\": \"/data\", \"value\": {\"other\": \"eA==\"}}]'").ok();
    assert_ne!(space.states("mydb", "redis")[1..], ["ready", "ready"]);
    space.svc("show mydb").ok().tells("Secret mydb-redis has no key ");
    space.svc("wait mydb --timeout 1s").ended(5).tells("has no key ");
}

#[test]
fn a_late_secret_is_known_to_all_but_list() {
    let Some(space) = Space::new("states_late") else { return };
    let class = space.class("late", &[]);
    space.svc(&format!("create mydb -c {class} --set delay=600 --no-wait")).ok();
    space.until("kubectl wait pod -l app.kubernetes.io/instance=mydb --for=condition=Ready");
    assert_eq!(space.states("mydb", &class), ["ready", "starting", "starting"]);
    space.svc("show mydb").ok().tells("does not exist yet");
    space.svc("wait mydb --timeout 1s").ended(5);
}

#[test]
fn a_class_may_choose_the_pods_by_any_labels() {
    let Some(space) = Space::new("states_selector") else { return };
    let plain = "readiness: {timeout: 2m}";
    let long = "readiness: {timeout: 2m, pods: {selector: {app.kubernetes.io/name: workload, \
                app.kubernetes.io/instance: \"{{ release.name }}\", \
                app.kubernetes.io/managed-by: Helm}}}";
    let class = space.class("workload", &[(plain, long)]);
    space.svc(&format!("create mydb -c {class}")).ok();
    // The selector is too long for a label: the list looks for the standard one.
    assert_eq!(space.states("mydb", &class), ["ready", "ready", "ready"]);
    let short = "readiness: {timeout: 2m, pods: {selector: {app.kubernetes.io/name: workload}}}";
    let class = space.class("workload", &[(plain, short)]);
    space.svc(&format!("create other -c {class}")).ok();
    assert_eq!(space.states("other", &class), ["ready", "ready", "ready"]);
    let none = "  readiness: {pods: {selector: {app: none}}}\n  connection:\n    type: config";
    let class = space.class("config", &[("  connection:\n    type: config", none)]);
    space.svc(&format!("create nopods -c {class}")).ok();
    assert_eq!(space.states("nopods", &class), ["deployed", "ready", "ready"]);
}

#[test]
fn what_was_scaled_to_nothing_gives_no_service() {
    let Some(space) = Space::new("states_scaled") else { return };
    let class = space.class("workload", &[]);
    space.svc(&format!("create mydb -c {class}")).ok();
    space.run("kubectl scale statefulset mydb-workload --replicas=0").ok();
    space.run("kubectl wait pod mydb-workload-0 --for=delete --timeout=60s").ok();
    assert_eq!(space.states("mydb", &class), ["deployed", "degraded", "degraded"]);
    space.svc("show mydb").ok().tells("mydb is degraded: StatefulSet mydb-workload: scaled to 0");
    space
        .svc("wait mydb --timeout 5s")
        .ended(5)
        .tells("mydb is not ready after 5s\n  statefulset  mydb-workload: scaled to 0\n");
    space.run("kubectl delete statefulset mydb-workload").ok();
    space.svc("show mydb").ok().tells("StatefulSet mydb-workload: not there");
}
