use std::collections::BTreeMap;

use super::*;

const NOW: i64 = 1_900_000_000;

fn at(seconds_ago: i64) -> Timestamp {
    Timestamp::from_second(NOW - seconds_ago).unwrap()
}

fn revision(number: u32, status: Status, seconds_ago: i64) -> Revision {
    Revision {
        namespace: "team-a".into(),
        name: "mydb".into(),
        number,
        status,
        labels: BTreeMap::new(),
        created: at(seconds_ago),
    }
}

fn until(mut revision: Revision, seconds_ahead: i64, machine: &str) -> Revision {
    let text = format!("{}-{machine}", NOW + seconds_ahead);
    revision.labels.insert(label::UNTIL.into(), text);
    revision
}

fn pod(status: &str, ready: (u32, u32), restarts: u32) -> PodRow {
    PodRow {
        namespace: "team-a".into(),
        name: "mydb-0".into(),
        labels: BTreeMap::from([(selector::INSTANCE.into(), "mydb".into())]),
        ready,
        status: status.into(),
        restarts,
        deleting: false,
        created: at(10),
    }
}

fn seen(revisions: &[Revision], pods: Option<&[PodRow]>, locked: Option<bool>) -> (State, String) {
    let observer = Observer { now: at(0), machine: "00000001", locked };
    let (state, note) = state(revisions, pods, &observer);
    (state, note.unwrap_or_default())
}

fn says(state: State, note: &str) -> (State, String) {
    (state, note.to_owned())
}

#[test]
fn a_newest_revision_that_somebody_deleted_is_told() {
    let left = [revision(1, Status::Superseded, 100_000)];
    let gone = "its newest revision is gone: svc update mydb --retry";
    assert_eq!(seen(&left, Some(&[pod("Running", (1, 1), 0)]), None), says(State::Ready, gone));
    let crashed = seen(&left, Some(&[pod("CrashLoopBackOff", (0, 1), 14)]), None);
    assert_eq!(crashed, says(State::Degraded, "Pod mydb-0: crashed 14 times"));
}

#[test]
fn pods_decide_over_a_deployed_release() {
    let old = [revision(1, Status::Deployed, 100_000)];
    let look = |pods: &[PodRow]| seen(&old, Some(pods), None);
    assert_eq!(look(&[pod("Running", (1, 1), 3)]), says(State::Ready, ""));
    assert_eq!(
        look(&[pod("CrashLoopBackOff", (0, 1), 14)]),
        says(State::Degraded, "Pod mydb-0: crashed 14 times")
    );
    assert_eq!(
        look(&[pod("Running", (1, 2), 0)]),
        says(State::Degraded, "Pod mydb-0: running, not ready")
    );
    assert_eq!(look(&[pod("Completed", (0, 1), 0)]), says(State::Ready, ""));
    assert_eq!(look(&[]), says(State::Deployed, ""));
    assert_eq!(seen(&old, None, None), says(State::Deployed, ""));
}

#[test]
fn a_young_one_starts() {
    let young = [revision(1, Status::Deployed, 40)];
    let look = |pods: &[PodRow]| seen(&young, Some(pods), None);
    assert_eq!(look(&[]), says(State::Deployed, ""), "nobody knows whether a pod is to come");
    assert_eq!(
        look(&[pod("ContainerCreating", (0, 1), 0)]),
        says(State::Starting, "Pod mydb-0: creating its containers")
    );
    assert_eq!(look(&[pod("Pending", (0, 1), 0)]).1, "Pod mydb-0: waiting for a node");
    assert_eq!(look(&[pod("Init:1/2", (0, 1), 0)]).1, "Pod mydb-0: preparing, step 1 of 2 done");
    assert_eq!(look(&[pod("Error", (0, 1), 1)]).1, "Pod mydb-0: crashed once");
    assert_eq!(look(&[pod("CrashLoopBackOff", (0, 1), 5)]).0, State::Degraded);
}

#[test]
fn pods_of_others_do_not_count() {
    let mut other = pod("CrashLoopBackOff", (0, 1), 9);
    other.namespace = "team-b".into();
    let own = pod("Running", (1, 1), 0);
    let old = [revision(1, Status::Deployed, 100_000)];
    assert_eq!(seen(&old, Some(&[other, own]), None).0, State::Ready);
}

