use std::collections::BTreeMap;

use jiff::Timestamp;

use super::*;
use crate::helm::{End, Signal};

const OURS: &str = "1900000000-12345678";

fn revision(number: u32, status: Status, until: &str) -> Revision {
    Revision {
        namespace: "team-a".into(),
        name: "mydb".into(),
        number,
        status,
        labels: BTreeMap::from([
            (label::UNTIL.to_owned(), until.to_owned()),
            (label::CREATED.to_owned(), "1800000000".to_owned()),
        ]),
        created: Timestamp::UNIX_EPOCH,
    }
}

fn outcome(end: End, stopped: Option<Stop>, stderr: &str) -> Outcome {
    Outcome {
        command_line: "helm".into(),
        end,
        stopped,
        stdout: String::new(),
        stdout_truncated: false,
        stderr: stderr.into(),
    }
}

fn judged(outcome: &Outcome, revisions: &[Revision]) -> Result<Vec<Revision>> {
    let (verb, created) = (Verb::Update, Some("1800000000"));
    let work = Work { name: "mydb", verb, follows: 2, created, until: Some(OURS), outcome };
    judge(&work, &Redaction::default(), revisions.to_vec())
}

#[test]
fn only_the_very_next_revision_of_this_svc_is_success() {
    let done = outcome(End::Exit(0), None, "");
    let before = revision(2, Status::Superseded, "1800000000-12345678");
    assert!(judged(&done, &[revision(3, Status::Deployed, OURS), before.clone()]).is_ok());
    let later = [revision(4, Status::Deployed, OURS), revision(3, Status::Superseded, "x")];
    let error = judged(&done, &later).unwrap_err();
    assert_eq!(error.message, "mydb was changed by someone else meanwhile");
    assert_eq!(error.facts[0].value, "revisions 3 to 4, deployed");
    let theirs = [revision(3, Status::Deployed, "1900000000-87654321"), before];
    assert_eq!(judged(&done, &theirs).unwrap_err().facts[0].value, "revision 3, deployed");
}

#[test]
fn what_is_deployed_is_done_whatever_helm_ended_with() {
    let stored = [revision(3, Status::Deployed, OURS)];
    let interrupt = Some(Stop::Interrupted(Signal::Interrupt));
    for (end, stopped) in [(End::Exit(1), None), (End::Exit(1), interrupt), (End::Signal(9), None)]
    {
        let outcome = outcome(end, stopped, "");
        assert_eq!(judged(&outcome, &stored).unwrap(), stored);
        assert_eq!(outcome.interrupted().is_some(), stopped.is_some(), "and then nobody waits");
    }
}

#[test]
fn what_was_deleted_meanwhile_is_told_whatever_helm_says() {
    let words = "Error: UPGRADE FAILED: \"mydb\" has no deployed releases\n";
    let failed = outcome(End::Exit(1), None, words);
    let told = |revisions: &[Revision]| {
        let error = judged(&failed, revisions).unwrap_err();
        (error.message, error.kind, error.tries[0].command.clone())
    };
    let gone = ("mydb was deleted meanwhile", "list");
    let going = ("mydb is being deleted by someone else", "wait mydb --for deleted");
    let other = ("mydb was deleted and made anew meanwhile", "wait mydb");
    let mut anew = revision(1, Status::Deployed, "1900000000-87654321");
    anew.labels.insert(label::CREATED.to_owned(), "1900000000".to_owned());
    for (revisions, (words, command)) in [
        (vec![], gone),
        (vec![revision(2, Status::Uninstalling, "1")], going),
        (vec![revision(2, Status::Uninstalled, "1")], going),
        (vec![anew], other),
    ] {
        let told = told(&revisions);
        assert_eq!(told, (words.to_owned(), ErrorKind::Failed, command.to_owned()));
    }
}

#[test]
fn a_failed_change_says_what_still_runs_and_how_it_goes_on() {
    let failed = outcome(End::Exit(1), None, "Error: UPGRADE FAILED: no luck\n");
    let stored =
        [revision(3, Status::Failed, OURS), revision(2, Status::Deployed, "1800000000-12345678")];
    let error = judged(&failed, &stored).unwrap_err();
    assert_eq!(error.message, "helm could not update mydb: no luck");
    assert_eq!(error.advice, ["mydb still runs revision 2"]);
    assert_eq!(error.tries[0].command, "update mydb --retry");
    let error = judged(&failed, &stored[1..]).unwrap_err();
    assert!(error.tries.is_empty(), "nothing was made: {error:?}");
}

#[test]
fn an_interruption_says_what_is_stored() {
    let stop = Some(Stop::Interrupted(Signal::Interrupt));
    let stopped = outcome(End::Exit(1), stop, "");
    let stored =
        [revision(3, Status::Failed, OURS), revision(2, Status::Deployed, "1800000000-12345678")];
    let error = judged(&stopped, &stored).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Interrupted);
    assert_eq!(
        error.message,
        "interrupted: the update of mydb was cut off, revision 3 is marked failed"
    );
    let error = judged(&stopped, &stored[1..]).unwrap_err();
    assert_eq!(error.message, "interrupted: the update of mydb had not begun");
}
