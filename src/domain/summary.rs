//! Parameters with their values, as `create`, `show` and `update` list them.

use indexmap::IndexMap;
use serde_json::Value as Json;

use super::answers::{Answer, AnswerValue, Answers};
use super::class::{Change, Parameter};
use super::leftovers::Reused;
use super::parameter::EffectiveParameter;
use super::record::{Origin, RecordedAnswer};
use super::value::number_text;

/// One parameter with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub name: String,
    pub value: RowValue,
    /// What is said behind the value: `cannot change later`.
    pub remark: Option<&'static str>,
}

/// What stands beside the name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowValue {
    Text(String),
    /// It will be made.
    Generated,
    /// It is sensitive: the mask of that stream stands for it.
    Masked,
}

/// The rows before `create` asks for the last time: what was given or is taken by default, but
/// neither what the plan fixes nor advanced ones that nobody gave. A volume that is used again
/// keeps its size: that is said in place of what was asked for.
pub fn before_create(
    parameters: &[EffectiveParameter],
    answers: &Answers,
    reused: &[Reused],
) -> Vec<Row> {
    let row = |parameter: &EffectiveParameter| {
        let answer = answers.get(&parameter.name)?;
        if let Some(kept) = reused.iter().find(|one| one.is_sized_by(&parameter.name)) {
            return Some(Row::text_only(&parameter.name, kept.as_answer()));
        }
        let unasked = parameter.fixed || (parameter.advanced && answer.how.is_none());
        (!unasked).then(|| Row {
            name: parameter.name.clone(),
            value: row_value(answer),
            remark: (parameter.change == Change::Never).then_some("cannot change later"),
        })
    };
    let mut rows: Vec<Row> = parameters.iter().filter_map(row).collect();
    let told = |one: &&Reused| !rows.iter().any(|row| one.is_sized_by(&row.name));
    let volumes: Vec<Row> =
        reused.iter().filter(told).map(|one| Row::text_only("volume", one.alone())).collect();
    rows.extend(volumes);
    rows
}

/// The rows of `show`: every recorded answer, in the order of the recorded class.
pub fn of_instance(
    parameters: &[Parameter],
    answers: &IndexMap<String, RecordedAnswer>,
) -> Vec<Row> {
    let row = |parameter: &Parameter| {
        let answer = answers.get(&parameter.name)?;
        let value = if parameter.sensitive || answer.value.is_null() {
            RowValue::Masked
        } else {
            RowValue::Text(json_text(&answer.value))
        };
        let remark = (parameter.change == Change::Never).then_some("cannot change");
        Some(Row { name: parameter.name.clone(), value, remark })
    };
    parameters.iter().filter_map(row).collect()
}

/// A stored value as a person reads it: `yes`, `10Gi`, `a, b`.
pub fn json_text(value: &Json) -> String {
    match value {
        Json::Null => "-".to_owned(),
        Json::Bool(true) => "yes".to_owned(),
        Json::Bool(false) => "no".to_owned(),
        Json::String(text) => text.clone(),
        Json::Number(number) if number.is_f64() => {
            number.as_f64().map_or_else(|| number.to_string(), number_text)
        }
        Json::Number(number) => number.to_string(),
        Json::Array(list) if list.is_empty() => "none".to_owned(),
        Json::Array(list) => list.iter().map(json_text).collect::<Vec<_>>().join(", "),
        Json::Object(_) => value.to_string(),
    }
}

impl Row {
    fn text_only(name: &str, text: String) -> Self {
        Self { name: name.to_owned(), value: RowValue::Text(text), remark: None }
    }

    /// The text beside the name: `10Gi, cannot change later`.
    pub fn text(&self, mask: &str) -> String {
        let value = match &self.value {
            RowValue::Text(text) => text,
            RowValue::Generated => "generated",
            RowValue::Masked => mask,
        };
        match self.remark {
            Some(remark) => format!("{value}, {remark}"),
            None => value.to_owned(),
        }
    }
}

fn row_value(answer: &Answer) -> RowValue {
    match &answer.value {
        _ if answer.origin == Origin::Generated => RowValue::Generated,
        AnswerValue::Plain(value) => RowValue::Text(value.to_string()),
        AnswerValue::Secret(_) => RowValue::Masked,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::answers::{Given, How, Kept, resolve};
    use super::super::example;
    use super::*;

    fn lines(rows: &[Row]) -> Vec<String> {
        rows.iter().map(|row| format!("{}  {}", row.name, row.text("********"))).collect()
    }

    fn given() -> [Given; 5] {
        [
            Given::text("database", "orders", How::Typed),
            Given::text("storage", "10Gi", How::Typed),
            Given::accepted("mode"),
            Given::text("metrics", "yes", How::Typed),
            Given::accepted("admin-password"),
        ]
    }

    #[test]
    fn the_summary_is_that_of_the_interface() {
        let parameters = example::parameters("small");
        let answers =
            resolve(&parameters, &given(), &Kept::default(), &mut |bytes| bytes.fill(1)).unwrap();
        assert_eq!(
            lines(&before_create(&parameters, &answers, &[])),
            [
                "database  orders",
                "storage  10Gi, cannot change later",
                "mode  standalone",
                "metrics  yes",
                "admin-password  generated",
            ]
        );
        let recorded = answers.recorded();
        assert_eq!(
            lines(&of_instance(&example::postgres().parameters, &recorded)),
            [
                "database  orders",
                "storage  10Gi, cannot change",
                "mode  standalone",
                "metrics  yes",
                "admin-password  ********",
                "max-connections  100",
            ]
        );
    }

    #[test]
    fn a_secret_that_was_given_is_masked() {
        let parameters = example::parameters("small");
        let mut given = given().to_vec();
        given[4] = Given::text("admin-password", "correct horse", How::SetEnv("PW".into()));
        let answers =
            resolve(&parameters, &given, &Kept::default(), &mut |bytes| bytes.fill(1)).unwrap();
        let rows = before_create(&parameters, &answers, &[]);
        assert_eq!(rows[4].value, RowValue::Masked);
    }

    #[test]
    fn a_volume_that_is_used_again_stands_for_what_was_asked() {
        let parameters = example::parameters("small");
        let answers =
            resolve(&parameters, &given(), &Kept::default(), &mut |bytes| bytes.fill(1)).unwrap();
        let mut kept = Reused {
            volume: "data-mydb-0".into(),
            size: "5Gi".parse().unwrap(),
            asked: "10Gi".parse().unwrap(),
            parameter: Some("storage".into()),
        };
        let rows = |kept: &Reused| {
            lines(&before_create(&parameters, &answers, std::slice::from_ref(kept)))
        };
        assert_eq!(rows(&kept)[1], "storage  5Gi, of volume data-mydb-0, not 10Gi");
        kept.parameter = None;
        assert_eq!(rows(&kept)[1], "storage  10Gi, cannot change later");
        assert_eq!(rows(&kept)[5], "volume  data-mydb-0, 5Gi, not 10Gi");
    }

    #[test]
    fn stored_values_read_like_given_ones() {
        for (value, text) in [
            (json!(true), "yes"),
            (json!(100), "100"),
            (json!(0.5), "0.5"),
            (json!(["a", "b"]), "a, b"),
            (json!([]), "none"),
            (json!("10Gi"), "10Gi"),
        ] {
            assert_eq!(json_text(&value), text);
        }
    }
}