#[test]
fn a_selector_in_the_label_finds_the_pods() {
    let mut operator = pod("Running", (1, 1), 0);
    operator.labels = BTreeMap::from([("cnpg.io/cluster".into(), "mydb".into())]);
    let mut labelled = revision(1, Status::Deployed, 100_000);
    labelled.labels.insert(label::PODS.into(), "cnpg.io_scluster_emydb".into());
    assert_eq!(seen(&[labelled.clone()], Some(&[operator.clone()]), None).0, State::Ready);
    labelled.labels.insert(label::PODS.into(), "nonsense".into());
    assert_eq!(seen(&[labelled], Some(&[operator]), None).0, State::Deployed);
}

#[test]
fn a_pending_revision_is_worked_on_until_its_label_says() {
    let pending = || revision(1, Status::PendingInstall, 3_000);
    let other = |ahead| [until(pending(), ahead, "00000002")];
    assert_eq!(seen(&other(5), None, Some(false)), says(State::Installing, ""));
    assert_eq!(
        seen(&other(-5), None, Some(false)),
        says(State::Interrupted, "svc create mydb --retry")
    );
    let mine = [until(pending(), 5, "00000001")];
    assert_eq!(seen(&mine, None, Some(false)).0, State::Interrupted, "the lock is free");
    assert_eq!(seen(&mine, None, Some(true)).0, State::Installing);
    assert_eq!(seen(&mine, None, None).0, State::Installing, "nobody asked for the lock");
}

#[test]
fn without_the_label_it_is_ten_minutes() {
    let pending = |ago| [revision(2, Status::PendingUpgrade, ago)];
    assert_eq!(seen(&pending(599), None, None), says(State::Updating, ""));
    assert_eq!(
        seen(&pending(600), None, None),
        says(State::Interrupted, "svc update mydb --retry")
    );
    let mut garbled = pending(10);
    garbled[0].labels.insert(label::UNTIL.into(), "soon".into());
    assert_eq!(seen(&garbled, None, None).0, State::Updating);
}

#[test]
fn a_failed_update_leaves_the_old_revision_running() {
    let both = [revision(2, Status::Failed, 50), revision(1, Status::Deployed, 9_000)];
    let note = "update failed: svc update mydb --retry";
    assert_eq!(seen(&both, Some(&[pod("Running", (1, 1), 0)]), None), says(State::Ready, note));
    assert_eq!(seen(&both, Some(&[pod("Error", (0, 1), 2)]), None), says(State::Failed, note));
    assert_eq!(seen(&both, None, None), says(State::Deployed, note));
    // Cut off after helm marked the old one; a list leaves superseded ones out.
    let marked = [revision(2, Status::Failed, 50), revision(1, Status::Superseded, 9_000)];
    for cut_off in [&marked[..], &marked[..1]] {
        let pods = [pod("Running", (1, 1), 0)];
        assert_eq!(seen(cut_off, Some(&pods), None), says(State::Ready, note));
    }
    let again = [revision(2, Status::Failed, 50), revision(1, Status::Failed, 90)];
    assert_eq!(seen(&again, Some(&[]), None), says(State::Failed, "svc create mydb --retry"));
    let alone = [revision(1, Status::Failed, 50)];
    assert_eq!(seen(&alone, Some(&[]), None), says(State::Failed, "svc create mydb --retry"));
}

#[test]
fn deleting_is_cut_off_when_nothing_goes_any_more() {
    let old = [revision(3, Status::Uninstalling, 90_000)];
    let mut going = pod("Running", (1, 1), 0);
    going.deleting = true;
    assert_eq!(seen(&old, Some(&[going]), None), says(State::Deleting, ""));
    assert_eq!(seen(&old, Some(&[]), None), says(State::Interrupted, "svc delete mydb"));
    assert_eq!(seen(&old, Some(&[]), Some(true)), says(State::Deleting, ""));
    assert_eq!(seen(&old, None, None), says(State::Deleting, ""));
    assert_eq!(seen(&[], None, None), says(State::Deleting, ""));
}

