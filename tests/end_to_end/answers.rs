//! Answers without a terminal, from flags, variables, files and stdin.

use crate::support::space::Space;

const YAML: &str = "class: CLASS\nparameters:\n  greeting: \"0123\"\n  count: 9007199254740993\n";

#[test]
fn from_yaml_json_and_stdin() {
    let Some(space) = Space::new("answers") else { return };
    let space = space.with("PW", "from-a-variable");
    let class = space.class("config", &[]);
    space.write("answers.yaml", &YAML.replace("CLASS", &class));
    let json = format!(
        "{{\"class\": \"{class}\", \"parameters\": {{\"greeting\": \"0123\", \"count\": 9007199254740993}}}}"
    );
    space.write("answers.json", &json);
    space.write("password", "from-a-file\n");
    for (name, command, password) in [
        ("one", "svc create one -f answers.yaml --set-env password=PW", "from-a-variable"),
        ("two", "svc create two -f answers.json --set-file password=password", "from-a-file"),
        ("three", "svc create three -f - --set-env password=PW < answers.yaml", "from-a-variable"),
        (
            "four",
            "svc create four --answers - --set-file password=password < answers.json",
            "from-a-file",
        ),
        (
            "five",
            "printf %s from-stdin | svc create five -f answers.yaml --set-file password=-",
            "from-stdin",
        ),
    ] {
        space.run(command).ok();
        let data = space.get(&format!("configmap {name}-config"))["data"].clone();
        assert_eq!(
            (&data["greeting"], &data["count"]),
            (&"0123".into(), &"9007199254740993".into())
        );
        assert_eq!(space.svc(&format!("show {name} password")).ok().stdout, password);
    }
    what_wins_and_what_is_refused(&space);
}

/// A flag wins over the file; nothing is coerced, stdin is read once, a secret is no argument.
fn what_wins_and_what_is_refused(space: &Space) {
    space.svc("create six -f answers.yaml --set greeting=flag").ok();
    assert_eq!(space.get("configmap six-config")["data"]["greeting"], "flag");
    space.run("sed 's/\"0123\"/0123/' answers.yaml > bare.yaml").ok();
    let bare = space.svc("create seven -f bare.yaml").ended(2).answers("");
    bare.tells("greeting");
    space
        .run("svc create seven -f - --set-file password=- < answers.yaml")
        .ended(2)
        .tells("stdin is read by --answers already");
    space
        .svc("create seven -f answers.yaml --set password=hunter2-hunter2")
        .ended(2)
        .tells("password  sensitive: not on the command line");
    assert!(!space.names("configmaps").contains(&"configmap/seven-config".to_owned()));
}
