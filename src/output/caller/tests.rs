//! Commands to paste act where the one before them did.

use super::*;

fn away() -> Caller {
    Caller {
        namespace: Some("team-b".to_owned()),
        context: Some("dev".to_owned()),
        kubeconfig: Some("my config".to_owned()),
        ..Caller::new("svc")
    }
}

fn in_team_b() -> Caller {
    Caller::new("svc").in_namespace("team-b")
}

#[test]
fn a_command_carries_the_flags_behind_what_it_names() {
    for (command, written) in [
        ("svc show mydb", "svc show mydb -n team-b"),
        ("svc delete prod-db --force", "svc delete prod-db -n team-b --force"),
        ("svc list", "svc list -n team-b"),
        ("svc show mydb username -o env", "svc show mydb username -n team-b -o env"),
        ("svc wait mydb && svc show mydb", "svc wait mydb -n team-b && svc show mydb -n team-b"),
        ("svc doctor --rbac > role.yaml", "svc doctor -n team-b --rbac > role.yaml"),
        ("svc connect mydb -- psql -n x", "svc connect mydb -n team-b -- psql -n x"),
        ("eval \"$(svc show a)\" b", "eval \"$(svc show a -n team-b)\" b"),
        (
            "svc create mydb --class pg --set motd='a -n b: svc list'",
            "svc create mydb -n team-b --class pg --set motd='a -n b: svc list'",
        ),
    ] {
        assert_eq!(in_team_b().text(command), written);
    }
}

#[test]
fn every_flag_that_was_given_is_carried_and_quoted() {
    let written = "svc show mydb -n team-b --context dev --kubeconfig 'my config'";
    assert_eq!(away().text("svc show mydb"), written);
}

#[test]
fn a_command_that_says_it_itself_does_not_get_it_twice() {
    for command in
        ["svc list -A", "svc list -n other", "svc list -nother", "svc list --namespace=x"]
    {
        assert_eq!(in_team_b().text(command), command);
    }
    let written = "svc doctor -n team-b --kubeconfig 'my config' --context NAME";
    assert_eq!(away().text("svc doctor --context NAME"), written);
    let written = "svc list -n team-b --context dev --kubeconfig FILE";
    assert_eq!(away().text("svc list --kubeconfig FILE"), written);
}

#[test]
fn commands_without_a_cluster_carry_nothing() {
    for text in [
        "svc --help",
        "svc show --help",
        "Only its operations team can repair it: svc class lint",
        "svc class crd | kubectl apply -f -",
        "svc 0.1.0 has no update yet",
        "svc deletes only what it made.",
        "made by svc and helm",
    ] {
        assert_eq!(away().text(text), text);
    }
}

#[test]
fn commands_in_sentences_carry_them_too() {
    let written = in_team_b().text("All parameters: svc catalog postgres");
    assert_eq!(written, "All parameters: svc catalog postgres -n team-b");
    assert_eq!(in_team_b().text("run:\n  svc list\nor not"), "run:\n  svc list -n team-b\nor not");
}

#[test]
fn without_flags_the_text_stays() {
    let text = "outdated: svc upgrade x";
    assert_eq!(Caller::new("svc").text(text), text);
}

#[test]
fn commands_carry_the_name_they_were_found_by() {
    let name = |text| Caller::new("kubectl svc").text(text);
    assert_eq!(name("svc show mydb"), "kubectl svc show mydb");
    assert_eq!(name("outdated: svc upgrade x"), "outdated: kubectl svc upgrade x");
    assert_eq!(name("run:\n  svc class crd"), "run:\n  kubectl svc class crd");
    assert_eq!(name("svc wait a && svc show a"), "kubectl svc wait a && kubectl svc show a");
    assert_eq!(name("made by svc and helm"), "made by svc and helm");
    let plugin = Caller { program: "kubectl svc".to_owned(), ..in_team_b() };
    assert_eq!(plugin.text("svc show mydb"), "kubectl svc show mydb -n team-b");
}
