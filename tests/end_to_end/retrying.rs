//! Cut off, failed, at the same time: nothing is lost, and one command goes on.

use super::upgrading::{chart, patch};
use crate::support::space::Space;

/// A helm that does something before its real work; dry runs and all else pass.
fn with_helm(space: Space, verb: &str, first: &str) -> Space {
    let script = format!(
        "#!/bin/bash\ncase \"$*\" in *--dry-run=*) ;; {verb}\\ *) {first} ;; esac\n\
         exec \"$REAL_HELM\" \"$@\"\n"
    );
    space.with_helm(&script)
}

#[test]
fn of_two_updates_at_once_one_is_told() {
    let Some(space) = Space::new("retrying_two") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class}")).ok();
    let space = with_helm(space, "upgrade", "sleep 2");
    let update = |number: u8| {
        let cache = space.folder().join(format!("machine{number}"));
        format!("SVC_CACHE_DIR={} svc update mydb --set count=1{number}", cache.display())
    };
    let said = space.at_once(&[update(1), update(2)]);
    let (done, told): (Vec<_>, Vec<_>) = said.iter().partition(|said| said.status == 0);
    assert_eq!((done.len(), told.len()), (1, 1), "{said:#?}");
    let words = ["was changed by someone else meanwhile", "by someone else, until"];
    assert!(words.iter().any(|words| told[0].stderr.contains(words)), "{}", told[0]);
    assert_eq!(told[0].status, 1, "{}", told[0]);
    let here = ["21", "22"].map(|count| format!("svc update mydb --set count={count}"));
    let said = space.at_once(&here);
    assert_eq!(said.iter().filter(|said| said.status == 0).count(), 1, "one machine: {said:#?}");
}

#[test]
fn an_update_of_what_is_deleted_meanwhile_says_so() {
    let Some(space) = Space::new("retrying_deleted") else { return };
    let class = space.class("config", &[]);
    let uninstall = "\"$REAL_HELM\" uninstall mydb >/dev/null";
    let look = format!(
        "#!/bin/bash\ncase \"$*\" in upgrade\\ *--dry-run=*) {uninstall} ;; esac\n\
         exec \"$REAL_HELM\" \"$@\"\n"
    );
    let update = |space: &Space| {
        let said = space.svc("update mydb --set count=5").ended(1).answers("");
        said.tells("error: mydb was deleted meanwhile\ntry: svc list\n");
    };
    space.svc(&format!("create mydb -c {class}")).ok();
    let space = space.with_helm(&look);
    update(&space);
    let space = space.with("SVC_HELM", space_helm());
    space.svc(&format!("create mydb -c {class}")).ok();
    update(&with_helm(space, "upgrade", uninstall));
}

#[test]
fn killed_before_helm_nothing_has_changed() {
    let Some(space) = Space::new("retrying_before") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class}")).ok();
    let space = with_helm(space, "upgrade", "kill -9 $PPID; exit 1");
    let said = space.svc("update mydb --set count=5");
    assert_ne!(said.status, 0, "{said}");
    let space = space.with("SVC_HELM", space_helm());
    let shown = space.svc("show mydb -o json").ok().json();
    assert_eq!((shown["revision"].clone(), shown["state"].clone()), (1.into(), "ready".into()));
    space.svc("update mydb --retry").ok().tells("mydb is like that already; nothing changed\n");
    space.svc("update mydb --set count=5").ok().tells("applied, revision 2\n");
}

#[test]
fn a_helm_that_somebody_kills_is_told_with_its_signal() {
    let Some(space) = Space::new("retrying_signal") else { return };
    let class = hanging(&space);
    let kill = "for one in $(seq 100); do kubectl get job mydb-hook >/dev/null 2>&1 && break; \
                sleep 0.1; done; pkill -9 -P $svc; wait $svc";
    let killed = |command: &str| {
        let said = space.run(&format!("svc {command} & svc=$!; {kill}")).ended(1).answers("");
        space.run("kubectl delete job mydb-hook").ok();
        said
    };
    killed(&format!("create mydb -c {class} --set greeting=hang"))
        .tells("error: helm could not install mydb: SIGKILL ended helm\n")
        .tells("svc create mydb --retry    finish it, same answers\n");
    space.svc("create mydb --retry --set greeting=hello").ok();
    killed("update mydb --set greeting=hang")
        .tells("error: helm could not update mydb: SIGKILL ended helm\n")
        .tells("mydb still runs revision 1\n")
        .tells("svc update mydb --retry    finish it, same answers\n");
}

