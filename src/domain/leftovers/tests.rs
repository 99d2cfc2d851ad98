use serde_json::json;

use super::*;

fn claim(name: &str) -> Claim {
    Claim {
        name: name.into(),
        size: Some("10Gi".into()),
        labels: BTreeMap::new(),
        owners: Vec::new(),
        reclaim: Some(Reclaim::Delete),
        created: None,
    }
}

fn object(kind: &str, name: &str, body: Value) -> ManifestObject {
    ManifestObject {
        api_version: "v1".into(),
        kind: kind.into(),
        name: name.into(),
        namespace: None,
        body,
    }
}

fn found(claims: &[Claim], manifest: &[ManifestObject], selector: Option<&str>) -> Vec<Volume> {
    let claimed = BTreeSet::from(["claimed".to_owned()]);
    volumes(claims, &Search { release: "mydb", manifest, selector, claimed: &claimed })
}

#[test]
fn volumes_are_found_in_every_way() {
    let set = object(
        "StatefulSet",
        "mydb-pg",
        json!({"spec": {"volumeClaimTemplates": [{"metadata": {"name": "data"}}]}}),
    );
    let mut labelled = claim("labelled");
    labelled.labels.insert(selector::INSTANCE.into(), "mydb".into());
    let mut operator = claim("operator");
    operator.labels.insert("cnpg.io/cluster".into(), "mydb".into());
    let names = [
        claim("data-mydb-pg-0"),
        claim("data-mydb-pg-x"),
        claim("data-mydb-pg-"),
        claim("data-mydb-pg-2-0"),
        claim("claimed"),
        claim("other"),
        labelled,
        operator,
    ];
    let found = found(&names, &[set], Some("cnpg.io/cluster=mydb"));
    let names: Vec<_> = found.iter().map(|volume| volume.name.as_str()).collect();
    assert_eq!(names, ["data-mydb-pg-0", "claimed", "labelled", "operator"]);
}

#[test]
fn rows_say_what_goes_and_what_stays() {
    let volume = &found(&[claim("claimed")], &[], None)[0];
    assert_eq!(volume.row(false).text, "volume claimed, 10Gi, with the data");
    assert_eq!(volume.row(true).text, "volume claimed, 10Gi, AND THE DATA IN IT");
    assert!(volume.row(true).goes && !volume.row(false).goes);
    assert_eq!(volume.disk_note(), None);
}

#[test]
fn what_the_chart_or_an_owner_has_cannot_stay() {
    let manifest = [object("PersistentVolumeClaim", "claimed", json!({}))];
    let row = found(&[claim("claimed")], &manifest, None)[0].row(false);
    assert_eq!(
        (row.goes, row.text.as_str()),
        (
            true,
            "volume claimed, 10Gi, AND THE DATA IN IT: the chart owns it, --keep-data is not \
             possible"
        )
    );
    let mut owned = claim("claimed");
    owned.owners.push(Owner { kind: "Cluster".into(), name: "mydb".into() });
    let why = found(&[owned], &[], None)[0].cannot_stay().unwrap();
    assert_eq!(why, "Cluster mydb owns it, --keep-data is not possible");
}

#[test]
fn helm_keeps_what_is_annotated() {
    let body = json!({"metadata": {"annotations": {"helm.sh/resource-policy": "keep"}}});
    let manifest = [object("PersistentVolumeClaim", "claimed", body)];
    assert_eq!(found(&[claim("claimed")], &manifest, None)[0].fate, Fate::Stays);
}

#[test]
fn what_is_not_known_is_said() {
    let mut unread = claim("claimed");
    unread.reclaim = None;
    let note = found(&[unread], &[], None)[0].disk_note().unwrap();
    assert_eq!(note, "the volume's disk may stay: its policy is not readable");
    let mut cluster = object("Cluster", "mydb", json!({}));
    cluster.api_version = "postgresql.cnpg.io/v1".into();
    let claimed = BTreeSet::new();
    let manifest = [cluster];
    let search = Search { release: "mydb", manifest: &manifest, selector: None, claimed: &claimed };
    assert!(may_be_unknown(&[], &search));
    assert!(!may_be_unknown(&[], &Search { manifest: &[], ..search }));
}
