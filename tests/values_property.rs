//! Promises of the domain that hold for every value: names, quantities, paths, limits, JSON.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use proptest::prelude::*;
use serde_json::{Value as Json, json};
use svc::domain::class::{Object, Parameter, Plan};
use svc::domain::duration::Duration;
use svc::domain::helm_json::{HelmJsonError, helm_json};
use svc::domain::name::InstanceName;
use svc::domain::parameter::EffectiveParameter;
use svc::domain::path::{Path, Step};
use svc::domain::quantity::Quantity;

/// Small trees with keys that need escapes and lists to enter.
fn tree() -> impl Strategy<Value = Object> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        prop::num::f64::NORMAL.prop_map(Json::from),
        any::<String>().prop_map(Json::from),
    ];
    let value = leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            prop::collection::vec((key(), inner), 0..4)
                .prop_map(|entries| Json::Object(entries.into_iter().collect())),
        ]
    });
    prop::collection::vec((key(), value), 0..4).prop_map(|entries| entries.into_iter().collect())
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("a".to_owned()),
        Just("b".to_owned()),
        Just("c.d".to_owned()),
        "[a-z.\\[=]{1,3}"
    ]
}

fn path() -> impl Strategy<Value = Path> {
    let step = prop_oneof![3 => key().prop_map(Step::Key), 1 => (0..3_usize).prop_map(Step::Index)];
    (key(), prop::collection::vec(step, 0..4))
        .prop_map(|(first, rest)| Path::from([vec![Step::Key(first)], rest].concat()))
}

/// Every scalar and every empty collection with where it stands.
fn leaves(value: &Json, at: &mut Vec<Step>, found: &mut Vec<(Vec<Step>, Json)>) {
    match value {
        Json::Object(object) if !object.is_empty() => {
            for (key, value) in object {
                at.push(Step::Key(key.clone()));
                leaves(value, at, found);
                at.pop();
            }
        }
        Json::Array(list) if !list.is_empty() => {
            for (index, value) in list.iter().enumerate() {
                at.push(Step::Index(index));
                leaves(value, at, found);
                at.pop();
            }
        }
        _ => found.push((at.clone(), value.clone())),
    }
}

fn leaves_outside(tree: &Object, path: &Path) -> Vec<(Vec<Step>, Json)> {
    let mut found = Vec::new();
    leaves(&Json::Object(tree.clone()), &mut Vec::new(), &mut found);
    // An empty object on the way may be filled: it is no longer a leaf, and nothing is lost.
    let on_the_way = |at: &[Step]| path.steps().starts_with(at) || at.starts_with(path.steps());
    found.retain(|(at, _)| !on_the_way(at));
    found
}

/// The suffixes of Kubernetes in thousand-millionths.
const SUFFIXES: [(&str, i128); 14] = [
    ("n", 1),
    ("u", 1_000),
    ("m", 1_000_000),
    ("", 1_000_000_000),
    ("k", 1_000_000_000_000),
    ("M", 1_000_000_000_000_000),
    ("G", 1_000_000_000_000_000_000),
    ("T", 1_000_000_000_000_000_000_000),
    ("Ki", 1_024_000_000_000),
    ("Mi", 1_048_576_000_000_000),
    ("Gi", 1_073_741_824_000_000_000),
    ("Ti", 1_099_511_627_776_000_000_000),
    ("e3", 1_000_000_000_000),
    ("E-3", 1_000_000),
];

prop_compose! {
    /// A text and its amount in millionths of a thousand-millionth.
    fn quantity()(
        whole in 0..100_000_i128,
        thousandths in 0..1_000_i128,
        suffix in prop::sample::select(SUFFIXES.as_slice()),
        negative in any::<bool>(),
    ) -> (String, i128) {
        let sign = if negative { "-" } else { "" };
        let amount = (whole * 1_000 + thousandths) * suffix.1;
        (format!("{sign}{whole}.{thousandths:03}{}", suffix.0), if negative { -amount } else { amount })
    }
}

fn integer_limits() -> impl Strategy<Value = (Json, Json)> {
    let limits = || {
        let bound = || prop::option::of(-50..50_i64);
        let choices = prop::collection::vec(-50..50_i64, 0..4);
        (bound(), bound(), choices).prop_map(|(minimum, maximum, choices)| {
            let mut limits = json!({});
            limits["enum"] = json!(choices);
            minimum.inspect(|least| limits["minimum"] = json!(least));
            maximum.inspect(|most| limits["maximum"] = json!(most));
            limits
        })
    };
    (limits(), limits())
}

fn under_plan(class: &Json, plan: Option<&Json>, kind: &str) -> Option<EffectiveParameter> {
    let parameter: Parameter =
        serde_json::from_value(json!({"name": "x", "paths": ["x"], kind: class})).unwrap();
    let plan = plan.map(|plan| {
        let parameters = json!([{"name": "x", kind: plan}]);
        serde_json::from_value::<Plan>(json!({"name": "p", "parameters": parameters})).unwrap()
    });
    EffectiveParameter::new(&parameter, plan.as_ref()).ok()
}

