//! Text from the cluster cannot steer a terminal.

use crate::support::space::Space;

#[test]
fn words_of_a_class() {
    let Some(space) = Space::new("escapes_class") else { return };
    let class = space.copy_of("redis", |spec| {
        spec["description"] = "\u{1b}]0;owned\u{7} \u{202e}text".into();
        spec["summary"] = "red \u{9b}31m\u{202e}text".into();
    });
    let said = space.svc(&format!("catalog {class}")).ok();
    assert!(said.stdout.contains(r"\x1b]0;owned\x07 \u202etext"), "{said}");
    let listed = space.svc("catalog").ok();
    assert!(listed.stdout.contains(r"red \x9b31m\u202etext"), "{listed}");
    let said = format!("{said}{listed}");
    assert!(!said.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']), "{said}");
    let json = space.svc(&format!("catalog {class} -o json")).ok().json();
    assert_eq!(json["description"], "\u{1b}]0;owned\u{7} \u{202e}text");
}

#[test]
fn words_of_a_pod() {
    let Some(space) = Space::new("escapes_pod") else { return };
    let class = space.class("workload", &[]);
    let said = space.svc(&format!(
        "create mydb -c {class} --timeout 12s --set probe='printf \"\\033[2Jno\"; exit 1' \
         --set script='printf \"\\033[31mred\\n\"; exec sleep infinity'"
    ));
    let said = said.ended(5).tells(r"\x1b[2Jno").tells(r"\x1b[31mred");
    assert!(!said.to_string().contains('\u{1b}'), "{said}");
}

#[test]
fn details_are_shown_and_handed_over() {
    let Some(space) = Space::new("escapes_detail") else { return };
    let class = space.class("config", &[]);
    space.svc(&format!("create mydb -c {class}")).ok();
    space
        .run(
            "kubectl patch configmap mydb-config -p '{\"data\":{\"greeting\":\"\\u001b[31mred\"}}'",
        )
        .ok();
    let shown = space.svc("show mydb").ok();
    assert!(shown.stdout.contains(r"greeting  \x1b[31mred"), "{shown}");
    space.svc("show mydb greeting").ok().answers("\u{1b}[31mred");
    let json = space.svc("show mydb -o json").ok();
    assert!(!json.stdout.contains('\u{1b}'), "{json}");
    assert_eq!(json.json()["connection"]["details"]["greeting"], "\u{1b}[31mred");
}