/// The helm of this round.
fn space_helm() -> String {
    crate::support::space::variable("SVC_HELM").unwrap_or_else(|| "helm".to_owned())
}

/// A class whose chart has a hook that never ends where the greeting is `hang`.
fn hanging(space: &Space) -> String {
    let hook = "cat > config/templates/hook.yaml <<'HOOK'\n\
                {{- if eq (toString .Values.text.greeting) \"hang\" }}\n\
                apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: {{ .Release.Name }}-hook\n  \
                annotations: {helm.sh/hook: \"pre-install,pre-upgrade\"}\nspec:\n  template:\n    spec:\n      \
                restartPolicy: Never\n      nodeSelector: {no-such: node}\n      \
                containers: [{name: hook, image: none.example/none}]\n{{- end }}\nHOOK";
    let source = chart(space, "0.5.0", hook);
    let class = space.class("config", &[]);
    let replace =
        format!("[{{\"op\": \"replace\", \"path\": \"/spec/chart\", \"value\": {source}}}]");
    patch(space, &class, &replace);
    class
}

/// Starts a command that hangs in helm, and kills svc and its helm once helm is at work.
fn kill_in_helm(space: &Space, command: &str, revision: u8) {
    let said = space.run(&format!(
        "svc {command} >said 2>&1 & svc=$!\n\
         until kubectl get job mydb-hook >/dev/null 2>&1; do \
         kill -0 $svc || {{ cat said; exit 1; }}; sleep 0.1; done\n\
         helm=$(pgrep -P $svc); kill -9 $svc $helm; wait $svc\n\
         kubectl get secret sh.helm.release.v1.mydb.v{revision} -o name; kubectl delete job mydb-hook"
    ));
    said.ok();
}

/// All commands say that nobody works on it any more, long before its time is over.
fn is_cut_off(space: &Space, what: &str) {
    for command in ["show mydb -o json", "list -o json"] {
        let told = space.svc(command).ok().json();
        let one = if told["items"].is_array() { &told["items"][0] } else { &told };
        assert_eq!(one["state"], "interrupted", "{command}: {told}");
    }
    space.svc("wait mydb --timeout 5s").ended(1).tells(what);
}

#[test]
fn an_update_killed_in_helm_goes_back_and_on() {
    let Some(space) = Space::new("retrying_update") else { return };
    let class = hanging(&space);
    space.svc(&format!("create mydb -c {class}")).ok();
    let password = space.svc("show mydb password").ok().stdout;
    kill_in_helm(&space, "update mydb --set greeting=hang --set count=7", 2);
    is_cut_off(&space, "error: mydb is half changed in namespace ");
    space
        .svc("update mydb --set count=3")
        .ended(1)
        .tells("error: mydb is half changed in namespace ")
        .tells("  release  pending-upgrade, revision 2\n")
        .tells("try: svc update mydb --retry    finish it, same answers\n");
    space.svc(&format!("create mydb -c {class}")).ended(1).tells("svc update mydb --retry");
    space
        .svc("update mydb --retry --set greeting=hello")
        .ok()
        .tells("stepped back, revision 3\n")
        .tells("applied, revision 4\n");
    let data = space.get("configmap mydb-config")["data"].clone();
    assert_eq!((data["greeting"].clone(), data["count"].clone()), ("hello".into(), "7".into()));
    assert_eq!(space.svc("show mydb password").ok().stdout, password);
    space.svc("show mydb").ok();
}

#[test]
fn an_update_that_fails_says_what_still_runs() {
    let Some(space) = Space::new("retrying_failed") else { return };
    let class = hanging(&space);
    space.svc(&format!("create mydb -c {class}")).ok();
    let said = space.svc("update mydb --set greeting=hang --timeout 3s");
    assert_ne!(said.status, 0, "{said}");
    said.answers("")
        .tells("mydb still runs revision 1\n")
        .tells("try: svc update mydb --retry    finish it, same answers\n");
    space.run("kubectl delete job mydb-hook").ok();
    space.svc("update mydb --retry --set greeting=hello").ok().tells("applied, revision 3\n");
    assert_eq!(space.get("configmap mydb-config")["data"]["greeting"], "hello");
}

