//! What is given arrives as it is: integers, strings, bytes.

use crate::support::space::Space;

#[test]
fn integers_past_what_a_float_holds_arrive() {
    let Some(space) = Space::new("exact_integers") else { return };
    let class = space.class("config", &[]);
    for (name, number) in [
        ("million", "1000000"),
        ("past", "9007199254740993"),
        ("most", "9223372036854775807"),
        ("least", "-9223372036854775808"),
    ] {
        space.svc(&format!("create {name} -c {class} --set count={number}")).ok();
        let map = space.get(&format!("configmap {name}-config"));
        assert_eq!(map["data"]["count"], number);
        let shown = space.svc(&format!("show {name} -o json")).ok();
        assert!(shown.stdout.contains(&format!("\"count\": {number},\n")), "{shown}");
        let shown = space.svc(&format!("show {name} -o yaml")).ok();
        assert!(shown.stdout.contains(&format!("\n  count: {number}\n")), "{shown}");
        let shown = space.svc(&format!("show {name}")).ok();
        assert!(shown.stdout.contains(&format!("\ncount     {number}\n")), "{shown}");
    }
}

#[test]
fn strings_arrive_as_they_are() {
    let Some(space) = Space::new("exact_strings") else { return };
    let class = space.class("config", &[]);
    let texts =
        ["a,b=c{d}", r"C:\new", "null", "0123", "1e3", "no", "~", "ünï 😀", "[1,2]", "$HOME `x`"];
    for (number, text) in texts.iter().enumerate() {
        let quoted = shell_words::quote(text);
        space.svc(&format!("create s{number} -c {class} --set greeting={quoted}")).ok();
        let map = space.get(&format!("configmap s{number}-config"));
        assert_eq!(map["data"]["greeting"], *text);
        let shown = space.svc(&format!("show s{number} greeting")).ok();
        assert_eq!(shown.stdout, *text);
    }
}

#[test]
fn an_empty_value_is_a_value() {
    let Some(space) = Space::new("exact_empty") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class}")).ok();
    space.run("kubectl patch secret mydb-config -p '{\"data\":{\"password\":\"\"}}'").ok();
    space.run("kubectl patch cm mydb-config -p '{\"data\":{\"host\":\"\"}}'").ok();
    space.svc("wait mydb --timeout 5s").ok();
    let shown = space.svc("show mydb").ok();
    assert!(shown.stdout.contains("\npassword  (empty)\n"), "{shown}");
    assert!(shown.stdout.contains("\nhost      (empty)\n"), "{shown}");
    space.svc("show mydb password").ok().answers("");
    space
        .svc("show mydb -o env")
        .ok()
        .answers("export MYDB_HOST=''\nexport MYDB_GREETING='hello'\nexport MYDB_PASSWORD=''\n");
    let shown = space.svc("show mydb -o json").ok().json();
    assert_eq!(
        (&shown["state"], &shown["connection"]["details"]["password"]),
        (&"ready".into(), &"".into())
    );
}

#[test]
fn bytes_that_are_no_text_are_handed_over() {
    let Some(space) = Space::new("exact_bytes") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class}")).ok();
    space.run("kubectl patch secret mydb-config -p '{\"data\":{\"password\":\"/wD+Cg==\"}}'").ok();
    space.run("svc show mydb password | od -An -tx1").ok().answers(" ff 00 fe 0a\n");
    let connection = &space.svc("show mydb -o json").ok().json()["connection"];
    assert_eq!(connection["details"]["password"], "/wD+Cg==");
    assert_eq!(connection["encoding"]["password"], "base64");
}
