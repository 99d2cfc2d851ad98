//! The main job: a PostgreSQL that answers at the URI that svc prints, from each source of charts.

use crate::support::space::Space;

/// Creates, asks it from where the developer is, and from a pod through its Service.
fn a_database_answers(space: &Space, class: &str) {
    let created = space.svc(&format!("create mydb -c {class} -p small --set database=orders")).ok();
    let host = format!("mydb-postgresql.{}.svc", space.namespace);
    assert_eq!(
        created.stdout,
        format!(
            "host      {host}\nport      5432\nusername  app\npassword  ********\n\
             database  orders\nuri       postgresql://app:********@{host}:5432/orders\n"
        )
    );
    let uri = space.svc("show mydb uri").ok().stdout;
    space.run(&format!("psql '{uri}' -Atc 'select 40 + 2'")).ok().answers("42\n");
    let password = space.svc("show mydb password").ok().stdout;
    assert_eq!(uri, format!("postgresql://app:{password}@{host}:5432/orders"));
    assert!(!created.to_string().contains(&password), "create tells the password");
}

#[test]
fn the_chart_from_an_oci_registry() {
    let Some(space) = Space::new("postgres_oci") else { return };
    a_database_answers(&space, "postgres");
    let uri = space.svc("show mydb uri").ok().stdout;
    space.run(&format!(
        "kubectl run client --image=svc.test/postgresql:15 --restart=Never --command -- \
         /usr/lib/postgresql/15/bin/psql '{uri}' -Atc 'select 40 + 2'"
    ));
    space.until("[ $(kubectl get pod client -o 'jsonpath={.status.phase}') = Succeeded ]");
    space.run("kubectl logs client").ok().answers("42\n");
}

#[test]
fn the_chart_from_an_http_repository() {
    let Some(space) = Space::new("postgres_http") else { return };
    a_database_answers(&space, "postgres-http");
}

#[test]
fn the_chart_from_a_config_map() {
    let Some(space) = Space::new("postgres_configmap") else { return };
    a_database_answers(&space, "postgres-configmap");
}

#[test]
fn the_plan_and_the_parameters_arrive() {
    let Some(space) = Space::new("postgres_parameters") else { return };
    space
        .svc(
            "create mydb -c postgres -p medium --set database=orders --set storage=2Gi \
              --set metrics=yes --set max-connections=137",
        )
        .ok();
    let set = space.get("statefulset mydb-postgresql");
    let containers = &set["spec"]["template"]["spec"]["containers"];
    assert_eq!(containers[0]["resources"]["limits"]["memory"], "4Gi", "{containers:#}");
    assert_eq!(containers[1]["name"], "metrics");
    let claim = &set["spec"]["volumeClaimTemplates"][0]["spec"];
    assert_eq!(claim["resources"]["requests"]["storage"], "2Gi");
    let uri = space.svc("show mydb uri").ok().stdout;
    space.run(&format!("psql '{uri}' -Atc 'show max_connections'")).ok().answers("137\n");
    let shown = space.svc("show mydb -o json").ok().json();
    assert_eq!(shown["parameters"]["max-connections"], 137);
    assert_eq!(shown["parameters"]["metrics"], true);
    assert_eq!(shown["parameters"]["admin-password"], serde_json::Value::Null);
    assert_eq!(shown["volumes"][0]["size"], "2Gi");
}
