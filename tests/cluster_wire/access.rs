//! Reviews of what the user may do, and who that is.

use serde_json::{Value, json};
use svc::cluster::Right;

use crate::wire::{Answer, Seen, cluster, ok};

fn attributes(asked: &Seen) -> &Value {
    &asked.body["spec"]["resourceAttributes"]
}

#[tokio::test]
async fn use_of_a_class_is_asked_without_a_namespace() {
    let (cluster, log) = cluster(|_| Answer::Json(201, json!({"status": {"allowed": true}})));
    assert!(cluster.may(&Right::use_of_class("postgres")).await.unwrap());
    let asked = log.lock().unwrap()[0].clone();
    assert_eq!(
        (asked.method.as_str(), asked.path.as_str()),
        ("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews")
    );
    let expected = json!({"verb": "use", "group": "svc-cli.dev", "resource": "serviceclasses",
        "subresource": "", "name": "postgres", "namespace": ""});
    assert_eq!(*attributes(&asked), expected);
}

#[tokio::test]
async fn a_no_of_the_rules_is_asked_again_one_by_one() {
    let (cluster, log) = cluster(|asked| {
        if asked.path.ends_with("selfsubjectrulesreviews") {
            return Answer::Json(
                201,
                json!({"status": {"incomplete": true, "resourceRules": [
                {"verbs": ["get", "list"], "apiGroups": [""], "resources": ["secrets"]}]}}),
            );
        }
        let attributes = attributes(asked);
        let allowed =
            attributes["resource"] == "pods" && attributes["subresource"] == "portforward";
        Answer::Json(201, json!({"status": {"allowed": allowed}}))
    });
    let right = |verb: &str, resource: &str| Right::new(verb, "", resource, "team-a");
    let rights = [
        right("create", "secrets"),
        right("get", "secrets"),
        right("create", "pods/portforward"),
        Right::new("create", "apps", "statefulsets", "team-a"),
    ];
    let missing = cluster.missing("team-a", &rights).await.unwrap();
    let words: Vec<_> = missing.iter().map(ToString::to_string).collect();
    assert_eq!(words, ["create secrets", "create statefulsets.apps"]);
    assert_eq!(log.lock().unwrap().len(), 4);
}

#[tokio::test]
async fn rules_may_be_null() {
    let (cluster, _) =
        cluster(|_| ok(json!({"status": {"incomplete": false, "resourceRules": null}})));
    let rights = cluster.rights("team-a").await.unwrap();
    assert!(!rights.incomplete && !rights.allows("get", "", "secrets", None));
}

#[tokio::test]
async fn the_server_says_who_and_what_it_is() {
    let (cluster, _) = cluster(|asked| match asked.path.as_str() {
        "/version" => ok(json!({"major": "1", "minor": "33", "gitVersion": "v1.33.1"})),
        _ => Answer::Json(201, json!({"status": {"userInfo": {"username": "oidc:dev-1"}}})),
    });
    assert_eq!(cluster.identity().await.unwrap(), "oidc:dev-1");
    assert_eq!(cluster.server_version().await.unwrap().0, "v1.33.1");
}
