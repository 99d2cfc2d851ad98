use serde_json::json;

use super::super::class::Change;
use super::super::example;
use super::*;

fn set(name: &str, text: &str) -> Given {
    Given::text(name, text, How::Set)
}

fn zeros(bytes: &mut [u8]) {
    bytes.fill(0);
}

fn resolved(plan: &str, given: &[Given]) -> Result<Answers, Problems> {
    resolve(&example::parameters(plan), given, &Kept::default(), &mut zeros)
}

fn base() -> CommandLine {
    CommandLine::new("create mydb").flag("--class", "postgres").flag("--plan", "small")
}

fn rows(problems: &Problems) -> Vec<(&str, &str)> {
    problems.rows.iter().map(|row| (row.name.as_str(), row.message.as_str())).collect()
}

fn values(answers: &Answers) -> Vec<(String, Json, Origin)> {
    answers
        .iter()
        .map(|answer| (answer.name.clone(), answer.value.public_json(), answer.origin))
        .collect()
}

#[test]
fn all_problems_of_the_interface_come_at_once() {
    let given = [
        set("storage", "50Gi"),
        set("mode", "cluster"),
        set("strage", "1Gi"),
        set("admin-password", "hunter2"),
    ];
    let problems = resolved("small", &given).unwrap_err();
    assert_eq!(
        problems.headline("mydb", "postgres", Some("small")),
        "5 parameters to put right for mydb (postgres, plan small)"
    );
    assert_eq!(
        rows(&problems),
        [
            ("database", "missing: first database, 1-63 of a-z 0-9 _"),
            ("storage", "\"50Gi\" is more than 10Gi, the most in plan small"),
            ("mode", "\"cluster\" is not one of standalone, replication"),
            ("strage", "no such parameter; did you mean storage?"),
            (
                "admin-password",
                "sensitive: not on the command line; leave it out to have it generated, or use \
                 --set-env or --set-file"
            ),
        ]
    );
    assert_eq!(
        problems.command(base()).line(),
        "create mydb --class postgres --plan small --set database=DATABASE \
         --set storage=10Gi --set mode=standalone"
    );
    assert!(!format!("{problems:?}{given:?}").contains("hunter2"));
}

#[test]
fn what_was_asked_is_said_again_without_questions() {
    let given = [
        Given::text("database", "orders", How::Typed),
        Given::text("storage", "10Gi", How::Typed),
        Given::accepted("mode"),
        Given::text("metrics", "yes", How::Typed),
        Given::accepted("admin-password"),
    ];
    let answers = resolved("small", &given).unwrap();
    assert_eq!(
        answers.command(base()).line(),
        "create mydb --class postgres --plan small --set database=orders \
         --set storage=10Gi --set mode=standalone --set metrics=true"
    );
    assert!(!answers.leaves_open(&example::parameters("small")), "the secret alone is not asked");
    assert_eq!(
        values(&answers),
        [
            ("database".into(), json!("orders"), Origin::Given),
            ("storage".into(), json!("10Gi"), Origin::Given),
            ("mode".into(), json!("standalone"), Origin::ClassDefault),
            ("metrics".into(), json!(true), Origin::Given),
            ("admin-password".into(), json!(null), Origin::Generated),
            ("max-connections".into(), json!(100), Origin::ClassDefault),
        ]
    );
    let Json::String(password) = &answers.revealed_params()["admin-password"] else { panic!() };
    assert_eq!(password.len(), 24);
    assert!(!format!("{answers:?}").contains(password.as_str()));
    assert!(!answers.public_params().contains_key("admin-password"));
}

