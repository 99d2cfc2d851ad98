use serde_json::json;

use super::super::answers::{Given, How, Kept, KeptAnswer, resolve};
use super::super::example;
use super::super::record::{Origin, RecordedAnswer, RecordedChart};
use super::*;

fn record(answers: &[(&str, Json)]) -> Record {
    let chart = RecordedChart {
        name: "postgresql".into(),
        version: "16.2.1".into(),
        source: None,
        digest: String::new(),
    };
    let mut record = Record::of(&example::class(), String::new(), chart);
    for (name, value) in answers {
        let answer = RecordedAnswer { value: value.clone(), origin: Origin::Given };
        record.answers.insert((*name).into(), answer);
    }
    record
}

fn texts(given: &[Given]) -> Vec<String> {
    let record = record(&[
        ("database", json!("orders")),
        ("mode", json!("replication")),
        ("replicas", json!(3)),
        ("metrics", json!(true)),
        ("admin-password", Json::Null),
        ("max-connections", json!(100)),
        ("storage", json!("1Gi")),
    ]);
    let config = json!({"auth": {"password": "old secret"}});
    let mut parameters = example::parameters("small");
    let kept = Kept::of_record(
        &record,
        config.as_object().unwrap(),
        true,
        &mut parameters,
        super::super::answers::Moving::Nothing,
    );
    let answers = resolve(&parameters, given, &kept, &mut |bytes| bytes.fill(1)).unwrap();
    let before = kept.answers.iter().map(|(name, kept)| (name.clone(), kept.value.clone()));
    let changes = super::parameters(&record, &before.collect(), &answers, &parameters);
    changes.iter().map(|change| format!("{}  {}", change.name, change.text())).collect()
}

#[test]
fn the_difference_of_the_interface() {
    let set = |name: &str, text: &str| Given::text(name, text, How::Set);
    assert_eq!(
        texts(&[set("max-connections", "200"), set("metrics", "no")]),
        ["metrics  yes -> no", "max-connections  100 -> 200"]
    );
    assert_eq!(texts(&[set("metrics", "yes")]), [""; 0]);
    assert_eq!(
        texts(&[set("mode", "standalone")]),
        ["mode  replication -> standalone", "replicas  3 -> -"]
    );
}

#[test]
fn secrets_are_compared_and_not_shown() {
    let env = |text: &str| Given::text("admin-password", text, How::SetEnv("PW".into()));
    assert_eq!(texts(&[env("another secret")]), ["admin-password  another value"]);
    assert_eq!(texts(&[env("old secret")]), [""; 0]);
    let kept = KeptAnswer { value: json!("old secret"), origin: Origin::Given, secret: true };
    assert!(!format!("{kept:?}").contains("old secret"));
}

#[test]
fn what_was_a_secret_or_is_one_now_is_not_shown() {
    let record = record(&[
        ("mode", json!("replication")),
        ("replicas", json!(3)),
        ("admin-password", Json::Null),
    ]);
    let mut parameters = example::parameters("small");
    for known in &mut parameters {
        match known.name.as_str() {
            "admin-password" => known.sensitive = false,
            "mode" | "replicas" => known.sensitive = true,
            _ => {}
        }
    }
    let given = [
        Given::text("database", "orders", How::Set),
        Given::text("admin-password", "a-new-password", How::Set),
        Given::text("mode", "standalone", How::SetEnv("MODE".into())),
    ];
    let answers = resolve(&parameters, &given, &Kept::default(), &mut |bytes| bytes.fill(1));
    let before = json!({"mode": "replication", "replicas": 3, "admin-password": "old secret"});
    let before = before.as_object().unwrap();
    let changes = super::parameters(&record, before, &answers.unwrap(), &parameters);
    let told = format!("{changes:?}");
    for secret in ["old secret", "a-new-password", "replication", "standalone", "Number(3)"] {
        assert!(!told.contains(secret), "{secret}: {told}");
    }
    let texts: Vec<_> = changes.iter().map(|one| (one.name.as_str(), one.text())).collect();
    assert!(texts.contains(&("admin-password", "another value".into())), "{texts:?}");
    assert!(texts.contains(&("mode", "another value".into())), "{texts:?}");
    assert!(texts.contains(&("replicas", "goes".into())), "{texts:?}");
}

#[test]
fn a_parameter_that_lands_elsewhere_is_told() {
    let record = record(&[("database", json!("orders")), ("metrics", json!(true))]);
    let mut parameters = example::parameters("small");
    for known in &mut parameters {
        let other = ["database", "mode"].contains(&known.name.as_str());
        known.paths = if other { vec!["a.b\\.c".parse().unwrap()] } else { known.paths.clone() };
    }
    let given = [Given::text("database", "orders", How::Set)];
    let answers = resolve(&parameters, &given, &Kept::default(), &mut |bytes| bytes.fill(1));
    let moved = moved(&record, &answers.unwrap(), &parameters);
    let texts: Vec<_> = moved.iter().map(Moved::text).collect();
    assert_eq!(texts, ["database auth.database -> a.b\\.c"], "mode had no answer");
}

#[test]
fn what_is_gone_is_told_with_what_it_was() {
    let gone = |sensitive| ParameterChange {
        name: "size".to_owned(),
        before: Some(json!(500)),
        after: None,
        sensitive,
    };
    assert_eq!(gone(false).gone_text(), "size, was 500");
    assert_eq!(gone(true).gone_text(), "size");
}
