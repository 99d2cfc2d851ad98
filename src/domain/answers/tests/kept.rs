//! Answers that an instance has already.

use super::*;
use crate::domain::class::Change;

#[test]
fn kept_answers_stay_even_outside_todays_limits() {
    let keep = |value: Json, origin| KeptAnswer { value, origin, secret: false };
    let kept = Kept {
        answers: [
            ("storage".to_owned(), keep(json!("50Gi"), Origin::Given)),
            ("admin-password".to_owned(), keep(json!("old"), Origin::Generated)),
            ("metrics".to_owned(), keep(json!("was a string once"), Origin::Given)),
        ]
        .into_iter()
        .collect(),
        parameters: vec!["storage".to_owned(), "admin-password".to_owned()],
        ..Kept::default()
    };
    let parameters = example::parameters("small");
    let problems = resolve(&parameters, &[], &kept, &mut zeros).unwrap_err();
    assert_eq!(
        rows(&problems),
        [("database", "missing, new in the class: first database, 1-63 of a-z 0-9 _")]
    );
    let upgrade = CommandLine::new("upgrade api-db").part("--yes");
    assert_eq!(problems.command(upgrade).line(), "upgrade api-db --yes --set database=DATABASE");
    let answers = resolve(&parameters, &[set("database", "a")], &kept, &mut zeros).unwrap();
    assert_eq!(answers.get("storage").unwrap().value.public_json(), json!("50Gi"));
    assert_eq!(answers.revealed_params()["admin-password"], json!("old"));
    assert_eq!(answers.get("metrics").unwrap().origin, Origin::ClassDefault);
    assert_eq!(answers.outside.len(), 2);
    assert!(!format!("{:?}{:?}", answers.outside, kept).contains("old\""));
}

fn kept(answers: &[(&str, Json, Origin)]) -> Kept {
    let answers = answers.iter().map(|(name, value, origin)| {
        ((*name).to_owned(), KeptAnswer { value: value.clone(), origin: *origin, secret: false })
    });
    Kept { answers: answers.collect(), ..Kept::default() }
}

#[test]
fn unset_goes_back_to_the_default_or_says_why_not() {
    let mut parameters = example::parameters("small");
    parameters[1].present = Some(Value::Quantity("10Gi".parse().unwrap()));
    let kept = Kept {
        not_generated: vec!["admin-password".to_owned()],
        ..kept(&[
            ("storage", json!("10Gi"), Origin::Given),
            ("metrics", json!(true), Origin::Given),
        ])
    };
    let given = [Given::unset("metrics"), set("database", "a")];
    let answers = resolve(&parameters, &given, &kept, &mut zeros).unwrap();
    let metrics = answers.get("metrics").unwrap();
    assert_eq!((metrics.value.public_json(), metrics.origin), (json!(false), Origin::ClassDefault));
    assert_eq!(answers.get("storage").unwrap().value.public_json(), json!("10Gi"));
    assert!(answers.get("admin-password").is_none(), "not made for a service that runs");
    let given = ["storage", "database", "admin-password", "nothing"].map(Given::unset);
    let problems = resolve(&parameters, &given, &kept, &mut zeros).unwrap_err();
    assert_eq!(
        rows(&problems),
        [
            ("storage", "cannot change after create; it is 10Gi"),
            ("database", "has no default"),
            (
                "admin-password",
                "was generated; a service that runs keeps it, or gets another by --set-env"
            ),
            ("nothing", "no such parameter"),
        ]
    );
    let twice = [set("metrics", "true"), Given::unset("metrics")];
    let problems = check_given(&parameters, &twice, &kept).unwrap_err();
    assert_eq!(rows(&problems), [("metrics", "given twice")]);
}