#[test]
fn what_was_given_under_a_near_name_is_repeated_under_the_right_one() {
    let command = |more: Given| {
        let given = [set("database", "orders"), more];
        let problems = resolved("small", &given).unwrap_err();
        assert_eq!(rows(&problems).len(), 1, "{problems:?}");
        let line = problems.command(CommandLine::new("create")).line();
        line.strip_prefix("create --set database=orders").expect("a good one is kept").to_owned()
    };
    assert_eq!(command(set("strage", "2Gi")), " --set storage=2Gi");
    assert_eq!(command(set("strage", "50Gi")), "", "not a value of it");
    assert_eq!(command(set("metrcs", "yes")), " --set metrics=true");
    assert_eq!(command(set("admin-pasword", "hunter2hunter2")), "");
    let from = |how| Given::text("admin-pasword", "hunter2hunter2", how);
    assert_eq!(command(from(How::SetEnv("PW".into()))), " --set-env admin-password=PW");
    let both = [set("database", "orders"), set("mde", "replication"), set("replicas", "3")];
    let problems = resolved("small", &both).unwrap_err();
    assert_eq!(rows(&problems), [("mde", "no such parameter; did you mean mode?")]);
    let line = problems.command(base()).line();
    assert!(line.ends_with("--set mode=replication --set replicas=3"), "{line}");
}

#[test]
fn a_condition_decides_what_is_asked_and_sent() {
    let with = |mode: &str, more: &[Given]| {
        let mut given = vec![set("database", "orders"), set("mode", mode)];
        given.extend_from_slice(more);
        resolved("small", &given)
    };
    assert!(with("standalone", &[]).unwrap().get("replicas").is_none());
    assert_eq!(
        with("replication", &[]).unwrap().get("replicas").unwrap().value.public_json(),
        json!(2)
    );
    let problems = with("standalone", &[set("replicas", "3")]).unwrap_err();
    assert_eq!(rows(&problems), [("replicas", "applies only when mode is replication")]);
    assert_eq!(
        problems.command(base()).line(),
        "create mydb --class postgres --plan small --set database=orders --set mode=standalone"
    );
}

#[test]
fn a_condition_on_a_wrong_answer_is_not_complained_about() {
    let given = [set("database", "a"), set("mode", "replicaton"), set("replicas", "3")];
    let problems = resolved("small", &given).unwrap_err();
    assert_eq!(rows(&problems).len(), 1);
    assert!(problems.command(base()).line().ends_with("--set mode=replication --set replicas=3"));
    let given = [set("database", "a"), set("mode", "cluster"), set("replicas", "3")];
    let problems = resolved("small", &given).unwrap_err();
    assert_eq!(rows(&problems).len(), 1);
    assert!(problems.command(base()).line().ends_with("--set mode=standalone"));
}

#[test]
fn a_fixed_parameter_takes_no_other_value() {
    let same = resolved("large", &[set("database", "a"), set("mode", "replication")]).unwrap();
    assert_eq!(same.get("mode").unwrap().origin, Origin::PlanDefault);
    assert!(!same.command(base()).line().contains("mode"));
    for other in ["standalone", "nonsense"] {
        let problems = resolved("large", &[set("database", "a"), set("mode", other)]).unwrap_err();
        assert_eq!(rows(&problems), [("mode", "fixed to replication in plan large")]);
        assert!(!problems.command(base()).line().contains("mode"));
    }
}

#[test]
fn names_are_parameters_given_once() {
    let given = [
        set("database", "a"),
        set("primary.persistence.size", "2Gi"),
        set("nonsense", "x"),
        set("metrics", "yes"),
        Given::text("metrics", "no", How::SetEnv("M".into())),
    ];
    let problems = resolved("small", &given).unwrap_err();
    assert_eq!(
        rows(&problems),
        [
            ("primary.persistence.size", "no such parameter; did you mean storage?"),
            ("nonsense", "no such parameter"),
            ("metrics", "given twice"),
        ]
    );
}

#[test]
fn a_slip_in_the_name_of_a_required_one_keeps_its_value() {
    let problems = resolved("small", &[set("databse", "orders")]).unwrap_err();
    assert_eq!(problems.rows.len(), 2);
    assert!(problems.command(base()).line().ends_with("--set database=orders"));
}

