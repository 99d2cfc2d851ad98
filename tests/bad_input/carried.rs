//! Commands to paste act where the wrong one would have, and keep what was right in it.

use crate::place::Place;

#[test]
fn flags_that_choose_the_place() {
    let place = Place::with_catalog();
    place.svc("show nodb -n default").fails(
        3,
        "error: no instance nodb in namespace default, context staging\ntry: svc list -A\n",
    );
    place.svc("show nodb --context dev").fails(
        3,
        "error: no instance nodb in namespace default, context dev\n\
         try: svc list --context dev -A\n",
    );
    place
        .svc("--kubeconfig ./kubeconfig create My_Db -c kinds -n team-b --context=dev --yes")
        .ended(2)
        .tells(
            "\ntry: svc create my-db -n team-b --context dev --kubeconfig ./kubeconfig \
             --class kinds --yes\n",
        );
    place.svc("create -n 'it is' </dev/null").ended(2).tells(
        "\ntry: svc create NAME -n 'it is' --class CLASS\nClasses: svc catalog -n 'it is'\n",
    );
    place
        .svc("-n team-b get mydb")
        .fails(2, "error: no command get\ntry: svc show mydb -n team-b\n");
    place
        .svc("get mydb -n team-b")
        .fails(2, "error: no command get\ntry: svc show mydb -n team-b\n");
    place
        .run("SVC_NAMESPACE=default svc show nodb --context dev")
        .ended(3)
        .tells("\ntry: svc list --context dev -A\n");
}

#[test]
fn as_a_plugin_of_kubectl() {
    let place = Place::with_catalog();
    place
        .run("mkdir bin && ln -s $(command -v svc) bin/kubectl-svc && bin/kubectl-svc get a -n b")
        .fails(2, "error: no command get\ntry: kubectl svc show a -n b\n");
}

#[test]
fn what_else_was_typed() {
    let place = Place::with_catalog();
    let typed = "--set owner='a b' --set-env mode=MODE --no-wait --timeout 2m -o json";
    place.with("MODE", "two").svc(&format!("create My_Db -c kinds {typed}")).ended(2).tells(
        "\ntry: svc create my-db --class kinds --set 'owner=a b' --set-env mode=MODE \
             --no-wait --timeout 2m -o json\n",
    );
}

#[test]
fn beside_a_plan_that_is_wrong() {
    let place = Place::with_catalog();
    let typed = "--set owner=me --set password=hunter2 --dry-run";
    place.svc(&format!("create mydb -c sized -p smal {typed}")).fails(
        3,
        "error: class sized has no plan smal; it has small, large\n\
         try: svc create mydb --class sized --plan small --set owner=me --dry-run\n",
    );
    place.svc("create mydb -c sized --set owner=me").fails(
        2,
        "error: class sized has several plans: small, large\n\
         try: svc create mydb --class sized --plan small --set owner=me\n",
    );
    place
        .svc("create mydb -c sized -p small --set owner= --no-wait")
        .ended(2)
        .tells("\ntry: svc create mydb --class sized --plan small --set owner=me --no-wait\n");
    place
        .svc("create My_Db -c sized --set password=hunter2 --set owner=me")
        .ended(2)
        .tells("\ntry: svc create my-db --class sized --set owner=me\n");
}