#[test]
fn a_create_killed_in_helm_is_finished_with_its_answers() {
    let Some(space) = Space::new("retrying_create") else { return };
    let class = hanging(&space);
    kill_in_helm(&space, &format!("create mydb -c {class} --set greeting=hang --set count=7"), 1);
    is_cut_off(&space, "error: mydb is half made in namespace ");
    space
        .svc(&format!("create mydb -c {class}"))
        .ended(1)
        .tells("error: mydb is half made in namespace ")
        .tells("  svc create mydb --retry    finish it, same answers\n")
        .tells("  svc delete mydb            remove what is there\n");
    space.svc("create mydb --retry -c redis").ended(1).tells("is half made as another class");
    space.svc("create mydb --retry --set greeting=hello").ok().tells("installed, revision 1\n");
    let data = space.get("configmap mydb-config")["data"].clone();
    assert_eq!((data["greeting"].clone(), data["count"].clone()), ("hello".into(), "7".into()));
    space.svc("create mydb --retry").ended(1).tells("error: mydb is whole already");
}

#[test]
fn a_create_that_failed_is_made_good_by_another_revision() {
    let Some(space) = Space::new("retrying_made") else { return };
    let class = hanging(&space);
    let create = format!("create mydb -c {class} --set greeting=hang --timeout 3s");
    let said = space.svc(&create);
    assert_ne!(said.status, 0, "{said}");
    said.tells("  svc create mydb --retry    finish it, same answers\n");
    space.run("kubectl delete job mydb-hook").ok();
    space.svc("create mydb --retry --set greeting=hello").ok().tells("installed, revision 2\n");
    let shown = space.svc("show mydb -o json").ok().json();
    assert_eq!((shown["state"].clone(), shown["revision"].clone()), ("ready".into(), 2.into()));
    space.svc("create nothing --retry").ended(3).tells("error: no instance nothing");
}

/// Marks a revision as helm would have, had it been ended at another moment.
pub fn marked(revision: u8, status: &str) -> String {
    format!(
        "name=sh.helm.release.v1.mydb.v{revision}\n\
         kubectl get secret $name -o jsonpath='{{.data.release}}' | base64 -d | base64 -d | gunzip \
         | jq -c '.info.status = \"{status}\"' | gzip | base64 -w0 | base64 -w0 > data\n\
         jq -n --rawfile data data '{{metadata: {{labels: {{status: \"{status}\"}}}}, data: {{release: $data}}}}' \
         > patch.json\n\
         kubectl patch secret $name --type=merge --patch-file patch.json\n"
    )
}

/// The same, by one that is not at work any more.
pub fn cut_off(revision: u8, status: &str) -> String {
    format!(
        "{}kubectl label secret $name svc-cli.dev/until=1-00000000 --overwrite\n",
        marked(revision, status)
    )
}

#[test]
fn cut_off_after_helm_marked_the_old_revision() {
    let Some(space) = Space::new("retrying_marked") else { return };
    let class = space.class("config", &[]);
    for (status, words) in
        [("failed", "its update failed"), ("pending-upgrade", "its update was cut off")]
    {
        space.svc(&format!("create mydb -c {class} --set count=1")).ok();
        let password = space.svc("show mydb password").ok().stdout;
        space.svc("update mydb --set count=2").ok();
        let script = format!("set -e\n{}{}", marked(1, "superseded"), cut_off(2, status));
        space.run(&script).ok();
        let list = space.svc("list").ok();
        assert!(list.stdout.contains("svc update mydb --retry"), "{list}");
        let created = space.svc(&format!("create mydb -c {class} --retry")).ended(1);
        created.tells(words).tells("svc update mydb --retry");
        space.svc("update mydb --retry").ok();
        space.svc("wait mydb --timeout 60s").ok();
        assert_eq!(space.svc("show mydb password").ok().stdout, password);
        space.svc("delete mydb --yes").ok();
    }
}
