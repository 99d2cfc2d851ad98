use super::*;
use crate::domain::connection::{DetailState, Known, Lack};

fn detail(name: &str, value: &[u8], sensitive: bool) -> EvaluatedDetail {
    let masked = if sensitive { "********".to_owned() } else { text(value) };
    let state = DetailState::Known(Known::new(value.to_vec(), masked));
    EvaluatedDetail { name: name.to_owned(), sensitive, state }
}

fn text(value: &[u8]) -> String {
    String::from_utf8_lossy(value).into_owned()
}

fn missing(name: &str) -> EvaluatedDetail {
    let lack = Lack { object: "Secret a".into(), says: String::new(), verb: None };
    EvaluatedDetail {
        name: name.to_owned(),
        sensitive: true,
        state: DetailState::NotThereYet(lack),
    }
}

#[test]
fn env_lines_are_those_of_the_page() {
    let details = Details(vec![
        detail("host", b"mydb-postgresql.team-a.svc", false),
        detail("ca.crt", b"it's", true),
        missing("later"),
    ]);
    assert_eq!(
        env(&details, &standard_prefix("mydb")).unwrap(),
        ["export MYDB_HOST='mydb-postgresql.team-a.svc'", r"export MYDB_CA_CRT='it'\''s'"]
    );
    assert_eq!(
        dotenv(&details, "").unwrap(),
        ["HOST=mydb-postgresql.team-a.svc", "CA_CRT=\"it's\""]
    );
    assert_eq!(variable_name(&standard_prefix("mydb/api"), "uri"), "MYDB_API_URI");
    assert_eq!(variable_name("9", "uri"), "_9URI");
}

#[test]
fn shells_get_quoted_runs() {
    for (value, quoted) in [
        ("", "''"),
        ("a", "'a'"),
        ("it's", r"'it'\''s'"),
        (r"a\b", r"'a'\\'b'"),
        ("'", r"\'"),
        (r"\'x", r"\\\''x'"),
        ("a\nb $x", "'a\nb $x'"),
    ] {
        assert_eq!(shell_quoted(value), quoted);
    }
}

#[test]
fn dotenv_takes_the_first_form_that_holds_it() {
    for (value, quoted) in [
        ("", ""),
        ("postgresql://a:b@c:1/d", "postgresql://a:b@c:1/d"),
        ("a b", "'a b'"),
        (r#"a\b"$"#, r#"'a\b"$'"#),
        ("it's \"$5\"\\", r#""it's \"\$5\"\\""#),
        ("a\nb\r", r#""a\nb\r""#),
    ] {
        assert_eq!(dotenv_quoted(value), quoted);
    }
}

#[test]
fn what_a_variable_cannot_hold_is_refused() {
    let reason = |details: Vec<_>| env(&Details(details), "").unwrap_err().reason;
    assert_eq!(reason(vec![detail("a", b"x\0", true)]), "a holds bytes that are not text");
    assert_eq!(reason(vec![detail("a", &[0xff], true)]), "a holds bytes that are not text");
    assert_eq!(
        reason(vec![detail("a-b", b"", true), detail("a.b", b"", true)]),
        "a-b and a.b would both be A_B"
    );
}

#[test]
fn a_dotenv_file_runs_nothing_where_it_is_sourced() {
    let one = |value: &[u8]| dotenv(&Details(vec![detail("a", value, true)]), "");
    let refused = one(b"it's `touch x`").unwrap_err();
    assert_eq!(refused.reason, "a has a backtick that a shell would run");
    assert!(one(b"`touch x`\n").is_err());
    assert_eq!(one(b"`touch x`").unwrap(), ["A='`touch x`'"]);
}

#[test]
fn lines_refuse_a_line_break() {
    let (one, two) = (detail("a", b"1", false), detail("b", b"2\n3", true));
    assert_eq!(lines(&[&one, &one]).unwrap(), ["1", "1"]);
    assert_eq!(lines(&[&one, &two]).unwrap_err().reason, "b has a line break");
}

#[test]
fn the_report_masks_and_encodes() {
    let connection: Connection =
        serde_json::from_value(json!({"type": "postgresql", "details": []})).unwrap();
    let details = Details(vec![
        detail("host", b"h", false),
        detail("key", &[0xff], false),
        detail("password", b"secret", true),
        missing("uri"),
    ]);
    let secret = Some(SecretName { namespace: "team-a".into(), name: "mydb".into() });
    let open = serde_json::to_value(report(&connection, &details, secret, false)).unwrap();
    assert_eq!(
        open,
        json!({
            "type": "postgresql", "provider": null,
            "secret": {"namespace": "team-a", "name": "mydb"},
            "details": {"host": "h", "key": "/w==", "password": "secret", "uri": null},
            "sensitive": ["password", "uri"], "encoding": {"key": "base64"}
        })
    );
    let masked = report(&connection, &details, None, true);
    assert_eq!(masked.details["password"], None);
    assert_eq!(masked.details["host"].as_deref(), Some("h"));
}

#[test]
fn a_secret_has_a_key_for_each_detail() {
    let connection: Connection =
        serde_json::from_value(json!({"type": "postgresql", "details": []})).unwrap();
    let details = Details(vec![detail("password", b"secret", true), missing("uri")]);
    let clear = secret(&connection, &details, "mydb-connection", false);
    assert_eq!(clear["type"], "servicebinding.io/postgresql");
    assert_eq!(clear["data"], json!({"type": "cG9zdGdyZXNxbA==", "password": "c2VjcmV0"}));
    assert_eq!(clear["metadata"], json!({"name": "mydb-connection"}));
    let masked = secret(&connection, &details, "mydb-connection", true);
    assert!(masked.get("data").is_none() && !masked.to_string().contains("c2VjcmV0"), "{masked}");
    assert_eq!(masked["stringData"]["type"], "postgresql");
}
