//! Names and assignments that are none.

use crate::place::Place;

#[test]
fn of_instances() {
    let place = Place::with_catalog();
    for (name, suggested) in [
        ("My_Db", "my-db"),
        ("a--b", "a-b"),
        ("9lives", "NAME"),
        ("-a", "NAME"),
        ("abcdefghijklmnopqrstuvwxyzabcde", "abcdefghijklmnopqrstuvwxyzabcd"),
        ("\u{fc}ber", "NAME"),
        ("''", "NAME"),
    ] {
        let said = place.svc(&format!("create -c kinds -- {name}")).ended(2).answers("");
        let shown = name.trim_matches('\'');
        let said = said.tells(&format!(
            "error: \"{shown}\" is not a name: 1-30 of a-z 0-9 -, letter first, no -- inside\n"
        ));
        let tried = format!("try: svc create {suggested} --class kinds\n");
        let any = suggested == "NAME" && said.stderr.contains("try: svc create ");
        assert!(any || said.stderr.contains(&tried), "{said}");
    }
    place.svc("create abcdefghijklmnopqrstuvwxyzabcd -c kinds --dry-run").ok();
}

#[test]
fn of_parameters() {
    let place = Place::with_catalog();
    let create = |set: &str| place.svc(&format!("create mydb -c kinds {set}")).ended(2).answers("");
    create("--set size").tells("  size  has no value: --set size=VALUE\n");
    create("--set =1Gi").tells("has no name: =1Gi\n");
    create("--set sise=1Gi").tells("  sise  no such parameter; did you mean size?\n");
    create("--set nonsense=1").tells("  nonsense  no such parameter");
    create("--set size=1Gi --set size=2Gi").tells("size  given");
    create("--set-env size=NOT_SET").tells("  size  variable NOT_SET is not set\n");
    create("--set-file size=none.txt").tells("  size  none.txt: ");
    create("--set size=1Gi --set-env size=HOME").tells("size  given");
}

#[test]
fn of_plans_flags_and_verbs() {
    let place = Place::with_catalog();
    place.svc("create mydb -c kinds -p small").fails(
        3,
        "error: class kinds has no plan small; it has no plans\n\
         try: svc create mydb --class kinds\n",
    );
    place.svc("--as").ended(2).tells("error: no flag --as in svc\n").tells("try: svc --help\n");
    place
        .svc("list --nothing")
        .fails(2, "error: no flag --nothing in svc list\ntry: svc list --help\n");
    place.svc("create a b -c kinds").ended(2).tells("error: no argument b in svc create\n");
    place.svc("get mydb").fails(2, "error: no command get\ntry: svc show mydb\n");
    place.svc("list -o nothing").ended(2).tells("\"nothing\" is not one of ");
    place.svc("create mydb -c kinds --timeout 5").ended(2).tells("\"5\" is not a duration");
    place.svc("create mydb -c kinds --timeout 0s").ended(2).tells("--timeout 0s leaves no time");
    place.svc("wait mydb -q -v").ended(2);
}

#[test]
fn of_answers() {
    let place = Place::with_catalog();
    for (text, words) in [
        ("klass: kinds", "klass"),
        ("class: kinds\nparameters: {owner: no}", "owner"),
        ("class: kinds\nparameters: {owner: 0123}", "owner"),
        ("class: [", "the answers cannot be read"),
        ("", "  file   answers.yaml\n  wrong  it is empty\n"),
        (
            "klass: kinds\nparameters: [1]\n",
            "  file               answers.yaml\n  \
             line 1, column 1   there is no key klass; did you mean class?\n  \
             line 2, column 13  names with",
        ),
    ] {
        place.write("answers.yaml", text);
        place.svc("create mydb -f answers.yaml --dry-run").ended(2).answers("").tells(words);
    }
    place.run("svc create mydb -c kinds -f - </dev/null").fails(
        2,
        "error: the answers cannot be read\n  file   stdin\n  wrong  it is empty\n\
         try: svc show INSTANCE -o answers    a file as it should be\n",
    );
    place
        .run("echo 'class: kinds' | svc create My_Db -f -")
        .ended(2)
        .tells("try: svc create my-db --class kinds --answers FILE\n");
    place
        .svc("create mydb -f none.yaml")
        .ended(2)
        .tells("none.yaml")
        .tells("try: svc show INSTANCE -o answers    a file as it should be\n");
    place.write("answers.yaml", "class: kinds\nparameters: {owner: \"no\", metrics: true}");
    place.svc("create mydb -f answers.yaml --dry-run").ok();
}
