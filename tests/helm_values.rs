//! Values through the real helm and back: what was said is what the chart gets, of the same type,
//! and nothing beside it changes (design §8).

#[path = "helm_values/chart.rs"]
mod chart;
mod support;

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use svc::domain::answers::{Answers, Given, How, Kept, Problems, resolve};
use svc::domain::class::{Object, Parameter};
use svc::domain::parameter::EffectiveParameter;
use svc::domain::values::Values;
use tokio::runtime::Runtime;

use chart::Echo;

/// Values that go through one helm.
const PER_HELM: usize = 500;

/// Texts that YAML, Go templates, `--set` or shells would read as something else.
static HOSTILE: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut texts: Vec<String> = [
        "",
        "true",
        "false",
        "yes",
        "no",
        "on",
        "off",
        "null",
        "~",
        "Null",
        "0123",
        "0x1F",
        "0o17",
        "0b11",
        "1e7",
        "1_000",
        "1.0",
        ".5",
        "+1",
        "-0",
        ".inf",
        ".nan",
        "NaN",
        "9007199254740993",
        "2030-01-01",
        "2030-01-01T00:00:00Z",
        "12:30:45",
        "a,b={c}",
        "{a: b}",
        "[a, b]",
        "a: b",
        "- a",
        "? a",
        "# a",
        "a # b",
        "&a",
        "*a",
        "!a",
        "!!int 3",
        "|",
        ">",
        "%TAG",
        "@a",
        "`a`",
        "'",
        "\"",
        "\\",
        "\\n",
        "'\"'\"",
        "$HOME",
        "$(x)",
        " leading",
        "trailing ",
        "\u{3000}",
        "}}",
        "{ {",
        "{%",
        "<<",
        "=",
        "---",
        "...",
        "😀 👩‍👩‍👧",
        "שלום",
        "مرحبا",
        "e\u{301}",
        "\u{feff}",
        "\u{fffd}",
        "\u{10ffff}",
        "<&>",
        "a\u{a0}b",
        "\u{ad}",
    ]
    .map(str::to_owned)
    .to_vec();
    texts.extend(["a\nb", "a\n", "\n", "\n\n a\n", "a\tb", "# a\n- b"].map(str::to_owned));
    texts.push("x".repeat(64 * 1024));
    texts.push("é".repeat(32 * 1024));
    texts
});

/// Cases of a run: few in each, many in the long one.
fn cases() -> usize {
    if support::space::is_long() { 100_000 } else { 2_000 }
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => prop::sample::select(HOSTILE.as_slice()),
        2 => any::<String>(),
        1 => "[ -~]{0,40}",
        1 => "[-+0-9.eExX_:]{1,12}",
        1 => "[\\[\\]{}:,&*#?|<>=!%@`'\"\\\\ -]{1,12}",
    ]
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

fn parameter(index: usize, kind: &Value) -> EffectiveParameter {
    let mut spec = json!({"name": format!("p{index}"), "paths": [format!("given.p{index}")]});
    spec.as_object_mut().expect("an object").extend(kind.as_object().expect("a kind").clone());
    let parameter: Parameter = serde_json::from_value(spec).expect("a parameter");
    EffectiveParameter::new(&parameter, None).expect("a good parameter")
}

fn answer(parameters: &[EffectiveParameter], given: &[Given]) -> Result<Answers, Problems> {
    resolve(parameters, given, &Kept::default(), &mut |bytes| bytes.fill(0))
}

/// What operations fixed beside the parameters.
fn fixed() -> Object {
    let fixed = json!({
        "fixed": {"text": "0123", "number": 0.1, "integer": 7, "none": {}, "list": ["a", 1, true]},
        "given": {"beside": "untouched"},
    });
    fixed.as_object().expect("an object").clone()
}

/// Gives each of the texts to a parameter of its own and sends those that are accepted through
/// helm; `expected` says what a text is in the values.
fn round_trip(
    runtime: &Runtime,
    echo: &mut Echo,
    kind: &Value,
    texts: &[String],
    expected: impl Fn(&str) -> Value,
) -> usize {
    let mut parameters = Vec::new();
    let mut given = Vec::new();
    let mut tree = Value::Object(fixed());
    for text in texts {
        let index = parameters.len();
        let parameter = parameter(index, kind);
        let said = || Given::text(format!("p{index}"), text.clone(), How::Set);
        if answer(std::slice::from_ref(&parameter), &[said()]).is_ok() {
            tree["given"][format!("p{index}")] = expected(text);
            given.push(said());
            parameters.push(parameter);
        }
    }
    let answers = answer(&parameters, &given).expect("each was accepted alone");
    let values = Values::new(fixed(), &parameters, &answers).expect("places of their own");
    let found = runtime.block_on(echo.values(&values));
    for (name, value) in tree["given"].as_object().expect("an object") {
        assert_eq!(&found["given"][name], value, "{name}");
    }
    assert_eq!(found, tree);
    parameters.len()
}

fn run(
    kind: &Value,
    texts: impl Strategy<Value = String>,
    expected: impl Fn(&str) -> Value + Copy,
) {
    let runtime = runtime();
    let echo = std::cell::RefCell::new(runtime.block_on(Echo::start()));
    let rounds = cases().div_ceil(PER_HELM);
    let config = Config {
        cases: u32::try_from(rounds).expect("not that many"),
        max_shrink_iters: 60,
        failure_persistence: None,
        ..Config::default()
    };
    let accepted = std::cell::Cell::new(0);
    let all = prop::collection::vec(texts, PER_HELM);
    let outcome = TestRunner::new(config).run(&all, |texts| {
        let went = round_trip(&runtime, &mut echo.borrow_mut(), kind, &texts, expected);
        accepted.set(accepted.get() + went);
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
    assert!(accepted.get() > rounds * PER_HELM / 3, "only {} were accepted", accepted.get());
}

#[test]
fn every_accepted_text_is_the_same_text_in_the_chart() {
    if support::on_a_cluster("every_accepted_text_is_the_same_text_in_the_chart") {
        run(&json!({"string": {}}), text(), |text| json!(text));
    }
}

#[test]
fn every_accepted_text_of_several_lines_is_the_same() {
    if support::on_a_cluster("every_accepted_text_of_several_lines_is_the_same") {
        run(&json!({"string": {"multiline": true}}), text(), |text| json!(text));
    }
}

#[test]
fn every_integer_is_the_same_integer_in_the_chart() {
    if support::on_a_cluster("every_integer_is_the_same_integer_in_the_chart") {
        let edges = [0, 1, -1, 999_999, 1_000_000, 1 << 53, (1 << 53) + 1, i64::MAX, -i64::MAX];
        let integers = prop_oneof![
            1 => prop::sample::select(edges.to_vec()),
            3 => -i64::MAX..=i64::MAX,
            1 => -2_000_000..2_000_000_i64,
        ];
        let expected = |text: &str| json!(text.parse::<i64>().expect("an integer"));
        run(&json!({"integer": {}}), integers.prop_map(|integer| integer.to_string()), expected);
    }
}

#[test]
fn no_hostile_text_is_lost() {
    if support::on_a_cluster("no_hostile_text_is_lost") {
        let runtime = runtime();
        let mut echo = runtime.block_on(Echo::start());
        let kind = json!({"string": {"multiline": true}});
        let accepted = round_trip(&runtime, &mut echo, &kind, &HOSTILE, |text| json!(text));
        let refused = HOSTILE.iter().filter(|text| text.contains("{{")).count();
        assert_eq!(accepted, HOSTILE.len() - refused);
    }
}
