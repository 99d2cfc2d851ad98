//! The admission policy that `svc class policy` prints, on the real API server.

use super::rights::{anonymous, classes, nobody, of_the_cluster};
use crate::support::space::Space;

const HELM: &str = "${SVC_HELM:-helm}";

#[test]
fn the_api_server_itself_refuses_a_class_that_may_not_be_used() {
    let Some(space) = Space::new("policy") else { return };
    let _guard = anonymous();
    nobody(&space);
    space.run("kubectl create rolebinding edit --clusterrole=edit --user=system:anonymous").ok();
    of_the_cluster(&space, &classes("get, use"));
    space.svc("class policy | kubectl apply --context staging --server-side -f -").ok();
    let install = |name: &str, more: &str| {
        format!(
            "{HELM} install {name} oci://$REGISTRY/charts/redis --version 1.0.0 \
             --kube-context nobody -n $NS {more}"
        )
    };
    let of_redis = "--labels svc-cli.dev/class=redis";
    space.svc("create cache -c redis --context nobody").ok();
    of_the_cluster(&space, &classes("get"));
    // The server takes a moment to put a policy in force.
    let refuses = |name: &str| {
        let said = space.run(&install(name, of_redis));
        assert!(said.stderr.contains("not allowed to use class redis"), "{said}");
        assert!(said.status != 0, "{said}");
    };
    space.until(
        "kubectl create secret generic probe --context staging --dry-run=client -o json \
           --type=helm.sh/release.v1 | \
         kubectl label --local -f - svc-cli.dev/class=redis -o json | \
         kubectl create --context staging --as system:anonymous --dry-run=server -f - 2>&1 | \
         grep 'not allowed to use class redis'",
    );
    refuses("plain");
    assert_eq!(space.names("secrets -l name=plain"), [""; 0]);
    // What it cannot see: a release that does not say what it is.
    space.run(&install("unmarked", "")).ok();
    space
        .run(&format!(
            "{HELM} upgrade unmarked oci://$REGISTRY/charts/redis --version 1.0.0 \
             --kube-context nobody -n $NS {of_redis}"
        ))
        .ended(1)
        .tells("not allowed to use class redis");
    let before = space.names("secrets,deployments,services");
    space.svc("create other -c redis --context nobody").ended(4);
    assert_eq!(space.names("secrets,deployments,services"), before);
    // What was made before can be looked at and given back.
    space.svc("show cache password --context nobody").ok();
    space.svc("delete cache --yes --context nobody").ok();
    // Who may use it is not held up.
    space.svc("create mine -c redis").ok();
    space
        .run(
            "kubectl delete --context staging clusterrole,clusterrolebinding $NS\n\
             kubectl delete --context staging validatingadmissionpolicy,validatingadmissionpolicybinding \
             svc-use-of-classes",
        )
        .ok();
}