#[test]
fn kept_answers_are_asked_where_they_may_change_and_stay_at_enter() {
    let mut parameters = example::parameters("small");
    parameters[1].present = Some(Value::Quantity("10Gi".parse().unwrap()));
    let mut kept = kept(&[
        ("database", json!("orders"), Origin::Given),
        ("storage", json!("10Gi"), Origin::Given),
        ("metrics", json!(true), Origin::Given),
        ("admin-password", json!("old secret"), Origin::Generated),
    ]);
    kept.asked = true;
    let mut given = Vec::new();
    let mut asked = Vec::new();
    while let Some(open) = next_question(&parameters, &given, &kept, Asking::Advanced) {
        asked.push(open.name.clone());
        given.push(Given::accepted(&open.name));
    }
    assert_eq!(asked, ["database", "mode", "metrics", "admin-password", "max-connections"]);
    let answers = resolve(&parameters, &given, &kept, &mut zeros).unwrap();
    assert_eq!(answers.get("metrics").unwrap().value.public_json(), json!(true));
    assert_eq!(answers.revealed_params()["admin-password"], json!("old secret"));
}

/// The class where the administrator password is a plain parameter that cannot change.
fn plain_password() -> Vec<EffectiveParameter> {
    let mut parameters = example::parameters("small");
    let password = parameters.iter_mut().find(|known| known.name == "admin-password").unwrap();
    (password.sensitive, password.generate) = (false, None);
    password.change = Change::Never;
    parameters
}

#[test]
fn what_was_given_as_a_secret_stays_one_in_a_class_that_calls_it_plain() {
    let mut kept = kept(&[
        ("database", json!("orders"), Origin::Given),
        ("admin-password", json!("old-one"), Origin::Given),
    ]);
    kept.answers["admin-password"].secret = true;
    let parameters = plain_password();
    let answers = resolve(&parameters, &[], &kept, &mut zeros).unwrap();
    let password = answers.get("admin-password").unwrap();
    assert!(password.value.is_secret());
    assert_eq!(answers.recorded()["admin-password"].value, Json::Null);
    let outside = [("admin-password", "must have 12-64 characters")];
    let told = answers.outside.iter().map(|row| (row.name.as_str(), row.message.as_str()));
    assert_eq!(told.collect::<Vec<_>>(), outside);
    let same = [set("admin-password", "old-one")];
    assert!(resolve(&parameters, &same, &kept, &mut zeros).is_ok());
    let other = [set("admin-password", "another-password")];
    let problems = resolve(&parameters, &other, &kept, &mut zeros).unwrap_err();
    assert_eq!(rows(&problems), [("admin-password", "cannot change after create")]);
}

#[test]
fn a_kept_secret_given_under_a_near_name_is_not_shown() {
    let mut kept = kept(&[
        ("database", json!("orders"), Origin::Given),
        ("admin-password", json!("old-one"), Origin::Given),
    ]);
    kept.answers["admin-password"].secret = true;
    let mut parameters = plain_password();
    parameters.iter_mut().for_each(|known| known.change = Change::Allowed);
    let how = How::SetEnv("PW".to_owned());
    let given = [Given::text("admin-pasword", "another-password", how)];
    let problems = resolve(&parameters, &given, &kept, &mut zeros).unwrap_err();
    let line = problems.command(CommandLine::new("update")).line();
    assert_eq!(line, "update --set-env admin-password=PW");
}

#[test]
fn what_only_todays_class_has_is_told_apart_from_what_nobody_knows() {
    let later = vec!["level".to_owned(), "modes".to_owned()];
    let kept = Kept { later, ..kept(&[("database", json!("orders"), Origin::Given)]) };
    let parameters = example::parameters("small");
    let given = [set("level", "debug"), set("modes", "replication"), set("nonsense", "1")];
    let problems = resolve(&parameters, &given, &kept, &mut zeros).unwrap_err();
    let has_it = "the class has it now; an upgrade brings it";
    let told = [("level", has_it), ("modes", has_it), ("nonsense", "no such parameter")];
    assert_eq!(rows(&problems), told);
    assert_eq!(problems.command(CommandLine::new("update")).line(), "update");
}