proptest! {
    #[test]
    fn setting_a_path_touches_nothing_else(before in tree(), path in path()) {
        let mut after = before.clone();
        if path.set_new(&mut after, json!("new")).is_ok() {
            prop_assert_eq!(path.get(&after), Some(&json!("new")));
        }
        prop_assert_eq!(leaves_outside(&after, &path), leaves_outside(&before, &path));
    }

    #[test]
    fn a_path_reads_back(path in path()) {
        prop_assert_eq!(path.to_string().parse::<Path>(), Ok(path));
    }

    #[test]
    fn quantities_have_the_order_of_their_amounts(one in quantity(), other in quantity()) {
        let read = |text: &str| text.parse::<Quantity>();
        if let (Ok(left), Ok(right)) = (read(&one.0), read(&other.0)) {
            prop_assert_eq!(left.cmp(&right), one.1.cmp(&other.1), "{} {}", one.0, other.0);
            prop_assert_eq!(left.nanos() * 1_000, one.1);
        } else {
            // Only what is finer than a nano may be refused here.
            prop_assert!(one.1 % 1_000 != 0 || other.1 % 1_000 != 0);
        }
    }

    #[test]
    fn any_text_is_a_quantity_by_kubernetes_notation_or_refused(text in "[-+0-9.eEinumkKMGTP]{0,12}") {
        let notation =
            regex::Regex::new(r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]+)?$")
                .unwrap();
        match text.parse::<Quantity>() {
            Ok(quantity) => {
                prop_assert!(notation.is_match(&text), "{}", text);
                prop_assert_eq!(quantity.to_string(), text);
            }
            Err(svc::domain::quantity::QuantityError::Notation) => {
                prop_assert!(!notation.is_match(&text), "{}", text);
            }
            Err(_) => prop_assert!(notation.is_match(&text), "{}", text),
        }
    }

    #[test]
    fn durations_read_back(hours in 0..9_999_i64, minutes in 0..60_i64, millis in 0..60_000_i64) {
        let text = format!("{hours}h{minutes}m{millis}ms");
        let duration = text.parse::<Duration>().unwrap();
        prop_assert_eq!(duration.nanos(), ((hours * 60 + minutes) * 60_000 + millis) * 1_000_000);
        prop_assert_eq!(duration.to_string().parse::<Duration>(), Ok(duration));
    }

    #[test]
    fn a_plan_never_widens((class, plan) in integer_limits(), value in -60..60_i64) {
        let text = value.to_string();
        let (Some(alone), Some(under)) =
            (under_plan(&class, None, "integer"), under_plan(&class, Some(&plan), "integer"))
        else {
            return Ok(());
        };
        if under.parse(&text).is_ok() {
            prop_assert!(alone.parse(&text).is_ok());
        }
        if let Err(problem) = under.parse(&text)
            && let Some(nearest) = problem.nearest()
        {
            prop_assert!(under.check(nearest).is_ok(), "{:?}", nearest);
        }
    }

    #[test]
    fn helm_json_reads_back(mut values in tree(), text in any::<String>()) {
        values.insert("text".to_owned(), Json::from(text));
        match helm_json(&values) {
            Ok(written) => {
                prop_assert_eq!(serde_json::from_slice::<Object>(&written).unwrap(), values);
                let written = String::from_utf8(written).unwrap();
                let raw = |character: char| {
                    character.is_control() || ['\u{2028}', '\u{2029}', '\u{feff}'].contains(&character)
                };
                prop_assert!(!written.contains(raw));
                let escapes = written.replace(r"\\", "").to_lowercase();
                prop_assert!(!escapes.contains(r"\/") && !escapes.contains(r"\ud8"));
            }
            Err(error) => prop_assert_eq!(error, HelmJsonError::Noncharacter),
        }
    }

    #[test]
    fn a_suggested_name_is_a_name(text in any::<String>(), max_length in 1..=40_u8) {
        if let Some(name) = InstanceName::suggest(&text, max_length) {
            prop_assert_eq!(InstanceName::parse(name.as_str(), max_length), Ok(name));
        }
    }

    #[test]
    fn a_free_name_is_free(base in "[a-z][a-z0-9-]{0,40}", taken in 0..30_usize) {
        let mut names: Vec<String> = Vec::new();
        for _ in 0..=taken {
            let free =
                InstanceName::first_free(&base, 30, |name| names.iter().any(|it| it == name)).unwrap();
            prop_assert!(!names.contains(&free.to_string()));
            prop_assert!(InstanceName::parse(free.as_str(), 30).is_ok());
            names.push(free.to_string());
        }
    }
}
