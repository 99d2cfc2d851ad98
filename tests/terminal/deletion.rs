//! A question that stays open while others work.

use super::start;
use crate::support::stage::Stage;

const CLAIM: &str = "\
kubectl create -n team-ha -f - <<'END'
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data-one-1, labels: {app.kubernetes.io/instance: one}}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
END";

/// Opens the question, lets others work, answers it, and gives what is on the screen then.
fn meanwhile(stage: &Stage, command: &str, others: &str, keys: &str, status: u32) -> String {
    let mut terminal = start(stage, command);
    terminal.until("elete ");
    let worked = stage.run(others);
    assert_eq!(worked.status, 0, "{worked:?}");
    terminal.keys(keys);
    assert_eq!(terminal.ends(), status, "{}", terminal.screen());
    terminal.screen()
}

#[test]
fn what_goes_is_what_was_shown() {
    let Some(stage) = Stage::new("what_goes_was_shown", "team-ha") else { return };
    let create = "svc create one -c redis --defaults --no-wait --yes";
    stage.run(create);
    let (delete, destroy) = ("svc delete one", "svc delete one --delete-data");
    let anew = format!("svc delete one --yes --delete-data && {create}");
    let screen = meanwhile(&stage, delete, &anew, "y", 1);
    let said = "error: one was deleted and made anew meanwhile; nothing was deleted\n";
    assert!(screen.contains(said), "{screen}");
    let screen = meanwhile(&stage, destroy, CLAIM, "one\r", 1);
    let said = "error: one was changed by someone else meanwhile; nothing was deleted\n  new  ";
    assert!(screen.contains(said) && screen.contains("volume data-one-1, 1Gi"), "{screen}");
    assert_eq!(stage.run("svc list -o name").stdout, "one\n");
    let screen = meanwhile(&stage, destroy, "svc delete one --yes --keep-data", "one\r", 0);
    let said = "note: one was gone already: someone else deleted it meanwhile";
    assert!(screen.contains(said), "{screen}");
    assert_eq!(stage.run("kubectl get pvc -n team-ha -o name").stdout, "");
}
