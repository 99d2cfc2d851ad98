//! Who may do what: a person with the rights of one namespace, and people with fewer.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::support::space::Space;

impl Space {
    /// A service account as a context of its own in the kubeconfig.
    pub fn person(&self, name: &str) {
        self.run(&format!(
            "set -e\n\
             kubectl create serviceaccount {name}\n\
             token=$(kubectl create token {name} --duration=1h)\n\
             kubectl config set-credentials {name} --token=$token\n\
             kubectl config set-context {name} --cluster=test --user={name} --namespace=$NS"
        ))
        .ok();
    }

    fn user(&self, name: &str) -> String {
        format!("system:serviceaccount:{}:{name}", self.namespace)
    }
}

#[test]
fn the_rights_of_one_namespace_are_enough() {
    let Some(space) = Space::new("rights_edit") else { return };
    space.person("maker");
    space
        .run("kubectl create rolebinding maker --clusterrole=edit --serviceaccount=$NS:maker")
        .ok();
    let space = space.with("SVC_CONTEXT", "maker");
    let catalog = space.svc("catalog").ok();
    assert!(catalog.stdout.contains("postgres  "), "{catalog}");
    space.svc("create mydb -c postgres --set database=orders").ok();
    space.run("psql \"$(svc show mydb -o uri)\" -Atc 'select 40 + 2'").ok().answers("42\n");
    space.svc("wait mydb").ok();
    space.svc("list -o name").ok().answers("mydb\n");
    let deleted = space.svc("delete mydb --delete-data --yes -o json").ok().json();
    assert_eq!(deleted["items"][0]["volumesDeleted"][0]["name"], "data-mydb-postgresql-0");
    let elsewhere = space.svc("create mydb -c redis -n default").ended(4);
    elsewhere.tells("missing  list secrets, in namespace default");
    space
        .svc("list -A")
        .ended(4)
        .tells("missing  list secrets, cluster-wide")
        .tells("svc list -n NAMESPACE");
}

#[test]
fn without_rights_the_missing_one_is_named() {
    let Some(space) = Space::new("rights_none") else { return };
    space.svc("create cache -c redis").ok();
    space.person("guest");
    let says = |asked: &str| {
        format!(
            "error: not allowed to {asked}\n  missing  list secrets, in namespace {}\n  \
             user     {}, context guest\n\
             try: svc doctor --context guest --rbac    the rules to ask your cluster's admin for\n",
            space.namespace,
            space.user("guest")
        )
    };
    space.svc("list --context guest").fails(4, &says("list instances"));
    for command in ["show cache", "wait cache", "delete cache --yes", "create cache -c redis"] {
        space.svc(&format!("{command} --context guest")).fails(4, &says("look for cache"));
    }
    space.svc("catalog --context guest").ok();
    space.svc("show cache password").ok();
}

