//! The name that charts give their objects: the helper that `helm create` writes.

use serde_json::Value;

use super::class::Object;

/// The longest DNS label, where the helper cuts.
const LONGEST: usize = 63;

/// What `define "CHART.fullname"` of the standard chart gives: `fullnameOverride`; else the
/// release's name where it contains the chart's (or `nameOverride`); else `RELEASE-CHART`.
///
/// Source: `helm create`, templates/_helpers.tpl.
pub fn fullname(release: &str, chart: &str, values: &Object) -> String {
    if let Some(name) = text(values, "fullnameOverride") {
        return cut(name);
    }
    let name = text(values, "nameOverride").unwrap_or(chart);
    if release.contains(name) { cut(release) } else { cut(&format!("{release}-{name}")) }
}

/// A value that Go's templates hold for true; the empty text is not.
fn text<'a>(values: &'a Object, key: &str) -> Option<&'a str> {
    values.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// `trunc 63 | trimSuffix "-"`: bytes, and one dash at most.
fn cut(name: &str) -> String {
    let mut end = name.len().min(LONGEST);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    let cut = &name[..end];
    cut.strip_suffix('-').unwrap_or(cut).to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn with(release: &str, values: Value) -> String {
        fullname(release, "postgresql", values.as_object().unwrap())
    }

    #[test]
    fn release_and_chart_make_the_name() {
        assert_eq!(with("mydb", json!({})), "mydb-postgresql");
        assert_eq!(with("notpostgresqlish", json!({})), "notpostgresqlish");
        assert_eq!(with("mydb", json!({"fullnameOverride": ""})), "mydb-postgresql");
    }

    #[test]
    fn overrides_win() {
        assert_eq!(with("mydb", json!({"fullnameOverride": "db"})), "db");
        assert_eq!(with("mydb", json!({"nameOverride": "pg"})), "mydb-pg");
        assert_eq!(with("my-pg", json!({"nameOverride": "pg"})), "my-pg");
    }

    #[test]
    fn the_name_is_cut_at_63_and_loses_its_dash() {
        let release = "a".repeat(62);
        assert_eq!(with(&release, json!({})), release);
        assert_eq!(with(&"a".repeat(70), json!({})), "a".repeat(63));
    }
}
