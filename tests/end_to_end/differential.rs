//! What `svc create` shows is what the live objects hold: many classes with random parameters,
//! plans and answers.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::support::space::Space;

const CLASSES: u64 = 30;

/// Numbers that look random and are the same in every run (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % limit as u64).expect("below a usize")
    }

    fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }

    fn yes(&mut self) -> bool {
        self.below(2) == 0
    }
}

const TEXTS: [&str; 12] = [
    "true",
    "0123",
    "1e7",
    "null",
    "~",
    "2030-01-01",
    "a,b={c}",
    "it's \"quoted\"",
    "back\\slash",
    "# no remark",
    " leading",
    "شكرا 😀",
];

/// A value of a kind.
fn value(kind: &str, numbers: &mut Numbers) -> Value {
    match kind {
        "string" => json!(numbers.one_of(&TEXTS)),
        "integer" => {
            let all = [0, -7, 999_999, 1_000_000, 9_007_199_254_740_993, i64::MAX, -i64::MAX];
            json!(all[numbers.below(all.len())])
        }
        "number" => json!([0.5, -2.25, 1e-3, 1234.5][numbers.below(4)]),
        "boolean" => json!(numbers.yes()),
        "quantity" => json!(numbers.one_of(&["1Gi", "1500Mi", "2", "250m", "1e3"])),
        "duration" => json!(numbers.one_of(&["5m", "90s", "1h30m"])),
        "list" => json!(TEXTS[..numbers.below(4)]),
        other => panic!("{other} is no kind"),
    }
}

const KINDS: [&str; 7] = ["string", "integer", "number", "boolean", "quantity", "duration", "list"];

/// The parameters of a class; the first is a switch that some of the others depend on.
fn parameters(numbers: &mut Numbers) -> Vec<Value> {
    let mut all =
        vec![json!({"name": "on", "paths": ["text.on"], "boolean": {"default": numbers.yes()}})];
    for index in 0..2 + numbers.below(7) {
        let kind = KINDS[numbers.below(KINDS.len())];
        let mut paths = vec![format!("text.p{index}")];
        if numbers.yes() {
            paths.push(format!("deep.er.p{index}"));
        }
        let limits =
            if numbers.yes() { json!({"default": value(kind, numbers)}) } else { json!({}) };
        let mut parameter = json!({"name": format!("p{index}"), "paths": paths, kind: limits});
        if numbers.below(4) == 0 {
            parameter["when"] = json!({"parameter": "on", "in": ["true"]});
        }
        all.push(parameter);
    }
    all
}

fn kind_of(parameter: &Value) -> &'static str {
    KINDS.into_iter().find(|kind| parameter.get(kind).is_some()).expect("one kind")
}

/// A plan with values of its own and, for a parameter, another default.
fn plans(parameters: &[Value], numbers: &mut Numbers) -> Vec<Value> {
    let chosen = &parameters[1 + numbers.below(parameters.len() - 1)];
    let kind = kind_of(chosen);
    let narrower = json!({"name": chosen["name"], kind: {"default": value(kind, numbers)}});
    vec![
        json!({"name": "small", "summary": "small", "values": {"plan": {"size": 1}}}),
        json!({"name": "large", "summary": "large", "values": {"plan": {"size": 2}}, "parameters": [narrower]}),
    ]
}

/// Answers to some of the parameters; one that is not asked is not answered.
fn answers(parameters: &[Value], numbers: &mut Numbers) -> Map<String, Value> {
    let mut answers = Map::new();
    let mut on = parameters[0]["boolean"]["default"] == true;
    for parameter in parameters {
        if (parameter.get("when").is_some() && !on) || numbers.yes() {
            continue;
        }
        let name = parameter["name"].as_str().expect("a name");
        let answer = value(kind_of(parameter), numbers);
        if name == "on" {
            on = answer == true;
        }
        answers.insert(name.to_owned(), answer);
    }
    answers
}

/// Every value that is no object, by its path.
fn leaves(prefix: &str, value: &Value, found: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
                leaves(&path, value, found);
            }
        }
        _ => {
            found.insert(prefix.to_owned(), value.clone());
        }
    }
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn compare(space: &Space, seed: u64) {
    let numbers = &mut Numbers(seed);
    let parameters = parameters(numbers);
    let plans = plans(&parameters, numbers);
    let class = space.class_like("config", |spec| {
        spec["values"] = json!({"fixed": {"flag": true, "list": [1, "two"], "text": "0123"}});
        spec["computed"] = json!([{"paths": ["computed.name"], "value": "{{ release.name }}"},
                                  {"paths": ["computed.size"], "value": "{{ values.plan.size }}"}]);
        spec["parameters"] = json!(parameters);
        spec["plans"] = json!(plans);
        spec["connection"]["details"] =
            json!([{"name": "host", "from": {"source": "settings", "key": "host"}}]);
    });
    let plan = numbers.one_of(&["small", "large"]);
    let answers = answers(&parameters, numbers);
    let file = json!({"class": class, "plan": plan, "parameters": answers});
    let (name, answers) = (format!("i{seed}"), format!("answers-{seed}.json"));
    space.write(&answers, &file.to_string());

    let shown = space.svc(&format!("create {name} -f {answers} --dry-run -o json")).ok();
    let shown = json_of(&shown.stdout);
    space.svc(&format!("create {name} -f {answers} --no-wait")).ok();
    let map = space.get(&format!("configmap {name}-config"));
    let mut live = BTreeMap::new();
    leaves("", &json_of(map["data"]["given"].as_str().expect("text")), &mut live);

    let told = shown["values"].as_object().expect("values by path");
    let told: BTreeMap<String, Value> = told.clone().into_iter().collect();
    assert_eq!(live, told, "{file}");
    let stored = json_of(&space.svc(&format!("show {name} -o json")).ok().stdout);
    assert_eq!(stored["parameters"], shown["parameters"], "{file}");
}

#[test]
fn live_objects_hold_what_was_shown() {
    let Some(space) = Space::new("differential") else { return };
    std::thread::scope(|scope| {
        for worker in 0..3 {
            let space = &space;
            scope.spawn(move || (worker..CLASSES).step_by(3).for_each(|seed| compare(space, seed)));
        }
    });
}