#[test]
fn age_is_the_label_or_at_least_the_oldest_revision() {
    let mut revisions =
        [revision(12, Status::Deployed, 60), revision(3, Status::Superseded, 86_400 * 12)];
    assert_eq!(instance_age(&revisions, at(0)).unwrap(), ">12d");
    revisions[0].labels.insert(label::CREATED.into(), (NOW - 52).to_string());
    assert_eq!(instance_age(&revisions, at(0)).unwrap(), "52s");
    assert_eq!(instance_age(&[], at(0)), None);
}

#[test]
fn a_binding_is_named_as_people_know_it() {
    let mut binding = revision(1, Status::Failed, 50);
    binding.name = "mydb--api".into();
    assert_eq!(seen(&[binding], None, None).1, "svc unbind mydb/api");
}

fn known(
    revisions: &[Revision],
    pods: Option<&[PodRow]>,
    lack: Option<(&str, bool)>,
) -> (State, String) {
    let observer = Observer { now: at(0), machine: "00000001", locked: None };
    let lack = lack.map(|(words, for_good)| Lack { words: words.to_owned(), for_good });
    let (state, note) = state_of_known(revisions, pods, lack.as_ref(), &observer);
    (state, note.unwrap_or_default())
}

#[test]
fn without_pods_the_rest_decides_where_the_record_was_read() {
    for age in [40, 100_000] {
        let one = [revision(1, Status::Deployed, age)];
        assert_eq!(known(&one, Some(&[]), None), says(State::Ready, ""));
        assert_eq!(known(&one, None, None), says(State::Deployed, ""), "pods may not be listed");
    }
}

#[test]
fn what_is_lacking_comes_after_the_pods() {
    let lack = Some(("Secret mydb does not exist yet", false));
    let young = [revision(1, Status::Deployed, 40)];
    let old = [revision(1, Status::Deployed, 100_000)];
    let words = "Secret mydb does not exist yet";
    assert_eq!(
        known(&young, Some(&[pod("Running", (1, 1), 0)]), lack),
        says(State::Starting, words)
    );
    assert_eq!(known(&old, None, lack), says(State::Degraded, words));
    let gone = Some(("StatefulSet mydb: scaled to 0", true));
    let words = "StatefulSet mydb: scaled to 0";
    assert_eq!(known(&young, Some(&[]), gone), says(State::Degraded, words));
    let pods = [pod("Pending", (0, 1), 0)];
    assert_eq!(
        known(&young, Some(&pods), lack),
        says(State::Starting, "Pod mydb-0: waiting for a node")
    );
}

#[test]
fn a_pod_that_does_not_carry_the_standard_label_is_its_own_where_it_was_asked_for() {
    let mut operator = pod("Running", (1, 2), 0);
    operator.labels = BTreeMap::from([("cnpg.io/cluster".into(), "x".repeat(63))]);
    let old = [revision(1, Status::Deployed, 100_000)];
    let note = "Pod mydb-0: running, not ready";
    assert_eq!(known(&old, Some(&[operator]), None), says(State::Degraded, note));
}

#[test]
fn a_failed_update_of_what_has_no_pods_still_runs() {
    let both = [revision(2, Status::Failed, 50), revision(1, Status::Deployed, 9_000)];
    let note = "update failed: svc update mydb --retry";
    assert_eq!(known(&both, Some(&[]), None), says(State::Ready, note));
    let gone = Some(("Secret mydb is gone", true));
    assert_eq!(known(&both, Some(&[]), gone), says(State::Failed, note));
}

#[test]
fn pods_that_ended_count_only_while_nothing_else_is_there() {
    let old = [revision(1, Status::Deployed, 100_000)];
    let evicted = PodRow { name: "mydb-old".into(), ..pod("Evicted", (0, 1), 0) };
    let both = [evicted.clone(), pod("Running", (1, 1), 0)];
    assert_eq!(seen(&old, Some(&both), None), says(State::Ready, ""));
    assert_eq!(seen(&old, Some(&[evicted]), None).0, State::Degraded);
}

#[test]
fn time_is_over_only_for_what_helm_is_done_with() {
    let observer = Observer { now: at(0), machine: "00000001", locked: None };
    let had = |revision| had_its_time(&[revision], &observer);
    assert!(had(revision(1, Status::Deployed, 100_000)));
    assert!(!had(revision(1, Status::Deployed, 40)));
    assert!(!had(revision(1, Status::PendingInstall, 100_000)));
    assert!(!had_its_time(&[], &observer));
}