/// Gives the anonymous these rules of the whole cluster, for as long as a test takes them.
pub fn of_the_cluster(space: &Space, rules: &str) {
    space.apply(&format!(
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\n\
         metadata: {{name: {0}}}\nrules: [{rules}]\n---\n\
         apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\n\
         metadata: {{name: {0}}}\n\
         roleRef: {{apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: {0}}}\n\
         subjects: [{{apiGroup: rbac.authorization.k8s.io, kind: User, name: \"system:anonymous\"}}]\n",
        space.namespace
    ));
}

const ASK: &str = "{apiGroups: [authorization.k8s.io], \
    resources: [selfsubjectaccessreviews, selfsubjectrulesreviews], verbs: [create]}";
/// What the ClusterRole `system:discovery` gives to all who are logged in.
const DISCOVER: &str = "{nonResourceURLs: [/api, /api/*, /apis, /apis/*, /version, /openapi/*], \
    verbs: [get]}";

/// Verbs on classes, and what everybody else may ask.
pub fn classes(verbs: &str) -> String {
    format!(
        "{{apiGroups: [svc-cli.dev], resources: [serviceclasses], verbs: [{verbs}]}}, {DISCOVER}, {ASK}"
    )
}

#[test]
fn a_class_that_may_not_be_used_is_named_before_anything_is_made() {
    let Some(space) = Space::new("rights_use") else { return };
    let _guard = anonymous();
    nobody(&space);
    space.run("kubectl create rolebinding edit --clusterrole=edit --user=system:anonymous").ok();
    let before = space.names("secrets,services,deployments");
    let create = "create cache -c redis --context nobody";
    let missing = |verb: &str, right: &str| {
        format!("error: not allowed to {verb}\n  missing  {right}, cluster-wide\n  user     ")
    };
    let get = missing("read class redis", "get serviceclasses.svc-cli.dev");
    let using = missing("use class redis", "use serviceclasses.svc-cli.dev redis");
    of_the_cluster(&space, &classes("use"));
    space.svc(create).ended(4).answers("").tells(&get);
    space.svc("catalog redis --context nobody").ended(4).answers("").tells(&get);
    of_the_cluster(&space, &classes("get"));
    space.svc(create).ended(4).answers("").tells(&using);
    of_the_cluster(&space, &classes("get, use").replace(ASK, ""));
    space
        .svc(create)
        .ended(4)
        .answers("")
        .tells("missing  create selfsubjectaccessreviews.authorization.k8s.io, cluster-wide\n");
    assert_eq!(space.names("secrets,services,deployments"), before);
    of_the_cluster(&space, &classes("get, use"));
    let made = space.svc(create);
    space.run("kubectl delete clusterrole,clusterrolebinding $NS").ok();
    made.ok();
}

#[test]
fn all_namespaces_with_rights_in_some_of_them() {
    let Some(space) = Space::new("rights_some") else { return };
    let Some(other) = Space::new("rights_other") else { return };
    space.svc("create cache -c redis").ok();
    other.svc("create queue -c redis").ok();
    space.person("some");
    for namespace in [&space.namespace, &other.namespace] {
        space
            .run(&format!(
                "kubectl create role some -n {namespace} --verb=list --resource=secrets,pods\n\
                 kubectl create rolebinding some -n {namespace} --role=some \
                 --serviceaccount=$NS:some"
            ))
            .ok();
    }
    space
        .run(
            "kubectl create clusterrole $NS --verb=list --resource=namespaces\n\
             kubectl create clusterrolebinding $NS --clusterrole=$NS --serviceaccount=$NS:some",
        )
        .ok();
    let table = space.svc("list -A -o json --context some");
    let told = space.svc("list -A --context some");
    space.run("kubectl delete clusterrole,clusterrolebinding $NS").ok();
    let list = table.ok().json();
    let names = |of: &str, what: &str| -> Vec<String> {
        let all = list[of].as_array().expect("a list").iter();
        all.map(|one| one[what].as_str().expect("text").to_owned()).collect()
    };
    let mut found = names("items", "namespace");
    found.sort();
    let mut wanted = [space.namespace.clone(), other.namespace.clone()];
    wanted.sort();
    assert_eq!(found, wanted);
    let skipped = names("skipped", "namespace");
    assert!(skipped.contains(&"kube-system".to_owned()), "{skipped:?}");
    assert!(names("skipped", "reason").iter().all(|why| why == "list secrets is not allowed"));
    told.ok().tells(" namespaces were skipped: not allowed to list secrets in");
}

/// What the anonymous may do belongs to one test at a time.
pub fn anonymous() -> MutexGuard<'static, ()> {
    static ANONYMOUS: Mutex<()> = Mutex::new(());
    ANONYMOUS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Somebody whom the server does not know, as a context.
pub fn nobody(space: &Space) {
    space
        .run(
            "kubectl config set-context nobody --cluster=test --namespace=$NS --user=nobody\n\
              kubectl config set-credentials nobody --username= --password=",
        )
        .ok();
}

#[test]
fn who_is_nobody_may_not_list_the_catalog() {
    let Some(space) = Space::new("rights_anonymous") else { return };
    let _guard = anonymous();
    nobody(&space);
    space.svc("catalog --context nobody").fails(
        4,
        "error: not allowed to list the catalog\n  \
         missing  list serviceclasses.svc-cli.dev, cluster-wide\n  \
         user     system:anonymous, context nobody\n\
         try: svc doctor --context nobody --rbac    the rules to ask your cluster's admin for\n",
    );
}

#[test]
fn a_secret_that_may_not_be_read_is_named() {
    let Some(space) = Space::new("rights_secret") else { return };
    space.svc("create cache -c redis").ok();
    space.person("reader");
    space
        .run(
            "kubectl create role records --verb=list --resource=secrets\n\
              kubectl create role record --verb=get --resource=secrets \
              --resource-name=sh.helm.release.v1.cache.v1\n\
              kubectl create rolebinding records --role=records --serviceaccount=$NS:reader\n\
              kubectl create rolebinding record --role=record --serviceaccount=$NS:reader",
        )
        .ok();
    let words = format!(
        "error: not allowed to read Secret cache-redis in namespace {}\n  \
         missing  get secrets\ntry: svc doctor --context reader\n",
        space.namespace
    );
    for asked in ["password", "-o uri", "-o env"] {
        space.svc(&format!("show cache {asked} --context reader")).fails(4, &words);
    }
    let shown = space.svc("show cache --context reader").ok();
    assert!(shown.stdout.contains("(not allowed to read Secret cache-redis)"), "{shown}");
    let listed = space.svc("list --context reader").ok().tells("not allowed to list pods");
    assert!(listed.stdout.contains("deployed"), "{listed}");
    space
        .svc("create other -c redis --context reader")
        .ended(4)
        .tells("missing  create secrets, get secrets, update secrets");
}

#[test]
fn a_token_that_is_not_accepted_has_expired() {
    let Some(space) = Space::new("rights_expired") else { return };
    space
        .run(
            "kubectl config set-credentials late --token=no-token-of-this-cluster\n\
              kubectl config set-context late --cluster=test --user=late --namespace=$NS",
        )
        .ok();
    for command in ["catalog", "list", "show mydb", "create mydb -c redis", "delete mydb --yes"] {
        space.svc(&format!("{command} --context late")).fails(
            4,
            "error: credentials of context late have expired\n  \
             server  localhost:6443 answered 401\n  user    late, token from the kubeconfig\n\
             Log in again the way you got this kubeconfig.\n",
        );
    }
}

#[test]
fn without_the_right_to_delete_all_of_it_nothing_is_deleted() {
    let Some(space) = Space::new("rights_delete") else { return };
    space.svc("create cache -c redis").ok();
    space.person("half");
    space
        .run(
            "kubectl create role half --verb='*' \
              --resource=secrets,configmaps,pods,statefulsets.apps,deployments.apps,persistentvolumeclaims,serviceaccounts\n\
              kubectl create role services --verb=get,list,create,update,patch --resource=services\n\
              kubectl create rolebinding half --role=half --serviceaccount=$NS:half\n\
              kubectl create rolebinding services --role=services --serviceaccount=$NS:half",
        )
        .ok();
    let before = space.names("secrets,services,statefulsets,deployments,pods");
    let words = format!(
        "error: not allowed to delete cache in namespace {0}; nothing changed\n  \
         missing  delete services in {0}\n  user     half, context half\n\
         try: svc doctor --context half --rbac    the rules to ask your cluster's admin for\n",
        space.namespace
    );
    space.svc("delete cache --yes --context half").fails(4, &words);
    space.svc("delete cache --dry-run --context half").fails(4, &words);
    assert_eq!(space.names("secrets,services,statefulsets,deployments,pods"), before);
    space.svc("wait cache --timeout 5s").ok();
    space.svc("list -o json").ok();
    // A right on this one object is enough.
    space
        .run(
            "kubectl create role one --verb=delete --resource=services --resource-name=cache-redis\n\
              kubectl create rolebinding one --role=one --serviceaccount=$NS:half",
        )
        .ok();
    space.svc("delete cache --yes --context half").ok();
    assert_eq!(space.names("services,statefulsets,deployments,pods"), [""; 0]);
}

#[test]
fn without_the_right_to_delete_the_data_the_instance_stays_too() {
    let Some(space) = Space::new("rights_data") else { return };
    space.svc("create mydb -c postgres --set database=orders").ok();
    space.person("careful");
    space
        .run(
            "kubectl create role careful --verb='*' \
              --resource=secrets,configmaps,pods,statefulsets.apps,services,serviceaccounts\n\
              kubectl create role volumes --verb=get,list,watch --resource=persistentvolumeclaims\n\
              kubectl create rolebinding careful --role=careful --serviceaccount=$NS:careful\n\
              kubectl create rolebinding volumes --role=volumes --serviceaccount=$NS:careful",
        )
        .ok();
    space
        .svc("delete mydb --delete-data --yes --context careful")
        .ended(4)
        .tells(&format!("missing  delete persistentvolumeclaims in {}\n", space.namespace));
    space.svc("wait mydb --timeout 5s").ok();
    space.svc("delete mydb --yes --context careful").ok();
}