#[test]
fn a_flag_wins_over_the_answers_file() {
    let file = Given::typed("storage", json!("2Gi"));
    let given = [Given::typed("database", json!("a")), file, set("storage", "3Gi")];
    let answers = resolved("small", &given).unwrap();
    assert_eq!(answers.get("storage").unwrap().value.public_json(), json!("3Gi"));
    let problems = resolved("small", &[Given::typed("database", json!(123))]).unwrap_err();
    assert_eq!(rows(&problems), [("database", "is written as a bare number: quote it")]);
}

#[test]
fn secrets_are_said_again_by_their_flag() {
    let secret = |how: How| {
        let given = [set("database", "a"), Given::text("admin-password", "correct horse", how)];
        let answers = resolved("small", &given).unwrap();
        answers.command(CommandLine::new("create mydb")).line()
    };
    let create = "create mydb --set database=a";
    assert_eq!(secret(How::SetEnv("PW".into())), format!("{create} --set-env admin-password=PW"));
    assert_eq!(secret(How::SetFile("-".into())), format!("{create} --set-file admin-password=-"));
    assert_eq!(secret(How::Typed), format!("{create} --set-env admin-password=ADMIN_PASSWORD"));
    let short = Given::text("admin-password", "hunter2", How::SetEnv("PW".into()));
    let problems = resolved("small", &[set("database", "a"), short]).unwrap_err();
    assert_eq!(rows(&problems), [("admin-password", "must have 12-64 characters")]);
}

#[test]
fn questions_come_in_the_order_of_the_class() {
    let parameters = example::parameters("small");
    let kept = Kept::default();
    let asked = |asking: Asking, mode: &str| {
        let mut given = vec![set("storage", "2Gi")];
        let mut names = Vec::new();
        while let Some(parameter) = next_question(&parameters, &given, &kept, asking) {
            names.push(parameter.name.clone());
            given.push(match parameter.name.as_str() {
                "database" => Given::text("database", "orders", How::Typed),
                "mode" => Given::text("mode", mode, How::Typed),
                name => Given::accepted(name),
            });
        }
        names.join(" ")
    };
    assert_eq!(asked(Asking::Required, "standalone"), "database");
    assert_eq!(asked(Asking::Usual, "standalone"), "database mode metrics admin-password");
    assert_eq!(
        asked(Asking::Advanced, "replication"),
        "database mode replicas metrics admin-password max-connections"
    );
    let fixed = example::parameters("large");
    let given = [set("database", "a"), set("storage", "2Gi")];
    let next = next_question(&fixed, &given, &kept, Asking::Usual).unwrap();
    assert_eq!(next.name, "replicas");
}

#[test]
fn a_generated_secret_alone_is_no_reason_to_ask() {
    let parameters = example::parameters("small");
    let open = |given: &[Given], asking| is_open(&parameters, given, &Kept::default(), asking);
    let mut given = vec![set("database", "a"), set("storage", "2Gi"), set("mode", "standalone")];
    assert!(open(&given, Asking::Usual), "metrics is open");
    assert!(!open(&given, Asking::Required));
    given.push(set("metrics", "no"));
    assert!(!open(&given, Asking::Usual));
    assert!(open(&given, Asking::Advanced));
}

#[test]
fn a_command_that_leaves_defaults_out_would_ask_again() {
    let parameters = example::parameters("small");
    let open = |given: &[Given]| resolved("small", given).unwrap().leaves_open(&parameters);
    assert!(open(&[set("database", "a")]), "--defaults was given, and storage has one");
    let typed = |name, text| Given::text(name, text, How::Typed);
    let mut given = vec![typed("database", "a"), typed("storage", "2Gi"), Given::accepted("mode")];
    assert!(open(&given));
    given.extend([Given::accepted("metrics"), Given::accepted("max-connections")]);
    assert!(!open(&given));
    given.push(Given::secret("admin-password", "correct-horse".to_owned().into()));
    assert!(!open(&given));
}

#[test]
fn given_problems_do_not_wait_for_the_missing() {
    let parameters = example::parameters("small");
    let check = |given: &[Given]| check_given(&parameters, given, &Kept::default());
    assert_eq!(check(&[]), Ok(()));
    assert_eq!(check(&[set("storage", "50Gi")]).unwrap_err().rows.len(), 1);
}

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
